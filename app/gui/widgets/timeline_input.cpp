// The timeline's keys and mouse.
#include <GLFW/glfw3.h>

#include <cmath>

#include "app/gui/widgets/timeline_area.h"
#include "app/report/describe.h"

namespace p2plab::gui {
namespace {

constexpr float kClickSlack = 4;  // pixels a click may wander

}  // namespace

void TimelineWidget::keys(Ui& ui, const trace::Trace& trace) {
  for (const KeyPress& press : ui.keys) {
    if ((press.mods & (GLFW_MOD_CONTROL | GLFW_MOD_ALT | GLFW_MOD_SUPER)) != 0) continue;
    const double fast = (press.mods & GLFW_MOD_SHIFT) != 0 ? 3 : 1;
    switch (press.key) {
      case GLFW_KEY_A:
      case GLFW_KEY_LEFT: view_.pan(-0.12 * fast, true); break;
      case GLFW_KEY_D:
      case GLFW_KEY_RIGHT: view_.pan(0.12 * fast, true); break;
      case GLFW_KEY_W:
      case GLFW_KEY_KP_ADD: view_.zoom(0.5, std::pow(0.75, fast)); break;
      case GLFW_KEY_S:
      case GLFW_KEY_KP_SUBTRACT: view_.zoom(0.5, std::pow(1 / 0.75, fast)); break;
      case GLFW_KEY_UP: scroll_ -= ui.px(40); break;
      case GLFW_KEY_DOWN: scroll_ += ui.px(40); break;
      case GLFW_KEY_0: view_.fit(); break;
      case GLFW_KEY_F:
        if (selected_ && *selected_ < trace.spans().size()) {
          const trace::Span& span = trace.span(*selected_);
          show(span.begin, span.open() ? std::max(trace.now(), span.begin) : span.end);
        } else {
          view_.fit();
        }
        break;
      case GLFW_KEY_L:
      case GLFW_KEY_END: view_.resume(); break;
      case GLFW_KEY_HOME: view_.fit(); break;
      case GLFW_KEY_M: all_messages_ = !all_messages_; break;
      case GLFW_KEY_I: fold_ = !fold_; break;
      case GLFW_KEY_COMMA: step(trace, -1); break;
      case GLFW_KEY_PERIOD: step(trace, 1); break;
      default: break;
    }
    if (press.character == '+' || press.character == '=') view_.zoom(0.5, 0.75);
    if (press.character == '-') view_.zoom(0.5, 1 / 0.75);
  }
}

void TimelineWidget::step(const trace::Trace& trace, int direction) {
  if (!selected_ || *selected_ >= trace.spans().size()) return;
  const trace::Span& span = trace.span(*selected_);
  const trace::Row& row = trace.tracks()[span.track].rows[span.depth];
  if (direction > 0) {
    const std::size_t next = row.first_beginning_at(span.begin + 1);
    if (next < row.size()) select(trace, row[next].span);
    else if (row.open() != trace::kNoIndex) select(trace, row.open());
  } else {
    const std::size_t here = row.first_beginning_at(span.begin);
    if (here > 0) select(trace, row[here - 1].span);
  }
}

void TimelineWidget::select(const trace::Trace& trace, std::optional<trace::SpanId> id) {
  selected_ = id;
  if (!id || *id >= trace.spans().size()) return;
  const trace::Span& span = trace.span(*id);
  view_.reveal(static_cast<double>(span.begin), static_cast<double>(span.open() ? std::max(trace.now(), span.begin) : span.end));
}

void TimelineWidget::wheel(const Area& area) {
  const ImGuiIO& io = ImGui::GetIO();
  if (io.MouseWheelH != 0) view_.pan(-0.06 * static_cast<double>(io.MouseWheelH));
  if (io.MouseWheel == 0) return;
  if (io.MousePos.x < area.rows.x0) {  // over the names: scroll the rows
    scroll_ -= static_cast<double>(io.MouseWheel) * 48 * area.scale;
    return;
  }
  const double step = io.KeyCtrl ? 1.05 : io.KeyShift ? 2.0 : 1.25;
  view_.zoom(area.fraction(io.MousePos.x), std::pow(step, -static_cast<double>(io.MouseWheel)));
}

std::optional<report::Picked> TimelineWidget::under_mouse(const Area& area) const {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  if (!Area::inside(area.rows, mouse)) return std::nullopt;
  return report::pick(rows_, placement_, mouse.x - area.rows.x0, mouse.y - area.rows.y0 + scroll_, 3 * area.scale);
}

bool TimelineWidget::over_card() const { return card_ && Area::inside(*card_, ImGui::GetIO().MousePos); }

void TimelineWidget::mouse(Ui&, const trace::Trace& trace, const Area& area) {
  const ImGuiIO& io = ImGui::GetIO();
  const double instant = view_.begin() + area.fraction(io.MousePos.x) * view_.width();
  if (area.hovered) wheel(area);

  const bool on_card = area.hovered && drag_ == Drag::none && over_card();
  if (on_card && ImGui::IsMouseClicked(0)) copy_asked_ = true;
  const bool over_rows = area.hovered && !on_card && (Area::inside(area.rows, io.MousePos) || Area::inside(area.axis, io.MousePos));
  if (over_rows && ImGui::IsMouseDoubleClicked(0)) {
    const auto picked = under_mouse(area);
    if (picked && picked->block) {
      const trace::Span& span = trace.span(rows_[picked->row].blocks[*picked->block].span);
      show(span.begin, span.open() ? std::max(trace.now(), span.begin) : span.end);
    } else {
      view_.fit();
    }
    drag_ = Drag::none;
    return;
  }
  if (over_rows && ImGui::IsMouseClicked(0)) {
    drag_ = io.KeyShift ? Drag::range : Drag::press;
    drag_from_ = instant;
    pressed_at_ = io.MousePos;
  }
  if (over_rows && ImGui::IsMouseClicked(2)) {
    drag_ = Drag::pan;
    pressed_at_ = io.MousePos;
  }
  if (drag_ == Drag::none) return;

  const bool wandered = std::hypot(io.MousePos.x - pressed_at_.x, io.MousePos.y - pressed_at_.y) > kClickSlack;
  if (drag_ == Drag::press && wandered) drag_ = Drag::pan;
  if (drag_ == Drag::pan) {
    if (io.MouseDelta.x != 0) view_.pan(-static_cast<double>(io.MouseDelta.x) / std::max(1.0, area.rows.width()));
    scroll_ -= static_cast<double>(io.MouseDelta.y);
  }
  if (drag_ == Drag::range && wandered) {
    const auto [low, high] = std::minmax(drag_from_, instant);
    range_ = report::Range{std::max<trace::Ns>(0, std::llround(low)), std::max<trace::Ns>(1, std::llround(high))};
  }
  if (ImGui::IsMouseDown(0) || ImGui::IsMouseDown(2)) return;

  if (drag_ == Drag::press) {  // released where it was pressed: a click
    const auto picked = under_mouse(area);
    if (picked && picked->block) {
      selected_ = rows_[picked->row].blocks[*picked->block].span;
    } else {
      selected_.reset();
      range_.reset();
    }
  }
  if (drag_ == Drag::range && !wandered) range_.reset();
  drag_ = Drag::none;
}

}  // namespace p2plab::gui
