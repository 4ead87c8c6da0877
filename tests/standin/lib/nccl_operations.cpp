// Messages and collectives.
#include "nccl_operations.h"

#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace standin {
namespace {

void nap() {
  const timespec time{0, 20'000};
  ::nanosleep(&time, nullptr);
}

// A message begins with its size; the bytes follow. Copies what is possible now; true when anything moved.
void copy_in(char* ring, std::uint64_t size, std::uint64_t at, const void* from, std::size_t bytes) {
  const std::size_t first = std::min<std::size_t>(bytes, size - at % size);
  std::memcpy(ring + at % size, from, first);
  std::memcpy(ring, static_cast<const char*>(from) + first, bytes - first);
}
void copy_out(const char* ring, std::uint64_t size, std::uint64_t at, void* to, std::size_t bytes) {
  const std::size_t first = std::min<std::size_t>(bytes, size - at % size);
  std::memcpy(to, ring + at % size, first);
  std::memcpy(static_cast<char*>(to) + first, ring, bytes - first);
}

constexpr std::size_t kPiece = 64 * 1024;

bool push(Pair& pair, char* ring, std::uint64_t size, Message& message) {
  const std::uint64_t head = pair.head.load(std::memory_order_relaxed);
  const std::uint64_t room = size - (head - pair.tail.load(std::memory_order_acquire));
  if (!message.began) {
    const std::uint64_t bytes = message.bytes;
    if (room < sizeof bytes) return false;
    copy_in(ring, size, head, &bytes, sizeof bytes);
    message.began = true;
    message.done = message.bytes == 0;
    pair.head.store(head + sizeof bytes, std::memory_order_release);
    return true;
  }
  const std::size_t bytes = std::min({message.bytes - message.moved, static_cast<std::size_t>(room), kPiece});
  if (bytes == 0) return false;
  copy_in(ring, size, head, message.data + message.moved, bytes);
  message.moved += bytes;
  message.done = message.moved == message.bytes;
  pair.head.store(head + bytes, std::memory_order_release);
  return true;
}

bool pull(Pair& pair, const char* ring, std::uint64_t size, Message& message, bool& wrong) {
  const std::uint64_t tail = pair.tail.load(std::memory_order_relaxed);
  const std::uint64_t there = pair.head.load(std::memory_order_acquire) - tail;
  if (!message.began) {
    std::uint64_t bytes = 0;
    if (there < sizeof bytes) return false;
    copy_out(ring, size, tail, &bytes, sizeof bytes);
    if (bytes != message.bytes) {
      std::fprintf(stderr, "stand-in: NCCL: a receive of %zu bytes meets a send of %llu bytes\n", message.bytes, static_cast<unsigned long long>(bytes));
      return wrong = true;
    }
    message.began = true;
    message.done = message.bytes == 0;
    pair.tail.store(tail + sizeof bytes, std::memory_order_release);
    return true;
  }
  const std::size_t bytes = std::min({message.bytes - message.moved, static_cast<std::size_t>(there), kPiece});
  if (bytes == 0) return false;
  copy_out(ring, size, tail, message.data + message.moved, bytes);
  message.moved += bytes;
  message.done = message.moved == message.bytes;
  pair.tail.store(tail + bytes, std::memory_order_release);
  return true;
}

template <class T>
void reduce(T* into, const T* from, std::size_t count, ncclRedOp_t op) {
  for (std::size_t i = 0; i < count; ++i) into[i] = op == ncclMax ? std::max(into[i], from[i]) : static_cast<T>(into[i] + from[i]);
}

void reduce_bytes(char* into, const char* from, std::size_t count, ncclDataType_t dtype, ncclRedOp_t op) {
  if (dtype == ncclFloat) {
    reduce(reinterpret_cast<float*>(into), reinterpret_cast<const float*>(from), count, op);
  } else {
    reduce(reinterpret_cast<unsigned char*>(into), reinterpret_cast<const unsigned char*>(from), count, op);
  }
}

/// All ranks have come to this round, or the communicator was aborted (false).
bool meet(Shared& shared, int rank, int ranks, std::uint64_t round) {
  shared.place[rank].round.store(round, std::memory_order_release);
  for (int r = 0; r < ranks; ++r) {
    while (shared.place[r].round.load(std::memory_order_acquire) < round) {
      if (shared.aborted.load() != 0) return false;
      nap();
    }
  }
  return true;
}

}  // namespace

std::size_t size_of(ncclDataType_t dtype) { return dtype == ncclFloat ? sizeof(float) : dtype == ncclUint8 || dtype == ncclInt8 ? 1 : 0; }

bool carry_out(Segment& segment, int rank, std::vector<Message>& messages) {
  Shared& shared = segment.shared();
  for (;;) {
    bool moved = false, done = true;
    for (std::size_t i = 0; i < messages.size(); ++i) {
      Message& message = messages[i];
      if (message.done) continue;
      // Of one pair and direction only the first that is not done moves.
      const bool behind = std::any_of(messages.begin(), messages.begin() + static_cast<std::ptrdiff_t>(i), [&](const Message& before) {
        return !before.done && before.peer == message.peer && before.is_send == message.is_send;
      });
      done = false;
      if (behind) continue;
      const int from = message.is_send ? rank : message.peer, to = message.is_send ? message.peer : rank;
      Pair& pair = shared.pair[from][to];
      bool wrong = false;
      moved = (message.is_send ? push(pair, segment.bytes(from, to), shared.buffer, message)
                               : pull(pair, segment.bytes(from, to), shared.buffer, message, wrong)) || moved;
      if (wrong) return false;
    }
    if (done || shared.aborted.load() != 0) return true;
    if (!moved) nap();
  }
}

bool carry_out(Segment& segment, int rank, int ranks, std::uint64_t& rounds, const Round& what) {
  using Type = Round::Type;
  Shared& shared = segment.shared();
  const std::size_t element = size_of(what.dtype), n = static_cast<std::size_t>(ranks), part = what.count * element;
  const bool scatter = what.type == Type::reduce_scatter;
  const std::size_t room = (scatter ? kSlot / n : kSlot) / element * element;
  const std::uint64_t signature = (static_cast<std::uint64_t>(what.type) << 56) ^ (static_cast<std::uint64_t>(what.dtype) << 48) ^
                                  (static_cast<std::uint64_t>(what.op) << 40) ^ (static_cast<std::uint64_t>(what.root) << 32) ^ what.count;
  Place& own = shared.place[rank];
  for (std::size_t at = 0; at < part; at += room) {
    const std::size_t bytes = std::min(room, part - at);
    own.signature.store(signature);
    if (scatter) {
      for (std::size_t r = 0; r < n; ++r) std::memcpy(own.bytes + r * room, what.in + r * part + at, bytes);
    } else if (what.type != Type::broadcast || rank == what.root) {
      std::memcpy(own.bytes, what.in + at, bytes);
    }
    if (!meet(shared, rank, ranks, ++rounds)) return true;
    for (int r = 0; r < ranks; ++r) {
      Place& place = shared.place[r];
      if (place.signature.load() != signature) {
        std::fprintf(stderr, "stand-in: NCCL: rank %d and rank %d are in different collectives (type, count or root)\n", rank, r);
        return false;
      }
      const char* from = scatter ? place.bytes + static_cast<std::size_t>(rank) * room : place.bytes;
      if (what.type == Type::all_gather) {
        std::memcpy(what.out + static_cast<std::size_t>(r) * part + at, from, bytes);
      } else if (what.type == Type::broadcast) {
        if (r == what.root) std::memcpy(what.out + at, from, bytes);
      } else if (r == 0) {
        std::memcpy(what.out + at, from, bytes);
      } else {
        reduce_bytes(what.out + at, from, bytes / element, what.dtype, what.op);
      }
    }
    if (!meet(shared, rank, ranks, ++rounds)) return true;
  }
  return true;
}

}  // namespace standin
