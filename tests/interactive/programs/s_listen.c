/* Reads all and says nothing. */
#include "talk.h"

int main(void) {
    hear_all();
    return 0;
}
