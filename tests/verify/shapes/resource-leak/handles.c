// Groups, operations, infos, error handlers, attribute keys and files are freed by who has got them, each as often as it was given.
// ranks: 2 3
// variant group: -DWRONG=1 => resource-leak at 0@group
// variant given_twice: -DWRONG=2 => resource-leak at 0@world
// variant operation: -DWRONG=3 => resource-leak at 0@operation
// variant info: -DWRONG=4 => resource-leak at 0@info
// variant handler: -DWRONG=5 => resource-leak at 0@handler
// variant key: -DWRONG=6 => resource-leak at 0@key
// variant file: -DWRONG=7 => resource-leak at 0@file
// variant handler_got: -DWRONG=8 => resource-leak at 0@same
// variant group_of_file: -DWRONG=9 => resource-leak at 0@group_of_file
// variant right: => pass
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef WRONG
#define WRONG 0
#endif

static void longest(void *in, void *inout, int *count, MPI_Datatype *type) {
  int *a = in, *b = inout;
  (void)type;
  for (int i = 0; i < *count; ++i)
    if (a[i] > b[i]) b[i] = a[i];
}

static void told(MPI_Comm *comm, int *code, ...) {
  (void)comm;
  printf("error %d\n", *code);
}

int main(int argc, char **argv) {
  int rank, size, mine, all = -1, first = 0, key;
  char name[] = "/tmp/p2plab-handles-XXXXXX";
  MPI_Group world, again, front, none, readers;
  MPI_Op op;
  MPI_Info info, copy;
  MPI_Errhandler before, handler, same;
  MPI_File file;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);

  // The same handle twice: which one is left cannot be known, and the one given first is named.
  MPI_Comm_group(MPI_COMM_WORLD, &world);  // @world
  MPI_Comm_group(MPI_COMM_WORLD, &again);
  MPI_Group_incl(world, 1, &first, &front);  // @group
  MPI_Group_incl(world, 0, &first, &none);   // MPI_GROUP_EMPTY
  if (WRONG != 1) MPI_Group_free(&front);
  if (WRONG != 2) MPI_Group_free(&again);
  MPI_Group_free(&world);

  MPI_Op_create(longest, 1, &op);  // @operation
  mine = rank;
  MPI_Allreduce(&mine, &all, 1, MPI_INT, op, MPI_COMM_WORLD);
  if (all != size - 1) MPI_Abort(MPI_COMM_WORLD, 1);
  if (WRONG != 3) MPI_Op_free(&op);

  MPI_Info_create(&info);
  MPI_Info_set(info, "access_style", "read_once");
  MPI_Info_dup(info, &copy);  // @info
  MPI_Info_free(&info);
  if (WRONG != 4) MPI_Info_free(&copy);

  MPI_Comm_get_errhandler(MPI_COMM_WORLD, &before);  // predefined, and may be freed all the same
  MPI_Comm_create_errhandler(told, &handler);  // @handler
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  if (WRONG != 5) MPI_Errhandler_free(&handler);
  // The communicator has kept it.
  MPI_Comm_get_errhandler(MPI_COMM_WORLD, &same);  // @same
  if (WRONG != 8) MPI_Errhandler_free(&same);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, before);
  MPI_Errhandler_free(&before);

  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);  // @key
  MPI_Comm_set_attr(MPI_COMM_SELF, key, &mine);
  if (WRONG != 6) MPI_Comm_free_keyval(&key);

  // A file that is not there is no fault: the program looks at what it gets.
  if (MPI_File_open(MPI_COMM_SELF, "/tmp/p2plab-no-such-file", MPI_MODE_RDONLY, MPI_INFO_NULL, &file) == MPI_SUCCESS) MPI_Abort(MPI_COMM_WORLD, 1);
  if (mkstemp(name) < 0) MPI_Abort(MPI_COMM_WORLD, 1);
  if (MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file) != MPI_SUCCESS) MPI_Abort(MPI_COMM_WORLD, 1);  // @file
  MPI_File_get_group(file, &readers);  // @group_of_file
  if (WRONG != 9) MPI_Group_free(&readers);
  if (WRONG != 7) MPI_File_close(&file);
  else remove(name);
  MPI_Finalize();
  return 0;
}
