/* Hears a line, lets time pass, then refuses. */
#include "talk.h"

int main(void) {
    char line[100];
    hear(line, sizeof line);
    usleep(300000);
    return REFUSE;
}
