// Handles that a call gives and the program frees: groups, operations, infos, error handlers, attribute keys, files.
// Communicators, datatypes and windows have tables of their own.
#pragma once
#include <vector>

#include "demos/probe/thread.h"

namespace p2plab::probe {

struct LeftHandle {
  const char* what;  ///< id of its text in assets/text/verify.toml, without "verify-detail."
  CallSite made;
};
std::vector<LeftHandle> handles_left();

}  // namespace p2plab::probe
