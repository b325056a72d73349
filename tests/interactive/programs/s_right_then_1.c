/* Finds the number, ends with code 1. */
#include "talk.h"

int main(void) {
    char line[100];
    int low = 1, high = 1000;
    for (;;) {
        int middle = (low + high) / 2;
        char text[20];
        snprintf(text, sizeof text, "%d\n", middle);
        say(text);
        if (!hear(line, sizeof line) || line[0] == '=') return 1;
        if (line[0] == '<') high = middle - 1;
        else low = middle + 1;
    }
}
