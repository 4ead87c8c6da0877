// What stands above a picture: its title, all conditions of the run and the verdict, in as many lines as they take.
#pragma once
#include <string>
#include <vector>

#include "app/report/canvas.h"

namespace p2plab::report {

/// What stands around a timeline or charts.
struct PictureText {
  std::string title;       ///< "1F1B pipeline"; the demo's name when empty
  std::string conditions;  ///< conditions(trace.run) when empty
  std::string verdict;     ///< "Deadlock: …"; nothing when empty
  Ink verdict_ink = Ink::muted;  ///< good, bad or unsure
};

/// Decided without a font, so that its height is known before it is drawn: rather a line too many than one that is cut.
class PictureHeading {
 public:
  PictureHeading(const PictureText& text, double left, double room);
  double height() const { return height_; }
  void draw(Canvas& canvas, double top) const;

 private:
  struct Line {
    std::string text;
    Type type = Type::small;
    Paint paint;
    double x = 0, y = 0;  ///< its left end, and its middle below the top
  };
  std::vector<Line> lines_;
  Box sign_;  ///< before the verdict
  Ink sign_ink_ = Ink::muted;
  double left_, room_, height_ = 0;
};

}  // namespace p2plab::report
