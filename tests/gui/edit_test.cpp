// "Edit a copy and run it": the copy, its build, what the compiler says, and that it is the copy that runs.
#include "app/gui/model/edit.h"

#include <chrono>
#include <cstdlib>
#include <thread>

#include "app/gui/model/session.h"
#include "tests/gui/app_stage.h"
#include "tests/gui/temporary.h"

using namespace p2plab;
using namespace p2plab::gui;
namespace fs = std::filesystem;

namespace {

std::string content_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// A learner's data folder of the test's own.
struct Desk {
  Desk() { ::setenv("XDG_DATA_HOME", data.path.c_str(), 1); }
  ~Desk() { ::unsetenv("XDG_DATA_HOME"); }
  Temporary data;
  launch::Installation installation = launch::Installation::find();
  check::DemoManifest demo = check::load_demo(installation.demos() / "deadlock");
  std::string original = content_of(demo.folder / demo.source);
};

void build(Edit& edit, const launch::Installation& installation) {
  edit.build(installation);
  CHECK(edit.state() == Edit::State::building);
  for (int i = 0; i < 180'000 && edit.state() == Edit::State::building; ++i) {
    edit.poll();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

}  // namespace

TEST_CASE("the copy starts as the demo's source, keeps what was built, and is thrown away on request; the demo stays as it is") {
  const Desk desk;
  Edit edit;
  CHECK_FALSE(edit.is_open());
  edit.open(desk.demo);
  CHECK(edit.state() == Edit::State::editing);
  CHECK(edit.text == desk.original);
  CHECK(edit.file() == desk.data.path / "p2plab/copies/deadlock/deadlock.cpp");
  CHECK(content_of(edit.file()) == desk.original);

  edit.text = "int main( {  // mine\n";
  build(edit, desk.installation);
  REQUIRE(edit.state() == Edit::State::failed);
  CHECK(edit.messages().find("error") != std::string::npos);
  CHECK(edit.messages().find("int main( {  // mine") != std::string::npos);  // the compiler quotes the line
  CHECK_FALSE(edit.take_built());
  CHECK_FALSE(fs::exists(edit.program()));

  edit.close();
  CHECK_FALSE(edit.is_open());
  edit.open(desk.demo);
  CHECK(edit.text == "int main( {  // mine\n");
  edit.restore();
  CHECK(edit.text == desk.original);
  CHECK(content_of(edit.file()) == desk.original);
  CHECK(edit.messages().empty());
  CHECK(content_of(desk.demo.folder / desk.demo.source) == desk.original);
}

TEST_CASE("a copy that builds is what runs, and is judged as the demo is") {
  const Desk desk;
  Edit edit;
  edit.open(desk.demo);
  const std::string first = "return run(argc, argv, ";
  const auto at = edit.text.find(first);
  REQUIRE(at != std::string::npos);
  edit.text.insert(at, "std::fputs(\"this is my copy\\n\", stderr);\n  ");
  edit.text.insert(0, "#include <cstdio>\n");
  build(edit, desk.installation);
  INFO(edit.messages());
  REQUIRE(edit.state() == Edit::State::built);
  CHECK(edit.take_built());
  CHECK_FALSE(edit.take_built());  // it runs once
  CHECK(edit.state() == Edit::State::editing);

  Session session(desk.installation);
  check::RunRequest request;
  request.demo = desk.demo.id;
  request.backend = "sim";
  request.knobs = {{"variant", "ordered"}};
  request.program = edit.program();
  session.start(desk.demo, request);
  REQUIRE_FALSE(session.error());
  for (int i = 0; i < 60'000 && !session.finished(); ++i) {
    session.poll();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  REQUIRE(session.finished());
  CHECK(session.result()->as_promised);
  CHECK(session.run()->output(0, true).text().find("this is my copy") != std::string::npos);
}

TEST_CASE("a source that cannot be read, and a folder that cannot be written, are each one error") {
  Desk desk;
  desk.demo.source = "none.cpp";
  Edit edit;
  CHECK_THROWS_AS(edit.open(desk.demo), Error);
  CHECK_FALSE(edit.is_open());
  desk.demo.source = "deadlock.cpp";
  desk.data.write("p2plab", "a file where the folder should be");
  CHECK_THROWS_AS(edit.open(desk.demo), Error);
  CHECK_FALSE(edit.is_open());
}

TEST_CASE("in the window E opens the copy, a failed build shows the compiler's text, whatever its characters, and Escape closes") {
  const Desk desk;
  stage_test::AppStage stage;
  REQUIRE(stage.app.model.choose_demo("deadlock"));
  stage.press(GLFW_KEY_E);
  REQUIRE(stage.app.edit.is_open());
  CHECK(stage.app.edit.text == desk.original);
  const auto drawn = [&] {
    stage.rest();
    return ImGui::GetDrawData()->TotalVtxCount;
  };
  stage.app.edit.text = "#error \"\xe9\xbe\x98\"\n" + desk.original;  // a character that stands in no text
  const int edited = drawn();
  build(stage.app.edit, desk.installation);
  REQUIRE(stage.app.edit.state() == Edit::State::failed);
  CHECK(stage.app.edit.messages().find("\xe9\xbe\x98") != std::string::npos);
  CHECK(drawn() != edited);
  if (stage.fonts.has_chinese()) CHECK(stage_test::AppStage::missing() == 0);
  CHECK_FALSE(stage.app.session.run());
  stage.press(GLFW_KEY_ESCAPE);
  CHECK_FALSE(stage.app.edit.is_open());
}
