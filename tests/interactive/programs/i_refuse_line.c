/* Refuses after a line or at the end, without an answer. */
#include "talk.h"

int main(void) {
    char line[100];
    hear(line, sizeof line);
    return REFUSE;
}
