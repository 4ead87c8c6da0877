// The words of verdicts, and where a call stands in the source.
#include "app/analysis/finding.h"

#include <array>
#include <charconv>

namespace p2plab::analysis {

std::string_view to_string(Verdict verdict) {
  constexpr std::array<std::string_view, 13> kWords = {"pass",        "fail",           "corrupt",  "build-error", "deadlock",
                                                       "livelock",    "crash",          "resource-limit", "unsafe", "race",
                                                       "unstable",    "not-run",        "infra-error"};
  return kWords[static_cast<std::size_t>(verdict)];
}

std::pair<std::string, int> split_site(std::string_view site) {
  const std::size_t colon = site.rfind(':');
  if (colon == std::string_view::npos) return {std::string(site), 0};
  const std::string_view digits = site.substr(colon + 1);
  int line = 0;
  const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), line);
  if (error != std::errc{} || stop != digits.data() + digits.size()) return {std::string(site), 0};
  return {std::string(site.substr(0, colon)), line};
}

}  // namespace p2plab::analysis
