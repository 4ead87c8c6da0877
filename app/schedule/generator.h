// A generator makes a schedule for any shape. One file each in generators/; README.md shows how to add one.
#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "app/schedule/schedule.h"

namespace p2plab::schedule {

/// What a generator may know besides the shape: the times that it is to plan for (ns, of one microbatch on a whole
/// stage), and how much may be in flight. Only planners look at it.
struct Problem {
  Shape shape;
  std::int64_t forward_ns = 1, input_ns = 1, weight_ns = 1;
  std::int64_t latency_ns = 0;
  /// Most activations in flight on a stage, in whole stages; 0: the generator's own.
  int memory_limit = 0;
  /// What W still needs of an activation once B is done: it counts in full from F to B, and with this share from B to W.
  double weight_memory = 1;
};

/// Idle time of one stage in the ideal run (equal stages, no latency): F, B (without W) and W of a whole stage, any unit.
using IdealBubble = double (*)(const Shape& shape, double forward, double input, double weight);

/// One schedule: its name and how its actions are made. Either `fill` or `plan` is set.
struct Generator {
  std::string_view id;
  int lesson = 0;                            ///< place in the order in which schedules are taught
  int chunks = 1;                            ///< v when nobody says otherwise
  int min_chunks = 1, max_chunks = 1;        ///< legal v
  Placement placement = Placement::loop;
  bool splits = false;                       ///< B and W are actions of their own
  bool meets = false;                        ///< all stages meet after every slot; no messages
  bool takes_limit = false;                  ///< heeds Problem::memory_limit
  bool needs_multiple = false;               ///< m must be a multiple of p
  double weight_memory = 1;                  ///< Problem::weight_memory when nobody says otherwise
  std::int64_t (*count)(const Shape& shape, int stage) = nullptr;
  /// Writes actions `from`, `from`+1, … of a stage: streams, so that no list need exist.
  void (*fill)(const Shape& shape, int stage, std::int64_t from, std::span<Action> out) = nullptr;
  /// The whole schedule at once, for those that look at all stages together. Throws Error where a limit cannot be kept.
  std::vector<StageOrder> (*plan)(const Problem& problem) = nullptr;
  IdealBubble ideal = nullptr;
  /// The fewest microbatches on so many stages for which `ideal` is true; null: any number.
  int (*ideal_from)(int stages) = nullptr;
};

/// What `ideal` says where it is true, else nothing.
std::optional<double> ideal_bubble(const Generator& generator, const Shape& shape, double forward, double input, double weight);

/// All schedules, in the order in which they are taught.
std::span<const Generator> generators();
/// Null if there is none.
const Generator* find_generator(std::string_view id);
/// The same; throws Error "schedule.unknown" with the nearest name, "schedule.unknown_far" where none is near.
const Generator& generator(std::string_view id);

/// Throws Error "schedule.bad_*" unless the shape is legal for this generator: the rule, and the nearest legal values.
void require_legal(const Generator& generator, const Shape& shape);
/// The order of one stage. Throws as require_legal does, and std::invalid_argument for a stage that does not exist.
StageOrder stage_order(const Generator& generator, const Problem& problem, int stage);
/// The orders of all stages.
Schedule make_schedule(const Generator& generator, const Problem& problem);

/// What `at` makes, as Generator::fill wants it.
template <Action (*at)(const Shape&, int, std::int64_t)>
void fill_with(const Shape& shape, int stage, std::int64_t from, std::span<Action> out) {
  for (std::size_t k = 0; k < out.size(); ++k) out[k] = at(shape, stage, from + static_cast<std::int64_t>(k));
}

/// 2m, F and B of each microbatch and chunk; 3m where W is apart.
std::int64_t two_each(const Shape& shape, int stage);
std::int64_t three_each(const Shape& shape, int stage);

constexpr int kMaxStages = 65536, kMaxMicrobatches = 1 << 22, kMaxChunks = 1024, kMaxParts = 1 << 20;

}  // namespace p2plab::schedule
