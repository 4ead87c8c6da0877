/* A compute-bound loop (a relaxation: 5 accesses an iteration) with nothing active, and beside active operations. Prints
   name and ns; medians of an odd number of rounds, in which the cases take turns. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "access_shim.h"

enum { length = 20000, sweeps = 10, rounds = 15, cases = 4, operations = 100, posts = 1000 };

static double field[length];
static double others[operations * 16];

static double now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static double iteration_ns(double* x) {
  double sum = 0;
  const double begin = now_ns();
  for (int sweep = 0; sweep < sweeps; sweep++) {
    for (int i = 1; i < length - 1; i++) {
      x[i] = 0.25 * (x[i - 1] + x[i + 1]) + 0.5 * x[i];
      sum += x[i];
    }
  }
  const double spent = now_ns() - begin;
  x[0] = sum < 1 ? 1 : 0.5;
  return spent / ((double)sweeps * (length - 2));
}

static int compare(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static double median(double* values) {
  qsort(values, rounds, sizeof *values, compare);
  return values[rounds / 2];
}

/* One post and its completion. */
static double post_ns(void* buffer, size_t bytes) {
  double values[rounds];
  for (int round = 0; round < rounds; round++) {
    const double begin = now_ns();
    for (int i = 0; i < posts; i++) {
      start_receive(9, buffer, bytes);
      complete(9);
    }
    values[round] = (now_ns() - begin) / posts;
  }
  return median(values);
}

int access_test_main(void) {
  static const char* const names[cases] = {"none", "heap", "heap-and-stack", "hundred-more"};
  double values[cases][rounds];
  double on_stack[64];
  double* on_heap = malloc(1 << 20);
  for (int round = 0; round < rounds; round++) {
    values[0][round] = iteration_ns(field);
    start_receive(1, on_heap, 1 << 20);
    values[1][round] = iteration_ns(field);
    start_receive(2, on_stack, sizeof on_stack);
    values[2][round] = iteration_ns(field);
    for (int i = 0; i < operations; i++) start_send(100 + (unsigned long)i, others + 16 * i, 8 * sizeof *others);
    values[3][round] = iteration_ns(field);
    for (int i = 0; i < operations; i++) complete(100 + (unsigned long)i);
    complete(1);
    complete(2);
  }
  for (int i = 0; i < cases; i++) printf("%s %.2f\n", names[i], median(values[i]));
  printf("post-8 %.0f\n", post_ns(on_heap, 8));
  printf("post-1048576 %.0f\n", post_ns(on_heap, 1 << 20));
  free(on_heap);
  return 0;
}
int main(void) { return access_test_main(); }
