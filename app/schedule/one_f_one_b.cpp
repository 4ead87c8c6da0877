// 1F1B with a flush: as few activations as the distance to the last stage allows.
#include <algorithm>

#include "app/schedule/order.h"

namespace p2plab::schedule {

StageOrder one_f_one_b_stage(Shape shape, int stage) {
  require_legal(shape, stage);
  const int m = shape.microbatches;
  const int warm_up = std::min(m, shape.stages - stage - 1);
  StageOrder order;
  for (int i = 0; i < warm_up; ++i) order.push_back({Op::forward, i});
  for (int i = warm_up; i < m; ++i) {  // steady state
    order.push_back({Op::forward, i});
    order.push_back({Op::backward, i - warm_up});
  }
  for (int i = m - warm_up; i < m; ++i) order.push_back({Op::backward, i});
  return order;
}

}  // namespace p2plab::schedule
