/* Says a line and works for ever. */
#include "talk.h"

int main(void) {
    say("0\n");
    for (volatile long i = 0;; i++) {}
}
