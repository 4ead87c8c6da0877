// One collective call: what each rank gives and takes, so that ranks can be compared, and the way it waits.
//
// The text in the trace (Span::detail): "r0;oMPI_SUM;eMPI_INT*16;gMPI_INT*16/32;tMPI_INT*16", parts left out where they mean
// nothing: the root's world rank, the operation, what must be equal on all ranks, bytes given (to everyone, or to each
// rank of the communicator in order), bytes taken (from everyone, or from each).
#pragma once
#include <functional>

#include "demos/probe/requests.h"

namespace p2plab::probe {

class Collective {
 public:
  Collective(const CallSite& where, MPI_Comm comm) : arguments(where, comm) {}

  Collective& root(int rank);
  Collective& operation(MPI_Op op);
  /// Equal on all ranks; `buffers` are of `count` elements of `type`.
  Collective& equal(MPI_Count count, MPI_Datatype type);
  Collective& give(const void* buffer, MPI_Count count, MPI_Datatype type, MPI_Count copies = 1);
  Collective& take(void* buffer, MPI_Count count, MPI_Datatype type, MPI_Count copies = 1);
  /// To or from each rank: counts and displacements in elements.
  Collective& give_each(const void* buffer, const int counts[], const int displacements[], MPI_Datatype type);
  Collective& take_each(void* buffer, const int counts[], const int displacements[], MPI_Datatype type);
  /// Watched only: a buffer that the text does not speak of.
  Collective& uses(const void* buffer, MPI_Count count, MPI_Datatype type, bool written);

  /// Is this rank the root?
  bool is_root() const { return arguments.comm != nullptr && root_ == arguments.comm->rank; }
  bool ok() const { return !arguments.bad(); }

  using Post = std::function<int(MPI_Request*)>;
  /// Posts the non-blocking twin and waits.
  int now(const Post& post);
  /// A call that has no twin: all ranks meet first, then it cannot stand still.
  int together(const std::function<int()>& call);
  /// Posts it and gives the request.
  int later(const Post& post, MPI_Request* out);

  Arguments arguments;

 private:
  struct Region {
    const void* buffer;
    MPI_Count count;
    DatatypePtr layout;
    bool written;
  };
  Record record(std::uint8_t flags);
  std::string each(const int counts[], const Datatype& type) const;
  int meet(Call& call);
  void touch_regions() const;
  std::vector<std::int32_t> watch_regions() const;

  int root_ = -1;
  std::string text_;
  std::vector<Region> regions_;
  std::uint64_t bytes_ = 0;
};

}  // namespace p2plab::probe
