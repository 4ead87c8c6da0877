// What is opened, by --open or by dropping it on the window: a trace of ours, one of another version, a file of another tool.
#include "tests/gui/app_stage.h"
#include "tests/gui/trace_files.h"

using namespace p2plab;
using namespace p2plab::stage_test;

namespace {

void run_pipeline(AppStage& stage) {
  REQUIRE(stage.app.model.choose_demo("pipeline"));
  stage.app.model.set_knob("schedule", "gpipe");
  stage.run_on_sim();
}

}  // namespace

TEST_CASE("an opened trace shows its run: demo, knobs, conditions and the same numbers, in the place of traces") {
  AppStage stage;
  run_pipeline(stage);
  const auto metrics = stage.app.session.result()->metrics;
  const TraceFiles files(*stage.app.session.trace());
  stage.app.model.set_knob("schedule", "1f1b");
  stage.app.open(files.good);
  stage.rest();
  REQUIRE_FALSE(stage.app.session.error());
  CHECK(stage.app.model.place == gui::Place::traces);
  REQUIRE(stage.app.file_demo());
  CHECK(stage.app.file_demo()->id == "pipeline");
  CHECK(stage.app.model.knob("schedule") == "gpipe");
  CHECK_FALSE(stage.app.file_unfinished);
  CHECK(stage.app.file_metrics["bubble_ratio"] == metrics["bubble_ratio"]);
  CHECK(stage.app.conditions(stage.text).find("gpipe") != std::string::npos);
  CHECK(stage.app.conditions(stage.text).find("sim") != std::string::npos);
}

TEST_CASE("a trace of another version, a foreign file and none are refused by name, and what was shown stays") {
  AppStage stage;
  run_pipeline(stage);
  const auto* before = stage.app.session.trace();
  const TraceFiles files(*before);
  for (const auto& [file, id] : {std::pair{files.old, "trace.version"}, {files.foreign, "trace.foreign"}, {files.none, "file.unreadable"}}) {
    INFO(id);
    stage.app.open(file);
    stage.rest();
    REQUIRE(stage.app.session.error());
    CHECK(stage.app.session.error()->id == id);
    for (const auto language : {content::Language::en, content::Language::zh}) {
      stage.text.use(language);
      CHECK(stage.text(*stage.app.session.error()).find(file.filename().string()) != std::string::npos);
    }
    CHECK(stage.app.session.trace() == before);
    CHECK(stage.app.model.place == gui::Place::demos);
    stage.press(GLFW_KEY_ESCAPE);
    CHECK_FALSE(stage.app.session.error());
  }
}
