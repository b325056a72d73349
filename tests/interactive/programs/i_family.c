/* Leaves a child behind that has both pipes, and accepts. */
#include "talk.h"

int main(void) {
    char line[100];
    if (!hear(line, sizeof line)) return REFUSE;
    if (fork() == 0) {
        sleep(30);
        return REFUSE;
    }
    return ACCEPT;
}
