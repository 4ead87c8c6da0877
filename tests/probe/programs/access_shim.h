/* What the checked programs of the access tests call in MPI's place: to start and to complete an operation. */
#pragma once
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif
void start_send(unsigned long operation, const void* buffer, size_t bytes);
void start_receive(unsigned long operation, void* buffer, size_t bytes);
/* `count` blocks of `block` bytes, `stride` bytes apart. */
void start_receive_strided(unsigned long operation, void* buffer, size_t count, size_t block, size_t stride);
void complete(unsigned long operation);
/* MPI fills the buffer, on this thread. */
void deliver(void* buffer, int value, size_t bytes);
/* A library of MPI's gives memory back. */
void mpi_frees(void* memory, size_t bytes);
#ifdef __cplusplus
}
#endif
