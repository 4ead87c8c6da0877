// How many activations each stage keeps, as a step line in the line that bears the rank's name, above its lanes.
#pragma once
#include "app/analysis/in_flight.h"
#include "app/report/draw_timeline.h"

namespace p2plab::report {

using InFlightCurves = std::vector<std::vector<analysis::InFlight>>;  ///< by rank

/// All ranks on one scale, the highest peak of all; the peak of each stands beside its name. Nothing where header lines are
/// too low to hold a line, or nothing is kept.
void draw_in_flight(Canvas& canvas, const Frame& frame, const View& view, const InFlightCurves& curves, const std::vector<Row>& rows,
                    const Placement& placement, const content::Text& text);

/// Eight heights of a terminal's character cells for `columns` stretches of [begin, end), the highest value of each; `top`
/// is a full cell.
std::string in_flight_line(const std::vector<analysis::InFlight>& curve, trace::Ns begin, trace::Ns end, int columns, double top);

/// "4", "5.5".
std::string in_flight_number(double activations);

}  // namespace p2plab::report
