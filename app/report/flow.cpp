// See flow.h.
#include "app/report/flow.h"

#include <algorithm>

namespace p2plab::report {

std::vector<FlowLine> flow(const content::Inlines& inlines, const std::string& plain, float width, const Measure& measure) {
  std::vector<std::size_t> ends;  // of each inline, in bytes
  for (const auto& each : inlines) ends.push_back((ends.empty() ? 0 : ends.back()) + each.text.size());
  std::vector<FlowLine> out;
  std::size_t at = 0;
  for (const std::string& text : wrap(plain, width, measure)) {
    // wrap() drops the blanks at a line's end and nothing else.
    while (plain.compare(at, text.size(), text) != 0 && at < plain.size()) ++at;
    FlowLine line;
    for (std::size_t begin = at; begin < at + text.size();) {
      const auto of = static_cast<std::size_t>(std::upper_bound(ends.begin(), ends.end(), begin) - ends.begin());
      const std::size_t end = std::min(at + text.size(), ends[of]);
      line.push_back({plain.substr(begin, end - begin), of, begin});
      begin = end;
    }
    at += text.size();
    out.push_back(std::move(line));
  }
  return out;
}

}  // namespace p2plab::report
