/* Accepts after a line, without an answer. */
#include "talk.h"

int main(void) {
    char line[100];
    return hear(line, sizeof line) ? ACCEPT : REFUSE;
}
