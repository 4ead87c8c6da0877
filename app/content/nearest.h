// The word somebody probably meant.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace p2plab::content {

/// The candidate with the fewest edits from `word`; empty if none is near enough to be meant.
std::string nearest(std::string_view word, std::span<const std::string> candidates);

/// "a, b, c".
std::string join(std::span<const std::string> words, std::string_view separator = ", ");

}  // namespace p2plab::content
