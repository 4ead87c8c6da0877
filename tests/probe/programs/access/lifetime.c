/* Buffers that are freed, or whose frame ends, while an operation uses them; and such as only look like it. For gcc a
   function ends at its last statement. */
#define _GNU_SOURCE
#include <alloca.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "access_shim.h"

static jmp_buf back;

static int on_the_heap(void) {
  char* freed = malloc(1000);
  char* moved = malloc(1000);
  char* given = malloc(64);
  start_send(1, freed + 990, 10);
  start_receive(2, moved, 10);
  start_receive(4, given, 64);
  free(malloc(1000));
  free(freed);                       /* ! freed 1 */
  freed = malloc(1000);              /* most likely the same block: another object */
  memset(freed, 1, 1000);
  moved = realloc(moved, 100000);    /* ! freed 2 */
  memset(moved, 0, 100000);
  mpi_frees(given, 64);              /* ! freed 4 */
  complete(1);
  complete(2);
  complete(4);
  start_send(5, freed, 1000);
  complete(5);
  free(freed);
  free(moved);
  free(given);
  return 0;
}

static void starts_and_leaves(void) {
  char buffer[256];
  start_receive(10, buffer, sizeof buffer); /* !gcc out_of_scope 10 */
}                                    /* !clang out_of_scope 10 */

static void starts_for_caller(char* buffer) { start_receive(11, buffer, 16); }

static void uses_stack(int depth) {
  char local[64];
  memset(local, depth, sizeof local);
  if (depth > 0) uses_stack(depth - 1);
}

static void of_variable_length(int n) {
  for (int i = 0; i < 1; i++) {
    char buffer[n];
    start_send(12, buffer, (size_t)n);
  }
  uses_stack(1);                     /* ! out_of_scope 12 */
}

static void on_this_frame(void) {
  char* buffer = alloca(100);
  start_send(13, buffer, 100);
  uses_stack(3);                     /* !gcc out_of_scope 13 */
}                                    /* !clang out_of_scope 13 */

static void jumps(void) {
  char buffer[32];
  start_receive(14, buffer, sizeof buffer);
  longjmp(back, 1);
}

static int never_returns_normally(void) {
  if (setjmp(back) == 0) jumps();
  uses_stack(1);                     /* ! out_of_scope 14 */
  return 0;
}

static void* of_a_thread(void* unused) {
  char buffer[64];
  start_receive(15, buffer, sizeof buffer);
  uses_stack(2);
  return unused;                     /* ! out_of_scope 15 */
}

static void* of_a_careful_thread(void* of_main) {
  char buffer[64];
  start_receive(16, buffer, sizeof buffer);
  start_receive(17, of_main, 64);
  uses_stack(2);
  complete(16);
  complete(17);
  return buffer[0] == 1 ? of_main : 0;
}

#ifndef __clang__
__attribute__((optimize("O2", "omit-frame-pointer")))
#endif
static void without_frame_pointer(void) { uses_stack(2); }

int access_test_main(void) {
  char of_main[64];
  pthread_t thread;
  on_the_heap();
  starts_and_leaves();
  uses_stack(8);
  complete(10);
  starts_for_caller(of_main);
  uses_stack(8);
  without_frame_pointer();
  complete(11);
  of_variable_length(40);
  complete(12);
  on_this_frame();
  complete(13);
  never_returns_normally();
  complete(14);
  pthread_create(&thread, 0, of_a_thread, 0);
  pthread_join(thread, 0);
  complete(15);
  pthread_create(&thread, 0, of_a_careful_thread, of_main);
  pthread_join(thread, 0);
  memset(of_main, 0, sizeof of_main);
  return 0;
}
int main(void) { return access_test_main(); }
