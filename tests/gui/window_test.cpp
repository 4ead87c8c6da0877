// The window itself, under Xvfb: started on every demo in both languages, its picture looked at.
#include "tests/gui/window_fixture.h"

#include <set>

#include "app/check/demo_manifest.h"
#include "app/trace/perfetto.h"
#include "tests/gui/demo_traces.h"
#include "tests/gui/temporary.h"

using namespace p2plab::window_test;
namespace check = p2plab::check;
namespace launch = p2plab::launch;
namespace report = p2plab::report;
namespace trace = p2plab::trace;

TEST_CASE("every demo runs in the window in both languages and leaves a picture, and a trace that holds what the demo is about") {
  if (skipped()) return;
  const auto demos = check::load_demos(std::filesystem::path(P2PLAB_SOURCE_DIR) / "demos");
  REQUIRE_FALSE(demos.empty());
  Temporary folder;
  for (const auto& demo : demos)
    for (const char* language : {"en", "zh"}) {
      INFO(demo.id << " " << language);
      const auto png = folder.path / (demo.id + "-" + language + ".png");
      const auto file = folder.path / (demo.id + "-" + language + ".pftrace");
      const auto outcome = gui({"--demo", demo.id, "--autorun", "--when-done", "--lang", language, "--screenshot", png.string(), "--trace", file.string(), "--exit"}, folder.path / "errors", display());
      INFO(outcome.errors);
      CHECK(outcome.status == 0);
      const auto seen = look(png);
      CHECK(seen.width == 1280);
      CHECK(seen.height == 800);
      CHECK(seen.colours > 200);
      REQUIRE(std::filesystem::exists(file));
      check_trace(trace::open_perfetto(file), demo);
    }
}

TEST_CASE("a demo runs in the window on the backend that was asked for; one that does not exist is refused in one sentence") {
  if (skipped()) return;
  Temporary folder;
  const auto run = [&](const char* backend, const std::filesystem::path& png) {
    return gui({"--demo", "pipeline", "--backend", backend, "--lang", "en", "--autorun", "--when-done", "--screenshot", png.string(), "--exit"}, folder.path / "errors", display());
  };
  const auto sim = run("sim", folder.path / "sim.png");
  INFO(sim.errors);
  CHECK(sim.status == 0);
  CHECK(pixels(look(folder.path / "sim.png"), report::Ink::forward) > 300);
  const auto none = run("gpu", folder.path / "none.png");
  CHECK(none.status == 2);
  CHECK(none.errors.find("There is no backend") != std::string::npos);
  CHECK(std::count(none.errors.begin(), none.errors.end(), '\n') == 1);
}

TEST_CASE("the two languages and the two themes look different") {
  if (skipped()) return;
  Temporary folder;
  std::set<std::string> pictures;
  for (const char* language : {"en", "zh"})
    for (const char* theme : {"dark", "light"}) {
      const auto png = folder.path / (std::string(language) + theme + ".png");
      REQUIRE(gui({"--lang", language, "--theme", theme, "--screenshot", png.string(), "--exit"}, folder.path / "errors", display()).status == 0);
      std::ifstream in(png, std::ios::binary);
      pictures.insert(std::string(std::istreambuf_iterator<char>(in), {}));
    }
  CHECK(pictures.size() == 4);
}

TEST_CASE("the window draws at small sizes and large scales") {
  if (skipped()) return;
  Temporary folder;
  for (const auto& [size, scale, width, height] : {std::tuple{"800x600", "1.0", 800, 600}, std::tuple{"1000x700", "1.5", 1000, 700}, std::tuple{"1600x1000", "2.5", 1600, 1000}}) {
    const auto png = folder.path / "shot.png";
    REQUIRE(gui({"--size", size, "--scale", scale, "--screenshot", png.string(), "--exit"}, folder.path / "errors", display()).status == 0);
    const auto seen = look(png);
    CHECK(seen.width == width);
    CHECK(seen.height == height);
    CHECK(seen.colours > 50);
  }
}

TEST_CASE("in a small window each place still has its word, in the language in use") {
  if (skipped()) return;
  Temporary folder;
  std::vector<std::vector<std::uint32_t>> columns;
  for (const char* language : {"en", "zh"}) {
    const auto png = folder.path / (std::string(language) + ".png");
    const auto outcome = gui({"--place", "drill", "--size", "800x600", "--lang", language, "--screenshot", png.string(), "--exit"}, folder.path / "errors", display());
    INFO(outcome.errors);
    REQUIRE(outcome.status == 0);
    cairo_surface_t* surface = cairo_image_surface_create_from_png(png.c_str());
    REQUIRE(cairo_image_surface_get_width(surface) == 800);
    std::vector<std::uint32_t> column;
    for (int y = 0; y < 330; ++y)
      for (int x = 0; x < 64; ++x) column.push_back(*reinterpret_cast<const std::uint32_t*>(cairo_image_surface_get_data(surface) + y * cairo_image_surface_get_stride(surface) + x * 4));
    cairo_surface_destroy(surface);
    columns.push_back(std::move(column));
  }
  CHECK(columns[0] != columns[1]);  // icons alone have no language
}

TEST_CASE("at 800x600 and scale 2 timeline and verdict are both in sight, in both languages and themes") {
  if (skipped()) return;
  Temporary folder;
  for (const char* language : {"en", "zh"})
    for (const auto theme : {report::Theme::dark, report::Theme::light}) {
      INFO(language << (theme == report::Theme::dark ? " dark" : " light"));
      const auto png = folder.path / "low.png";
      REQUIRE(gui({"--demo", "deadlock", "--autorun", "--when-done", "--lang", language, "--theme", theme == report::Theme::dark ? "dark" : "light", "--size", "800x600",
                   "--scale", "2", "--screenshot", png.string(), "--exit"},
                  folder.path / "errors", display()).status == 0);
      const auto seen = look(png);
      CHECK(pixels(seen, report::Ink::send, theme) > 10'000);  // both sends of the deadlock, as blocks
      CHECK(pixels(seen, report::Ink::bad, theme) > 50);       // the verdict's sign and word
    }
}

TEST_CASE("the fonts have a picture for every character of every text") {
  if (skipped()) return;
  Temporary folder;
  const auto outcome = gui({"--check-glyphs"}, folder.path / "errors", display());
  if (outcome.errors.find("fonts-noto-cjk") != std::string::npos) {
    WARN("skipped: no Chinese font (sudo apt install fonts-noto-cjk)");
    return;
  }
  CHECK(outcome.status == 0);
}

TEST_CASE("without a Chinese font the window is in English, says so in one line, and ends well") {
  if (skipped()) return;
  Temporary folder;
  std::filesystem::create_directory(folder.path / "fonts");
  std::set<std::string> pictures;
  for (const char* language : {"en", "zh"}) {
    const auto png = folder.path / (std::string(language) + ".png");
    const auto outcome = gui({"--demo", "deadlock", "--lang", language, "--screenshot", png.string(), "--exit"}, folder.path / "errors", display(),
                             {{"P2PLAB_FONT_DIRS", (folder.path / "fonts").string()}, {"LC_ALL", "zh_CN.UTF-8"}});
    INFO(outcome.errors);
    CHECK(outcome.status == 0);
    CHECK(std::count(outcome.errors.begin(), outcome.errors.end(), '\n') == 1);
    CHECK(outcome.errors.find("no Chinese font found, so the window starts in English") != std::string::npos);
    pictures.insert(text_of(png));
  }
  CHECK(pictures.size() == 1);  // zh was asked for in vain
}

TEST_CASE("without a display, or with an empty one, one sentence is said, and the status is 2") {
  Temporary folder;
  for (const auto& environment : {std::map<std::string, std::string>{}, {{"DISPLAY", ""}}}) {
    const auto outcome = gui({}, folder.path / "errors", "", environment);
    CHECK(outcome.status == 2);
    CHECK(std::count(outcome.errors.begin(), outcome.errors.end(), '\n') == 1);
    CHECK(outcome.errors.find("DISPLAY is not set, or empty") != std::string::npos);
  }
}

TEST_CASE("help and refusals are in the language asked for") {
  Temporary folder;
  const auto help = gui({"--help", "--lang", "zh"}, folder.path / "errors", "");
  INFO(help.out);
  CHECK(help.status == 0);
  CHECK(help.out.find("选项：") != std::string::npos);
  CHECK(help.out.find("示例：") != std::string::npos);
  CHECK(help.out.find(".pftrace") != std::string::npos);
  for (const char* english : {"Options", "Usage", "Print", "Examples", "Show"}) CHECK(help.out.find(english) == std::string::npos);
  CHECK(gui({"junk"}, folder.path / "errors", "").errors == "p2plab-gui: p2plab-gui does not take “junk”. See `p2plab-gui --help`.\n");
  CHECK(gui({"--ranks", "two", "--lang", "zh"}, folder.path / "errors", "").errors.find("--ranks 需要") != std::string::npos);
  CHECK(gui({"--demp", "x"}, folder.path / "errors", "").errors.find("--demo") != std::string::npos);
}

TEST_CASE("conditions that one line cannot hold go on in a second one") {
  if (skipped()) return;
  Temporary folder;
  const auto png = folder.path / "conditions.png";
  // Between the first line and where the knobs would stand below it: empty, unless there is a second line.
  const auto written = [&](float x) { return 540 * 8 - pixels(look(png, Part{x, 67, 540, 8}), report::Ink::ground); };
  for (const char* language : {"en", "zh"}) {
    INFO(language);
    REQUIRE(gui({"--demo", "pipeline", "--lang", language, "--screenshot", png.string(), "--exit"}, folder.path / "errors", display()).status == 0);
    CHECK(written(230) > 100);
    REQUIRE(gui({"--demo", "pipeline", "--lang", language, "--size", "800x600", "--screenshot", png.string(), "--exit"}, folder.path / "errors", display()).status == 0);
    CHECK(written(80) > 100);
    REQUIRE(gui({"--demo", "deadlock", "--lang", language, "--screenshot", png.string(), "--exit"}, folder.path / "errors", display()).status == 0);
    CHECK(written(230) == 0);  // all of them fit into one line
  }
}

TEST_CASE("numbers borrow no colour of the timeline above them") {
  if (skipped()) return;
  Temporary folder;
  const auto png = folder.path / "pipeline.png";
  for (const auto theme : {report::Theme::dark, report::Theme::light}) {
    gui({"--demo", "pipeline", "--autorun", "--when-done", "--theme", theme == report::Theme::dark ? "dark" : "light", "--screenshot", png.string(), "--exit"}, folder.path / "errors",
        display());
    const auto whole = look(png), numbers = look(png, Part{224, 600, 700, 190});
    for (const auto ink : {report::Ink::forward, report::Ink::backward, report::Ink::send, report::Ink::collective}) {
      CHECK(pixels(whole, ink, theme) > 200);
      CHECK(pixels(numbers, ink, theme) == 0);
    }
  }
}

TEST_CASE("a low window with a guide still shows two ranks, in both languages") {
  if (skipped()) return;
  Temporary folder;
  const auto png = folder.path / "tour.png";
  for (const char* language : {"en", "zh"}) {
    INFO(language);
    gui({"--walkthrough", "1f1b", "--when-done", "--lang", language, "--size", "800x600", "--screenshot", png.string(), "--exit"}, folder.path / "errors", display());
    // Forwards stand on the lane "compute" alone: how many separate bands of their colour there are.
    CHECK(bands(png, {150, 200, 640, 270}, report::palette(report::Theme::dark).forward) >= 3);  // two ranks, and the legend
  }
}

TEST_CASE("a size that no window can have is refused with the range") {
  Temporary folder;
  for (const char* size : {"200x100", "639x480", "640x479", "0x0", "-1x600", "99999x99999", "1280x4321", "99999999999x800", "800x99999999999"})
    for (const char* lang : {"en", "zh"}) {
      INFO(size);
      const auto outcome = gui({"--size", size, "--lang", lang}, folder.path / "errors", "");
      CHECK(outcome.status == 2);
      CHECK(std::count(outcome.errors.begin(), outcome.errors.end(), '\n') == 1);
      for (const char* part : {size, "640x480", "7680x4320"}) CHECK(outcome.errors.find(part) != std::string::npos);
    }
  for (const char* size : {"big", "800", "800x", "x600", "800x600x", "800 x600", "800x600 "}) {
    INFO(size);
    const auto outcome = gui({"--size", size, "--lang", "en"}, folder.path / "errors", "");
    CHECK(outcome.status == 2);
    CHECK(outcome.errors.find("is no size of a window") != std::string::npos);
  }
}

TEST_CASE("what cannot be meant is refused with one sentence, before a window opens") {
  Temporary folder;
  const std::vector<std::vector<std::string>> wrong{{"--demo", "nothing"}, {"--size", "big"}, {"--theme", "pink"}, {"--scale", "9"}, {"--lang", "fr"},
                                                    {"--demo", "deadlock", "--set", "bytes"}, {"--set", "bytes=3"}, {"--what"}};
  for (const auto& arguments : wrong) {
    INFO(arguments.back());
    const auto outcome = gui(arguments, folder.path / "errors", launch::find_program("Xvfb").empty() ? "" : display());
    CHECK(outcome.status == 2);
    CHECK(std::count(outcome.errors.begin(), outcome.errors.end(), '\n') == 1);
  }
}
