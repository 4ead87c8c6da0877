#include "app/report/placement.h"

#include <algorithm>

namespace p2plab::report {

Placement place(const std::vector<Row>& rows, double scale, const RowMetrics& m) {
  Placement out;
  double y = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row& row = rows[i];
    Place place;
    place.header = i == 0 || rows[i - 1].rank != row.rank;
    if (place.header) {
      if (i > 0) y += m.rank_gap * scale;
      place.header_y = y;
      y += m.header * scale;
    }
    // Communication is many short calls beside compute's labelled blocks: it gets the thinner lane.
    const double first = row.folded ? m.folded : row.in_flight ? m.flight : row.lane == "comm" ? m.thin : m.lane;
    place.y = y;
    place.first = first * scale;
    place.sub = (row.in_flight ? m.flight : m.thin) * scale;
    place.height = place.first + (row.depths - 1) * place.sub;
    y += place.height + m.gap * scale;
    out.rows.push_back(place);
  }
  out.height = y;
  return out;
}

std::optional<Picked> pick(const std::vector<Row>& rows, const Placement& placement, double x, double y, double slack) {
  const auto above = std::upper_bound(placement.rows.begin(), placement.rows.end(), y,
                                      [](double at, const Place& place) { return at < place.y; });
  if (above == placement.rows.begin()) return std::nullopt;
  const auto i = static_cast<std::size_t>(above - placement.rows.begin()) - 1;
  const Place& place = placement.rows[i];
  if (y >= place.y + place.height) return std::nullopt;

  Picked picked{i, std::nullopt};
  double best = slack;
  for (std::size_t k = 0; k < rows[i].blocks.size(); ++k) {
    const Block& block = rows[i].blocks[k];
    const double top = place.top(block.depth);
    if (y < top || y >= top + place.tall(block.depth)) continue;
    const double miss = std::max({0.0, block.x0 - x, x - block.x1});
    if (miss < best || (miss == 0 && best == 0)) {
      best = miss;
      picked.block = k;
    }
  }
  return picked;
}

}  // namespace p2plab::report
