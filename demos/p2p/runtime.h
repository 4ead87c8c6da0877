// The machinery behind World: what it posts, how it waits, what it records. One per process.
#pragma once
#include <atomic>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "app/trace/control.h"
#include "app/trace/recorder.h"
#include "demos/p2p/backend.h"
#include "demos/p2p/lane.h"
#include "demos/p2p/link.h"
#include "demos/p2p/options.h"
#include "demos/p2p/world.h"

namespace p2p {

/// One message from post to completion.
struct Operation {
  Kind kind = Kind::send;
  std::string_view name;      ///< of the call, "isend"
  Tensor tensor;              ///< keeps the storage alive; the pointer is the user's own
  int peer = 0;
  int tag = 0;
  Where where;
  std::int32_t request = -1;  ///< unique in this rank
  Record record;              ///< its span, as the call shows it
  std::uint32_t in_flight = 0;  ///< id of its span in flight
  std::uint64_t hash = 0;       ///< of the payload when posted

  std::mutex mutex;           ///< guards what follows: several threads may test
  std::unique_ptr<Pending> pending;
  std::int64_t held_until = 0;  ///< really complete, but the emulated link still carries it; 0: not yet known
  std::atomic<bool> done{false};
};
using OperationPtr = std::shared_ptr<Operation>;

struct EventState {
  Runtime* runtime = nullptr;
  std::uint64_t id = 0;  ///< unique in this rank, from 1
  StringHandle lane = 0;
  std::mutex mutex;
  std::condition_variable changed;
  bool done = false;
};
using EventPtr = std::shared_ptr<EventState>;

struct StreamState {
  Runtime* runtime = nullptr;
  std::string name;
  StringHandle lane = 0;
  std::unique_ptr<Executor> executor;
};

/// What a Work stands for: operations posted by the caller, or a task of a stream with the event after it.
struct WorkState {
  Runtime* runtime = nullptr;
  std::vector<OperationPtr> operations;
  EventPtr event;  ///< null: posted by the calling thread
  ~WorkState();
};

class Runtime {
 public:
  explicit Runtime(Options options);
  ~Runtime();

  // Communication: point_to_point.cpp
  void send_or_recv(Kind kind, std::string_view name, const Tensor& tensor, int peer, int tag, Where where);
  std::shared_ptr<WorkState> start(Kind kind, std::string_view name, const Tensor& tensor, int peer, int tag,
                                   StreamState* on, Where where);
  void group_now(std::string_view name, std::span<const P2POp> ops, Where where);
  std::shared_ptr<WorkState> start_group(std::string_view name, std::span<const P2POp> ops, StreamState* on, Where where);
  void wait(const std::shared_ptr<WorkState>& work, Where where);
  void wait_all(std::span<Work> works, Where where);
  bool completed(const WorkState& work);
  void abandon(std::vector<OperationPtr> operations);
  // collectives.cpp
  void collective(std::string_view name, Collective collective, const Tensor& in, const Tensor& out, Where where);
  // streams.cpp
  std::shared_ptr<StreamState> stream(std::string_view name);
  EventPtr record(StreamState& stream, Where where);
  void stream_wait(StreamState& stream, const EventPtr& event, std::string_view name, Where where);
  void synchronize(const EventPtr& event, std::string_view name, Where where);
  // compute.cpp
  void compute(const ComputeLabel& label, std::chrono::nanoseconds duration, std::function<void()> body,
               StreamState& on, Where where);
  void pause(std::chrono::nanoseconds duration, std::string_view why, Where where);

  /// A record with name and source line filled in.
  Record annotate(Kind kind, std::string_view name, const Where& where);
  /// Before each communication call: the lab may stop, step or delay this rank.
  void gate(const Where& where);
  void metric(std::string_view name, double value);
  void note(std::string_view name, std::string_view text);
  /// Ends the process because of an error no caller can catch: one sentence, status 1.
  [[noreturn]] void fail(const std::exception& error);
  /// Bytes per ordered pair that a send may leave behind under nccl semantics.
  std::size_t hidden_buffer() const { return hidden_buffer_; }
  /// The feed is complete; nothing more is recorded.
  void close_feed();
  /// The clock is virtual.
  bool is_virtual() const { return backend->virtual_now() != nullptr; }
  /// A poll has found nothing: on a virtual clock that takes time, or a loop of polls would never end.
  void poll_cost();

  const Options options;
  std::unique_ptr<Backend> backend;
  Recorder recorder;
  std::atomic<bool> hashing{false};
  std::atomic<int> hash_mismatches{0};

 private:
  // A send under nccl semantics whose payload lies in the hidden buffer until its receive takes it.
  struct Buffered {
    int peer;
    Tensor payload;
    std::unique_ptr<Pending> pending;
  };
  OperationPtr prepare(Kind kind, std::string_view name, const Tensor& tensor, int peer, int tag, std::uint8_t flags,
                       Where where);
  std::vector<OperationPtr> prepare_group(std::string_view name, std::span<const P2POp> ops, Where where);
  Record describe_group(std::string_view name, const std::vector<OperationPtr>& operations, const Where& where);
  void carry_out(const OperationPtr& operation);
  void carry_out_group(std::string_view name, const std::vector<OperationPtr>& operations, Where where);
  void post(Operation& operation);
  void post_group(const std::vector<OperationPtr>& operations);
  bool test(Operation& operation);
  void complete(Operation& operation);
  bool buffer_send(Operation& operation);
  void reap_buffered();
  void wait_for(const OpenSpan& span, std::span<const OperationPtr> operations);
  void wait_for(const OpenSpan& span, EventState& event);
  std::shared_ptr<WorkState> enqueue(StreamState& stream, std::vector<OperationPtr> operations,
                                     std::function<void()> task, Where where);
  std::function<void()> guarded(std::function<void()> task);
  void check_stop();
  void wait_virtually(const std::function<bool()>& ready);
  /// The control page and the feed of the lab that started this rank.
  void join(const char* job);

  std::optional<p2plab::trace::Control> control_;
  Link link_;
  StringHandle in_flight_lane_ = 0, world_comm_ = 0;
  std::atomic<std::int32_t> next_request_{0};
  std::atomic<std::uint64_t> next_event_{1};
  std::mutex post_mutex_;  ///< sequence numbers follow the order of posting
  std::map<std::pair<bool, std::pair<int, int>>, std::int32_t> sequences_;
  std::int32_t next_collective_ = 0;
  std::size_t hidden_buffer_ = 0;
  std::int64_t poll_ns_ = 1000;
  std::vector<Buffered> buffered_;
  std::mutex streams_mutex_;
  std::map<std::string, std::shared_ptr<StreamState>, std::less<>> streams_;
  std::vector<OperationPtr> abandoned_;
};

}  // namespace p2p
