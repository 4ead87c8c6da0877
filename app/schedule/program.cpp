// See program.h.
#include "app/schedule/program.h"

#include <algorithm>

namespace p2plab::schedule {
namespace {

bool has_meetings(const Schedule& schedule) {
  return !schedule.stages.empty() && std::any_of(schedule.stages[0].begin(), schedule.stages[0].end(),
                                                 [](const Action& a) { return a.op == Op::meet; });
}

}  // namespace

Program::Program(const Generator& generator, const Problem& problem)
    : layout_((require_legal(generator, problem.shape), problem.shape), generator.placement),
      microbatches_(problem.shape.microbatches),
      meets_(generator.meets),
      shape_(problem.shape),
      planned_{{}, 1, layout_, {}} {
  if (generator.plan == nullptr) {
    generator_ = &generator;
  } else {
    planned_.stages = generator.plan(problem);
  }
}

Program::Program(const Schedule& schedule)
    : layout_(schedule.layout),
      microbatches_(schedule.microbatches),
      meets_(has_meetings(schedule)),
      says_messages_(schedule::says_messages(schedule)),
      planned_{{}, 1, schedule.layout, {}},
      lists_(&schedule) {}

std::int64_t Program::count(int stage) const {
  if (generator_ != nullptr) return generator_->count(shape_, stage);
  return static_cast<std::int64_t>((lists_ != nullptr ? lists_ : &planned_)->stages[static_cast<std::size_t>(stage)].size());
}

void Program::read(int stage, std::int64_t from, std::span<Action> out) const {
  if (generator_ != nullptr) return generator_->fill(shape_, stage, from, out);
  const StageOrder& order = (lists_ != nullptr ? lists_ : &planned_)->stages[static_cast<std::size_t>(stage)];
  std::copy_n(order.begin() + from, out.size(), out.begin());
}

}  // namespace p2plab::schedule
