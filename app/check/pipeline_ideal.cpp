#include "app/check/pipeline_ideal.h"

#include <cstdlib>

#include "app/analysis/pipeline.h"
#include "app/schedule/engine.h"

namespace p2plab::check {

std::string pipeline_schedule(const RunRequest& request) {
  const auto schedule = request.knobs.find("schedule"), transport = request.knobs.find("transport");
  if (schedule == request.knobs.end()) return {};
  return transport != request.knobs.end() && transport->second == "allreduce" ? "allreduce-" + schedule->second : schedule->second;
}

double pipeline_ideal_ratio(const RunRequest& request, int stages, int microbatches) {
  const auto knob = [&](const char* id) {
    const auto found = request.knobs.find(id);
    return found == request.knobs.end() ? std::string() : found->second;
  };
  const schedule::Generator* generator = schedule::find_generator(pipeline_schedule(request));
  const double forward = std::atof(knob("forward_us").c_str()), backward = std::atof(knob("backward_us").c_str());
  if (generator == nullptr || forward + backward <= 0) return analysis::bubble_ideal_ratio(stages, microbatches);
  // A backward that is split is halved, as the demo and the simulator do.
  const schedule::Shape shape{stages, microbatches, generator->chunks};
  const auto bubble = schedule::ideal_bubble(*generator, shape, forward, backward / 2, backward / 2);
  if (!bubble) {  // no closed form: the simulator knows
    const auto f = static_cast<schedule::Ns>(forward * 1000), b = static_cast<schedule::Ns>(backward * 1000);
    schedule::Costs costs;
    costs.times = {{f, b - b / 2, b / 2}};
    return schedule::simulate(schedule::Program(*generator, {.shape = shape}), costs).bubble_ratio();
  }
  return *bubble / (*bubble + microbatches * (forward + backward));
}

}  // namespace p2plab::check
