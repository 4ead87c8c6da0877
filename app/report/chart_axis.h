// An axis of a chart: its range, its ticks, and where a value lies on it.
#pragma once
#include <string>
#include <vector>

#include "app/report/chart.h"

namespace p2plab::report {

/// What stands at a tick: as many digits as tell it from its neighbours a step away, the same number for all of one unit.
std::string tick_text(Quantity quantity, double value, double step);

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
  /// About `most` of them, evenly spaced; of a log axis every so many doublings or powers of ten.
  std::vector<Label> labels(int most) const;
  /// Where the data are, when they are that few and far enough apart to be read; else labels().
  std::vector<Label> labels_at_data(int most) const;

 private:
  ChartAxis axis_;
  std::vector<double> values_;  ///< each once, rising
  double low_ = 0, high_ = 1, step_ = 1;
  bool has_zero_ = false;  ///< of a log axis: something stands at 0, left of the lowest
};

}  // namespace p2plab::report
