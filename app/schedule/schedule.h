// A pipeline schedule is data: for each stage an ordered list of actions.
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace p2plab::schedule {

enum class Op : std::uint8_t { forward, backward };  ///< F and B of one microbatch (B is the whole backward pass)

struct Action {
  Op op = Op::forward;
  std::int32_t microbatch = 0;
  std::int16_t chunk = 0;
  bool operator==(const Action&) const = default;
};

/// "F3", "B0".
std::string to_string(const Action& action);

struct Shape {
  int stages = 1;        ///< p
  int microbatches = 1;  ///< m
};

/// Actions of one stage, in the order in which the stage runs them.
using StageOrder = std::vector<Action>;

/// One schedule: a name and its generator. Throws std::invalid_argument when the shape is not legal for it.
struct Generator {
  std::string_view id;
  StageOrder (*stage)(Shape shape, int stage);
};

/// All schedules, in the order in which they are taught: naive, gpipe, 1f1b.
std::span<const Generator> generators();
const Generator* find_generator(std::string_view id);

}  // namespace p2plab::schedule
