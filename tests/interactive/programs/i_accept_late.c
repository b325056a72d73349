/* Reads to the end, works for a while, then accepts. */
#include "talk.h"

int main(void) {
    hear_all();
    for (volatile long i = 0; i < 100000000; i++) {}
    return ACCEPT;
}
