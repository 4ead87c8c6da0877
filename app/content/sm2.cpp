// See sm2.h.
#include "app/content/sm2.h"

#include <algorithm>
#include <cmath>

namespace p2plab::content::sm2 {

Memory next(const Memory& memory, int quality) {
  if (quality < 3) return {0, memory.ease, 1};
  const int interval = memory.repetitions == 0 ? 1 : memory.repetitions == 1 ? 6 : static_cast<int>(std::ceil(memory.interval * memory.ease));
  const double miss = 5 - quality;
  return {memory.repetitions + 1, std::max(1.3, memory.ease + 0.1 - miss * (0.08 + miss * 0.02)), interval};
}

}  // namespace p2plab::content::sm2
