// See figure.h.
#include "app/report/figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/report/quantity.h"

namespace p2plab::report {
namespace {

std::string plain_number(double value) {
  if (value == std::floor(value) && std::abs(value) < 1e15) return fmt::format("{:.0f}", value);
  if (std::abs(value) < 1e-3) return fmt::format("{:.1e}", value);
  return fmt::format("{:.3f}", value);
}

}  // namespace

std::string figure(const std::string& id, const nlohmann::ordered_json& value) {
  if (value.is_null()) return "–";
  if (value.is_object() && value.contains("median")) return figure(id, value["median"]);
  if (value.is_array()) {
    std::string out;
    for (const auto& each : value) out += (out.empty() ? "" : " ") + figure(id, each);
    return out;
  }
  if (value.is_boolean()) return value.get<bool>() ? "✓" : "–";
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_number()) return value.dump();
  const double number = value.get<double>();
  if (id.ends_with("_bytes_per_s")) return bytes(static_cast<std::uint64_t>(std::max(0.0, number))) + "/s";
  if (id.ends_with("_ns")) return duration(static_cast<trace::Ns>(number));
  if (id == "corrupt_bytes") return plain_number(number);  // to be compared byte by byte
  if (id.ends_with("_bytes")) return bytes(static_cast<std::uint64_t>(std::max(0.0, number)));
  if (id == "overlap") return fmt::format("{:.1f} %", number * 100);
  if (id == "peak_in_flight") return fmt::format("{:.4g}", number);  // parts of an activation count, too
  if (id.ends_with("_ratio") || id == "bubble_over_ideal") return fmt::format("{:.3f}", number);
  return plain_number(number);
}

}  // namespace p2plab::report
