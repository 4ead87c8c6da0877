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
    const double first = row.ghost ? m.ghost : row.folded ? m.folded : row.in_flight ? m.flight : row.lane == "comm" ? m.thin : m.lane;
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

Placement place_within(const std::vector<Row>& rows, double scale, double room) {
  const RowMetrics wide{}, compact = kCompactRows;
  Placement loose = place(rows, scale, wide);
  if (loose.height <= room) return loose;
  Placement tight = place(rows, scale, compact);
  if (tight.height >= room) return tight;
  // Heights are linear in the metrics, so one step of interpolation meets the room.
  const double t = (room - tight.height) / (loose.height - tight.height);
  const auto between = [t](double a, double b) { return a + (b - a) * t; };
  return place(rows, scale, {between(compact.header, wide.header), between(compact.rank_gap, wide.rank_gap), between(compact.lane, wide.lane),
                             between(compact.thin, wide.thin), between(compact.flight, wide.flight), between(compact.folded, wide.folded), between(compact.ghost, wide.ghost),
                             between(compact.gap, wide.gap)});
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
