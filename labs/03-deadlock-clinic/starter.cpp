// Lab 3: the deadlock clinic. Three exchanges around a ring, each of which hangs above some size. See TASK.md.
#include "lab.h"

/// A: the largest message that MPI_Send gets rid of before its receive is posted, in bytes.
void threshold() {
  // TODO: find it by measuring, and hand it over.
  if (lab::rank() == 0) lab::number("threshold", 0);
}

/// C1: MPI_Send and MPI_Recv alone, in an order in which somebody always receives.
void parity(const void* out, void* in, int bytes, int right, int left) {
  // TODO: every rank sends first.
  MPI_Send(out, bytes, MPI_BYTE, right, 0, MPI_COMM_WORLD);
  MPI_Recv(in, bytes, MPI_BYTE, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/// C2: one call that does both.
void sendrecv(const void* out, void* in, int bytes, int right, int left) {
  // TODO: one call instead of two.
  MPI_Send(out, bytes, MPI_BYTE, right, 0, MPI_COMM_WORLD);
  MPI_Recv(in, bytes, MPI_BYTE, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/// C3: post both, then wait.
void nonblocking(const void* out, void* in, int bytes, int right, int left) {
  // TODO: nobody waits before both are posted.
  MPI_Send(out, bytes, MPI_BYTE, right, 0, MPI_COMM_WORLD);
  MPI_Recv(in, bytes, MPI_BYTE, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const std::string part = lab::word(argc, argv, 1, "parity");
  const int bytes = static_cast<int>(lab::argument(argc, argv, 2, 8));
  if (part == "threshold") {
    threshold();
  } else {
    // A ring: each rank gives its bytes to the next and gets those of the one before.
    const int right = (lab::rank() + 1) % lab::size(), left = (lab::rank() + lab::size() - 1) % lab::size();
    const auto out = lab::payload(static_cast<std::size_t>(bytes), lab::rank());
    std::vector<unsigned char> in(out.size());
    if (part == "parity") parity(out.data(), in.data(), bytes, right, left);
    if (part == "sendrecv") sendrecv(out.data(), in.data(), bytes, right, left);
    if (part == "nonblocking") nonblocking(out.data(), in.data(), bytes, right, left);
  }
  MPI_Finalize();
}
