/* Writes for ever and never reads. */
#include "talk.h"

int main(void) {
    for (;;) say("500\n");
}
