// The backend `host`: MPI carries the messages, from and to the user's own memory.
#include "demos/p2p/backend.h"

#include <fmt/format.h>

#include "demos/p2p/host/mpi.h"

namespace p2p::host {
namespace {

MPI_Datatype type_of(DType dtype) { return dtype == DType::f32 ? MPI_FLOAT : MPI_BYTE; }
MPI_Op op_of(Reduce reduce) { return reduce == Reduce::sum ? MPI_SUM : MPI_MAX; }

class Mpi final : public Backend {
 public:
  Mpi() {
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
  ~Mpi() override {
    try {
      // MPI_Finalize spins until all ranks are there; this wait naps.
      MPI_Request request;
      check(PMPI_Ibarrier(MPI_COMM_WORLD, &request));
      wait(request);
    } catch (const BackendError&) {
    }
    PMPI_Finalize();
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  std::string library() const override {
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

  std::unique_ptr<Pending> send(const Transfer& t) override {
    auto pending = std::make_unique<Request>();
    const auto post = t.synchronous ? PMPI_Issend_c : PMPI_Isend_c;
    check(post(t.data, static_cast<MPI_Count>(t.bytes), MPI_BYTE, t.peer, t.tag, MPI_COMM_WORLD, &pending->request));
    return pending;
  }
  std::unique_ptr<Pending> receive(const Transfer& t) override {
    auto pending = std::make_unique<Request>();
    check(PMPI_Irecv_c(t.data, static_cast<MPI_Count>(t.bytes), MPI_BYTE, t.peer, t.tag, MPI_COMM_WORLD,
                       &pending->request));
    return pending;
  }
  std::unique_ptr<Pending> collective(const Collective& what) override {
    auto pending = std::make_unique<Request>();
    MPI_Request* request = &pending->request;
    const auto count = static_cast<MPI_Count>(what.count);
    const MPI_Datatype type = type_of(what.dtype);
    const void* in = what.in == nullptr ? MPI_IN_PLACE : what.in;
    switch (what.type) {
      case Collective::Type::barrier: check(PMPI_Ibarrier(MPI_COMM_WORLD, request)); break;
      case Collective::Type::broadcast:
        check(PMPI_Ibcast_c(what.out, count, type, what.root, MPI_COMM_WORLD, request));
        break;
      case Collective::Type::all_reduce:
        check(PMPI_Iallreduce_c(in, what.out, count, type, op_of(what.reduce), MPI_COMM_WORLD, request));
        break;
      case Collective::Type::all_gather:
        check(PMPI_Iallgather_c(in, count, type, what.out, count, type, MPI_COMM_WORLD, request));
        break;
      case Collective::Type::reduce_scatter:
        check(PMPI_Ireduce_scatter_block_c(in, what.out, count, type, op_of(what.reduce), MPI_COMM_WORLD, request));
        break;
      case Collective::Type::all_to_all:
        check(PMPI_Ialltoall_c(in, count, type, what.out, count, type, MPI_COMM_WORLD, request));
        break;
    }
    return pending;
  }
  std::uint64_t measure_eager_limit() override { return host::measure_eager_limit(rank_, size_); }

 private:
  int rank_ = 0;
  int size_ = 1;
};

}  // namespace
}  // namespace p2p::host

p2p::Backend* p2plab_make_backend(const p2p::Options&) { return new p2p::host::Mpi; }
