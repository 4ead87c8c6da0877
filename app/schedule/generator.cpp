// The rules for all generators: which shapes are legal, and how lists are made of streams.
#include "app/schedule/generator.h"

#include <algorithm>
#include <stdexcept>

#include "app/schedule/registry.h"
#include "app/trace/error.h"

namespace p2plab::schedule {
namespace {

std::string text(std::int64_t number) { return std::to_string(number); }

void require_range(const char* id, const Generator& generator, int value, int minimum, int maximum) {
  if (value >= minimum && value <= maximum) return;
  const std::string only = minimum == maximum ? "_only" : "";
  throw Error(id + only, {{"schedule", std::string(generator.id)}, {"value", text(value)}, {"min", text(minimum)}, {"max", text(maximum)},
                   {"nearest", text(std::clamp(value, minimum, maximum))}});
}

std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

}  // namespace

std::span<const Generator> generators() {
  static const std::vector<Generator> all = [] {
    std::vector<Generator> list = registered_generators();
    std::sort(list.begin(), list.end(), [](const Generator& a, const Generator& b) { return a.lesson < b.lesson; });
    return list;
  }();
  return all;
}

const Generator* find_generator(std::string_view id) {
  for (const Generator& generator : generators())
    if (generator.id == id) return &generator;
  return nullptr;
}

const Generator& generator(std::string_view id) {
  if (const Generator* found = find_generator(id)) return *found;
  const Generator* nearest = nullptr;
  std::string known;
  std::size_t fewest = std::min(std::max<std::size_t>(1, id.size() / 3) + 1, id.size());  // as content::nearest: what is further off was not meant
  for (const Generator& generator : generators()) {
    if (distance(id, generator.id) < fewest) {
      nearest = &generator;
      fewest = distance(id, generator.id);
    }
    known += (known.empty() ? "" : ", ") + std::string(generator.id);
  }
  if (nearest == nullptr) throw Error("schedule.unknown_far", {{"value", std::string(id)}, {"known", known}});
  throw Error("schedule.unknown", {{"value", std::string(id)}, {"nearest", std::string(nearest->id)}, {"known", known}});
}

void require_legal(const Generator& generator, const Shape& shape) {
  require_range("schedule.bad_stages", generator, shape.stages, 1, kMaxStages);
  require_range("schedule.bad_microbatches", generator, shape.microbatches, 1, kMaxMicrobatches);
  require_range("schedule.bad_chunks", generator, shape.chunks, generator.min_chunks, generator.max_chunks);
  if (static_cast<std::int64_t>(shape.stages) * shape.chunks > kMaxParts)
    throw Error("schedule.too_many_parts", {{"p", text(shape.stages)}, {"v", text(shape.chunks)}, {"max", text(kMaxParts)}});
  if (generator.needs_multiple && shape.chunks > 1 && shape.microbatches % shape.stages != 0) {
    const int below = shape.microbatches / shape.stages * shape.stages;
    const std::string above = text(std::int64_t{below} + shape.stages);
    throw Error("schedule.not_a_multiple", {{"schedule", std::string(generator.id)}, {"p", text(shape.stages)},
                {"m", text(shape.microbatches)}, {"nearest", below > 0 ? text(below) + ", " + above : above}});
  }
}

namespace {

StageOrder streamed(const Generator& generator, const Shape& shape, int stage) {
  StageOrder order(static_cast<std::size_t>(generator.count(shape, stage)));
  generator.fill(shape, stage, 0, order);
  return order;
}

}  // namespace

StageOrder stage_order(const Generator& generator, const Problem& problem, int stage) {
  require_legal(generator, problem.shape);
  if (stage < 0 || stage >= problem.shape.stages) throw std::invalid_argument("no such stage: " + text(stage));
  if (generator.plan != nullptr) return std::move(generator.plan(problem)[static_cast<std::size_t>(stage)]);
  return streamed(generator, problem.shape, stage);
}

Schedule make_schedule(const Generator& generator, const Problem& problem) {
  require_legal(generator, problem.shape);
  Schedule out{std::string(generator.id), problem.shape.microbatches, Layout(problem.shape, generator.placement), {}};
  if (generator.plan != nullptr) {
    out.stages = generator.plan(problem);
  } else {
    for (int stage = 0; stage < problem.shape.stages; ++stage) out.stages.push_back(streamed(generator, problem.shape, stage));
  }
  return out;
}

std::optional<double> ideal_bubble(const Generator& generator, const Shape& shape, double forward, double input, double weight) {
  if (generator.ideal == nullptr) return std::nullopt;
  if (generator.ideal_from != nullptr && shape.microbatches < generator.ideal_from(shape.stages)) return std::nullopt;
  return generator.ideal(shape, forward, input, weight);
}

std::int64_t two_each(const Shape& shape, int) { return 2LL * shape.microbatches * shape.chunks; }
std::int64_t three_each(const Shape& shape, int) { return 3LL * shape.microbatches * shape.chunks; }

}  // namespace p2plab::schedule
