// A pipeline schedule is data: for each stage an ordered list of actions, and where each part of the model lives.
//
// A model is cut into p*v parts in a row. A stage (a device) holds v of them, its chunks. An action is F, B or W of one
// microbatch on one chunk; where B is not split, one action is both. Messages are implied: what a part makes goes to the
// neighbouring part at once. A list may say them explicitly (send and receive actions); then they leave where they stand.
#pragma once
#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace p2plab::schedule {

enum class Op : std::uint8_t {
  forward,           ///< F
  backward,          ///< the whole backward pass: B and W in one action
  input,             ///< B alone: the gradient of the input, which the stage before waits for
  weight,            ///< W: the gradient of the weights, which nobody waits for
  send_forward,      ///< explicit messages: the activation of F,
  receive_forward,
  send_backward,     ///< and the gradient of B
  receive_backward,
  meet,              ///< all stages meet: an all-reduce instead of messages
  optimizer,         ///< the weight update after an iteration; the engine's own, no list says it
};

struct Action {
  std::int32_t microbatch = 0;
  std::int16_t chunk = 0;
  Op op = Op::forward;
  bool operator==(const Action&) const = default;
};
static_assert(sizeof(Action) == 8);

constexpr Action forward(std::int64_t i, int chunk = 0) { return {static_cast<std::int32_t>(i), static_cast<std::int16_t>(chunk), Op::forward}; }
constexpr Action backward(std::int64_t i, int chunk = 0) { return {static_cast<std::int32_t>(i), static_cast<std::int16_t>(chunk), Op::backward}; }
constexpr Action input(std::int64_t i, int chunk = 0) { return {static_cast<std::int32_t>(i), static_cast<std::int16_t>(chunk), Op::input}; }
constexpr Action weight(std::int64_t i, int chunk = 0) { return {static_cast<std::int32_t>(i), static_cast<std::int16_t>(chunk), Op::weight}; }
constexpr Action meet() { return {0, 0, Op::meet}; }

constexpr bool is_compute(Op op) { return op <= Op::weight; }
constexpr bool is_message(Op op) { return op >= Op::send_forward && op <= Op::receive_backward; }
/// Makes the gradient of the input.
constexpr bool is_backward(Op op) { return op == Op::backward || op == Op::input; }

/// "F3", "B0", "W2"; with a chunk other than 0, "F3.1".
std::string to_string(const Action& action);

struct Shape {
  int stages = 1;        ///< p
  int microbatches = 1;  ///< m
  int chunks = 1;        ///< v, parts of the model on each stage
  bool operator==(const Shape&) const = default;
};

/// The rule by which parts are dealt out to stages.
enum class Placement : std::uint8_t {
  loop,  ///< part k on stage k mod p (Megatron's interleaving)
  vee,   ///< two chunks: part k on stage k, then back again: part 2p-1-s on stage s (ZB-V)
};

/// Which stage holds which part. A slot is one chunk of one stage, slot = stage * chunks + chunk.
class Layout {
 public:
  Layout(const Shape& shape, Placement placement);
  /// From a table: the stage of each part. The chunks of a stage are its parts in order.
  Layout(int stages, std::span<const int> stage_of_part);

  int stages() const { return stages_; }
  int chunks() const { return chunks_; }  ///< the most that a stage holds
  int parts() const { return static_cast<int>(slot_of_part_.size()); }
  int slots() const { return stages_ * chunks_; }
  int slot(int stage, int chunk) const { return stage * chunks_ + chunk; }
  int slot_of(int part) const { return slot_of_part_[static_cast<std::size_t>(part)]; }
  int stage_of(int part) const { return slot_of(part) / chunks_; }
  int chunk_of(int part) const { return slot_of(part) % chunks_; }
  /// -1: this stage holds fewer chunks.
  int part_of(int stage, int chunk) const { return part_of_slot_[static_cast<std::size_t>(slot(stage, chunk))]; }
  int chunks_on(int stage) const;
  bool operator==(const Layout&) const = default;

 private:
  int stages_, chunks_;
  std::vector<int> slot_of_part_, part_of_slot_;
};

/// Actions of one stage, in the order in which the stage runs them.
using StageOrder = std::vector<Action>;

/// A whole schedule as lists.
struct Schedule {
  std::string name;
  int microbatches = 1;
  Layout layout;
  std::vector<StageOrder> stages;
};

/// True if messages are actions of this schedule, not implied.
bool says_messages(const Schedule& schedule);

}  // namespace p2plab::schedule
