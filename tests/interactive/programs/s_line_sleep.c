/* Says a line and sleeps for ever. */
#include "talk.h"

int main(void) {
    say("0\n");
    for (;;) pause();
}
