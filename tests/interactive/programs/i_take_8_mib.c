/* Refuses when it has read eight mebibytes. */
#include "talk.h"

int main(void) {
    take(8 << 20);
    return REFUSE;
}
