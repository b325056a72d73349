/* Closes its output, works for ever. */
#include "talk.h"

int main(void) {
    close(1);
    for (volatile long i = 0;; i++) {}
}
