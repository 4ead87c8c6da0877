#include "app/gui/widgets/imgui_canvas.h"

#include <algorithm>
#include <cfloat>
#include <cmath>

#include "app/gui/imgui_compat.h"

namespace p2plab::gui {
namespace {

ImVec2 point(double x, double y) { return {static_cast<float>(x), static_cast<float>(y)}; }
/// Ends of lines: ImGui adds half a pixel of its own.
ImVec2 line_end(double x, double y) { return point(x - 0.5, y - 0.5); }

}  // namespace

ImU32 ImguiCanvas::ink(report::Paint paint) const {
  return colour(report::colour(ui_.palette(), paint.ink), static_cast<float>(std::clamp(paint.alpha, 0.0, 1.0)));
}

ImFont* ImguiCanvas::font(report::Type type) const {
  switch (type) {
    case report::Type::body: return ui_.fonts.body;
    case report::Type::title: return ui_.fonts.title;
    case report::Type::small: break;
  }
  return ui_.fonts.small;
}

void ImguiCanvas::fill(const report::Box& box, report::Paint paint, double radius) {
  list_->AddRectFilled(point(box.x0, box.y0), point(box.x1, box.y1), ink(paint), static_cast<float>(radius));
}

void ImguiCanvas::outline(const report::Box& box, report::Paint paint, double width, double radius) {
  list_->AddRect(point(box.x0, box.y0), point(box.x1, box.y1), ink(paint), static_cast<float>(radius), 0, static_cast<float>(width));
}

void ImguiCanvas::hatch(const report::Box& box, report::Paint paint) {
  // Lines of a fixed grid over the whole window, cut to the box by hand: a clip rectangle would cost a draw command each.
  const double step = ui_.px(6), tall = box.height();
  const ImU32 colour = ink(paint);
  const double first = std::floor((box.x0 + box.y0) / step) * step;
  for (double sum = first; sum < box.x1 + box.y0 + tall; sum += step) {  // the line x + y = sum
    const double x0 = std::max(box.x0, sum - box.y1), x1 = std::min(box.x1, sum - box.y0);
    if (x1 > x0) list_->AddLine(line_end(x0, sum - x0), line_end(x1, sum - x1), colour, 1.0F);
  }
}

void ImguiCanvas::line(double x0, double y0, double x1, double y1, report::Paint paint, double width, bool dashed) {
  const ImU32 colour = ink(paint);
  const auto thick = static_cast<float>(width);
  if (!dashed) {
    list_->AddLine(line_end(x0, y0), line_end(x1, y1), colour, thick);
    return;
  }
  const double length = std::hypot(x1 - x0, y1 - y0), dash = std::max(7.0, length / 200);  // a bounded number of dashes
  for (double at = 0; at < length; at += dash) {
    const double a = at / length, b = std::min(at + dash * 0.57, length) / length;
    list_->AddLine(line_end(x0 + a * (x1 - x0), y0 + a * (y1 - y0)), line_end(x0 + b * (x1 - x0), y0 + b * (y1 - y0)), colour, thick);
  }
}

void ImguiCanvas::triangle(double x0, double y0, double x1, double y1, double x2, double y2, report::Paint paint) {
  list_->AddTriangleFilled(point(x0, y0), point(x1, y1), point(x2, y2), ink(paint));
}

void ImguiCanvas::text(double x, double y, std::string_view words, report::Paint paint, report::Type type, report::Align align) {
  ImFont* face = font(type);
  const float size = compat::font_size(face);
  if (align != report::Align::left) {
    const double wide = width(words, type);
    x -= align == report::Align::centre ? wide / 2 : wide;
  }
  // Whole pixels keep glyphs sharp.
  list_->AddText(face, size, point(std::round(x), std::round(y - size / 2)), ink(paint), words.data(), words.data() + words.size());
}

double ImguiCanvas::width(std::string_view words, report::Type type) {
  ImFont* face = font(type);
  return face->CalcTextSizeA(compat::font_size(face), FLT_MAX, 0.0F, words.data(), words.data() + words.size()).x;
}

}  // namespace p2plab::gui
