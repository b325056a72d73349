/* Reads to the end, then refuses. */
#include "talk.h"

int main(void) {
    hear_all();
    return REFUSE;
}
