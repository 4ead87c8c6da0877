// Lab 3: the deadlock clinic. Wrong: every rank gives the same bytes.
#include "lab.h"

/// A: the largest message that MPI_Send gets rid of before its receive is posted, in bytes.
void threshold() {
  // A send that completes though nobody has asked for it was buffered. Rank 1 asks only once rank 0 has looked long enough.
  std::vector<unsigned char> buffer(1 << 20);
  int largest = 0;
  for (int bytes = 1; bytes <= 1 << 20; bytes *= 2) {
    if (lab::rank() == 0) {
      MPI_Request request;
      MPI_Isend(buffer.data(), bytes, MPI_BYTE, 1, 1, MPI_COMM_WORLD, &request);
      int done = 0;
      for (int look = 0; look < 1000 && done == 0; ++look) MPI_Test(&request, &done, MPI_STATUS_IGNORE);
      if (done != 0) largest = bytes;
      MPI_Send(nullptr, 0, MPI_BYTE, 1, 2, MPI_COMM_WORLD);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else if (lab::rank() == 1) {
      MPI_Recv(nullptr, 0, MPI_BYTE, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Recv(buffer.data(), bytes, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  }
  if (lab::rank() == 0) lab::number("threshold", largest);
}

/// C1: MPI_Send and MPI_Recv alone, in an order in which somebody always receives.
void parity(const void* out, void* in, int bytes, int right, int left) {
  if (lab::rank() % 2 == 0) {
    MPI_Send(out, bytes, MPI_BYTE, right, 0, MPI_COMM_WORLD);
    MPI_Recv(in, bytes, MPI_BYTE, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    MPI_Recv(in, bytes, MPI_BYTE, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(out, bytes, MPI_BYTE, right, 0, MPI_COMM_WORLD);
  }
}

/// C2: one call that does both.
void sendrecv(const void* out, void* in, int bytes, int right, int left) {
  MPI_Sendrecv(out, bytes, MPI_BYTE, right, 0, in, bytes, MPI_BYTE, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/// C3: post both, then wait.
void nonblocking(const void* out, void* in, int bytes, int right, int left) {
  MPI_Request both[2];
  MPI_Irecv(in, bytes, MPI_BYTE, left, 0, MPI_COMM_WORLD, &both[0]);
  MPI_Isend(out, bytes, MPI_BYTE, right, 0, MPI_COMM_WORLD, &both[1]);
  MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
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
    const auto out = lab::payload(static_cast<std::size_t>(bytes), 0);
    std::vector<unsigned char> in(out.size());
    if (part == "parity") parity(out.data(), in.data(), bytes, right, left);
    if (part == "sendrecv") sendrecv(out.data(), in.data(), bytes, right, left);
    if (part == "nonblocking") nonblocking(out.data(), in.data(), bytes, right, left);
  }
  MPI_Finalize();
}
