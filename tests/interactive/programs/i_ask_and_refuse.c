/* Says that the line was wrong, then refuses. */
#include "talk.h"

int main(void) {
    char line[100];
    hear(line, sizeof line);
    say("wrong\n");
    usleep(20000);
    return REFUSE;
}
