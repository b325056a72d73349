/* Works for ever after a line. */
#include "talk.h"

int main(void) {
    char line[100];
    hear(line, sizeof line);
    for (volatile long i = 0;; i++) {}
}
