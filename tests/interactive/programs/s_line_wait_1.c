/* Says a line, reads to the end, ends with code 1. */
#include "talk.h"

int main(void) {
    say("0\n");
    hear_all();
    return 1;
}
