// Who called: the program, a library on its behalf, or MPI.
#pragma once
#include <array>
#include <cstdint>

namespace p2plab::probe::access {

enum class Caller {
  program,  ///< the executable, and shared objects outside the system's folders
  library,  ///< the C++ library and others that work for whoever calls them
  mpi,      ///< MPI, what carries its messages, the C library and this one: never the program's doing
};
/// Whose code holds the return address `pc`.
Caller caller_of(void* pc);

/// Return addresses of the calling thread, innermost first, ended by null, from the frame that returns to `pc`. `pc` is
/// first even when the frames cannot be walked. With null: from the first frame that is not MPI's.
std::array<void*, 16> call_stack(void* pc);
/// The first of them that lies in the program; null when MPI comes before it, or when none does: a thread of MPI's.
void* program_in(const std::array<void*, 16>& stack);

/// Where the frame ends (its canonical frame address) of the function that holds the return address `pc`; 0 when that
/// cannot be told.
std::uintptr_t frame_end_of(void* pc);

}  // namespace p2plab::probe::access
