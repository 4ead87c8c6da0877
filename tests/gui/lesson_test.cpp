// The place of lessons: what is open, what runs in it, and that it is drawn.
#include <thread>

#include "app/content/live_block.h"
#include "app/gui/model/lesson_reader.h"
#include "tests/gui/temporary.h"
#include "tests/gui/window_fixture.h"

using namespace p2plab;
using namespace p2plab::gui;
using namespace p2plab::window_test;
using content::Block;

namespace {

const launch::Installation kInstallation{P2PLAB_BUILD_DIR};

content::Text words(content::Language language = content::Language::en) {
  return content::Text(std::filesystem::path(P2PLAB_SOURCE_DIR) / "assets/text", language);
}

/// The first live block of this kind, and where it stands.
std::pair<std::size_t, const content::Live*> first_live(const content::Document& document, content::Live::Kind kind) {
  for (std::size_t i = 0; i < document.blocks.size(); ++i)
    if (document.blocks[i].kind == Block::Kind::live && document.blocks[i].live.kind == kind) return {i, &document.blocks[i].live};
  return {0, nullptr};
}

/// Until the run has ended; a hang ends the test after a minute.
void wait_for(LessonReader& reader) {
  for (int i = 0; i < 6000 && reader.running(); ++i) {
    reader.poll();
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  REQUIRE_FALSE(reader.running());
}

}  // namespace

TEST_CASE("a lesson is opened in both languages, has neighbours, and its terms are marked once") {
  LessonReader reader(kInstallation);
  REQUIRE(reader.lessons().size() >= 15);
  CHECK(reader.document(words()) == nullptr);
  reader.open("deadlock");
  REQUIRE_FALSE(reader.error());
  REQUIRE(reader.lesson());
  CHECK(reader.neighbour(-1)->id == "eager-and-rendezvous");
  CHECK(reader.neighbour(-100) == nullptr);
  int marked = 0;
  for (const auto language : {content::Language::en, content::Language::zh}) {
    const auto* document = reader.document(words(language));
    REQUIRE(document);
    std::map<const content::Term*, int> first;
    content::each_text(*document, [&](const content::Inlines& inlines, const Block&) {
      for (const auto& term : reader.terms(inlines)) {
        CHECK(term.end <= content::plain_text(inlines).size());
        if (term.first) CHECK(++first[term.term] == 1);
      }
    });
    marked += static_cast<int>(first.size());
  }
  CHECK(marked > 20);
  reader.open("no such lesson");
  REQUIRE(reader.error());
  CHECK(reader.error()->id == "lesson.unknown_far");
}

TEST_CASE("a term of the glossary is a whole name in code, or stands in running text") {
  LessonReader reader(kInstallation);
  int in_code = 0, in_text = 0;
  for (const auto& lesson : reader.lessons())
    for (const auto language : {content::Language::en, content::Language::zh}) {
      reader.open(lesson.id);
      const auto* document = reader.document(words(language));
      REQUIRE(document);
      content::each_text(*document, [&](const content::Inlines& inlines, const Block&) {
        std::size_t begin = 0;
        for (const content::Inline& each : inlines) {
          const std::size_t end = begin + each.text.size();
          for (const auto& term : reader.terms(inlines)) {
            if (term.end <= begin || term.begin >= end) continue;
            const bool code = (each.style & content::Inline::code) != 0;
            ++(code ? in_code : in_text);
            INFO(lesson.id << ": " << each.text << " and " << term.term->name.en);
            if (code) CHECK((term.begin == begin && term.end == end));
          }
          begin = end;
        }
      });
    }
  CHECK(in_text > 100);
  CHECK(in_code > 0);
}

TEST_CASE("English quotes are as narrow as English words, Chinese ones are wide") {
  LessonReader reader(kInstallation);
  reader.open("what-is-asked");
  const auto with_wide = [&](content::Language language) {
    int n = 0;
    content::each_text(*reader.document(words(language)), [&](const content::Inlines& inlines, const Block&) { n += content::plain_text(inlines).find("“") != std::string::npos; });
    return n;
  };
  CHECK(with_wide(content::Language::en) == 0);
  CHECK(with_wide(content::Language::zh) > 0);
}

TEST_CASE("a live block runs as its command does: number, timeline and guess come back; another lesson forgets them") {
  LessonReader reader(kInstallation);
  reader.open("blocking-and-nonblocking");
  const auto* document = reader.document(words());
  REQUIRE(document);
  const auto [index, live] = first_live(*document, content::Live::Kind::sim);
  REQUIRE(live);
  reader.live(index).guess = "9 ms";
  reader.run(index, *live, content::Language::en);
  CHECK(reader.running() == index);
  CHECK(reader.live(index).state == LiveState::State::running);
  wait_for(reader);
  const LiveState& state = reader.live(index);
  INFO(state.output);
  CHECK(state.state == LiveState::State::done);
  CHECK(state.shown == live->value);
  REQUIRE(state.trace);
  CHECK(state.trace->spans().size() > 4);
  REQUIRE(state.scored);
  CHECK(state.scored->score == report::Guess::Score::right);
  reader.open("deadlock");
  CHECK(reader.live(index).state == LiveState::State::idle);
}

TEST_CASE("nothing is left of what a lesson wrote, nor of what a killed window left") {
  const auto temporary = std::filesystem::temp_directory_path();
  const auto orphan = temporary / "p2plab-lesson-999999999-orphan";  // no process has this number
  std::filesystem::create_directories(orphan);
  const std::string mine = "p2plab-lesson-" + std::to_string(::getpid()) + "-";
  const auto folders = [&] {
    int n = 0;
    for (const auto& entry : std::filesystem::directory_iterator(temporary)) n += entry.path().filename().string().starts_with(mine);
    return n;
  };
  {
    LessonReader reader(kInstallation);
    reader.open("deadlock");
    content::Live live;
    live.command = {"sim", "gpipe"};
    reader.run(1, live, content::Language::en);
    CHECK(folders() == 1);
    CHECK_FALSE(std::filesystem::exists(orphan));
    wait_for(reader);
  }
  CHECK(folders() == 0);
}

TEST_CASE("what cannot run in a lesson says why, and a run can be stopped") {
  LessonReader reader(kInstallation);
  reader.open("deadlock");
  content::Live wrong;
  wrong.command = {"sim", "no-such-schedule"};
  reader.run(3, wrong, content::Language::en);
  wait_for(reader);
  CHECK(reader.live(3).state == LiveState::State::failed);
  CHECK(reader.live(3).output.find("no-such-schedule") != std::string::npos);
  content::Live slow;
  slow.command = {"run", "pipeline", "--set", "iterations=10", "--set", "forward_us=100000"};
  reader.run(3, slow, content::Language::en);
  CHECK(reader.running());
  reader.stop();
  CHECK_FALSE(reader.running());
  CHECK(reader.live(3).state == LiveState::State::idle);
}

TEST_CASE("every lesson is drawn in the window, small and large, in both languages and themes") {
  if (skipped()) return;
  const Temporary dir;
  const std::vector<std::vector<std::string>> windows{
      {"--size", "1280x800", "--lang", "en"}, {"--size", "800x600", "--lang", "zh", "--theme", "light"}, {"--size", "1280x800", "--lang", "zh", "--scale", "2"}};
  LessonReader reader(kInstallation);
  for (std::size_t i = 0; i < windows.size(); ++i) {
    const auto& lesson = reader.lessons()[i * 4 + 3];  // each window another lesson: all of them in all windows take too long
    const auto picture = dir.path / (lesson.id + ".png");
    std::vector<std::string> arguments{"--lesson", lesson.id, "--screenshot", picture.string(), "--exit"};
    arguments.insert(arguments.end(), windows[i].begin(), windows[i].end());
    const Outcome outcome = window_test::gui(arguments, dir.path / "errors", display());
    INFO(lesson.id << "\n" << outcome.errors);
    CHECK(outcome.status == 0);
    CHECK(look(picture).colours > 40);
  }
  const Outcome unknown = window_test::gui({"--lesson", "deadlok", "--lang", "en"}, dir.path / "errors", display());
  CHECK(unknown.status == 2);
  CHECK(unknown.errors.find("Did you mean deadlock?") != std::string::npos);
}
