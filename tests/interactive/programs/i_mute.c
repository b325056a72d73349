/* Closes its output, then reads to the end and accepts. */
#include "talk.h"

int main(void) {
    close(1);
    hear_all();
    return ACCEPT;
}
