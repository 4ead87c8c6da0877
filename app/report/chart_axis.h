// An axis of a chart: its range, its ticks, and where a value lies on it.
#pragma once
#include <string>
#include <vector>

#include "app/report/chart.h"

namespace p2plab::report {

class ChartScale {
 public:
  /// The range is that of `values`, widened to whole ticks; absent ones do not count. A linear axis begins at 0.
  ChartScale(const ChartAxis& axis, const std::vector<double>& values);
  /// 0 at the low end, 1 at the high end.
  double place(double value) const;

  struct Label {
    double at = 0;  ///< place
    std::string text;
  };
  /// At most `most` of them, evenly spaced; of a log axis every so many doublings or powers of ten.
  std::vector<Label> labels(int most) const;

 private:
  double lowest_positive() const { return low_; }
  ChartAxis axis_;
  double low_ = 0, high_ = 1, step_ = 1;
  bool has_zero_ = false;  ///< of a log axis: something stands at 0, left of the lowest
};

}  // namespace p2plab::report
