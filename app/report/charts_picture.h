// Charts side by side under one title: the picture of a sweep.
#pragma once
#include "app/content/text.h"
#include "app/report/chart.h"
#include "app/report/picture.h"
#include "app/report/timeline_picture.h"

namespace p2plab::report {

class ChartsPicture : public Picture {
 public:
  ChartsPicture(std::vector<Chart> charts, const content::Text& text, PictureText around, double width = 1200);
  double width() const override { return width_; }
  double height() const override;
  void draw(Canvas& canvas) const override;
  std::string alternative() const override;

 private:
  double top() const;
  std::vector<Chart> charts_;
  const content::Text& text_;
  PictureText around_;
  double width_;
};

}  // namespace p2plab::report
