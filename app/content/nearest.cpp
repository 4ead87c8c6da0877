// Damerau-Levenshtein distance (one edit: insert, delete, replace, swap neighbours) over a short list.
#include "app/content/nearest.h"

#include <algorithm>

namespace p2plab::content {

namespace {

std::size_t edits(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, replace});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

}  // namespace

std::string nearest(std::string_view word, std::span<const std::string> candidates) {
  std::string best;
  // Nothing in common is not near, however short the word.
  std::size_t fewest = std::min(std::max<std::size_t>(1, word.size() / 3) + 1, word.size());
  for (const std::string& candidate : candidates) {
    // A beginning is as good as one typing error: "pipe" means "pipeline".
    const bool starts = word.size() >= 2 && candidate.starts_with(word);
    const std::size_t distance = starts ? 1 : edits(word, candidate);
    if (distance < fewest) {
      fewest = distance;
      best = candidate;
    }
  }
  return best;
}

std::string join(std::span<const std::string> words, std::string_view separator) {
  std::string out;
  for (const std::string& word : words) {
    if (!out.empty()) out += separator;
    out += word;
  }
  return out;
}

}  // namespace p2plab::content
