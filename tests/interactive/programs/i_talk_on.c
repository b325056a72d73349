/* Reads to the end, then answers though nobody hears it. */
#include "talk.h"

int main(void) {
    hear_all();
    for (int i = 0; i < 100000; i++) say("still here\n");
    return REFUSE;
}
