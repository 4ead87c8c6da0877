// Long texts in reports: their head and their tail, and how much was left out between them.
#pragma once
#include <string>

#include "app/launch/job.h"

namespace p2plab::check {

/// Of a compiler's text: a report that is larger than a class system takes helps nobody. The whole is on the terminal of
/// whoever compiles it himself.
constexpr std::size_t kReportedBytes = 16 << 10;

/// At most about `most` bytes of it; the cut is stated.
inline std::string shortened(const std::string& text, std::size_t most = kReportedBytes) {
  if (text.size() <= most) return text;
  launch::RankOutput kept;
  kept.head = text.substr(0, most * 3 / 4);  // the first complaint is the one to mend
  kept.tail = text.substr(text.size() - most / 4);
  kept.cut_bytes = text.size() - kept.head.size() - kept.tail.size();
  return kept.text();
}

}  // namespace p2plab::check
