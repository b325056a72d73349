/* Writes much for ever and never reads. */
#include "talk.h"

int main(void) {
    pour(-1);
    return 0;
}
