// The error for a word the lab does not know: what was given, what is known, and what was probably meant.
#pragma once
#include <span>
#include <string>

#include "app/content/nearest.h"
#include "app/trace/error.h"

namespace p2plab::check {

/// Error ID with {value}, {known} and {nearest}; ID_far, whose text guesses nothing, when no known word is near.
inline Error unknown(const std::string& id, const std::string& value, std::span<const std::string> known, Params more = {}) {
  const std::string meant = content::nearest(value, known);
  more.insert(more.begin(), {{"value", value}, {"known", content::join(known)}, {"nearest", meant}});
  return Error(meant.empty() ? id + "_far" : id, std::move(more));
}

}  // namespace p2plab::check
