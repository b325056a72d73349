/* Crashes after a line. */
#include "talk.h"

int main(void) {
    char line[100];
    hear(line, sizeof line);
    raise(SIGSEGV);
    return ACCEPT;
}
