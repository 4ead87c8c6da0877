// See units.h.
#include "app/cli/units.h"

#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

#include "app/check/demo_run.h"

namespace p2plab::cli {

namespace {

using Unit = std::pair<std::string_view, double>;
constexpr std::array<Unit, 6> kTime{{{"ns", 1}, {"us", 1e3}, {"µs", 1e3}, {"μs", 1e3}, {"ms", 1e6}, {"s", 1e9}}};
constexpr double kYear = 365.0 * 86400e9;
constexpr double kFastest = 1e15;  ///< bytes per second

/// The number at the front, and what is left behind it.
std::optional<std::pair<double, std::string_view>> split(std::string_view text) {
  double value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || !std::isfinite(value)) return std::nullopt;
  std::string_view unit = text.substr(static_cast<std::size_t>(rest - text.data()));
  while (unit.starts_with(' ')) unit.remove_prefix(1);
  return std::pair(value, unit);
}

}  // namespace

trace::Ns parse_duration(const std::string& option, const std::string& text) {
  const auto parts = split(text);
  if (parts && parts->first == 0 && parts->second.empty()) return 0;
  if (parts)
    for (const auto& [name, ns] : kTime) {
      if (parts->second != name) continue;
      const double value = parts->first * ns;
      if (value < 0) throw Error("sim.negative", {{"option", option}, {"value", text}});
      if (value > kYear) throw Error("sim.absurd_duration", {{"option", option}, {"value", text}});
      return static_cast<trace::Ns>(std::llround(value));
    }
  throw Error("sim.bad_duration", {{"option", option}, {"value", text}});
}

double parse_bandwidth(const std::string& option, const std::string& text) {
  const auto refuse = [&] { return Error("sim.bad_bandwidth", {{"option", option}, {"value", text}}); };
  const auto parts = split(text);
  if (!parts) throw refuse();
  auto [value, unit] = *parts;
  if (!unit.empty()) {
    constexpr std::string_view kPowers = "kMGT";
    const char first = unit.front() == 'K' ? 'k' : unit.front();
    if (const auto power = kPowers.find(first); power != std::string_view::npos) {
      value *= std::pow(1000.0, static_cast<double>(power + 1));
      unit.remove_prefix(1);
    }
    if (unit == "b/s" || unit == "bit/s") value /= 8;
    else if (!unit.empty() && unit != "B/s" && unit != "B") throw refuse();
  }
  if (!(value > 0) || value > kFastest) throw refuse();
  return value;
}

std::uint64_t parse_bytes(const std::string& option, const std::string& text) {
  const auto value = check::parse_amount(text);
  if (!value || *value < 0 || *value > (std::int64_t{1} << 50)) throw Error("sim.bad_bytes", {{"option", option}, {"value", text}});
  return static_cast<std::uint64_t>(*value);
}

}  // namespace p2plab::cli
