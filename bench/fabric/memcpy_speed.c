/* What one core copies: between buffers too large for the caches, and within a working set like the link benchmark's. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

int main(void) {
    const size_t sizes[] = {256 << 10, 1 << 20, 16 << 20};
    for (int i = 0; i < 3; i++) {
        /* As many buffers in rotation on each side as the link benchmark has in flight. */
        size_t n = sizes[i], count = (32 << 20) / n < 2 ? 2 : (32 << 20) / n > 32 ? 32 : (32 << 20) / n;
        char *from = malloc(n * count), *to = malloc(n * count);
        memset(from, 1, n * count);
        memset(to, 2, n * count);
        double begin = now(), bytes = 0;
        for (size_t k = 0; now() - begin < 0.1; k++, bytes += n) memcpy(to + k % count * n, from + k % count * n, n);
        printf("memcpy of %zu B, %zu in rotation: %.2f GB/s\n", n, count, bytes / (now() - begin) / 1e9);
        free(from);
        free(to);
    }
    return 0;
}
