// The knobs of a demo, for `p2plab demos` and `p2plab run DEMO --help`.
#pragma once
#include <iosfwd>
#include <vector>

#include "app/check/demo_manifest.h"
#include "app/cli/context.h"

namespace p2plab::cli {

/// One line a knob: how it is set, its title, its default and what it may be, with units.
void print_knobs(const Context& context, const std::vector<check::Knob>& knobs, std::ostream& out, int indent);

}  // namespace p2plab::cli
