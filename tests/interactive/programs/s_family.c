/* Leaves a child behind that has both pipes. */
#include "talk.h"

int main(void) {
    if (fork() == 0) {
        sleep(30);
        return 0;
    }
    say("0\n");
    return 0;
}
