// What a group does once its stream has come to it: messages move in pieces through the pairs' buffers, collectives in
// rounds.
#pragma once
#include <nccl.h>

#include <vector>

#include "nccl_segment.h"

namespace standin {

struct Message {
  bool is_send = false;
  char* data = nullptr;      ///< where the stand-in finds it
  std::size_t bytes = 0;
  int peer = 0;
  std::size_t moved = 0;
  bool began = false, done = false;
};

struct Round {
  enum class Type { all_reduce, broadcast, all_gather, reduce_scatter } type = Type::all_reduce;
  const char* in = nullptr;
  char* out = nullptr;
  std::size_t count = 0;
  ncclDataType_t dtype = ncclFloat;
  ncclRedOp_t op = ncclSum;
  int root = 0;
};

std::size_t size_of(ncclDataType_t dtype);

/// Moves all messages on until they are done. False and a message when the sizes of a pair differ; also ends when the
/// communicator is aborted.
bool carry_out(Segment& segment, int rank, std::vector<Message>& messages);
bool carry_out(Segment& segment, int rank, int ranks, std::uint64_t& rounds, const Round& round);

}  // namespace standin
