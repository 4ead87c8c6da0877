// GPipe: fill, then drain.
#include "app/schedule/order.h"

namespace p2plab::schedule {

StageOrder gpipe_stage(Shape shape, int stage) {
  require_legal(shape, stage);
  StageOrder order;
  for (int i = 0; i < shape.microbatches; ++i) order.push_back({Op::forward, i});
  for (int i = 0; i < shape.microbatches; ++i) order.push_back({Op::backward, i});
  return order;
}

}  // namespace p2plab::schedule
