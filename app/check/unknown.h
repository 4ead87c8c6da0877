// The error for a word the lab does not know: what was given, what is known, and what was probably meant.
#pragma once
#include <span>
#include <string>

#include "app/content/nearest.h"
#include "app/trace/error.h"

namespace p2plab::check {

/// Error ID with {value}, {known} and {nearest}; without anything near, the list's first word stands in for it.
inline Error unknown(const std::string& id, const std::string& value, std::span<const std::string> known, Params more = {}) {
  std::string meant = content::nearest(value, known);
  if (meant.empty() && !known.empty()) meant = known.front();
  more.insert(more.begin(), {{"value", value}, {"known", content::join(known)}, {"nearest", meant}});
  return Error(id, std::move(more));
}

}  // namespace p2plab::check
