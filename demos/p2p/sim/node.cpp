// See node.h.
#include "demos/p2p/sim/node.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <limits>

#include "demos/p2p/backend.h"

namespace p2p::sim {
namespace {

constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();
constexpr int kConnectTries = 10'000;  ///< of a millisecond each: the hub is made when the job has been started
constexpr std::chrono::milliseconds kStuckLook{1};

}  // namespace

Node::Node(const std::string& job, int rank) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string path = job + "/" + hub::kSocket;
  if (path.size() >= sizeof address.sun_path) throw BackendError("the path of the hub is too long: " + path);
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  for (int i = 0; i < kConnectTries; ++i) {
    socket_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (socket_ >= 0 && ::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
      hub::Head hello;
      hello.a = rank;
      send(hello, nullptr, 0);
      return;
    }
    ::close(socket_);
    const timespec nap{0, 1'000'000};
    ::nanosleep(&nap, nullptr);
  }
  throw BackendError("the lab's hub does not answer at " + path + ": " + std::strerror(errno));
}

Node::~Node() { ::close(socket_); }

void Node::send(const hub::Head& head, const void* payload, std::size_t size) {
  hub::Head whole = head;
  whole.size = size;
  const auto* bytes = reinterpret_cast<const std::byte*>(&whole);
  unsent_.insert(unsent_.end(), bytes, bytes + sizeof whole);
  const auto* more = static_cast<const std::byte*>(payload);
  if (size > 0) unsent_.insert(unsent_.end(), more, more + size);
}

bool Node::receive(void* into, std::size_t size) {
  auto* at = static_cast<std::byte*>(into);
  while (size > 0) {
    const ssize_t n = ::recv(socket_, at, size, 0);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += n;
    size -= static_cast<std::size_t>(n);
  }
  return true;
}

std::shared_ptr<Operation> Node::post(hub::Head head, std::byte* data, std::size_t capacity, const void* payload, std::size_t size,
                                      bool eager, Told told) {
  const std::lock_guard lock(mutex_);
  if (progressed_.exchange(false, std::memory_order_relaxed)) tell();
  auto operation = std::make_shared<Operation>();
  operation->data = data;
  operation->capacity = capacity;
  if (eager) {
    operation->copy.assign(data, data + capacity);
    operation->data = operation->copy.data();
  }
  head.number = next_++;
  operations_[head.number] = operation;
  const bool message = head.frame == hub::Frame::send || head.frame == hub::Frame::receive;
  if (!message) tell();  // a collective is a call, too
  if (message && (told == Told::by_progress || !untold_.empty())) untold_.push_back(head);  // behind one that waits: messages do not overtake
  else send(head, payload, size);
  return operation;
}

void Node::tell() {
  for (const hub::Head& head : untold_) send(head, nullptr, 0);
  untold_.clear();
}

void Node::lane_begins() {
  const std::lock_guard lock(mutex_);
  ++running_;
}

void Node::lane_ends() {
  std::unique_lock lock(mutex_);
  if (--running_ == 0) pump(lock);
}

bool Node::wake_ready() {
  bool any = false;
  for (auto at = waiting_.begin(); at != waiting_.end();) {
    Waiting& one = **at;
    if (one.deadline > now_.load(std::memory_order_relaxed) && !(*one.ready)()) {
      ++at;
      continue;
    }
    one.woken = true;
    ++running_;
    any = true;
    at = waiting_.erase(at);
    one.wake.notify_one();
  }
  return any;
}

void Node::changed() {
  const std::lock_guard lock(mutex_);
  wake_ready();
}

void Node::wait(const std::function<bool()>& ready, std::int64_t deadline, const std::function<void()>& stuck, bool in_call) {
  std::unique_lock lock(mutex_);
  if (deadline <= now_.load(std::memory_order_relaxed) || ready()) return;
  Waiting self{&ready, deadline, in_call, false, {}};
  waiting_.push_back(&self);
  if (--running_ == 0) pump(lock);
  while (!self.woken) {
    if (!stuck_) {
      self.wake.wait(lock, [&] { return self.woken || stuck_; });
      continue;
    }
    // Nobody can ever go on. The lab sees lanes that poll in vain, and ends the job.
    lock.unlock();
    if (stuck) stuck();
    lock.lock();
    self.wake.wait_for(lock, kStuckLook, [&] { return self.woken; });
  }
}

void Node::leave() {
  {
    const std::lock_guard lock(mutex_);
    tell();
    hub::Head head;
    head.frame = hub::Frame::leave;
    send(head, nullptr, 0);
  }
  wait([this] { return all_left_; }, kNever, {});
}

/// With no lane running: quiet, and then whatever the hub says, until a lane runs. Holds the lock throughout; nobody else
/// could do anything with it.
void Node::pump(std::unique_lock<std::mutex>& lock) {
  while (running_ == 0 && !stuck_) {
    const bool in_call = std::any_of(waiting_.begin(), waiting_.end(), [](const Waiting* one) { return one->in_call; });
    if (progressed_.exchange(false, std::memory_order_relaxed) || in_call) tell();
    hub::Head quiet;
    quiet.frame = hub::Frame::quiet;
    quiet.a = kNever;
    for (const Waiting* one : waiting_) quiet.a = std::min(quiet.a, one->deadline);
    send(quiet, nullptr, 0);
    take_in(lock);
    wake_ready();
  }
}

void Node::take_in(std::unique_lock<std::mutex>&) {
  for (;;) {
    for (std::size_t at = 0; at < unsent_.size();) {
      const ssize_t n = ::send(socket_, unsent_.data() + at, unsent_.size() - at, MSG_NOSIGNAL);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) ::_exit(1);  // the lab is gone, and with it the world
      at += static_cast<std::size_t>(n);
    }
    unsent_.clear();
    hub::Head head;
    if (!receive(&head, sizeof head)) ::_exit(1);
    // What fits is read to where it belongs. Of a receive that is too short there is nothing; of nobody's, no operation.
    const auto whose = operations_.find(head.number);
    const bool fits = head.frame == hub::Frame::done && whose != operations_.end() && head.size <= whose->second->capacity;
    std::vector<std::byte> payload(fits ? 0 : head.size);
    if (head.size > 0 && !receive(fits ? whose->second->data : payload.data(), head.size)) ::_exit(1);
    switch (head.frame) {
      case hub::Frame::fetch: {
        hub::Head answer;
        answer.frame = hub::Frame::bytes;
        answer.number = head.number;
        const auto& operation = operations_.at(head.number);
        send(answer, operation->data, operation->capacity);
        break;
      }
      case hub::Frame::done:
      case hub::Frame::truncated: {
        const auto operation = operations_.at(head.number);
        operations_.erase(head.number);
        if (head.frame == hub::Frame::truncated)
          operation->error = "the message of " + std::to_string(head.a) + " bytes is longer than the receive's " + std::to_string(operation->capacity);
        else if (!payload.empty()) std::memcpy(operation->data, payload.data(), std::min(payload.size(), operation->capacity));
        operation->done.store(true, std::memory_order_release);
        break;
      }
      case hub::Frame::go:
        now_.store(head.a, std::memory_order_relaxed);
        return;
      case hub::Frame::stuck:
        stuck_ = true;
        for (Waiting* one : waiting_) one->wake.notify_one();
        return;
      case hub::Frame::left:
        all_left_ = true;
        return;
      default: break;
    }
  }
}

}  // namespace p2p::sim
