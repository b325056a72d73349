/* Writes much more than fits, then hears a line. */
#include "talk.h"

int main(void) {
    char line[100];
    for (int i = 0; i < 400000; i++) say("0123456789\n");
    return hear(line, sizeof line) ? ACCEPT : REFUSE;
}
