/* The least a TCP round trip can cost here: two pinned processes, non-blocking sockets, nothing but send and recv. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { BYTES = 64, ROUNDS = 30000 };

static void pin(int core) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(core, &set);
    sched_setaffinity(0, sizeof set, &set);
}

static double now_us(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e6 + t.tv_nsec / 1e3;
}

static void read_all(int fd, char *buf) {
    for (int got = 0; got < BYTES;) {
        ssize_t n = recv(fd, buf + got, BYTES - got, MSG_DONTWAIT);
        if (n > 0) got += (int)n;
        if (n == 0) exit(1);
    }
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

int main(void) {
    int listener = socket(AF_INET, SOCK_STREAM, 0), one = 1;
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof at;
    if (bind(listener, (struct sockaddr *)&at, len) || listen(listener, 1)) return 1;
    getsockname(listener, (struct sockaddr *)&at, &len);
    char buf[BYTES] = {0};
    pid_t child = fork();
    if (child == 0) {
        pin(1);
        int fd = socket(AF_INET, SOCK_STREAM, 0);
        if (connect(fd, (struct sockaddr *)&at, sizeof at)) return 1;
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        for (int i = 0; i < ROUNDS; i++) {
            read_all(fd, buf);
            if (send(fd, buf, BYTES, MSG_NOSIGNAL) != BYTES) return 1;
        }
        return 0;
    }
    pin(0);
    int fd = accept(listener, NULL, NULL);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    static double times[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
        double t = now_us();
        if (send(fd, buf, BYTES, MSG_NOSIGNAL) != BYTES) return 1;
        read_all(fd, buf);
        times[i] = now_us() - t;
    }
    waitpid(child, NULL, 0);
    qsort(times, ROUNDS, sizeof *times, compare);
    printf("64 B round trip: min %.3f median %.3f us, one way median %.3f us\n", times[0], times[ROUNDS / 2],
           times[ROUNDS / 2] / 2);
    return 0;
}
