/* Joins two programs by bare pipes on one core and prints the nanoseconds until both have ended and
   those of their CPU time:
   floor CORE ROUNDS PING PONG */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int core;

static pid_t start(char **command, int in, int out) {
    pid_t pid = vfork();
    if (pid == 0) {
        cpu_set_t set;
        CPU_ZERO(&set);
        CPU_SET(core, &set);
        sched_setaffinity(0, sizeof set, &set);
        dup2(in, 0);
        dup2(out, 1);
        execv(command[0], command);
        _exit(127);
    }
    return pid;
}

int main(int count, char **arguments) {
    if (count < 5) return 2;
    core = atoi(arguments[1]);
    struct timespec start_time, end_time;
    clock_gettime(CLOCK_MONOTONIC, &start_time);
    int there[2], back[2];
    if (pipe2(there, O_CLOEXEC) || pipe2(back, O_CLOEXEC)) return 2;
    fcntl(there[1], F_SETPIPE_SZ, 1 << 20);
    fcntl(back[1], F_SETPIPE_SZ, 1 << 20);
    start((char *[]){arguments[4], NULL}, there[0], back[1]);
    start((char *[]){arguments[3], arguments[2], NULL}, back[0], there[1]);
    for (int i = 0; i < 2; i++) {
        close(there[i]);
        close(back[i]);
    }
    int status, ended = 0;
    while (wait(&status) > 0) ended++;
    clock_gettime(CLOCK_MONOTONIC, &end_time);
    long seconds = end_time.tv_sec - start_time.tv_sec;
    struct rusage used;
    getrusage(RUSAGE_CHILDREN, &used);
    long cpu = (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000000000 +
               (used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1000;
    printf("%ld %ld\n", seconds * 1000000000 + end_time.tv_nsec - start_time.tv_nsec, cpu);
    return ended == 2 ? 0 : 1;
}
