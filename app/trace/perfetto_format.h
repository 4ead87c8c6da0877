// Field numbers of Perfetto's protobuf schema (protos/perfetto/trace/*.proto), and how a trace of ours is laid out in
// it:
//   every rank a process track; every lane a child track of it, requests in flight one for each row, all of one name;
//   a counter a counter track of its rank, for other tools: opening passes over it;
//   a span is a BEGIN packet followed at once by its END packet (none while it is open), in order of SpanId;
//   what is no span is an instant on the track "P2P Lab", told apart by its category: first "run", last "end".
#pragma once
#include <array>
#include <cstdint>
#include <string_view>

#include "app/trace/record.h"

namespace p2plab::trace::perfetto {

constexpr std::string_view kFormat = "p2plab.trace/";
constexpr int kVersion = 1;

namespace file {
enum : std::uint32_t { packet = 1 };
}
namespace packet {
enum : std::uint32_t {
  timestamp = 8,
  sequence_id = 10,
  track_event = 11,
  interned_data = 12,
  sequence_flags = 13,
  track_descriptor = 60,
};
constexpr std::uint32_t kStateCleared = 1, kNeedsState = 2;
}  // namespace packet
namespace descriptor {
enum : std::uint32_t { uuid = 1, name = 2, process = 3, parent_uuid = 5, counter = 8 };
}
namespace process {
enum : std::uint32_t { pid = 1, process_name = 6 };
}
namespace event {
enum : std::uint32_t {
  category_iids = 3,
  debug_annotations = 4,
  type = 9,
  name_iid = 10,
  track_uuid = 11,
  double_counter_value = 44,
  flow_ids = 47,
  terminating_flow_ids = 48,
};
constexpr std::int32_t kBegin = 1, kEnd = 2, kInstant = 3, kCounter = 4;
}  // namespace event
namespace annotation {
enum : std::uint32_t {
  name_iid = 1,
  bool_value = 2,
  uint_value = 3,
  int_value = 4,
  double_value = 5,
  string_value = 6,
  pointer_value = 7,  ///< an unsigned number shown in hexadecimal
  name = 10,
  dict_entries = 11,
  array_values = 12,
  string_value_iid = 17,
};
}  // namespace annotation
namespace interned {
enum : std::uint32_t { event_categories = 1, event_names = 2, annotation_names = 3, annotation_strings = 29 };
enum : std::uint32_t { iid = 1, text = 2 };  ///< the same in each of the four
}  // namespace interned

/// Categories; the iid is the value plus one. Those of spans come first, in the order of Kind.
enum class Category : std::uint32_t {
  run = static_cast<std::uint32_t>(Kind::wait) + 1,
  thread,
  metric,
  note,
  event,
  unrecorded,
  end
};
constexpr std::array<std::string_view, 18> kCategories = {
    "other", "compute", "forward", "backward", "weight", "optimizer", "send",  "receive",    "collective",
    "copy",  "wait",    "run",     "thread",   "metric", "note",      "event", "unrecorded", "end"};
static_assert(static_cast<std::size_t>(Category::end) + 1 == kCategories.size());

// clang-format off
/// Names of annotations; the iid is the value plus one. From `blocking` on stand the bits of Record::flags, in order.
enum class Key : std::uint32_t {
  site, comm, peer, tag, bytes, request, sequence, microbatch, chunk, stage, depth, flags, blocking, in_flight, any,
  strict, paced, group, flag_64, flag_128, hash_post, hash_done, waits_for, message, send, receive, send_return,
  match, completion, index, format, command, demo, backend, semantics, link, compute, version, machine, mpi, knobs,
  ranks, seed, clock_error_ns, rank, lane, owner, state, wait_span, polls, since, newest_record, dropped, event,
  enqueued, reached, value, text, now, spans, messages,
};
constexpr std::array<std::string_view, 61> kKeys = {
    "site", "communicator", "peer", "tag", "bytes", "request", "sequence", "microbatch", "chunk", "stage", "depth",
    "flags", "blocking", "in flight", "any", "strict", "paced", "group", "flag 64", "flag 128", "hash at post",
    "hash at completion", "waits for", "message", "send", "receive", "send return", "match", "completion", "index",
    "format", "command", "demo", "backend", "semantics", "link", "compute", "version", "machine", "mpi", "knobs",
    "ranks", "seed", "clock error ns", "rank", "lane", "owner", "state", "wait span", "polls", "since",
    "newest record", "dropped", "event", "enqueued", "reached", "value", "text", "now", "spans", "messages"};
// clang-format on
static_assert(static_cast<std::size_t>(Key::messages) + 1 == kKeys.size());

constexpr std::uint64_t kLabTrack = 1;
/// Of a rank's process track.
constexpr std::uint64_t process_uuid(int rank) { return (static_cast<std::uint64_t>(rank) + 1) << 40; }
/// Of the `index`-th counter.
constexpr std::uint64_t counter_uuid(std::uint64_t index) { return (std::uint64_t{1} << 62) | index; }
/// Of the `row`-th track of a lane.
constexpr std::uint64_t lane_uuid(std::uint32_t track, std::uint32_t row) {
  return (std::uint64_t{1} << 63) | (std::uint64_t{track} << 20) | row;
}

}  // namespace p2plab::trace::perfetto
