/* Says a line, and later another one. */
#include "talk.h"

int main(void) {
    say("0\n");
    usleep(200000);
    say("1\n");
    return 0;
}
