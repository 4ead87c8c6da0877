// Longest common subsequence by dynamic programming; the regions compared are a few dozen lines.
#include "app/gui/model/diff.h"

#include <algorithm>

namespace p2plab::gui {

std::vector<DiffLine> diff(const std::vector<std::string>& before, const std::vector<std::string>& after) {
  const std::size_t n = before.size(), m = after.size();
  // common[i][j]: length of the longest common subsequence of before[i…] and after[j…].
  std::vector<std::vector<std::size_t>> common(n + 1, std::vector<std::size_t>(m + 1, 0));
  for (std::size_t i = n; i-- > 0;)
    for (std::size_t j = m; j-- > 0;)
      common[i][j] = before[i] == after[j] ? common[i + 1][j + 1] + 1 : std::max(common[i + 1][j], common[i][j + 1]);

  std::vector<DiffLine> out;
  for (std::size_t i = 0, j = 0; i < n || j < m;) {
    using Change = DiffLine::Change;
    if (i < n && j < m && before[i] == after[j]) out.push_back({Change::same, static_cast<int>(i++), static_cast<int>(j++)});
    else if (i < n && (j == m || common[i + 1][j] >= common[i][j + 1])) out.push_back({Change::removed, static_cast<int>(i++), -1});
    else out.push_back({Change::added, -1, static_cast<int>(j++)});
  }
  return out;
}

}  // namespace p2plab::gui
