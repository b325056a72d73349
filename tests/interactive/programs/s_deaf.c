/* Closes its input, says a line. */
#include "talk.h"

int main(void) {
    close(0);
    usleep(100000);
    say("0\n");
    return 0;
}
