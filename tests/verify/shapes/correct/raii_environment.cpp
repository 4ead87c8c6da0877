// MPI is begun and ended by an object, and so is every request.
// ranks: 2 3
// variant right: => pass
// variant global: -DGLOBAL => pass
#include <mpi.h>

#include <utility>
#include <vector>

class Environment {
 public:
  Environment() { MPI_Init(nullptr, nullptr); }
  ~Environment() { MPI_Finalize(); }
};

class Request {
 public:
  Request() = default;
  Request(Request&& other) noexcept : request_(std::exchange(other.request_, MPI_REQUEST_NULL)) {}
  ~Request() { MPI_Wait(&request_, MPI_STATUS_IGNORE); }
  MPI_Request* get() { return &request_; }

 private:
  MPI_Request request_ = MPI_REQUEST_NULL;
};

#ifdef GLOBAL
static Environment environment;
#endif

int main() {
#ifndef GLOBAL
  Environment environment;
#endif
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  std::vector<double> out(64, rank), in(64);
  {
    std::vector<Request> pending;
    MPI_Irecv(in.data(), 64, MPI_DOUBLE, (rank + 1) % size, 0, MPI_COMM_WORLD, pending.emplace_back().get());
    MPI_Isend(out.data(), 64, MPI_DOUBLE, (rank + size - 1) % size, 0, MPI_COMM_WORLD, pending.emplace_back().get());
  }
  return in[0] == (rank + 1) % size ? 0 : 1;
}
