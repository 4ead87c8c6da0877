// Lab 6: all-reduce out of point-to-point messages. Wrong: the whole buffer goes around.
#include "all_reduce.h"

void all_reduce(std::vector<float>& data) {
  const int next = (lab::rank() + 1) % lab::size(), before = (lab::rank() + lab::size() - 1) % lab::size();
  const int count = static_cast<int>(data.size());
  std::vector<float> out = data, in(data.size());
  for (int step = 0; step + 1 < lab::size(); ++step) {
    MPI_Sendrecv(out.data(), count, MPI_FLOAT, next, 0, in.data(), count, MPI_FLOAT, before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (std::size_t i = 0; i < data.size(); ++i) data[i] += in[i];
    out.swap(in);
  }
}
