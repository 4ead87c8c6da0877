// Charts as a picture: title, conditions and verdict above, the charts one below the other or side by side.
#pragma once
#include <memory>
#include <vector>

#include "app/content/text.h"
#include "app/report/chart.h"
#include "app/report/picture.h"
#include "app/report/picture_heading.h"

namespace p2plab::report {

class ChartPicture : public Picture {
 public:
  enum class Order { below_each_other, side_by_side };
  ChartPicture(std::vector<Chart> charts, const content::Text& text, PictureText around, double width = 1000, Order order = Order::below_each_other);
  double width() const override { return width_; }
  double height() const override;
  void draw(Canvas& canvas) const override;
  std::string alternative() const override;

 private:
  /// Where the n-th chart stands.
  std::vector<Box> places() const;
  const std::vector<Chart> charts_;
  const content::Text& text_;
  const PictureText around_;
  const double width_;
  const Order order_;
  const PictureHeading heading_;
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
