// A metric as the lab writes it wherever it stands alone: the window's numbers, the evidence page, a resume.
#pragma once
#include <nlohmann/json.hpp>
#include <string>

namespace p2plab::report {

/// In the unit that its name states: "_ns" as a duration, "_bytes" as a size, "overlap" as a percentage; of {"median": …}
/// the median. "–" for null.
std::string figure(const std::string& id, const nlohmann::ordered_json& value);

}  // namespace p2plab::report
