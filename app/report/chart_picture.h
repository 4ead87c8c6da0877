// Charts as a picture: title, conditions and verdict above, the charts one below the other.
#pragma once
#include "app/report/chart.h"
#include "app/report/timeline_picture.h"

namespace p2plab::report {

class ChartPicture : public Picture {
 public:
  ChartPicture(std::vector<Chart> charts, const content::Text& text, PictureText around, double width = 1000);
  double width() const override { return width_; }
  double height() const override;
  void draw(Canvas& canvas) const override;
  std::string alternative() const override;

 private:
  double heading() const;
  const std::vector<Chart> charts_;
  const content::Text& text_;
  const PictureText around_;
  const double width_;
};

/// Pictures one below the other.
class StackedPicture : public Picture {
 public:
  explicit StackedPicture(std::vector<std::unique_ptr<Picture>> pictures) : pictures_(std::move(pictures)) {}
  double width() const override;
  double height() const override;
  void draw(Canvas& canvas) const override;
  std::string alternative() const override;

 private:
  std::vector<std::unique_ptr<Picture>> pictures_;
};

}  // namespace p2plab::report
