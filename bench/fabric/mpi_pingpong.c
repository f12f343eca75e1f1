/* Half a round trip of a small message with MPI. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    char buf[64] = {0};
    const int n = 200000;
    double begin = 0;
    for (int i = -1000; i < n; i++) {
        if (i == 0) begin = MPI_Wtime();
        if (rank == 0) {
            MPI_Send(buf, 64, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
            MPI_Recv(buf, 64, MPI_BYTE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            MPI_Recv(buf, 64, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(buf, 64, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
        }
    }
    if (rank == 0) printf("64 B one way: %.3f us\n", (MPI_Wtime() - begin) * 1e6 / n / 2);
    MPI_Finalize();
    return 0;
}
