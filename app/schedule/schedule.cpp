// What all schedules share: names of actions, and where parts live.
#include "app/schedule/schedule.h"

#include <algorithm>

namespace p2plab::schedule {

std::string to_string(const Action& action) {
  static constexpr std::string_view kNames[] = {"F", "B", "B", "W", "send F", "receive F", "send B", "receive B", "meet", "optimizer"};
  std::string out(kNames[static_cast<std::size_t>(action.op)]);
  if (action.op >= Op::meet) return out;
  out += std::to_string(action.microbatch);
  if (action.chunk != 0) out += "." + std::to_string(action.chunk);
  return out;
}

Layout::Layout(const Shape& shape, Placement placement) : stages_(shape.stages), chunks_(shape.chunks) {
  for (int part = 0; part < stages_ * chunks_; ++part) {
    const int chunk = part / stages_, along = part % stages_;
    const bool back = placement == Placement::vee && chunk % 2 == 1;
    slot_of_part_.push_back(slot(back ? stages_ - 1 - along : along, chunk));
  }
  part_of_slot_.resize(slot_of_part_.size());
  for (int part = 0; part < parts(); ++part) part_of_slot_[static_cast<std::size_t>(slot_of(part))] = part;
}

Layout::Layout(int stages, std::span<const int> stage_of_part) : stages_(stages), chunks_(1) {
  std::vector<int> held(static_cast<std::size_t>(stages), 0), chunk;
  for (const int stage : stage_of_part) chunk.push_back(held[static_cast<std::size_t>(stage)]++);
  if (!held.empty()) chunks_ = std::max(1, *std::max_element(held.begin(), held.end()));
  part_of_slot_.assign(static_cast<std::size_t>(slots()), -1);
  for (std::size_t part = 0; part < chunk.size(); ++part) {
    slot_of_part_.push_back(slot(stage_of_part[part], chunk[part]));
    part_of_slot_[static_cast<std::size_t>(slot_of_part_.back())] = static_cast<int>(part);
  }
}

int Layout::chunks_on(int stage) const {
  int count = 0;
  while (count < chunks_ && part_of(stage, count) >= 0) ++count;
  return count;
}

bool says_messages(const Schedule& schedule) {
  return std::any_of(schedule.stages.begin(), schedule.stages.end(), [](const StageOrder& order) {
    return std::any_of(order.begin(), order.end(), [](const Action& a) { return is_message(a.op); });
  });
}

}  // namespace p2plab::schedule
