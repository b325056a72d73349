/* Works for ever without a word. */
#include "talk.h"

int main(void) {
    for (volatile long i = 0;; i++) {}
}
