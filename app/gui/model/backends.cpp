// See backends.h.
#include "app/gui/model/backends.h"

#include <algorithm>

#include "app/check/gpu_info.h"
#include "app/content/nearest.h"
#include "app/content/text.h"

namespace p2plab::gui {
namespace {

std::optional<TextRef> why_backend_is_missing(const launch::Installation& installation, const std::string& backend, int ranks, int least_ranks) {
  try {
    if (backend == "host") launch::find_mpiexec();
    check::require_backend(installation, backend, ranks, least_ranks);
    return std::nullopt;
  } catch (const Error& error) {
    return error.text();
  }
}

}  // namespace

std::vector<BackendChoice> Backends::of(const check::DemoManifest& demo, int ranks) {
  std::vector<BackendChoice> out;
  for (const char* name : {"sim", "host", "cuda", "nccl"}) {
    BackendChoice choice;
    choice.name = name;
    if (std::find(demo.backends.begin(), demo.backends.end(), name) == demo.backends.end()) {
      choice.why_not = TextRef{"gui.backend_not_of_demo", {{"known", content::join(demo.backends)}}};
    } else {
      // A GPU that sleeps takes seconds to answer.
      auto& answer = answers_[{name, ranks, demo.min_ranks}];
      if (!answer.valid())
        answer = std::async(std::launch::async, [installation = installation_, backend = choice.name, ranks, least = demo.min_ranks] {
          return why_backend_is_missing(installation, backend, ranks, least);
        }).share();
      choice.asking = answer.wait_for(std::chrono::seconds(0)) != std::future_status::ready;
      if (!choice.asking) choice.why_not = answer.get();
    }
    out.push_back(std::move(choice));
  }
  return out;
}

void Backends::wait() const {
  for (const auto& [what, answer] : answers_) answer.wait();
}

}  // namespace p2plab::gui
