/* Several threads use what is theirs and, marked, what is not; a child process is nobody's business. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "access_shim.h"

enum { threads = 4, rounds = 2000 };

static int shared[1024];
static int received;
static atomic_int phase;
static atomic_long counter;

static void wait_for(int wanted) {
  while (atomic_load(&phase) != wanted) sched_yield();
}

/* Each thread's own operations come and go while the others' do. */
static void* busy(void* number) {
  const unsigned long me = (unsigned long)number;
  int mine[32];
  int sum = 0;
  for (unsigned long i = 0; i < rounds; i++) {
    start_receive(100 + me, mine, sizeof mine);
    start_send(200 + me, shared, sizeof shared);
    deliver(mine, (int)i, sizeof mine);
    sum += shared[i % 1024];
    complete(100 + me);
    for (int j = 0; j < 32; j++) mine[j] += sum;
    complete(200 + me);
    atomic_fetch_add(&counter, 1);
  }
  return 0;
}

static void* reader(void* result) {
  wait_for(1);
  *(int*)result = received;          /* ! access_read 1 */
  atomic_store(&phase, 2);
  wait_for(3);
  *(int*)result = received;
  return 0;
}

static int late;

static void* late_reader(void* result) {
  *(int*)result += late;             /* ! access_read 3 */
  return 0;
}

/* Nothing keeps the reader behind the completion, even where it happens to come later: one of these must be seen. */
static void completes_while_others_start(void) {
  for (int attempt = 0; attempt < 5; attempt++) {
    pthread_t thread;
    int result = 0;
    start_receive(3, &late, sizeof late);
    pthread_create(&thread, 0, late_reader, &result);
    complete(3);
    pthread_join(thread, 0);
  }
}

static int early;

static void* early_writer(void* unused) {
  early = 1;                         /* ! access_write 4 */
  return unused;
}

/* Nor does anything keep the writer behind the start of the operation. */
static void starts_while_others_begin(void) {
  for (int attempt = 0; attempt < 5; attempt++) {
    pthread_t thread;
    pthread_create(&thread, 0, early_writer, 0);
    start_receive(4, &early, sizeof early);
    pthread_join(thread, 0);
    complete(4);
  }
}

int access_test_main(void) {
  pthread_t thread[threads];
  int result = 0;
  completes_while_others_start();
  starts_while_others_begin();
  start_receive(1, &received, sizeof received);
  pthread_create(&thread[0], 0, reader, &result);
  atomic_store(&phase, 1);
  wait_for(2);
  if (fork() == 0) {
    received = 4;
    _exit(received == 4 ? 0 : 1);
  }
  wait(0);
  deliver(&received, 5, sizeof received);
  complete(1);
  atomic_store(&phase, 3);
  pthread_join(thread[0], 0);
  for (unsigned long i = 0; i < threads; i++) pthread_create(&thread[i], 0, busy, (void*)i);
  for (unsigned long i = 0; i < threads; i++) pthread_join(thread[i], 0);
  shared[0] = received;
  return atomic_load(&counter) == (long)threads * rounds && result == 0x05050505 ? 0 : 1;
}
int main(void) { return access_test_main(); }
