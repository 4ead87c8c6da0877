// What a rank process and the hub say to each other over a Unix socket in the job directory: frames of a fixed head, then
// `size` bytes.
#pragma once
#include <cstdint>

namespace p2plab::schedule::hub {

constexpr const char* kSocket = "hub";  ///< in the job directory

enum class Frame : std::uint32_t {
  // rank to hub
  hello,       ///< a: rank
  send,        ///< number, a: peer, b: tag, c: bytes, flag: synchronous
  receive,     ///< number, a: peer, b: tag, c: bytes
  collective,  ///< number; a Collective, the members of its group, then this rank's input
  quiet,       ///< a: the next deadline in ns
  bytes,       ///< answer to fetch: the payload of `number`
  leave,       ///< this rank posts nothing more, and waits for the others to come as far
  // hub to rank
  fetch,       ///< what does the payload of `number` hold now?
  done,        ///< `number` is complete; with the payload of a receive, or a collective's result
  truncated,   ///< the receive `number` was given a message of a bytes
  go,          ///< a: the time now
  stuck,       ///< nobody can ever go on
  left,        ///< every rank has left
};

struct Head {
  Frame frame = Frame::hello;
  std::uint32_t number = 0;
  std::int64_t a = 0, b = 0, c = 0;
  std::uint32_t flag = 0, reserved = 0;
  std::uint64_t size = 0;  ///< bytes that follow
};
static_assert(sizeof(Head) == 48);

enum class CollectiveType : std::uint32_t { barrier, broadcast, all_reduce, all_gather, reduce_scatter, all_to_all };

struct Collective {
  CollectiveType type = CollectiveType::barrier;
  std::uint32_t f32 = 0;   ///< elements are floats, else bytes
  std::uint32_t max = 0;   ///< largest, else sum
  std::int32_t root = 0;   ///< its place among the members
  std::uint64_t count = 0;  ///< elements of one rank's part
  std::uint32_t members = 0;   ///< so many ranks, an int32 each; 0: all
  std::uint32_t instance = 0;  ///< tells groups of the same ranks apart
};

}  // namespace p2plab::schedule::hub
