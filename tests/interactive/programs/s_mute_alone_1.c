/* Closes its output, ends with code 1 by itself. */
#include "talk.h"

int main(void) {
    close(1);
    usleep(100000);
    return 1;
}
