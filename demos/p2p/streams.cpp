// Streams and events: a worker thread per stream, and what waits for it.
#include <thread>

#include "demos/p2p/runtime.h"
#include "demos/p2p/waiting.h"

namespace p2p {
namespace {

// Waiting for a lane of the same process is woken at once. A look in between is for the lab: has it ended the run, and
// does the wait stand? Nothing is asked of MPI, so one look is proof; and it is rare, for a timer costs a core as much as
// a message does.
constexpr std::chrono::milliseconds kLook{20};

class Worker final : public Executor {
 public:
  explicit Worker(ExecutorHooks hooks) : hooks_(std::move(hooks)), thread_([this] { work(); }) {}
  ~Worker() override {
    {
      const std::lock_guard lock(mutex_);
      closing_ = true;
    }
    changed_.notify_one();
    thread_.join();
  }
  void enqueue(std::function<void()> task) override {
    {
      const std::lock_guard lock(mutex_);
      tasks_.push_back(std::move(task));
      // Said by who gives the work: on a busy machine the thread wakes late, and until then it would look out of work.
      if (std::exchange(idle_, false)) hooks_.busy();
    }
    changed_.notify_one();
  }

 private:
  void work() {
    sharpen_timers();
    hooks_.started();
    for (std::unique_lock lock(mutex_);;) {
      if (tasks_.empty()) {
        hooks_.idle();
        idle_ = true;
        changed_.wait(lock, [this] { return closing_ || !tasks_.empty(); });
        if (tasks_.empty()) break;
      }
      auto task = std::move(tasks_.front());
      tasks_.pop_front();
      lock.unlock();
      task();
      task = nullptr;
      lock.lock();
    }
    hooks_.ended();
  }

  ExecutorHooks hooks_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> tasks_;
  bool closing_ = false;
  bool idle_ = false;
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace

std::unique_ptr<Executor> Backend::make_executor(std::string_view, ExecutorHooks hooks) {
  return std::make_unique<Worker>(std::move(hooks));
}

std::int64_t Backend::now_ns() const { return p2plab::trace::monotonic_ns(); }

void Backend::sleep_until(std::int64_t ns) { wait_until_ns(ns); }

void Backend::wait_virtually(const std::function<bool()>&, const std::function<void()>&, bool) {
  throw std::logic_error("this backend's clock is real");
}

std::shared_ptr<StreamState> Runtime::stream(std::string_view name) {
  const std::lock_guard lock(streams_mutex_);
  if (const auto it = streams_.find(name); it != streams_.end()) return it->second;
  several_lanes_ = true;
  if (device_ != nullptr) return streams_.emplace(name, device_stream(name)).first->second;
  auto stream = std::make_shared<StreamState>();
  stream->runtime = this;
  stream->name = name;
  stream->lane = recorder.intern(name);
  ExecutorHooks hooks;
  auto ring = std::make_shared<p2plab::trace::RingWriter*>();
  hooks.started = [this, lane = stream->name, ring] {
    Lane::enter(recorder, lane, "host");
    *ring = Lane::current().ring;
  };
  hooks.idle = [ring] {
    if (*ring != nullptr) (*ring)->idle();
  };
  hooks.busy = [ring] {
    if (*ring != nullptr) (*ring)->running();
  };
  hooks.ended = [] { Lane::leave(); };
  stream->executor = backend->make_executor(name, std::move(hooks));
  return streams_.emplace(stream->name, stream).first->second;
}

// An error on a stream has no caller to go to: it ends the rank.
std::function<void()> Runtime::guarded(std::function<void()> task) {
  return [this, task = std::move(task)] {
    try {
      task();
    } catch (const std::exception& error) {
      fail(error);
    }
  };
}

EventPtr Runtime::record(StreamState& stream, Where) {
  if (device_ != nullptr) return device_record(stream);
  auto event = std::make_shared<EventState>();
  event->runtime = this;
  event->id = next_event_.fetch_add(1);
  event->lane = stream.lane;
  // Recorded when it is enqueued: from now on waiting for the event is waiting for this lane.
  if (auto* ring = Lane::current().ring; ring != nullptr) {
    Record record;
    record.type = RecordType::event;
    record.lane = stream.lane;
    record.value = event->id;
    ring->push(record);
  }
  stream.executor->enqueue([event] {
    if (auto* ring = Lane::current().ring; ring != nullptr) {
      Record record;
      record.type = RecordType::reached;
      record.value = event->id;
      ring->push(record);
    }
    {
      const std::lock_guard lock(event->mutex);
      event->done = true;
      event->done_ns = event->runtime->backend->now_ns();
    }
    event->changed.notify_all();
    event->runtime->backend->changed();
  });
  return event;
}

void Runtime::wait_for(const OpenSpan& span, EventState& event) {
  std::unique_lock lock(event.mutex);
  if (event.done) return;
  auto* ring = Lane::current().ring;
  if (ring != nullptr) ring->blocked(span.id());
  if (is_virtual()) {
    lock.unlock();
    wait_virtually([&event] {
      const std::lock_guard guard(event.mutex);
      return event.done;
    }, false);
    return;
  }
  if (event.device != nullptr) {  // asked directly: what the timeline says comes a little later
    lock.unlock();
    for (Backoff backoff; !event.device->query(); backoff.pause()) {
      if (ring != nullptr) ring->polled();
      if (backoff.napping()) check_stop();
    }
    if (ring != nullptr) ring->running();
    return;
  }
  while (!event.changed.wait_for(lock, kLook, [&] { return event.done; })) {
    if (ring != nullptr) ring->polled(p2plab::trace::kProofPolls);
    check_stop();
  }
  if (ring != nullptr) ring->running();
}

void Runtime::wait_virtually(const std::function<bool()>& ready, bool in_call) {
  auto* ring = Lane::current().ring;
  backend->wait_virtually(ready, [this, ring] {
    if (ring != nullptr) ring->polled(p2plab::trace::kProofPolls);
    check_stop();
  }, in_call);
  if (ring != nullptr) ring->running();
}

void Runtime::poll_cost() {
  if (is_virtual()) backend->sleep_until(backend->now_ns() + poll_ns_);
}

void Runtime::synchronize(const EventPtr& event, std::string_view name, Where where) {
  Record record = annotate(Kind::wait, name, where);
  record.flags = p2plab::trace::kBlocking;
  const OpenSpan span(record);
  span.waits_for_event(event->id, event->lane);
  wait_for(span, *event);
}

void Runtime::join_current(StreamState& stream, Where where) {
  StreamState& current = *this->stream("compute");
  if (&current != &stream) stream_wait(stream, record(current, where), "wait for compute", where);
}

void Runtime::stream_wait(StreamState& stream, const EventPtr& event, std::string_view name, Where where) {
  if (device_ != nullptr) return device_wait(stream, event, name, where);
  stream.executor->enqueue(guarded([this, event, name = std::string(name), where] {
    {
      const std::lock_guard lock(event->mutex);
      // Nothing to wait for, nothing to show. Which thread comes first within one instant of a virtual clock is no matter of the program's.
      if (event->done && !(is_virtual() && event->done_ns == backend->now_ns())) return;
    }
    synchronize(event, name, where);
  }));
}

std::shared_ptr<WorkState> Runtime::enqueue(StreamState& stream, std::vector<OperationPtr> operations,
                                            std::function<void()> task, Where where) {
  auto work = std::make_shared<WorkState>();
  work->runtime = this;
  work->operations = std::move(operations);
  stream.executor->enqueue(guarded(std::move(task)));
  work->event = record(stream, where);
  return work;
}

}  // namespace p2p
