// Tasks for whoever is free; the answer carries its task's number.
// ranks: 3 5
// variant right: => pass
// variant payload: -DPAYLOAD => pass
// variant wrong: -DPAYLOAD -DWRONG => message-race
#include <mpi.h>
#include <stdio.h>

enum { TASKS = 7, WORK = 1, STOP = 2 };
typedef struct {
  int number;
  int value;
  int worker;
} Answer;

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0) {
    int next = 0, open = 0, results[TASKS] = {0}, arrived = 0;
    for (int w = 1; w < size && next < TASKS; w++, next++, open++) MPI_Send(&next, 1, MPI_INT, w, WORK, MPI_COMM_WORLD);
    while (open > 0) {
      Answer answer;
#ifdef PAYLOAD
      MPI_Recv(&answer, 3, MPI_INT, MPI_ANY_SOURCE, WORK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      int worker = answer.worker;
#else
      MPI_Status status;
      MPI_Recv(&answer, 3, MPI_INT, MPI_ANY_SOURCE, WORK, MPI_COMM_WORLD, &status);
      int worker = status.MPI_SOURCE;
#endif
      open--;
#ifdef WRONG
      results[arrived++] = answer.value;
#else
      results[answer.number] = answer.value;
      arrived++;
#endif
      if (next < TASKS) {
        MPI_Send(&next, 1, MPI_INT, worker, WORK, MPI_COMM_WORLD);
        next++;
        open++;
      }
    }
    for (int w = 1; w < size; w++) MPI_Send(NULL, 0, MPI_INT, w, STOP, MPI_COMM_WORLD);
    for (int t = 0; t < TASKS; t++) printf("%d%c", results[t], t + 1 < TASKS ? ' ' : '\n');
    if (arrived != TASKS) return 1;
  } else {
    for (;;) {
      int task;
      MPI_Status status;
      MPI_Recv(&task, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
      if (status.MPI_TAG == STOP) break;
      Answer answer = {task, task * task, rank};
      MPI_Send(&answer, 3, MPI_INT, 0, WORK, MPI_COMM_WORLD);
    }
  }
  MPI_Finalize();
  return 0;
}
