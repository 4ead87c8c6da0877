// Runs a demo for real, as the lab does, and returns what it was judged to be.
#pragma once
#include <chrono>
#include <memory>
#include <thread>

#include "app/check/demo_run.h"
#include "app/launch/installation.h"

namespace p2plab::test {

/// A finished run: its result and its trace.
inline std::unique_ptr<check::DemoRun> run_demo(check::RunRequest request) {
  const auto installation = launch::Installation::find();
  const check::DemoManifest demo = check::load_demo(installation.demos() / request.demo);
  auto run = std::make_unique<check::DemoRun>(installation, demo, std::move(request));
  while (!run->finished()) {
    if (!run->poll()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return run;
}

/// What a failed check prints.
inline std::string describe(const check::DemoRun& run) {
  std::string text = check::to_json(run.request(), run.demo(), run.result()).dump(1);
  for (int rank = 0; rank < run.request().ranks; ++rank) {
    text += "\nrank " + std::to_string(rank) + ": " + run.output(rank, false).text() + run.output(rank, true).text();
  }
  return text;
}

}  // namespace p2plab::test
