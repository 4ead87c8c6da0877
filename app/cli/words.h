// One string of an option into words, as a shell would: blanks separate, quotes and backslashes keep together.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace p2plab::cli {

/// Throws Error "usage.open_quote".
std::vector<std::string> words(std::string_view text);

}  // namespace p2plab::cli
