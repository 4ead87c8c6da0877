// Something to be written down as SVG or PNG: it knows its size and draws itself on whatever canvas it is given.
#pragma once
#include <string>

#include "app/report/canvas.h"

namespace p2plab::report {

class Picture {
 public:
  virtual ~Picture() = default;
  virtual double width() const = 0;
  virtual double height() const = 0;
  virtual void draw(Canvas& canvas) const = 0;
  /// One sentence for who cannot see it.
  virtual std::string alternative() const = 0;
};

}  // namespace p2plab::report
