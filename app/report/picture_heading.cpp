#include "app/report/picture_heading.h"

#include "app/report/utf8.h"
#include "app/report/wrap.h"

namespace p2plab::report {
namespace {

constexpr double kTitleLine = 30, kVerdictLine = 22, kSmallLine = 19, kSign = 18;

/// The window's fonts are larger than those of files.
Measure without_font(double pixels) {
  return [pixels](std::string_view text) { return static_cast<float>(approximate_ems(text) * pixels); };
}

}  // namespace

PictureHeading::PictureHeading(const PictureText& text, double left, double room) : left_(left), room_(room) {
  const auto add = [&](const std::vector<std::string>& lines, Type type, Paint paint, double tall, double indent) {
    for (const std::string& line : lines) {
      lines_.push_back({line, type, paint, left + indent, height_ + tall / 2});
      height_ += tall;
    }
  };
  const auto wide = [&](double indent) { return static_cast<float>(room - indent); };
  add(wrap(text.title, wide(0), without_font(23)), Type::title, {Ink::text}, kTitleLine, 0);
  if (!text.conditions.empty()) add(wrap_parts(text.conditions, wide(0), without_font(13.5)), Type::small, {Ink::muted}, kSmallLine, 0);
  if (!text.verdict.empty()) {
    height_ += 3;
    sign_ = {left, height_ + kVerdictLine / 2 - 5, left + 10, height_ + kVerdictLine / 2 + 5};
    sign_ink_ = text.verdict_ink;
    // A sign and a word, never the colour alone: the caller's text has the word.
    add(wrap(text.verdict, wide(kSign), without_font(16)), Type::body, {text.verdict_ink}, kVerdictLine, kSign);
  }
  height_ += 6;
}

void PictureHeading::draw(Canvas& canvas, double top) const {
  if (sign_.width() > 0) canvas.fill({sign_.x0, top + sign_.y0, sign_.x1, top + sign_.y1}, {sign_ink_}, 5);
  for (const Line& line : lines_) canvas.text(line.x, top + line.y, fitted(canvas, line.text, left_ + room_ - line.x, line.type), line.paint, line.type);
}

}  // namespace p2plab::report
