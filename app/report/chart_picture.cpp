#include "app/report/chart_picture.h"

#include <algorithm>

#include "app/report/moved_canvas.h"

namespace p2plab::report {
namespace {

constexpr double kChartMargin = 24, kChartGap = 28;

}  // namespace

ChartPicture::ChartPicture(std::vector<Chart> charts, const content::Text& text, PictureText around, double width)
    : charts_(std::move(charts)), text_(text), around_(std::move(around)), width_(width) {}

double ChartPicture::heading() const { return kChartMargin + 34 + (around_.conditions.empty() ? 0 : 24) + (around_.verdict.empty() ? 0 : 28); }

double ChartPicture::height() const {
  double out = heading() + kChartMargin;
  for (const Chart& chart : charts_) out += chart_height(chart, width_ - 2 * kChartMargin) + kChartGap;
  return out;
}

void ChartPicture::draw(Canvas& canvas) const {
  canvas.fill({0, 0, width(), height()}, {Ink::panel});
  const double room = width_ - 2 * kChartMargin;
  double y = kChartMargin + 12;
  canvas.text(kChartMargin, y, fitted(canvas, around_.title, room, Type::title), {Ink::text}, Type::title);
  y += 30;
  if (!around_.conditions.empty()) {
    canvas.text(kChartMargin, y, fitted(canvas, around_.conditions, room), {Ink::muted});
    y += 24;
  }
  if (!around_.verdict.empty()) {
    canvas.fill({kChartMargin, y - 5, kChartMargin + 10, y + 5}, {around_.verdict_ink}, 5);
    canvas.text(kChartMargin + 18, y, fitted(canvas, around_.verdict, room - 18, Type::body), {around_.verdict_ink}, Type::body);
  }
  y = heading();
  for (const Chart& chart : charts_) {
    const double tall = chart_height(chart, room);
    draw_chart(canvas, chart, {kChartMargin, y, kChartMargin + room, y + tall});
    y += tall + kChartGap;
  }
}

std::string ChartPicture::alternative() const {
  std::string titles;
  for (const Chart& chart : charts_) titles += (titles.empty() ? "" : "; ") + chart.title;
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
