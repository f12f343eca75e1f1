/* All-reduce of f32 with MPI: rank 0's median time per size, in the shape of our own table.
 * Arguments: milliseconds per size, then the sizes in bytes, at most 16 MiB. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double limit = argc > 1 ? atof(argv[1]) / 1000 : 0.3;
    float *buf = calloc(16777216, 1);
    double *times = malloc(200000 * sizeof(double));
    if (rank == 0) printf("%10s %10s %10s %10s\n", "bytes", "min", "median", "p99");
    for (int i = 2; i < argc; i++) {
        size_t bytes = strtoul(argv[i], NULL, 10);
        int count = (int)(bytes / 4), n = 0;
        for (int w = 0; w < 10; w++)
            MPI_Allreduce(MPI_IN_PLACE, buf, count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
        int batch = bytes >= 1048576 ? 5 : 500, more = 1;
        double begin = MPI_Wtime();
        while (more) {
            for (int k = 0; k < batch; k++) {
                double t = MPI_Wtime();
                MPI_Allreduce(MPI_IN_PLACE, buf, count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
                times[n++] = (MPI_Wtime() - t) * 1e6;
            }
            more = MPI_Wtime() - begin < limit && n + batch < 200000;
            MPI_Bcast(&more, 1, MPI_INT, 0, MPI_COMM_WORLD);
        }
        if (rank == 0) {
            qsort(times, n, sizeof(double), compare);
            printf("%10zu %10.3f %10.3f %10.3f\n", bytes, times[0], times[n / 2], times[(int)(n * 0.99)]);
        }
    }
    MPI_Finalize();
    return 0;
}
