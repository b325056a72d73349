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

/* children that are small each and too big together */
int main(void) {
    for (int i = 0; i < 4; i++) {
        pid_t child = fork();
        if (child < 0) return 3;
        if (child == 0) {
            volatile char *block = malloc(24 << 20);
            for (long i = 0; i < 24 << 20; i += 1024) block[i] = 1;
            sleep(20);
            _exit(0);
        }
    }
    while (wait(0) > 0) {}
    return solve();
}
