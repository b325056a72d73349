/* An honest interactor: a number up to 1000 in at most 20 questions. */
#include "talk.h"

int main(void) {
    char line[100];
    for (int question = 0; question < 20; question++) {
        if (!hear(line, sizeof line)) return REFUSE;
        int guess = atoi(line);
        if (guess < 1 || guess > 1000) return REFUSE;
        if (guess == 618) {
            say("=\n");
            return ACCEPT;
        }
        say(guess > 618 ? "<\n" : ">\n");
    }
    return REFUSE;
}
