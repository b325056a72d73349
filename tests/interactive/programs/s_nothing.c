/* Ends at once. */
#include "talk.h"

int main(void) {
    return 0;
}
