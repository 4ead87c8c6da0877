#include "app/report/charts_picture.h"

#include <algorithm>

namespace p2plab::report {
namespace {

constexpr double kEdge = 24, kBetween = 36, kChart = 470;

}  // namespace

ChartsPicture::ChartsPicture(std::vector<Chart> charts, const content::Text& text, PictureText around, double width)
    : charts_(std::move(charts)), text_(text), around_(std::move(around)), width_(width) {}

double ChartsPicture::top() const { return kEdge + 34 + (around_.conditions.empty() ? 0 : 24) + 8; }
double ChartsPicture::height() const { return top() + kChart + kEdge; }

std::string ChartsPicture::alternative() const {
  std::string titles;
  for (const Chart& chart : charts_) titles += (titles.empty() ? "" : ", ") + (chart.title.empty() ? chart.y.title : chart.title);
  return text_("report.charts-alternative", {{"title", around_.title}, {"what", titles}, {"x", charts_.empty() ? "" : charts_.front().x.title}});
}

void ChartsPicture::draw(Canvas& canvas) const {
  canvas.fill({0, 0, width(), height()}, {Ink::panel});
  const double room = width_ - 2 * kEdge;
  canvas.text(kEdge, kEdge + 12, fitted(canvas, around_.title, room, Type::title), {Ink::text}, Type::title);
  if (!around_.conditions.empty()) canvas.text(kEdge, kEdge + 42, fitted(canvas, around_.conditions, room), {Ink::muted});
  const auto n = static_cast<double>(std::max<std::size_t>(1, charts_.size()));
  const double each = (room - (n - 1) * kBetween) / n;
  double x = kEdge;
  for (const Chart& chart : charts_) {
    draw_chart(canvas, chart, {x, top(), x + each, top() + kChart});
    x += each + kBetween;
  }
}

}  // namespace p2plab::report
