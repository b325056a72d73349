/* Answers every line, each after a short while, without end. */
#include "talk.h"

int main(void) {
    char line[100];
    while (hear(line, sizeof line)) {
        usleep(1000);
        say("go on\n");
    }
    return REFUSE;
}
