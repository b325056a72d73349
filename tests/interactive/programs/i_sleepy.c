/* Waits longer than any detector of standstill before it answers. */
#include "talk.h"

int main(void) {
    char line[100];
    if (!hear(line, sizeof line)) return REFUSE;
    usleep(900000);
    say("=\n");
    return ACCEPT;
}
