/* Closes its input, asks, and accepts later. */
#include "talk.h"

int main(void) {
    close(0);
    say("=\n");
    usleep(200000);
    return ACCEPT;
}
