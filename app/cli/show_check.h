// A lab's check in a terminal: first failure first, with the smallest timeline that shows it.
#pragma once
#include <iosfwd>

#include "app/check/lab_check.h"
#include "app/cli/context.h"

namespace p2plab::cli {

void print_check(const Context& context, const check::LabManifest& lab, const check::LabRequest& request, const check::LabResult& result, check::Disclosure disclosure, std::ostream& out, int fd);

}  // namespace p2plab::cli
