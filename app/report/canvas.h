// What a timeline is drawn on: SVG, PNG and the window implement this, so that all three show the same picture.
#pragma once
#include <string>
#include <string_view>

#include "app/report/palette.h"

namespace p2plab::report {

struct Box {
  double x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  double width() const { return x1 - x0; }
  double height() const { return y1 - y0; }
};

/// A colour by meaning and how much of it covers what lies below.
struct Paint {
  Ink ink = Ink::text;
  double alpha = 1;
};

enum class Align { left, centre, right };
enum class Type { body, small, title };  ///< 17, 14 and 24 px in the window

class Canvas {
 public:
  virtual ~Canvas() = default;
  virtual void fill(const Box& box, Paint paint, double radius = 0) = 0;
  virtual void outline(const Box& box, Paint paint, double width = 1, double radius = 0) = 0;
  /// Slanted lines: waiting.
  virtual void hatch(const Box& box, Paint paint) = 0;
  virtual void line(double x0, double y0, double x1, double y1, Paint paint, double width = 1, bool dashed = false) = 0;
  virtual void triangle(double x0, double y0, double x1, double y1, double x2, double y2, Paint paint) = 0;
  /// One line of text, vertically centred on y.
  virtual void text(double x, double y, std::string_view text, Paint paint, Type type = Type::small, Align align = Align::left) = 0;
  virtual double width(std::string_view text, Type type = Type::small) = 0;
  /// What is drawn until end_item() carries this text for whoever points at it; only SVG keeps it.
  virtual void begin_item(std::string_view) {}
  virtual void end_item() {}
  virtual bool wants_items() const { return false; }
};

/// The text, or its beginning and "…" where it is wider than `room`; empty when nothing fits.
std::string fitted(Canvas& canvas, std::string_view text, double room, Type type = Type::small);

}  // namespace p2plab::report
