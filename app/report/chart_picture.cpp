#include "app/report/chart_picture.h"

#include <algorithm>

#include "app/report/moved_canvas.h"

namespace p2plab::report {
namespace {

constexpr double kChartMargin = 24, kChartGap = 28, kBesideGap = 36, kBesideHeight = 470;

}  // namespace

ChartPicture::ChartPicture(std::vector<Chart> charts, const content::Text& text, PictureText around, double width, Order order)
    : charts_(std::move(charts)), text_(text), around_(std::move(around)), width_(width), order_(order),
      heading_(around_, kChartMargin, width - 2 * kChartMargin) {}

std::vector<Box> ChartPicture::places() const {
  std::vector<Box> out;
  const double room = width_ - 2 * kChartMargin;
  double x = kChartMargin, y = kChartMargin + heading_.height() + 8;
  const auto n = static_cast<double>(std::max<std::size_t>(1, charts_.size()));
  const double each = (room - (n - 1) * kBesideGap) / n;
  for (const Chart& chart : charts_) {
    if (order_ == Order::side_by_side) {
      out.push_back({x, y, x + each, y + kBesideHeight});
      x += each + kBesideGap;
    } else {
      out.push_back({x, y, x + room, y + chart_height(chart, room)});
      y = out.back().y1 + kChartGap;
    }
  }
  return out;
}

double ChartPicture::height() const {
  const auto all = places();
  return (all.empty() ? kChartMargin + heading_.height() : all.back().y1) + kChartMargin;
}

void ChartPicture::draw(Canvas& canvas) const {
  canvas.fill({0, 0, width(), height()}, {Ink::panel});
  heading_.draw(canvas, kChartMargin);
  const auto all = places();
  for (std::size_t i = 0; i < charts_.size(); ++i) draw_chart(canvas, charts_[i], all[i]);
}

std::string ChartPicture::alternative() const {
  std::string titles;
  for (const Chart& chart : charts_) titles += (titles.empty() ? "" : "; ") + (chart.title.empty() ? chart.y.title : chart.title);
  if (order_ == Order::side_by_side) return text_("report.charts-alternative", {{"title", around_.title}, {"what", titles}, {"x", charts_.empty() ? "" : charts_.front().x.title}});
  return text_("chart.alternative", {{"n", std::to_string(charts_.size())}, {"titles", titles}});
}

double StackedPicture::width() const {
  double out = 0;
  for (const auto& picture : pictures_) out = std::max(out, picture->width());
  return out;
}

double StackedPicture::height() const {
  double out = 0;
  for (const auto& picture : pictures_) out += picture->height();
  return out;
}

void StackedPicture::draw(Canvas& canvas) const {
  canvas.fill({0, 0, width(), height()}, {Ink::panel});
  double y = 0;
  for (const auto& picture : pictures_) {
    MovedCanvas lower(canvas, 0, y);
    picture->draw(lower);
    y += picture->height();
  }
}

std::string StackedPicture::alternative() const {
  std::string out;
  for (const auto& picture : pictures_) out += (out.empty() ? "" : " ") + picture->alternative();
  return out;
}

}  // namespace p2plab::report
