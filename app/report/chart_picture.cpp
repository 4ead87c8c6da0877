#include "app/report/chart_picture.h"

#include <algorithm>

namespace p2plab::report {
namespace {

constexpr double kChartMargin = 24, kChartGap = 28;

/// Draws lower down on another canvas.
class Lowered : public Canvas {
 public:
  Lowered(Canvas& canvas, double by) : canvas_(canvas), by_(by) {}
  void fill(const Box& box, Paint paint, double radius) override { canvas_.fill(down(box), paint, radius); }
  void outline(const Box& box, Paint paint, double width, double radius) override { canvas_.outline(down(box), paint, width, radius); }
  void hatch(const Box& box, Paint paint) override { canvas_.hatch(down(box), paint); }
  void line(double x0, double y0, double x1, double y1, Paint paint, double width, bool dashed) override {
    canvas_.line(x0, y0 + by_, x1, y1 + by_, paint, width, dashed);
  }
  void triangle(double x0, double y0, double x1, double y1, double x2, double y2, Paint paint) override {
    canvas_.triangle(x0, y0 + by_, x1, y1 + by_, x2, y2 + by_, paint);
  }
  void text(double x, double y, std::string_view words, Paint paint, Type type, Align align) override { canvas_.text(x, y + by_, words, paint, type, align); }
  double width(std::string_view words, Type type) override { return canvas_.width(words, type); }
  void begin_item(std::string_view words) override { canvas_.begin_item(words); }
  void end_item() override { canvas_.end_item(); }
  bool wants_items() const override { return canvas_.wants_items(); }

 private:
  Box down(const Box& box) const { return {box.x0, box.y0 + by_, box.x1, box.y1 + by_}; }
  Canvas& canvas_;
  double by_;
};

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
    Lowered lower(canvas, y);
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
