/* Reads to the end, then accepts. */
#include "talk.h"

int main(void) {
    hear_all();
    return ACCEPT;
}
