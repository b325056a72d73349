/* Says a line and takes memory without end. */
#include "talk.h"

int main(void) {
    say("0\n");
    for (;;) {
        char *block = malloc(1 << 20);
        if (block) memset(block, 1, 1 << 20);
    }
}
