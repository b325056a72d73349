/* Accepts without a word. */
#include "talk.h"

int main(void) {
    return ACCEPT;
}
