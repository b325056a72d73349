/* Says a line, reads to the end. */
#include "talk.h"

int main(void) {
    say("0\n");
    hear_all();
    return 0;
}
