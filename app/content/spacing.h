// The space that Chinese writing has between a Chinese character and a Latin letter or a digit.
#pragma once
#include <string>
#include <string_view>

namespace p2plab::content {

/// True where `left` ends with a Chinese character and `right` begins with a letter or a digit, or the other way round.
bool wants_space(std::string_view left, std::string_view right);

/// What a sentence says where it has a blank: `value`, with the spaces that its neighbours ask for.
std::string set_apart(std::string_view left, std::string_view value, std::string_view right);

/// Puts `value` in the place of every {name}.
void fill_in(std::string& sentence, std::string_view name, std::string_view value);

}  // namespace p2plab::content
