/* Writes four mebibytes. */
#include "talk.h"

int main(void) {
    pour(4 << 20);
    return 0;
}
