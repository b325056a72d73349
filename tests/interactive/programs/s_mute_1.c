/* Closes its output, reads to the end, ends with code 1. */
#include "talk.h"

int main(void) {
    close(1);
    hear_all();
    return 1;
}
