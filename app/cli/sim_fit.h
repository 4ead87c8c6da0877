// p2plab sim --fit TRACE: F, B, W, α and β of a measured pipeline step, and how far the virtual clock is from it with them.
#pragma once
#include <iosfwd>
#include <nlohmann/json.hpp>
#include <string>

#include "app/analysis/ideal_run.h"
#include "app/cli/context.h"

namespace p2plab::cli {

/// Prints what was fitted and the prediction beside the measurement, per stage; returns the same as the object "fit".
nlohmann::ordered_json show_fit(const Context& context, const analysis::Fit& fit, const std::string& file, std::ostream& out);

}  // namespace p2plab::cli
