/* What the programs of these tests have in common. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ACCEPT = 42, REFUSE = 43 };

/* Writes a text at once. */
static inline void say(const char *text) {
    size_t length = strlen(text);
    if (write(1, text, length) != (ssize_t)length) exit(7);
}

/* Reads up to the end of a line; false when there is none any more. */
static inline int hear(char *line, int room) {
    int length = 0;
    while (length < room - 1 && read(0, line + length, 1) == 1)
        if (line[length++] == '\n') {
            line[length] = 0;
            return 1;
        }
    line[length] = 0;
    return 0;
}

/* Reads until nothing more comes. */
static inline void hear_all(void) {
    char block[4096];
    while (read(0, block, sizeof block) > 0) {}
}

/* Reads so many bytes, or as many as come. */
static inline void take(long bytes) {
    char block[4096];
    long got;
    while (bytes > 0 && (got = read(0, block, sizeof block)) > 0) bytes -= got;
}

/* Writes lines of so many bytes; less than none: without end. */
static inline void pour(long bytes) {
    static char block[64 << 10];
    for (size_t i = 0; i < sizeof block; i++) block[i] = "500\n"[i % 4];
    while (bytes != 0) {
        if (write(1, block, sizeof block) != sizeof block) exit(7);
        if (bytes > 0) bytes -= sizeof block;
    }
}
