/* Kills itself after a line. */
#include "talk.h"

int main(void) {
    char line[100];
    hear(line, sizeof line);
    kill(getpid(), SIGKILL);
    return ACCEPT;
}
