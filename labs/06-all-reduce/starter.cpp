// Lab 6: all-reduce out of point-to-point messages. Nothing is summed yet. See TASK.md.
#include "all_reduce.h"

void all_reduce(std::vector<float>& data) {
  // TODO: cut `data` into size() parts. In size() - 1 steps each rank sends one part on and adds the one that comes; in as
  // many more the finished sums go around.
  (void)data;
}
