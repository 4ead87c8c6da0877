// Checked calls and the wait that gives way.
#include "demos/p2p/host/mpi.h"

#include <fmt/format.h>

#include <exception>

#include "demos/p2p/waiting.h"

namespace p2p::host {

void check(int code) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = {};
  int length = 0;
  PMPI_Error_string(code, text, &length);
  // "Message truncated, error stack: …": the stack is MPICH's own business.
  std::string line(text, static_cast<std::size_t>(length));
  line = line.substr(0, line.find(", error stack"));
  for (char& c : line) {
    if (c == '\n') c = ' ';
  }
  throw BackendError(line);
}

Member::Member() {
  int provided = 0;
  check(PMPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &provided));
  if (provided < MPI_THREAD_MULTIPLE) {
    throw Error("This MPI cannot be called from several threads (MPI_THREAD_MULTIPLE), which the streams need; use "
                "Debian's mpich.");
  }
  check(PMPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
  check(PMPI_Comm_rank(MPI_COMM_WORLD, &rank_));
  check(PMPI_Comm_size(MPI_COMM_WORLD, &size_));
}

Member::~Member() {
  // After an error the others may wait for this rank elsewhere: leaving without finalize makes mpiexec end them all.
  if (std::uncaught_exceptions() > 0) return;
  try {
    // MPI_Finalize spins until all ranks are there; this wait naps.
    MPI_Request request;
    check(PMPI_Ibarrier(MPI_COMM_WORLD, &request));
    wait(request);
  } catch (const BackendError&) {
  }
  PMPI_Finalize();
}

int Member::local_rank() const {
  MPI_Comm machine;
  check(PMPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &machine));
  int local = 0;
  check(PMPI_Comm_rank(machine, &local));
  check(PMPI_Comm_free(&machine));
  return local;
}

std::string library() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = {};
  int length = 0;
  check(PMPI_Get_library_version(text, &length));
  // "MPICH Version:\t4.0.2\n…"
  const std::string_view all(text, static_cast<std::size_t>(length));
  const std::string_view line = all.substr(0, all.find('\n'));
  const auto number = line.find_first_of("0123456789");
  if (!line.starts_with("MPICH") || number == std::string_view::npos) return std::string(line);
  return fmt::format("MPICH {}", line.substr(number));
}

namespace {
thread_local std::unique_ptr<std::byte[]> t_spare;
}

void* Request::operator new(std::size_t bytes) {
  std::byte* spare = t_spare.release();
  return spare != nullptr ? spare : new std::byte[bytes];
}

void Request::operator delete(void* memory) { t_spare.reset(static_cast<std::byte*>(memory)); }

std::unique_ptr<Request> start_send(const Transfer& t) {
  auto pending = std::make_unique<Request>();
  const auto post = t.synchronous ? PMPI_Issend_c : PMPI_Isend_c;
  check(post(t.data, static_cast<MPI_Count>(t.bytes), MPI_BYTE, t.peer, t.tag, MPI_COMM_WORLD, &pending->request));
  return pending;
}

std::unique_ptr<Request> start_receive(const Transfer& t) {
  auto pending = std::make_unique<Request>();
  check(PMPI_Irecv_c(t.data, static_cast<MPI_Count>(t.bytes), MPI_BYTE, t.peer, t.tag, MPI_COMM_WORLD,
                     &pending->request));
  return pending;
}

std::unique_ptr<Request> start_collective(const Collective& what, MPI_Comm comm) {
  auto pending = std::make_unique<Request>();
  MPI_Request* request = &pending->request;
  const auto count = static_cast<MPI_Count>(what.count);
  const MPI_Datatype type = what.dtype == DType::f32 ? MPI_FLOAT : MPI_BYTE;
  const MPI_Op op = what.reduce == Reduce::sum ? MPI_SUM : MPI_MAX;
  const void* in = what.in == nullptr ? MPI_IN_PLACE : what.in;
  switch (what.type) {
    case Collective::Type::barrier: check(PMPI_Ibarrier(comm, request)); break;
    case Collective::Type::broadcast:
      check(PMPI_Ibcast_c(what.out, count, type, what.root, comm, request));
      break;
    case Collective::Type::all_reduce:
      check(PMPI_Iallreduce_c(in, what.out, count, type, op, comm, request));
      break;
    case Collective::Type::all_gather:
      check(PMPI_Iallgather_c(in, count, type, what.out, count, type, comm, request));
      break;
    case Collective::Type::reduce_scatter:
      check(PMPI_Ireduce_scatter_block_c(in, what.out, count, type, op, comm, request));
      break;
    case Collective::Type::all_to_all:
      check(PMPI_Ialltoall_c(in, count, type, what.out, count, type, comm, request));
      break;
  }
  return pending;
}

MPI_Comm new_group(std::span<const int> ranks) {
  MPI_Group world, group;
  MPI_Comm comm;
  check(PMPI_Comm_group(MPI_COMM_WORLD, &world));
  check(PMPI_Group_incl(world, static_cast<int>(ranks.size()), ranks.data(), &group));
  check(PMPI_Comm_create_group(MPI_COMM_WORLD, group, 0, &comm));
  check(PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
  PMPI_Group_free(&group);
  PMPI_Group_free(&world);
  return comm;
}

void wait(MPI_Request& request) {
  int done = 0;
  for (Backoff backoff;; backoff.pause()) {
    check(PMPI_Test(&request, &done, MPI_STATUS_IGNORE));
    if (done != 0) return;
  }
}

}  // namespace p2p::host
