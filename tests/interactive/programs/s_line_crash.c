/* Says a line and crashes. */
#include "talk.h"

int main(void) {
    say("0\n");
    raise(SIGSEGV);
    return 0;
}
