#include "app/check/pipeline_ideal.h"

#include <algorithm>

#include "app/analysis/pipeline.h"
#include "app/schedule/engine.h"

namespace p2plab::check {

std::string pipeline_schedule(const RunRequest& request) {
  const auto schedule = request.knobs.find("schedule"), transport = request.knobs.find("transport");
  if (schedule == request.knobs.end()) return {};
  return transport != request.knobs.end() && transport->second == "allreduce" ? "allreduce-" + schedule->second : schedule->second;
}

PipelineUnits pipeline_units(const RunRequest& request) {
  const auto knob = [&](const char* id) {
    const auto found = request.knobs.find(id);
    return found == request.knobs.end() ? std::nullopt : parse_amount(found->second);
  };
  PipelineUnits out{knob("microbatches").value_or(0), static_cast<double>(knob("forward_us").value_or(0)), static_cast<double>(knob("backward_us").value_or(0))};
  const auto size = knob("microbatch_size");
  if (!size || *size <= 0) return out;
  constexpr std::int64_t kSamples = 4;  // times are stated for a microbatch of so many
  const std::int64_t batch = std::max<std::int64_t>(1, knob("global_batch").value_or(1)), samples = std::min(*size, batch);
  const auto scaled = [&](double whole) {
    const double fixed = std::min(static_cast<double>(knob("fixed_us").value_or(0)), whole);
    return fixed + (whole - fixed) * static_cast<double>(samples) / kSamples;
  };
  return {batch / samples, scaled(out.forward_us), scaled(out.backward_us)};
}

double pipeline_ideal_ratio(const RunRequest& request, int stages, int microbatches) {
  const schedule::Generator* generator = schedule::find_generator(pipeline_schedule(request));
  const auto [unused, forward, backward] = pipeline_units(request);
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
