/* Programs that know what they use. KIND says which one this is; each prints the answer 42. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void burn(long milliseconds) {
    struct timespec used;
    do clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    while (used.tv_sec * 1000 + used.tv_nsec / 1000000 < milliseconds);
}

/* Writes to new memory, shared so that no limit of one process counts it. */
static void touch(size_t mebibytes) {
    void *memory = mmap(0, mebibytes << 20, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory != MAP_FAILED) memset(memory, 1, mebibytes << 20);
}

static void small(void) {}

/* Forks without end, the children too. */
static void bomb(void) {
    for (;;) fork();
}

/* 300 ms in each of three children that the system does not even add up. */
static void hidden(void) {
    signal(SIGCHLD, SIG_IGN);
    for (int i = 0; i < 3; i++) if (fork() == 0) { burn(300); _exit(0); }
    while (wait(0) > 0) {}
}

/* 300 ms in each of three orphans, whose end is that of a pipe. */
static void orphans(void) {
    int ends[2];
    char byte;
    if (pipe(ends)) _exit(1);
    for (int i = 0; i < 3; i++) {
        pid_t child = fork();
        if (child == 0) {
            if (fork() == 0) burn(300);
            _exit(0);
        }
        waitpid(child, 0, 0);
    }
    close(ends[1]);
    if (read(ends[0], &byte, 1) < 0) _exit(1);
}

/* 40 MiB in a child that is gone at once. */
static void spike(void) {
    if (fork() == 0) { touch(40); _exit(0); }
    wait(0);
}

/* Three children of 40 MiB at once. */
static void tree(void) {
    for (int i = 0; i < 3; i++) if (fork() == 0) { touch(40); sleep(20); _exit(0); }
    sleep(2);
    while (wait(0) > 0) {}
}

/* Leaves processes behind that hold nothing and have moved away. */
static void daemons(void) {
    for (int i = 0; i < 8; i++) if (fork() == 0) {
        setsid();
        for (int fd = 0; fd < 3; fd++) close(fd);
        if (fork() == 0) for (;;) sleep(100);
        _exit(0);
    }
}

int main(void) {
    KIND();
    puts("42");
    return 0;
}
