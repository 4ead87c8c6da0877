#include "app/check/pipeline_ideal.h"

#include <cstdlib>

#include "app/analysis/pipeline.h"
#include "app/schedule/generator.h"

namespace p2plab::check {

double pipeline_ideal_ratio(const RunRequest& request, int stages, int microbatches) {
  const auto knob = [&](const char* id) {
    const auto found = request.knobs.find(id);
    return found == request.knobs.end() ? std::string() : found->second;
  };
  const schedule::Generator* generator = schedule::find_generator(knob("schedule"));
  const double forward = std::atof(knob("forward_us").c_str()), backward = std::atof(knob("backward_us").c_str());
  if (generator == nullptr || generator->ideal == nullptr || forward + backward <= 0) return analysis::bubble_ideal_ratio(stages, microbatches);
  // A backward that is split is halved, as the demo and the simulator do.
  const double bubble = generator->ideal({stages, microbatches, generator->chunks}, forward, backward / 2, backward / 2);
  return bubble / (bubble + microbatches * (forward + backward));
}

}  // namespace p2plab::check
