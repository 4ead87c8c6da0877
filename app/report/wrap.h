// Breaks text into lines where Chinese and English may be broken: between words, and between Chinese characters, but
// never so that a line begins with 。 or ends with “.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace p2plab::report {

using Measure = std::function<float(std::string_view)>;

std::vector<std::string> wrap(std::string_view utf8, float width, const Measure& measure);
/// Parts that " · " stands between, as many on a line as fit; only a part that is wider than a line is broken.
std::vector<std::string> wrap_parts(std::string_view utf8, float width, const Measure& measure);
/// The longest beginning that fits, with an ellipsis when something was cut.
std::string cut(std::string_view utf8, float width, const Measure& measure);

}  // namespace p2plab::report
