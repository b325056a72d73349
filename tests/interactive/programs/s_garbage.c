/* Writes bytes that are no number. */
#include "talk.h"

int main(void) {
    write(1, "\0\377\376 what?\n", 10);
    hear_all();
    return 0;
}
