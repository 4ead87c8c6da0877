// Icons as a few lines each, on a square from -1 to 1.
#include "app/gui/widgets/icons.h"

#include <initializer_list>

namespace p2plab::gui {
namespace {

class Pen {
 public:
  Pen(ImDrawList& draw, ImVec2 at, float size, ImU32 colour)
      : draw_(draw), at_(at), half_(size / 2), colour_(colour), thick_(size > 20 ? size / 10 : 1.6f) {}

  void line(std::initializer_list<ImVec2> points, bool closed = false) {
    for (const auto& point : points) draw_.PathLineTo(place(point));
    draw_.PathStroke(colour_, closed ? static_cast<int>(ImDrawFlags_Closed) : 0, thick_);
  }
  void fill(std::initializer_list<ImVec2> points) {
    for (const auto& point : points) draw_.PathLineTo(place(point));
    draw_.PathFillConvex(colour_);
  }
  void box(ImVec2 from, ImVec2 to, float round = 0.2f) {
    draw_.AddRect(place(from), place(to), colour_, round * half_, 0, thick_);
  }
  void full_box(ImVec2 from, ImVec2 to, float round = 0.15f) {
    draw_.AddRectFilled(place(from), place(to), colour_, round * half_);
  }
  void ring(ImVec2 centre, float radius) { draw_.AddCircle(place(centre), radius * half_, colour_, 0, thick_); }
  void dot(ImVec2 centre, float radius) { draw_.AddCircleFilled(place(centre), radius * half_, colour_); }

 private:
  ImVec2 place(ImVec2 p) const { return {at_.x + p.x * half_, at_.y + p.y * half_}; }
  ImDrawList& draw_;
  ImVec2 at_;
  float half_;
  ImU32 colour_;
  float thick_;
};

}  // namespace

void draw_icon(ImDrawList& draw, Icon icon, ImVec2 at, float size, ImU32 colour) {
  Pen pen(draw, at, size, colour);
  switch (icon) {
    case Icon::none: break;
    case Icon::play: pen.fill({{-0.7f, -0.8f}, {0.8f, 0}, {-0.7f, 0.8f}}); break;
    case Icon::stop: pen.full_box({-0.65f, -0.65f}, {0.65f, 0.65f}); break;
    case Icon::check: pen.line({{-0.8f, 0.05f}, {-0.25f, 0.6f}, {0.8f, -0.6f}}); break;
    case Icon::cross:
      pen.line({{-0.6f, -0.6f}, {0.6f, 0.6f}});
      pen.line({{-0.6f, 0.6f}, {0.6f, -0.6f}});
      break;
    case Icon::question:
      pen.line({{-0.45f, -0.4f}, {-0.25f, -0.8f}, {0.25f, -0.8f}, {0.45f, -0.4f}, {0.3f, -0.1f}, {0, 0.1f}, {0, 0.35f}});
      pen.dot({0, 0.8f}, 0.14f);
      break;
    case Icon::down: pen.fill({{-0.7f, -0.35f}, {0.7f, -0.35f}, {0, 0.45f}}); break;
    case Icon::right: pen.line({{-0.3f, -0.6f}, {0.3f, 0}, {-0.3f, 0.6f}}); break;
    case Icon::copy:
      pen.box({-0.7f, -0.3f}, {0.3f, 0.8f});
      pen.line({{-0.3f, -0.75f}, {0.75f, -0.75f}, {0.75f, 0.4f}});
      break;
    case Icon::lessons:  // an open book
      pen.line({{0, -0.5f}, {-0.85f, -0.7f}, {-0.85f, 0.55f}, {0, 0.75f}, {0.85f, 0.55f}, {0.85f, -0.7f}, {0, -0.5f}, {0, 0.75f}});
      break;
    case Icon::demos: pen.box({-0.85f, -0.7f}, {0.85f, 0.7f}); pen.fill({{-0.25f, -0.35f}, {0.4f, 0}, {-0.25f, 0.35f}}); break;
    case Icon::labs:  // a flask
      pen.line({{-0.25f, -0.85f}, {-0.25f, -0.2f}, {-0.75f, 0.8f}, {0.75f, 0.8f}, {0.25f, -0.2f}, {0.25f, -0.85f}});
      pen.line({{-0.45f, -0.85f}, {0.45f, -0.85f}});
      break;
    case Icon::claims:  // scales
      pen.line({{0, -0.85f}, {0, 0.8f}});
      pen.line({{-0.75f, -0.55f}, {0.75f, -0.55f}});
      pen.line({{-0.75f, -0.55f}, {-0.95f, 0.15f}, {-0.5f, 0.15f}}, true);
      pen.line({{0.75f, -0.55f}, {0.95f, 0.15f}, {0.5f, 0.15f}}, true);
      break;
    case Icon::drill: pen.box({-0.85f, -0.75f}, {0.85f, 0.45f}, 0.35f); pen.line({{-0.3f, 0.45f}, {-0.3f, 0.85f}, {0.1f, 0.45f}}); break;
    case Icon::traces:  // three rows of a timeline
      pen.full_box({-0.85f, -0.75f}, {0.1f, -0.4f});
      pen.full_box({-0.3f, -0.17f}, {0.5f, 0.17f});
      pen.full_box({0.1f, 0.4f}, {0.85f, 0.75f});
      break;
  }
}

}  // namespace p2plab::gui
