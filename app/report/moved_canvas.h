// Draws on another canvas, moved and enlarged: what is drawn keeps its own coordinates.
#pragma once
#include "app/report/canvas.h"

namespace p2plab::report {

class MovedCanvas : public Canvas {
 public:
  /// The texts of `canvas` are as large as they are; only places and lengths are multiplied by `scale`.
  MovedCanvas(Canvas& canvas, double x, double y, double scale = 1) : canvas_(canvas), x_(x), y_(y), scale_(scale) {}
  void fill(const Box& box, Paint paint, double radius) override { canvas_.fill(moved(box), paint, radius * scale_); }
  void outline(const Box& box, Paint paint, double width, double radius) override { canvas_.outline(moved(box), paint, width * scale_, radius * scale_); }
  void hatch(const Box& box, Paint paint) override { canvas_.hatch(moved(box), paint); }
  void line(double x0, double y0, double x1, double y1, Paint paint, double width, bool dashed) override {
    canvas_.line(x(x0), y(y0), x(x1), y(y1), paint, width * scale_, dashed);
  }
  void triangle(double x0, double y0, double x1, double y1, double x2, double y2, Paint paint) override {
    canvas_.triangle(x(x0), y(y0), x(x1), y(y1), x(x2), y(y2), paint);
  }
  void text(double at_x, double at_y, std::string_view words, Paint paint, Type type, Align align) override {
    canvas_.text(x(at_x), y(at_y), words, paint, type, align);
  }
  double width(std::string_view words, Type type) override { return canvas_.width(words, type) / scale_; }
  void begin_item(std::string_view words) override { canvas_.begin_item(words); }
  void end_item() override { canvas_.end_item(); }
  bool wants_items() const override { return canvas_.wants_items(); }
  Box moved(const Box& box) const { return {x(box.x0), y(box.y0), x(box.x1), y(box.y1)}; }

 private:
  double x(double at) const { return x_ + at * scale_; }
  double y(double at) const { return y_ + at * scale_; }
  Canvas& canvas_;
  double x_, y_, scale_;
};

}  // namespace p2plab::report
