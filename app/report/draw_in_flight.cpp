// See draw_in_flight.h.
#include "app/report/draw_in_flight.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace p2plab::report {
namespace {

constexpr double kLowest = 14;  ///< px of a header line that can hold a step line

double highest(const InFlightCurves& curves) {
  double most = 0;
  for (const auto& curve : curves) most = std::max(most, analysis::peak(curve));
  return most;
}

/// A step line from pixel x on; the last one ends at `end`.
struct Level {
  double x = 0, activations = 0, end = 0;
};

/// What of the curve a picture of this width can show: at most two steps a pixel. Changes that share a pixel are shown by
/// their highest; of more than kLooks of them so many are looked at.
std::vector<Level> visible_steps(const std::vector<analysis::InFlight>& curve, const View& view) {
  constexpr std::ptrdiff_t kLooks = 64;
  const auto pixel = static_cast<trace::Ns>(std::max(1.0, static_cast<double>(view.end - view.begin) / view.pixels));
  const auto later = [](trace::Ns at, const analysis::InFlight& entry) { return at < entry.at; };
  std::vector<Level> steps;
  auto at = std::upper_bound(curve.begin(), curve.end(), view.begin, later);
  if (at != curve.begin()) --at;  // the one that holds at the left edge
  while (at != curve.end() && at->at < view.end) {
    const auto next = std::max(at + 1, std::upper_bound(at, curve.end(), at->at + pixel - 1, later));
    double most = std::prev(next)->activations;
    const std::ptrdiff_t stride = (next - at) / kLooks + 1;
    for (auto look = at; look < next; look += std::min(stride, next - look)) most = std::max(most, look->activations);
    const double x = std::clamp(view.x(at->at), 0.0, view.pixels);
    steps.push_back({x, most, view.pixels});
    const double last = std::prev(next)->activations;
    if (last != most && (next == curve.end() || next->at > at->at + 2 * pixel)) steps.push_back({std::min(x + 1, view.pixels), last, view.pixels});
    at = next;
  }
  if (!steps.empty() && at == curve.end()) steps.back().end = std::clamp(view.x(curve.back().at), steps.back().x, view.pixels);
  return steps;
}

}  // namespace

std::string in_flight_number(double activations) { return fmt::format("{:.4g}", activations); }

void draw_in_flight(Canvas& canvas, const Frame& frame, const View& view, const InFlightCurves& curves, const std::vector<Row>& rows,
                    const Placement& placement, const content::Text& text) {
  const double most = highest(curves);
  if (most <= 0) return;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Place& place = placement.rows[i];
    const auto rank = static_cast<std::size_t>(rows[i].rank);
    if (!place.header || rank >= curves.size() || curves[rank].empty() || place.y - place.header_y < kLowest * frame.scale) continue;
    const auto& curve = curves[rank];
    const double bottom = frame.top + place.y - 2 * frame.scale, room = place.y - place.header_y - 5 * frame.scale;
    const std::string peak = text("report.in-flight-peak", {{"n", in_flight_number(analysis::peak(curve))}});
    const bool item = canvas.wants_items();
    if (item) canvas.begin_item(text("report.in-flight-tip", {{"rank", std::to_string(rank)}, {"n", in_flight_number(analysis::peak(curve))}}));
    canvas.text(frame.left - 8 * frame.scale, (frame.top + place.header_y + frame.top + place.y) / 2, peak, {Ink::muted}, Type::small, Align::right);
    const std::vector<Level> steps = visible_steps(curve, view);
    double before = bottom;
    for (std::size_t k = 0; k < steps.size(); ++k) {
      const double x0 = frame.left + steps[k].x, y = bottom - room * steps[k].activations / most;
      const double x1 = frame.left + (k + 1 < steps.size() ? steps[k + 1].x : steps[k].end);
      if (steps[k].x > 0 && y != before) canvas.line(x0, before, x0, y, {Ink::accent, 0.8});
      before = y;
      if (x1 <= x0) continue;
      if (steps[k].activations > 0) canvas.fill({x0, y, x1, bottom}, {Ink::accent, 0.16});
      canvas.line(x0, y, x1, y, {Ink::accent, 0.8});
    }
    if (item) canvas.end_item();
  }
}

std::string in_flight_line(const std::vector<analysis::InFlight>& curve, trace::Ns begin, trace::Ns end, int columns, double top) {
  static constexpr const char* kHeights[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  std::vector<double> cells(static_cast<std::size_t>(std::max(0, columns)), 0);
  const double column = static_cast<double>(end - begin) / std::max(1, columns);
  for (std::size_t k = 0; k < curve.size(); ++k) {
    const double from = static_cast<double>(curve[k].at - begin) / column;
    const double to = k + 1 < curve.size() ? static_cast<double>(curve[k + 1].at - begin) / column : static_cast<double>(columns);
    for (double c = std::max(0.0, std::floor(from)); c < to && c < columns; ++c) {
      double& cell = cells[static_cast<std::size_t>(c)];
      cell = std::max(cell, curve[k].activations);
    }
  }
  std::string out;
  for (const double cell : cells) out += kHeights[top > 0 ? static_cast<std::size_t>(std::clamp(std::ceil(cell / top * 8 - 1e-9), 0.0, 8.0)) : 0];
  while (out.ends_with(' ')) out.pop_back();
  return out;
}

}  // namespace p2plab::report
