/* Asks and hears the answer, without end. */
#include "talk.h"

int main(void) {
    char line[100];
    for (;;) {
        say("0\n");
        if (!hear(line, sizeof line)) return 1;
    }
}
