/* Preloaded into an MPI program: how long each rank was inside MPI's point-to-point calls, by second of the clock. At the end each rank adds lines
 * "rank second microseconds" to the file that MPI_TIME names. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define SECONDS_MAX 3600
static double inside_us[SECONDS_MAX];
static long first;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  return t.tv_sec + t.tv_nsec * 1e-9;
}

static void add(double begin) {
  if (!first) first = (long)begin;
  long at = (long)begin - first;
  if (at >= 0 && at < SECONDS_MAX) inside_us[at] += (now() - begin) * 1e6;
}

#define TIMED(name, parameters, arguments) \
  int MPI_##name parameters { double begin = now(); int code = PMPI_##name arguments; add(begin); return code; }

TIMED(Send, (const void *b, int n, MPI_Datatype t, int to, int tag, MPI_Comm c), (b, n, t, to, tag, c))
TIMED(Ssend, (const void *b, int n, MPI_Datatype t, int to, int tag, MPI_Comm c), (b, n, t, to, tag, c))
TIMED(Recv, (void *b, int n, MPI_Datatype t, int from, int tag, MPI_Comm c, MPI_Status *s), (b, n, t, from, tag, c, s))
TIMED(Isend, (const void *b, int n, MPI_Datatype t, int to, int tag, MPI_Comm c, MPI_Request *r), (b, n, t, to, tag, c, r))
TIMED(Issend, (const void *b, int n, MPI_Datatype t, int to, int tag, MPI_Comm c, MPI_Request *r), (b, n, t, to, tag, c, r))
TIMED(Irecv, (void *b, int n, MPI_Datatype t, int from, int tag, MPI_Comm c, MPI_Request *r), (b, n, t, from, tag, c, r))
TIMED(Wait, (MPI_Request *r, MPI_Status *s), (r, s))
TIMED(Iprobe, (int from, int tag, MPI_Comm c, int *flag, MPI_Status *s), (from, tag, c, flag, s))
TIMED(Probe, (int from, int tag, MPI_Comm c, MPI_Status *s), (from, tag, c, s))

int MPI_Finalize(void) {
  int rank;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  char path[512];
  snprintf(path, sizeof path, "%s.%d", getenv("MPI_TIME") ? getenv("MPI_TIME") : "/dev/null", rank);
  FILE *out = fopen(path, "w");
  for (long i = 0; out && i < SECONDS_MAX; i++)
    if (inside_us[i] > 0) fprintf(out, "%d %ld %.0f\n", rank, first + i, inside_us[i]);
  if (out) fclose(out);
  return PMPI_Finalize();
}
