/* The programs of the works; MODE says which one. All read numbers from stdin. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ADD 0   /* a + b */
#define WRONG 1 /* a + b + 1 for a that ends in 7 */
#define LATE 2  /* never ends for a that is 3 or 4 */
#define CRASH 3 /* exit code 1 for a that ends in 1 */
#define SORT 4  /* bytes of lines sorted */
#define CAT 5
#define FLOOD 6 /* a million lines of 60 bytes, the last one b */

static int compare(const void *left, const void *right) {
    return strcmp(*(char *const *)left, *(char *const *)right);
}

static int sort(void) {
    size_t room = 1 << 24;
    char *text = malloc(room);
    size_t size = fread(text, 1, room - 1, stdin);
    text[size] = 0;
    char **lines = malloc(sizeof *lines * (size + 1));
    size_t count = 0;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) lines[count++] = line;
    qsort(lines, count, sizeof *lines, compare);
    for (size_t index = 0; index < count; index++) puts(lines[index]);
    return 0;
}

static int cat(void) {
    static char block[1 << 16];
    ssize_t got;
    while ((got = read(0, block, sizeof block)) > 0)
        if (write(1, block, got) != got) return 1;
    return 0;
}

static int flood(int last) {
    static char line[61];
    memset(line, 'x', 59);
    line[59] = '\n';
    for (int index = 0; index < 999999; index++) fwrite(line, 1, 60, stdout);
    printf("%d\n", last);
    return 0;
}

int main(void) {
    if (MODE == SORT) return sort();
    if (MODE == CAT) return cat();
    int a, b;
    if (scanf("%d %d", &a, &b) != 2) return 9;
    if (MODE == FLOOD) return flood(b);
    if (MODE == LATE && (a == 3 || a == 4))
        for (volatile int burn = 0;; burn++) {
        }
    if (MODE == CRASH && a % 10 == 1) return 1;
    if (MODE == WRONG && a % 10 == 7) b++;
    printf("%d\n", a + b);
    return 0;
}
