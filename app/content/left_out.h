// What of the content is broken: it is left out, and the rest is there.
#pragma once
#include <string>

#include "app/trace/error.h"

namespace p2plab::content {

struct LeftOut {
  std::string id;  ///< of the lesson, claim, card or demo; of the file where that cannot be known
  TextRef why;     ///< names file, line and cause
};

}  // namespace p2plab::content
