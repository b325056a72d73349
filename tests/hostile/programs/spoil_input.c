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

/* changes the input that later runs read */
int main(void) {
    fchmod(0, 0);
    if (ftruncate(0, 0) == 0) puts("ESCAPED truncated");
    int again = open("/proc/self/fd/0", O_RDWR);
    if (again >= 0 && pwrite(again, "99", 2, 0) == 2) puts("ESCAPED written");
    return solve();
}
