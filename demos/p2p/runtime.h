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
#include "demos/p2p/device.h"
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
  std::uint64_t hash = 0;       ///< of the payload when posted,
  bool hashed = false;          ///< or when the current stream came to the call

  std::mutex mutex;           ///< guards what follows: several threads may test
  std::unique_ptr<Pending> pending;
  std::int64_t held_until = 0;  ///< really complete, but the emulated link still carries it; 0: not yet known
  std::atomic<bool> done{false};
  bool shown = false;  ///< its span in flight is open; of a GPU's stream only, by whoever sees it begin
};
using OperationPtr = std::shared_ptr<Operation>;

struct EventState {
  Runtime* runtime = nullptr;
  std::uint64_t id = 0;  ///< unique in this rank, from 1
  StringHandle lane = 0;
  std::mutex mutex;
  std::condition_variable changed;
  bool done = false;
  std::int64_t done_ns = 0;
  std::shared_ptr<DeviceEvent> device;  ///< of a GPU's stream
};
using EventPtr = std::shared_ptr<EventState>;

/// A group of ranks; its collectives are counted apart from the world's.
struct GroupState {
  std::vector<int> ranks;
  int id = 0;              ///< Collective::group
  StringHandle comm = 0;
  std::atomic<std::int32_t> next{0};
};
using GroupPtr = std::shared_ptr<GroupState>;

struct StreamState {
  Runtime* runtime = nullptr;
  std::string name;
  StringHandle lane = 0;
  std::unique_ptr<Executor> executor;    ///< null: the stream is a GPU's,
  std::shared_ptr<DeviceStream> device;  ///< this one,
  std::byte* mark = nullptr;             ///< with a word in the GPU's memory that paced computation needs
};

class DeviceTimeline;
struct DeviceEntry;

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
                                   StreamState* on, Where where, bool explicit_stream = true);
  void group_now(std::string_view name, std::span<const P2POp> ops, Where where);
  std::shared_ptr<WorkState> start_group(std::string_view name, std::span<const P2POp> ops, StreamState* on, Where where,
                                         bool explicit_stream = true);
  void wait(const std::shared_ptr<WorkState>& work, Where where);
  void wait_all(std::span<Work> works, Where where);
  bool completed(const WorkState& work);
  void abandon(std::vector<OperationPtr> operations);
  // collectives.cpp
  /// Of all ranks unless a group is given; on the stream `on`, if there is one, and then the call returns at once.
  void collective(std::string_view name, Collective collective, const Tensor& in, const Tensor& out, Where where, const GroupPtr& group = {},
                  StreamState* on = nullptr);
  GroupPtr new_group(std::span<const int> ranks, Where where);
  // streams.cpp
  std::shared_ptr<StreamState> stream(std::string_view name);
  EventPtr record(StreamState& stream, Where where);
  void stream_wait(StreamState& stream, const EventPtr& event, std::string_view name, Where where);
  void synchronize(const EventPtr& event, std::string_view name, Where where);
  /// torch.distributed's own stream waits for the current one (compute) before it sends or receives anything.
  void join_current(StreamState& stream, Where where);
  // device_streams.cpp
  /// Puts what `copy` does with `bytes` on the stream `compute`, shown under this name, and waits for it.
  void device_copy(std::string_view name, std::size_t bytes, const std::function<void(DeviceStream&)>& copy);
  // compute.cpp
  void launch(const ComputeLabel& label, std::chrono::nanoseconds duration, std::vector<Kernel> kernels, StreamState& on,
              Where where);
  void compute(const ComputeLabel& label, std::chrono::nanoseconds duration, std::function<void()> body,
               StreamState& on, Where where);
  void pause(std::chrono::nanoseconds duration, std::string_view why, Where where);

  /// A record with name and source line filled in.
  Record annotate(Kind kind, std::string_view name, const Where& where);
  /// Before each communication call: the lab may stop, step or delay this rank.
  void gate(const Where& where);
  void metric(std::string_view name, double value);
  Record metric_record(std::string_view name, double value);
  void note(std::string_view name, std::string_view text);
  /// Ends the process because of an error no caller can catch: one sentence, status 1.
  [[noreturn]] void fail(const std::exception& error);
  /// Bytes per ordered pair that a send may leave behind under nccl semantics.
  std::size_t hidden_buffer() const { return hidden_buffer_; }
  /// The feed is complete; nothing more is recorded.
  void close_feed();
  /// All that streams have done so far is counted and recorded.
  void settle();
  /// Leaves at once if the lab asks for it.
  void check_stop();
  void abort_with_the_others();
  StringHandle in_flight_lane() const { return in_flight_lane_; }
  /// The GPU, if the backend has one.
  Device* device() const { return device_; }
  /// The clock is virtual.
  bool is_virtual() const { return backend->virtual_now() != nullptr; }
  /// A poll has found nothing: on a virtual clock that takes time, or a loop of polls would never end.
  void poll_cost();

  Options options;
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
  // plain_message.cpp
  bool sends_plainly() const { return plain_ && !hashing.load(std::memory_order_relaxed); }
  void plain_message(Kind kind, std::string_view name, const Tensor& tensor, int peer, int tag, Where where);
  void carry_out_group(std::string_view name, const std::vector<OperationPtr>& operations, Where where);
  /// NCCL's rules: a message follows the one before it of the same ordered pair, whatever their streams.
  void follow(StreamState& stream, const std::vector<OperationPtr>& operations, Where where);
  void hash_on_current(StreamState& stream, const std::vector<OperationPtr>& operations, Where where);
  std::shared_ptr<WorkState> enqueue_messages(StreamState& stream, std::vector<OperationPtr> operations, std::function<void()> task, Where where);
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
  void wait_virtually(const std::function<bool()>& ready, bool in_call);
  /// Rows of the square matrices of real computation.
  std::size_t gemm_size() const;
  Record describe_compute(const ComputeLabel& label, const Where& where);
  std::uint64_t hash_of(const Tensor& tensor);
  // device_streams.cpp: the same calls where streams are a GPU's.
  void open_device();
  void close_device();
  std::shared_ptr<StreamState> device_stream(std::string_view name);
  EventPtr device_record(StreamState& stream);
  void device_wait(StreamState& stream, const EventPtr& event, std::string_view name, Where where);
  void device_launch(const Record& record, std::chrono::nanoseconds duration, const std::vector<Kernel>& kernels, StreamState& on);
  std::shared_ptr<WorkState> device_transfer(StreamState& stream, std::string_view name, std::vector<OperationPtr> operations,
                                             bool grouped, bool explicit_stream, Where where);
  std::shared_ptr<WorkState> device_collective(StreamState& on, std::string_view name, const Collective& what, std::size_t bytes, Where where,
                                               const GroupPtr& group);
  void show_copy(CarriedCopy copy);
  Kernel product() const;  ///< of real computation
  OpenSpan enqueueing(std::string_view name, const Record& work, std::int32_t request);
  void issue(Pending& pending, const Record& call, const std::vector<OperationPtr>& operations);
  std::uint64_t device_hash(const Tensor& tensor);
  /// The control page and the feed of the lab that started this rank.
  void join(const char* job);

  std::optional<p2plab::trace::Control> control_;
  Link link_;
  bool plain_ = false;  ///< nothing lies between a message and the backend but hashing, which can be switched
  StringHandle in_flight_lane_ = 0, world_comm_ = 0;
  std::atomic<std::int32_t> next_request_{0};
  std::atomic<std::uint64_t> next_event_{1};
  std::mutex post_mutex_;  ///< sequence numbers follow the order of posting
  std::atomic<bool> several_lanes_{false};  ///< streams were made: other threads than the host's post
  std::map<std::pair<bool, std::pair<int, int>>, std::int32_t> sequences_;
  std::map<std::pair<bool, int>, std::pair<const StreamState*, EventPtr>> last_message_;  ///< enqueued so far, by (send, peer): its stream, and its end there
  std::int32_t next_collective_ = 0;
  std::map<std::vector<int>, int> groups_made_;
  std::size_t hidden_buffer_ = 0;
  std::int64_t poll_ns_ = 1000;
  std::vector<Buffered> buffered_;
  std::once_flag leaving_;
  std::mutex streams_mutex_;
  std::map<std::string, std::shared_ptr<StreamState>, std::less<>> streams_;
  std::vector<OperationPtr> abandoned_;

  Device* device_ = nullptr;
  std::shared_ptr<DeviceMemory> device_memory_;
  std::unique_ptr<TensorMemory> tensors_;
  std::unique_ptr<DeviceTimeline> timeline_;
  std::mutex hash_mutex_;
  std::shared_ptr<DeviceStream> hash_stream_;
  std::byte* hash_parts_ = nullptr;  ///< pinned
  std::map<std::string, StreamState, std::less<>> copy_lanes_;  ///< of what the device copies by itself; the timeline's thread and others add
  std::mutex copy_lanes_mutex_;
  std::byte* gemm_[3] = {};          ///< matrices of real computation
};

}  // namespace p2p
