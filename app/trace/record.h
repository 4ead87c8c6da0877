// What a rank writes into shared memory: fixed-size records in one single-producer ring per recording thread, and a
// table of strings. The file outlives the rank, so a killed rank can still be read.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "app/trace/clock.h"

namespace p2plab::trace {

/// What a span is about. Colour, class (communication or computation) and wait rules follow from it.
enum class Kind : std::uint8_t {
  other,      ///< annotation of the user; neither communication nor computation
  compute,    ///< computation without a pipeline meaning
  forward,    ///< F of a microbatch
  backward,   ///< B, the input gradient (or the whole backward pass where it is not split)
  weight,     ///< W, the weight gradient
  optimizer,  ///< optimizer step
  send,
  receive,
  collective,
  copy,
  wait,  ///< the lane stands still until something listed by `wait_on` records happens
};

constexpr bool is_compute(Kind k) { return k >= Kind::compute && k <= Kind::optimizer; }
constexpr bool is_communication(Kind k) { return k >= Kind::send && k <= Kind::collective; }

enum class RecordType : std::uint8_t {
  begin,      ///< a span opens: id, lane, kind, name, site and its arguments
  end,        ///< the span with this id closes (may come from another ring)
  instant,    ///< a mark on a lane
  wait_on,    ///< the wait span `id` waits for `request` (>= 0), for lane `lane`, or for event `value`
  event,      ///< the event `value` (a p2p::Event) was enqueued on the lane: waiting for it is waiting for this lane
  hash_post,  ///< xxHash64 of the payload of span `id` when it was posted, in `value`
  hash_done,  ///< the same when it completed
  metric,     ///< a result of the program: name, and a double in `value`
  note,       ///< a result of the program as text: name, and the text's handle in `site`
  reached,    ///< the lane has come to the event `value`: all it was given before is done
  matched,    ///< the receive `id` got its message: `peer`, `tag` and `bytes` are the message's own
  withdrawn,  ///< the operation `id` was cancelled before it was matched
  members,    ///< the communicator `comm` consists of the world ranks listed in `site`: "0,2,3"
  done,       ///< begin and end in one: a span from `ticks` on, and its duration in ticks in `value` above the low 16 bits
  finding,    ///< the rank itself saw a defect: `name` its kind, `lane` the call, `site` its line, `value` a Report
};

/// Bits of Record::flags.
enum Flag : std::uint8_t {
  kBlocking = 1,  ///< the lane cannot go on before this operation has completed
  kInFlight = 2,  ///< from post to completion; lives on the lane `in flight`, spans there may overlap
  kAny = 4,       ///< a wait that ends when any of its set is done (default: all)
  kStrict = 8,    ///< the send was made synchronous by --strict
  kPaced = 16,    ///< the lane was held for a stated time
  kGroup = 32,    ///< part of a fused group (batch_isend_irecv, ncclGroupStart/End, MPI_Sendrecv)
  kPosts = 64,    ///< begin: the call and, with the next id, its operation in flight; end: both of them
  kPolling = 128, ///< a wait of a program that polls: it may do something else after each look
};

using StringHandle = std::uint16_t;  ///< position in the string table, in units of 4 bytes; 0 is the empty string
constexpr std::int32_t kNone = -1;

/// One record, one cache line.
struct alignas(64) Record {
  Ticks ticks = 0;
  std::uint32_t id = 0;  ///< span id, unique in the rank: ring index in the top 6 bits
  RecordType type = RecordType::instant;
  Kind kind = Kind::other;
  std::uint8_t flags = 0;
  std::uint8_t lost = 0;  ///< set by the ring: records dropped just before this one, at most 255
  StringHandle lane = 0;
  StringHandle name = 0;
  StringHandle site = 0;  ///< "file:line"
  StringHandle comm = 0;
  std::int32_t peer = kNone;
  std::int32_t tag = kNone;
  std::uint64_t bytes = 0;
  std::int32_t request = kNone;   ///< ties the call, its span in flight and its wait; unique in the rank
  std::int32_t sequence = kNone;  ///< of the collective on its communicator, or of the message among those of its communicator, pair and tag
  std::int32_t microbatch = kNone;
  std::int16_t chunk = kNone;
  std::int16_t stage = kNone;
  std::uint64_t value = 0;  ///< of a begin: in the low 16 bits the text that tells more (Span::detail)
};
static_assert(sizeof(Record) == 64);

/// Record::value of a finding: three texts of the string table.
struct Report {
  StringHandle detail = 0;   ///< "id|name=value|name=value"
  StringHandle other = 0;    ///< site of a second call that is involved, "call|file:line"
  std::uint16_t certain = 1; ///< 0: possible only
  std::uint16_t ends = 0;    ///< 1: the rank makes no further call
};
static_assert(sizeof(Report) == sizeof(std::uint64_t));

/// What the thread behind a ring is doing, for the wait-for graph. Polls are counted here and never recorded.
enum class ThreadState : std::uint32_t {
  running,
  blocked,  ///< inside the span `wait_span`, polling
  idle,     ///< a worker without a task: only the lane `owner` can give it one
  exited,   ///< in finalize or gone
  parked,   ///< waiting for another thread of its process; only the lab says so
  polling,  ///< between looks of the program itself at what `wait_span` lists
};

/// Failed polls, with no record in between, after which the lab believes a wait.
constexpr std::uint64_t kProofPolls = 100;

constexpr std::uint64_t kFeedMagic = 0x31444545464C3250;  // "P2LFEED1"
constexpr std::uint32_t kFeedVersion = 1;
constexpr std::uint32_t kMaxRings = 32;
constexpr std::uint32_t kRingSlots = 1u << 14;    ///< 1 MiB a thread
constexpr std::size_t kStringBytes = 256 * 1024;  ///< 65536 handles of 4 bytes
constexpr std::size_t kHeaderBytes = 64 * 1024;   ///< FeedHeader, padded

/// Shared state of one ring; the slots lie elsewhere in the file.
struct alignas(64) RingHeader {
  std::atomic<std::uint64_t> head{0};              ///< records written; only the producer stores
  std::atomic<std::uint64_t> dropped{0};           ///< records that found the ring full; exact
  std::uint64_t slots_offset = 0;                  ///< of the first slot, from the start of the file
  std::uint32_t slots = 0;                         ///< a power of two
  std::uint32_t thread_id = 0;                     ///< Linux tid
  StringHandle lane = 0;                           ///< the lane this thread mainly records
  StringHandle owner = 0;                          ///< lane that feeds this thread with work; 0 if none does
  alignas(64) std::atomic<std::uint64_t> tail{0};  ///< records read; only the consumer stores
  alignas(64) std::atomic<ThreadState> state{ThreadState::running};
  std::atomic<std::uint32_t> wait_span{0};  ///< id of the innermost span the thread is blocked in
  std::atomic<std::uint64_t> polls{0};      ///< failed progress polls of this wait, from 0
  std::atomic<Ticks> since{0};              ///< when the wait began
};

/// Start of `rank-N.feed`. Layout: FeedHeader | strings | rings, each appended when its thread first records.
struct FeedHeader {
  std::uint64_t magic = 0;
  std::uint32_t version = 0;
  std::int32_t rank = 0;
  std::int32_t pid = 0;
  std::uint32_t ring_slots = kRingSlots;
  char host[64] = {};
  std::atomic<std::uint32_t> strings_used{0};  ///< bytes of the string table in use
  std::atomic<std::uint32_t> rings{0};         ///< rings ready to read
  std::atomic<std::uint64_t> lost_threads{0};  ///< records of threads that found no ring (table or memory full)
  std::atomic<std::uint32_t> finished{0};      ///< the rank has passed finalize
  std::atomic<std::uint32_t> initialized{0};   ///< the rank has come out of MPI_Init (written by the probe)
  std::atomic<std::uint32_t> finalized{0};     ///< and out of MPI_Finalize
  alignas(64) RingHeader ring[kMaxRings];
};
static_assert(sizeof(FeedHeader) <= kHeaderBytes);

}  // namespace p2plab::trace
