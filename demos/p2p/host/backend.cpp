// The backend `host`: MPI carries the messages, from and to the user's own memory.
#include "demos/p2p/backend.h"

#include "demos/p2p/host/mpi.h"

namespace p2p::host {
namespace {

class Mpi final : public Backend {
 public:
  int rank() const override { return member_.rank(); }
  int size() const override { return member_.size(); }
  std::string library() const override { return host::library(); }
  std::unique_ptr<Pending> send(const Transfer& transfer) override { return start_send(transfer); }
  std::unique_ptr<Pending> receive(const Transfer& transfer) override { return start_receive(transfer); }
  std::unique_ptr<Pending> collective(const Collective& what) override { return start_collective(what, groups_[static_cast<std::size_t>(what.group)]); }
  int new_group(std::span<const int> ranks) override {
    groups_.push_back(host::new_group(ranks));
    return static_cast<int>(groups_.size()) - 1;
  }
  std::uint64_t measure_eager_limit() override { return host::measure_eager_limit(rank(), size()); }

 private:
  Member member_;
  std::vector<MPI_Comm> groups_{MPI_COMM_WORLD};
};

}  // namespace
}  // namespace p2p::host

p2p::Backend* p2plab_make_backend(const p2p::Options&) { return new p2p::host::Mpi; }
