// See wait_labels.h.
#include "app/gui/model/wait_labels.h"

#include <algorithm>
#include <array>
#include <optional>

namespace p2plab::gui {
namespace {

/// Along the edge: the middle first.
constexpr std::array kAlong{0.5f, 0.42f, 0.58f, 0.34f, 0.66f, 0.26f, 0.74f};
/// Beside it, in halves of the words' own size: on the line, then right, left, above and below it.
constexpr std::array kBeside{WaitPoint{0, 0}, WaitPoint{1.1f, 0}, WaitPoint{-1.1f, 0}, WaitPoint{0, -1.2f}, WaitPoint{0, 1.2f}};

WaitPoint point_at(const std::vector<WaitPoint>& line, float part) {
  const auto last = static_cast<float>(line.size() - 1);
  const auto i = static_cast<std::size_t>(std::clamp(part * last, 0.0f, last));
  return line[std::min(i, line.size() - 1)];
}

/// A short edge under its own words would be no arrow any more.
bool hides(const WaitBox& box, const std::vector<WaitPoint>& line) {
  const auto under = std::count_if(line.begin(), line.end(), [&](WaitPoint at) { return box.overlaps({at.x, at.y, at.x + 1, at.y + 1}); });
  return static_cast<std::size_t>(under) * 2 > line.size();
}

std::optional<WaitBox> free_place(const WaitBox& room, const std::vector<WaitBox>& taken, const std::vector<WaitPoint>& line, WaitPoint size) {
  for (const WaitPoint& beside : kBeside)
    for (const float part : kAlong) {
      const WaitPoint on = point_at(line, part);
      const float x = on.x + beside.x * size.x / 2, y = on.y + beside.y * size.y / 2;
      const WaitBox box{x - size.x / 2, y - size.y / 2, x + size.x / 2, y + size.y / 2};
      if (box.within(room) && !hides(box, line) && std::none_of(taken.begin(), taken.end(), [&](const WaitBox& other) { return box.overlaps(other); })) return box;
    }
  return std::nullopt;
}

}  // namespace

std::vector<LabelPlace> place_labels(const WaitBox& room, const std::vector<WaitBox>& nodes, const std::vector<LabelWish>& wishes) {
  std::vector<WaitBox> taken = nodes;
  std::vector<LabelPlace> out(wishes.size());
  for (std::size_t i = 0; i < wishes.size(); ++i) {
    if (wishes[i].line.empty()) continue;
    for (std::size_t size = 0; size < wishes[i].sizes.size() && out[i].size < 0; ++size)
      if (const auto box = free_place(room, taken, wishes[i].line, wishes[i].sizes[size])) {
        out[i] = {static_cast<int>(size), *box};
        taken.push_back(*box);
      }
  }
  return out;
}

}  // namespace p2plab::gui
