#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* The honest part: twice the number that is read. */
static int solve(void) {
    long number;
    if (scanf("%ld", &number) != 1) return 1;
    printf("%ld\n", 2 * number);
    return fflush(stdout) != 0;
}

/* maps its input */
int main(void) {
    struct stat file;
    if (fstat(0, &file) != 0) return 2;
    char *text = mmap(0, file.st_size, PROT_READ, MAP_PRIVATE, 0, 0);
    if (text == MAP_FAILED) return 3;
    printf("%ld\n", 2 * atol(text));
    return 0;
}
