// Draws a report::Canvas picture into the window.
#pragma once
#include <imgui.h>

#include "app/gui/ui.h"
#include "app/report/canvas.h"

namespace p2plab::gui {

class ImguiCanvas : public report::Canvas {
 public:
  ImguiCanvas(const Ui& ui, ImDrawList* list) : ui_(ui), list_(list) {}
  void fill(const report::Box& box, report::Paint paint, double radius = 0) override;
  void outline(const report::Box& box, report::Paint paint, double width = 1, double radius = 0) override;
  void hatch(const report::Box& box, report::Paint paint) override;
  void line(double x0, double y0, double x1, double y1, report::Paint paint, double width = 1, bool dashed = false) override;
  void triangle(double x0, double y0, double x1, double y1, double x2, double y2, report::Paint paint) override;
  void text(double x, double y, std::string_view text, report::Paint paint, report::Type type = report::Type::small,
            report::Align align = report::Align::left) override;
  double width(std::string_view text, report::Type type = report::Type::small) override;

 private:
  ImU32 ink(report::Paint paint) const;
  ImFont* font(report::Type type) const;
  const Ui& ui_;
  ImDrawList* list_;
};

}  // namespace p2plab::gui
