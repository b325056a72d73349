/* Says a line, and writes eight mebibytes into a file. */
#include <fcntl.h>
#include "talk.h"

int main(void) {
    say("500\n");
    close(1);
    open("file", O_CREAT | O_WRONLY, 0600);
    pour(8 << 20);
    return 0;
}
