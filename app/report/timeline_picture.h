// A whole picture of a run: title, conditions, verdict, axis, rows, arrows, legend. SVG and PNG differ only in the canvas.
#pragma once
#include <memory>
#include <string>

#include "app/content/text.h"
#include "app/report/picture.h"
#include "app/report/picture_heading.h"
#include "app/trace/trace.h"

namespace p2plab::report {

struct PictureOptions {
  double width = 1200;
  bool in_flight = true;
  bool arrows = true;
  bool kept = true;   ///< activations in flight of each stage over time, of a pipeline run
  bool ideal = true;  ///< the ideal pipeline step under the measured one, where there is one and it differs
  trace::Ns begin = 0, end = 0;  ///< the stretch to show; the whole run when end is 0
};

/// Decided once, then drawn on the canvas that was given this size.
class TimelinePicture : public Picture {
 public:
  TimelinePicture(const trace::Trace& trace, const content::Text& text, PictureText around, PictureOptions options);
  ~TimelinePicture() override;
  double width() const override;
  double height() const override;
  void draw(Canvas& canvas) const override;
  std::string alternative() const override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace p2plab::report
