// The backend `sim`: the lab's hub carries the messages on modelled links, and owns the clock.
#include "demos/p2p/backend.h"

#include <cstdlib>
#include <cstring>
#include <deque>
#include <limits>
#include <thread>

#include "demos/p2p/sim/node.h"

namespace p2p::sim {
namespace {

constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();
constexpr std::uint64_t kEagerLimit = 65536;  ///< unless the knob eager_limit says otherwise; the lab's hub takes the same

class Waiting final : public Pending {
 public:
  Waiting(Node& node, std::shared_ptr<Operation> operation) : node_(node), operation_(std::move(operation)) {}
  bool ready() const override { return operation_->done.load(std::memory_order_acquire); }
  bool test() override {
    node_.progressed();
    if (!ready()) return false;
    if (!operation_->error.empty()) throw BackendError(operation_->error);
    return true;
  }

 private:
  Node& node_;
  std::shared_ptr<Operation> operation_;
};

/// A stream: a thread that waits for its tasks in virtual time.
class Lane final : public Executor {
 public:
  Lane(Node& node, ExecutorHooks hooks) : node_(node), hooks_(std::move(hooks)) {
    node_.lane_begins();
    thread_ = std::thread([this] { work(); });
  }
  ~Lane() override {
    {
      const std::lock_guard lock(mutex_);
      closing_ = true;
    }
    node_.changed();
    thread_.join();
  }
  void enqueue(std::function<void()> task) override {
    {
      const std::lock_guard lock(mutex_);
      tasks_.push_back(std::move(task));
    }
    node_.changed();
  }

 private:
  void work() {
    hooks_.started();
    for (;;) {
      std::unique_lock lock(mutex_);
      if (tasks_.empty() && !closing_) {
        lock.unlock();
        hooks_.idle();
        node_.wait([this] {
          const std::lock_guard guard(mutex_);
          return closing_ || !tasks_.empty();
        }, kNever, {});
        hooks_.busy();
        lock.lock();
      }
      if (tasks_.empty()) break;
      auto task = std::move(tasks_.front());
      tasks_.pop_front();
      lock.unlock();
      task();
    }
    hooks_.ended();
    node_.lane_ends();
  }

  Node& node_;
  ExecutorHooks hooks_;
  std::mutex mutex_;
  std::deque<std::function<void()>> tasks_;
  bool closing_ = false;
  std::thread thread_;
};

int number_of(const char* name) {
  const char* text = std::getenv(name);
  if (text == nullptr) throw Error("The backend 'sim' needs the lab: start the program with `p2plab run`, not by itself.", 2);
  return std::atoi(text);
}

std::string job() {
  const char* text = std::getenv("P2PLAB_JOB");
  if (text == nullptr) throw Error("The backend 'sim' needs the lab: start the program with `p2plab run`, not by itself.", 2);
  return text;
}

class Sim final : public Backend {
 public:
  explicit Sim(const Options& options) : rank_(number_of("PMI_RANK")), size_(number_of("PMI_SIZE")), node_(job(), rank_) {
    if (const auto it = options.knobs.find("eager_limit"); it != options.knobs.end())
      eager_limit_ = static_cast<std::uint64_t>(parse_amount("eager_limit", it->second));
    if (const auto it = options.knobs.find("progress"); it != options.knobs.end()) in_calls_ = it->second == "in-calls";
  }
  ~Sim() override { node_.leave(); }

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  std::string library() const override { return "virtual clock"; }

  std::unique_ptr<Pending> send(const Transfer& t) override { return message(hub::Frame::send, t); }
  std::unique_ptr<Pending> receive(const Transfer& t) override { return message(hub::Frame::receive, t); }

  std::unique_ptr<Pending> collective(const Collective& what) override {
    using Type = Collective::Type;
    const std::size_t element = what.dtype == DType::f32 ? sizeof(float) : 1, part = what.count * element;
    const Members& members = groups_[static_cast<std::size_t>(what.group)];
    const std::size_t ranks = what.group == 0 ? static_cast<std::size_t>(size_) : members.ranks.size(), listed = members.ranks.size() * sizeof(std::int32_t);
    const bool whole_in = what.type == Type::reduce_scatter || what.type == Type::all_to_all;
    const bool whole_out = what.type == Type::all_gather || what.type == Type::all_to_all;
    hub::Collective spec;
    spec.type = static_cast<hub::CollectiveType>(what.type);
    spec.f32 = what.dtype == DType::f32;
    spec.max = what.reduce == Reduce::max;
    spec.root = what.root;
    spec.count = what.count;
    spec.members = static_cast<std::uint32_t>(members.ranks.size());
    spec.instance = members.instance;
    const std::size_t in_bytes = what.type == Type::barrier ? 0 : part * (whole_in ? ranks : 1);
    std::vector<std::byte> payload(sizeof spec + listed + in_bytes);
    std::memcpy(payload.data(), &spec, sizeof spec);
    if (listed > 0) std::memcpy(payload.data() + sizeof spec, members.ranks.data(), listed);
    if (in_bytes > 0) std::memcpy(payload.data() + sizeof spec + listed, what.in != nullptr ? what.in : what.out, in_bytes);
    hub::Head head;
    head.frame = hub::Frame::collective;
    return std::make_unique<Waiting>(node_, node_.post(head, what.out, part * (whole_out ? ranks : 1), payload.data(), payload.size()));
  }

  int new_group(std::span<const int> ranks) override {
    Members members{{ranks.begin(), ranks.end()}, 0};
    for (const Members& other : groups_) members.instance += other.ranks == members.ranks ? 1 : 0;
    groups_.push_back(std::move(members));
    return static_cast<int>(groups_.size()) - 1;
  }
  std::uint64_t measure_eager_limit() override { return eager_limit_; }
  std::unique_ptr<Executor> make_executor(std::string_view, ExecutorHooks hooks) override { return std::make_unique<Lane>(node_, std::move(hooks)); }
  std::int64_t now_ns() const override { return node_.now().load(std::memory_order_relaxed); }
  void sleep_until(std::int64_t ns) override { node_.wait([] { return false; }, ns, {}); }

  const std::atomic<std::int64_t>* virtual_now() const override { return &node_.now(); }
  void wait_virtually(const std::function<bool()>& ready, const std::function<void()>& stuck, bool in_call) override {
    node_.wait(ready, kNever, stuck, in_call);
  }
  void changed() override { node_.changed(); }

 private:
  std::unique_ptr<Pending> message(hub::Frame frame, const Transfer& t) {
    hub::Head head;
    head.frame = frame;
    head.a = t.peer;
    head.b = t.tag;
    head.c = static_cast<std::int64_t>(t.bytes);
    head.flag = t.synchronous;
    const bool eager = frame == hub::Frame::send && !t.synchronous && t.bytes <= eager_limit_;
    // An eager message is gone when it is posted. The handshake of any other needs both ranks in a call (weak progress,
    // MPI 4.1 2.9); what follows it, a network card does by itself.
    const bool asks = t.synchronous || t.bytes > eager_limit_;
    return std::make_unique<Waiting>(node_, node_.post(head, t.data, t.bytes, nullptr, 0, eager, in_calls_ && asks ? Node::Told::by_progress : Node::Told::at_once));
  }

  struct Members {
    std::vector<std::int32_t> ranks;  ///< of the world: none
    std::uint32_t instance = 0;       ///< so many groups of the same ranks came before
  };

  int rank_, size_;
  std::vector<Members> groups_{Members{}};
  std::uint64_t eager_limit_ = kEagerLimit;
  bool in_calls_ = false;  ///< the knob progress
  Node node_;
};

}  // namespace
}  // namespace p2p::sim

p2p::Backend* p2plab_make_backend(const p2p::Options& options) { return new p2p::sim::Sim(options); }
