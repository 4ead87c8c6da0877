// The buffer of an active send is written in many ways.
// ranks: 2
// variant memmove: -DHOW=1 => send-buffer-race at 0@isend
// variant snprintf: -DHOW=2 => send-buffer-race at 0@isend
// variant strncpy: -DHOW=3 => send-buffer-race at 0@isend
// variant read: -DHOW=4 => send-buffer-race at 0@isend
// variant struct: -DHOW=5 => send-buffer-race at 0@isend
// variant realloc: -DHOW=6 => send-buffer-race at 0@isend
// variant qsort: -DHOW=7 => send-buffer-race at 0@isend
// variant pointer: -DHOW=8 => send-buffer-race at 0@isend
// variant recursion: -DHOW=9 => send-buffer-race at 0@isend
// variant callback: -DHOW=10 => send-buffer-race at 0@isend
// variant right: -DHOW=0 => pass
#include <fcntl.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
  char text[128];
} Line;

static int up(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }
static void fill(char *p, int n) {
  if (n == 0) return;
  *p = 'r';
  fill(p + 1, n - 1);
}
static void each(char *p, int n, void (*f)(char *)) {
  for (int i = 0; i < n; i++) f(p + i);
}
static void star(char *c) { *c = '*'; }

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  Line *line = calloc(1, sizeof *line), spare = {"spare"};
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Request request;
    strcpy(line->text, "the line that goes out");
    MPI_Isend(line->text, 128, MPI_CHAR, 1, 0, MPI_COMM_WORLD, &request);  // @isend
#if HOW == 1
    memmove(line->text + 1, line->text, 20);
#elif HOW == 2
    snprintf(line->text, 128, "%d", 42);
#elif HOW == 3
    strncpy(line->text + 100, "x", 10);
#elif HOW == 4
    int zero = open("/dev/zero", O_RDONLY);
    if (read(zero, line->text + 120, 8) != 8) MPI_Abort(MPI_COMM_WORLD, 1);
    close(zero);
#elif HOW == 5
    *line = spare;
#elif HOW == 6
    line = realloc(line, 100000);
#elif HOW == 7
    qsort(line->text, 22, 1, up);
#elif HOW == 8
    char **where = malloc(sizeof *where);
    *where = line->text;
    (*where)[127]--;
    free(where);
#elif HOW == 9
    fill(line->text, 30);
#elif HOW == 10
    each(line->text, 5, star);
#else
    memmove(spare.text, line->text, 128);
    qsort(spare.text, 22, 1, up);
    fill(spare.text, 30);
    each(spare.text, 5, star);
#endif
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else {
    MPI_Recv(line->text, 128, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  free(line);
  (void)up, (void)fill, (void)each, (void)star, (void)spare;
  MPI_Finalize();
  return 0;
}
