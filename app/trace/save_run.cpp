// See save_run.h.
#include "app/trace/save_run.h"

#include "app/trace/chrome_json.h"
#include "app/trace/in_order.h"
#include "app/trace/perfetto.h"

namespace p2plab::trace {

void save_run(const Trace& run, const std::filesystem::path& file) {
  const bool virtual_clock = run.run.backend == "sim";
  const Trace ordered = virtual_clock ? in_order(run) : Trace{};
  const Trace& trace = virtual_clock ? ordered : run;
  file.extension() == ".json" ? save_chrome_json(trace, file) : save_perfetto(trace, file);
}

}  // namespace p2plab::trace
