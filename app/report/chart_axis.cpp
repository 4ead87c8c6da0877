#include "app/report/chart_axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/report/quantity.h"

namespace p2plab::report {
namespace {

/// Three figures, without an exponent where people would not write one.
std::string figures(double value) {
  if (value == 0) return "0";
  const double size = std::abs(value);
  if (size >= 1e6 || size < 1e-3) return fmt::format("{:.3g}", value);
  if (size >= 100) return fmt::format("{:.0f}", value);
  return fmt::format("{:.3g}", value);
}

struct Step {
  double size;
  const char* name;
};
template <std::size_t N>
std::string in_units(double value, const std::array<Step, N>& units) {
  for (const Step& unit : units)
    if (std::abs(value) >= unit.size) return figures(value / unit.size) + " " + unit.name;
  return figures(value / units.back().size) + " " + units.back().name;
}

/// Smallest of 1, 2, 5 × 10^k that is not below `least`; of bytes: smallest power of two.
double round_step(double least, Quantity quantity) {
  if (!(least > 0)) return 1;
  if (quantity == Quantity::bytes) return std::exp2(std::ceil(std::log2(least) - 1e-9));
  const double decade = std::pow(10, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0, 10.0})
    if (decade * factor >= least * 0.999999) return decade * factor;
  return decade * 10;
}

/// The unit that a value of this size is written in.
Step unit_of_tick(Quantity quantity, double value) {
  const auto largest = [value](const auto& units) {
    for (const Step& unit : units)
      if (std::abs(value) >= unit.size * (1 - 1e-9)) return unit;
    return units.back();
  };
  switch (quantity) {
    case Quantity::count: break;
    case Quantity::bytes: return largest(std::array{Step{std::exp2(40), " TiB"}, Step{std::exp2(30), " GiB"}, Step{std::exp2(20), " MiB"}, Step{1024, " KiB"}, Step{1, " B"}});
    case Quantity::time_ns: return largest(std::array{Step{1e9, " s"}, Step{1e6, " ms"}, Step{1e3, " µs"}, Step{1, " ns"}});
    case Quantity::bytes_per_s: return largest(std::array{Step{1e9, " GB/s"}, Step{1e6, " MB/s"}, Step{1e3, " kB/s"}, Step{1, " B/s"}});
    case Quantity::times: return {1, " ×"};
    case Quantity::share: return {0.01, " %"};
  }
  return {1, ""};
}

}  // namespace

std::string tick_text(Quantity quantity, double value, double step) {
  if (value == 0) return quantity == Quantity::bytes ? "0 B" : "0";
  const Step unit = unit_of_tick(quantity, value);
  const double shown = value / unit.size, apart = std::abs(step / unit.size);
  if (std::abs(shown) >= 1e7 || apart < 1e-6) {  // nobody reads that many digits
    const int digits = std::clamp(static_cast<int>(std::ceil(std::log10(std::abs(shown) / apart) - 1e-9)) + 2, 1, 15);
    return fmt::format("{:.{}g}{}", shown, digits, unit.name);
  }
  int decimals = 0;
  for (double tens = apart; decimals < 9 && std::abs(tens - std::round(tens)) > 1e-6 * std::max(1.0, tens); tens *= 10) ++decimals;
  return fmt::format("{:.{}f}{}", shown, decimals, unit.name);
}

std::string amount(Quantity quantity, double value) {
  if (!std::isfinite(value)) return "–";
  switch (quantity) {
    case Quantity::count: return figures(value);
    case Quantity::bytes: return value < 0 ? "-" + bytes(static_cast<std::uint64_t>(-value)) : bytes(static_cast<std::uint64_t>(std::llround(value)));
    case Quantity::time_ns: return value == 0 ? "0" : in_units(value, std::array{Step{1e9, "s"}, Step{1e6, "ms"}, Step{1e3, "µs"}, Step{1, "ns"}});
    case Quantity::bytes_per_s: return value == 0 ? "0" : in_units(value, std::array{Step{1e9, "GB/s"}, Step{1e6, "MB/s"}, Step{1e3, "kB/s"}, Step{1, "B/s"}});
    case Quantity::times: return figures(value) + " ×";
    case Quantity::share: return figures(value * 100) + " %";
  }
  return figures(value);
}

ChartScale::ChartScale(const ChartAxis& axis, const std::vector<double>& values) : axis_(axis) {
  double low = INFINITY, high = -INFINITY;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    if (axis.log && value <= 0) {
      has_zero_ = true;
      continue;
    }
    low = std::min(low, value);
    high = std::max(high, value);
  }
  for (const double value : values)
    if (std::isfinite(value)) values_.push_back(value);
  std::sort(values_.begin(), values_.end());
  values_.erase(std::unique(values_.begin(), values_.end()), values_.end());
  if (!(low <= high)) low = high = 1;
  if (axis.log) {
    low_ = low;
    high_ = high > low ? high : low * 2;
    return;
  }
  low_ = std::min(low, 0.0);
  high_ = std::max(high, 0.0);
  if (high_ <= low_) high_ = low_ + 1;
  step_ = round_step((high_ - low_) / 6, axis.quantity);
  low_ = std::floor(low_ / step_ + 1e-9) * step_;
  high_ = std::ceil(high_ / step_ - 1e-9) * step_;
}

double ChartScale::place(double value) const {
  if (!axis_.log) return (value - low_) / (high_ - low_);
  const double foot = has_zero_ ? 0.06 : 0;  // what stands at 0 has a place of its own, left of all the others
  if (value <= 0) return 0;
  return foot + (1 - foot) * (std::log(value / low_) / std::log(high_ / low_));
}

std::vector<ChartScale::Label> ChartScale::labels(int most) const {
  std::vector<Label> out;
  most = std::max(most, 2);
  const auto add = [&](double value) { out.push_back({place(value), amount(axis_.quantity, value)}); };
  if (!axis_.log) {
    const double step = round_step((high_ - low_) / most, axis_.quantity);
    for (double k = std::ceil(low_ / step - 1e-9); k * step <= high_ + step * 1e-6; ++k) out.push_back({place(k * step), tick_text(axis_.quantity, k * step, step)});
    return out;
  }
  if (has_zero_) add(0);
  const bool doubling = axis_.quantity == Quantity::bytes;
  const double decades = std::log10(high_ / low_);
  if (!doubling && decades * 3 <= most + 1) {  // 1, 2, 5 within each power of ten
    for (double decade = std::pow(10, std::floor(std::log10(low_))); decade <= high_; decade *= 10)
      for (const double factor : {1.0, 2.0, 5.0})
        if (decade * factor >= low_ * 0.999 && decade * factor <= high_ * 1.001) add(decade * factor);
    return out;
  }
  const double base = doubling ? 2 : 10;
  const double span = std::log(high_ / low_) / std::log(base);
  const int every = std::max(1, static_cast<int>(std::ceil(span / most)));
  const int first = static_cast<int>(std::ceil(std::log(low_) / std::log(base) - 1e-9));
  const int aligned = (first + every - 1) >= 0 ? (first + every - 1) / every * every : first / every * every;
  for (int k = aligned; std::pow(base, k) <= high_ * 1.001; k += every) add(std::pow(base, k));
  return out;
}

std::vector<ChartScale::Label> ChartScale::labels_at_data(int most) const {
  constexpr double kLeastApart = 0.62;  // of what one label of `most` has
  if (values_.empty() || static_cast<int>(values_.size()) > std::max(most, 2)) return labels(most);
  std::vector<Label> out;
  for (const double value : values_) {
    Label next{place(value), amount(axis_.quantity, value)};
    if (!out.empty() && (next.at - out.back().at < kLeastApart / most || next.text == out.back().text)) return labels(most);
    out.push_back(std::move(next));
  }
  return out;
}

}  // namespace p2plab::report
