// Two versions of a source as one list of lines: broken against fixed.
#pragma once
#include <string>
#include <vector>

namespace p2plab::gui {

struct DiffLine {
  enum class Change { same, removed, added };
  Change change = Change::same;
  int before = -1;  ///< index of the line in the first version, -1 when added
  int after = -1;   ///< in the second, -1 when removed
  bool operator==(const DiffLine&) const = default;
};

/// A shortest edit script (longest common subsequence); removals stand before additions.
std::vector<DiffLine> diff(const std::vector<std::string>& before, const std::vector<std::string>& after);

}  // namespace p2plab::gui
