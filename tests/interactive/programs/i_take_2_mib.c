/* Refuses when it has read two mebibytes. */
#include "talk.h"

int main(void) {
    take(2 << 20);
    return REFUSE;
}
