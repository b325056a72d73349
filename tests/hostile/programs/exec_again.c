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

/* becomes itself a hundred times */
int main(int count, char **arguments) {
    int left = count > 1 ? atoi(arguments[1]) : 100;
    if (left == 0) return solve();
    char number[16];
    snprintf(number, sizeof number, "%d", left - 1);
    execl("/proc/self/exe", arguments[0], number, (char *)0);
    return 9;
}
