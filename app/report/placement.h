// Where rows stand below each other, and what stands at a point: shared by window, SVG and PNG.
#pragma once
#include <optional>
#include <vector>

#include "app/report/timeline_layout.h"

namespace p2plab::report {

/// Heights in pixels, before scaling.
struct RowMetrics {
  double header = 22;      ///< the line "rank 0" above its lanes
  double rank_gap = 12;    ///< air above a header
  double lane = 26;        ///< lanes with room for labels
  double thin = 17;        ///< communication lanes and nested sub-rows
  double flight = 10;      ///< a sub-row in flight
  double folded = 8;
  double ghost = 14;       ///< the ideal run under a lane, named
  double gap = 4;          ///< between lanes
};
/// As narrow as rows can be with their labels still readable.
inline constexpr RowMetrics kCompactRows{.header = 14, .rank_gap = 4, .lane = 18, .thin = 13, .flight = 6, .folded = 6, .ghost = 6, .gap = 2};

/// One row's place. Sub-row d begins at y + (d == 0 ? 0 : first + (d - 1) * sub).
struct Place {
  double header_y = 0;  ///< top of the rank's header line; only for the first row of a rank
  bool header = false;
  double y = 0;         ///< top of sub-row 0
  double first = 0;     ///< height of sub-row 0
  double sub = 0;       ///< height of each deeper one
  double height = 0;    ///< of all sub-rows
  double top(std::uint16_t depth) const { return depth == 0 ? y : y + first + (depth - 1) * sub; }
  double tall(std::uint16_t depth) const { return depth == 0 ? first : sub; }
};

struct Placement {
  std::vector<Place> rows;
  double height = 0;  ///< of everything
};
Placement place(const std::vector<Row>& rows, double scale = 1, const RowMetrics& metrics = {});
/// Rows drawn together as far as needed, and as far as they can be, to fit into `room` pixels.
Placement place_within(const std::vector<Row>& rows, double scale, double room);

struct Picked {
  std::size_t row = 0;
  std::optional<std::size_t> block;  ///< index into Row::blocks
};
/// What stands at (x, y): x from the left of the view, y from the top of the rows. A block may be missed by `slack`
/// pixels, because the narrow ones are hard to hit. Nothing between rows.
std::optional<Picked> pick(const std::vector<Row>& rows, const Placement& placement, double x, double y, double slack = 2);

}  // namespace p2plab::report
