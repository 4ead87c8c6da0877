// Lab 7: a parameter server. Wrong: no server at all.
#include "server.h"

void step(std::vector<float>& params, const std::vector<float>& gradient, int) {
  std::vector<float> sum(gradient.size());
  MPI_Allreduce(gradient.data(), sum.data(), static_cast<int>(sum.size()), MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
  for (std::size_t i = 0; i < params.size(); ++i) params[i] += sum[i];
}
