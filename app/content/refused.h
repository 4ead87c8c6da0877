// What the option parser says in English when it refuses a command line, as a text of the lab.
#pragma once
#include <string>

#include "app/trace/error.h"

namespace p2plab::content {

/// "Could not convert: --ranks = abc" becomes "usage.no_number" with {option} and {value}; a sentence that nobody has met
/// becomes "usage.refused" with {what}. `command` is where more help is to be had.
TextRef refused(const std::string& sentence, const std::string& command);

}  // namespace p2plab::content
