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

/* six threads burn together */
static void *burn(void *unused) {
    for (volatile long i = 0;; i++) {}
    return unused;
}
int main(void) {
    pthread_t thread;
    for (int i = 0; i < 6; i++) pthread_create(&thread, 0, burn, 0);
    pthread_join(thread, 0);
}
