/* Writes eight mebibytes. */
#include "talk.h"

int main(void) {
    pour(8 << 20);
    return 0;
}
