// The written timelines: SVG, PNG, terminal.
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

#include "app/launch/installation.h"
#include "app/report/chart_picture.h"
#include "app/report/conditions.h"
#include "app/report/describe.h"
#include "app/report/png_timeline.h"
#include "app/report/svg_picture.h"
#include "app/report/svg_timeline.h"
#include "app/report/terminal_timeline.h"
#include "app/report/utf8.h"
#include "app/trace/error.h"
#include "tests/report/support.h"
#include "tests/support/catch.h"
#include "tests/support/synthetic_trace.h"

using namespace p2plab;
namespace fs = std::filesystem;

namespace {

/// Empty if every tag closes in order, attributes are quoted, and `&` only begins the five entities; else what is wrong.
std::string malformed(const std::string& xml) {
  std::vector<std::string> open;
  for (std::size_t i = 0; i < xml.size(); ++i) {
    if (xml[i] == '&') {
      const std::string entity = xml.substr(i, xml.find(';', i) - i + 1);
      if (!std::set<std::string>{"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"}.count(entity)) return "entity " + entity;
    }
    if (xml[i] != '<') continue;
    const std::size_t end = xml.find('>', i);
    if (end == std::string::npos) return "no end of tag";
    std::string tag = xml.substr(i + 1, end - i - 1);
    if (tag.find('<') != std::string::npos) return "< in tag " + tag;
    if (std::count(tag.begin(), tag.end(), '"') % 2 != 0) return "quotes in " + tag;
    if (tag[0] == '/') {
      if (open.empty() || open.back() != tag.substr(1)) return "closes " + tag;
      open.pop_back();
    } else if (tag.back() != '/') {
      open.push_back(tag.substr(0, tag.find_first_of(" \n")));
    }
    i = end;
  }
  return open.empty() ? "" : "left open: " + open.back();
}

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

struct Folder {
  fs::path path = fs::temp_directory_path() / ("p2plab report 测试 " + std::to_string(getpid()));
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
};

}  // namespace

TEST_CASE("the SVG is well formed and holds real text, tooltips and both themes") {
  const auto language = GENERATE(content::Language::en, content::Language::zh);
  const auto text = tests::text(language);
  const std::string svg = report::svg_timeline(synthetic::pipeline(), text, {"1F1B <overlapped> & co", "", "Pass", report::Ink::good});
  CHECK(malformed(svg) == "");
  CHECK(svg.find(">F3</text>") != std::string::npos);
  CHECK(svg.find(">B7</text>") != std::string::npos);
  CHECK(svg.find("1F1B &lt;overlapped&gt; &amp; co") != std::string::npos);
  CHECK(svg.find("<title>F0 · " + text("span.forward")) != std::string::npos);
  CHECK(svg.find("prefers-color-scheme: dark") != std::string::npos);
  CHECK(svg.find("4E9BE6") != std::string::npos);
  CHECK(svg.find("3B82D0") != std::string::npos);
}

TEST_CASE("lengths in an SVG have no more digits than can be seen") {
  const std::string svg = report::svg_timeline(synthetic::pipeline(), tests::text());
  const std::string body = svg.substr(svg.find("</defs>"));
  for (const char* name : {" x=\"", " y=\"", " width=\"", " height=\"", " x1=\"", " y2=\""})
    for (std::size_t at = body.find(name); at != std::string::npos; at = body.find(name, at + 1)) {
      const std::size_t begin = at + std::string(name).size();
      const std::string number = body.substr(begin, body.find('"', begin) - begin);
      const auto point = number.find('.');
      INFO(number);
      CHECK((point == std::string::npos || number.size() - point - 1 <= (std::abs(std::stod(number)) < 1 ? 2U : 1U)));
      CHECK((point == std::string::npos || number.back() != '0'));
    }
}

TEST_CASE("two SVGs in one page do not share ids or classes") {
  const auto text = tests::text();
  report::SvgOptions options;
  options.prefix = "left";
  options.theme = report::Theme::dark;
  const std::string svg = report::svg_timeline(synthetic::deadlock(), text, {}, options);
  CHECK(svg.find("id=\"left-hatch\"") != std::string::npos);
  CHECK(svg.find("url(#left-hatch)") != std::string::npos);
  CHECK(svg.find("p2plab-") == std::string::npos);
  CHECK(svg.find("prefers-color-scheme") == std::string::npos);
  for (std::size_t at = svg.find("class=\""); at != std::string::npos; at = svg.find("class=\"", at + 1))
    CHECK(svg.compare(at, 12, "class=\"left-") == 0);
}

TEST_CASE("names from a hostile trace cannot break the SVG") {
  trace::Trace t;
  trace::Span s;
  s.track = t.track(0, t.intern("a<b>\x01&\"lane"));
  s.end = 1000;
  s.name = t.intern("</text><script>\xff");
  t.begin(s);
  const std::string svg = report::svg_timeline(t, tests::text());
  CHECK(malformed(svg) == "");
  CHECK(svg.find("<script>") == std::string::npos);
}

TEST_CASE("an empty trace makes a picture that says so") {
  const auto text = tests::text();
  CHECK(report::svg_timeline({}, text).find(text("report.empty")) != std::string::npos);
  CHECK(report::terminal_timeline({}, text, {}) == text("report.empty") + "\n");
}

TEST_CASE("PNG and SVG files are written whole, also under names with spaces and Chinese") {
  const Folder folder;
  const auto text = tests::text(content::Language::zh);
  const trace::Trace t = synthetic::pipeline();
  report::write_png_timeline(folder.path / "时间 线.png", t, text);
  report::write_svg_timeline(folder.path / "时间 线.svg", t, text);
  std::ifstream png(folder.path / "时间 线.png", std::ios::binary);
  std::string head(8, '\0');
  png.read(head.data(), 8);
  CHECK(head == "\x89PNG\r\n\x1a\n");
  CHECK(fs::file_size(folder.path / "时间 线.png") > 20'000);
  CHECK(std::distance(fs::directory_iterator(folder.path), {}) == 2);
}

TEST_CASE("an unwritable place is one clear error and leaves nothing behind") {
  const auto text = tests::text();
  const trace::Trace t = synthetic::deadlock();
  for (const auto& write : {std::function([&] { report::write_png_timeline("/nowhere/at/all.png", t, text); }),
                            std::function([&] { report::write_svg_timeline("/nowhere/at/all.svg", t, text); })}) {
    try {
      write();
      FAIL("no error");
    } catch (const Error& error) {
      CHECK(error.text().id == "file.unwritable");
      CHECK(error.exit_status() == 2);
    }
  }
}

TEST_CASE("hundreds of ranks still fit into a PNG") {
  const Folder folder;
  report::write_png_timeline(folder.path / "many.png", synthetic::dense(2000, 256), tests::text());
  CHECK(fs::file_size(folder.path / "many.png") > 10'000);
}

TEST_CASE("the terminal timeline fits its width, in both languages, with a line for every lane") {
  const int columns = GENERATE(12, 20, 33, 40, 59, 80, 200);
  const auto language = GENERATE(content::Language::en, content::Language::zh);
  report::Terminal plain;
  plain.columns = columns;
  const std::string out = report::terminal_timeline(synthetic::pipeline(), tests::text(language), plain);
  for (const std::string& line : lines(out)) CHECK(report::columns(line) <= columns);
  CHECK(lines(out).size() >= 1 + 4 * 3 + 1);
  CHECK(out.find('\x1b') == std::string::npos);
}

TEST_CASE("in 80 columns the pieces of a 1F1B step can be read") {
  const std::string out = report::terminal_timeline(synthetic::pipeline(), tests::text(), {});
  for (const char* label : {"F0", "F3", "B0", "B7"}) CHECK(out.find(label) != std::string::npos);
  CHECK(out.find("░") != std::string::npos);
}

TEST_CASE("colour adds escapes and takes no room") {
  report::Terminal full;
  full.colour = GENERATE(report::Terminal::Colour::c256, report::Terminal::Colour::full);
  const std::string out = report::terminal_timeline(synthetic::pipeline(), tests::text(), full);
  CHECK(out.find("\x1b[") != std::string::npos);
  for (std::string line : lines(out)) {
    for (std::size_t at = line.find('\x1b'); at != std::string::npos; at = line.find('\x1b')) line.erase(at, line.find('m', at) - at + 1);
    CHECK(report::columns(line) <= 80);
  }
}

TEST_CASE("what is no terminal gets no colour and COLUMNS decides its width") {
  int pipe_ends[2];
  REQUIRE(pipe(pipe_ends) == 0);
  setenv("COLUMNS", "132", 1);
  const auto found = report::terminal(pipe_ends[1]);
  unsetenv("COLUMNS");
  CHECK(found.columns == 132);
  CHECK(found.colour == report::Terminal::Colour::none);
  close(pipe_ends[0]);
  close(pipe_ends[1]);
}

TEST_CASE("a run's conditions are all in one line") {
  const trace::Trace t = synthetic::pipeline();
  const std::string line = report::conditions(t.run, tests::text());
  for (const char* part : {"4 ranks", "host (MPICH 4.0.2)", "paced compute", "raw link", "seed 1", "schedule 1f1b"})
    CHECK(line.find(part) != std::string::npos);
}

TEST_CASE("no picture cuts the conditions of its run, whatever the demo, in both languages") {
  const auto language = GENERATE(content::Language::en, content::Language::zh);
  const auto text = tests::text(language);
  for (const auto& demo : check::load_demos(launch::Installation::find().demos())) {
    trace::Trace t = synthetic::pipeline();
    t.run.knobs.clear();
    for (const auto& knob : demo.knobs) t.run.knobs[knob.id] = knob.default_value;
    const report::PictureText around{demo.title.in(language), report::conditions(t.run, text, &demo), demo.claim.in(language), report::Ink::good};
    for (const double width : {500.0, 1200.0}) {
      const report::TimelinePicture timeline(t, text, around, {.width = width});
      const report::ChartPicture charts({}, text, around, width);
      for (const report::Picture* picture : std::initializer_list<const report::Picture*>{&timeline, &charts}) {
        const std::string svg = report::svg_picture(*picture, language);
        const std::string body = svg.substr(svg.find("</defs>"));
        std::string said;  // what stands in the picture, lines joined as they were broken
        for (std::size_t at = body.find("<text "); at != std::string::npos; at = body.find("<text ", at + 1)) {
          const std::size_t begin = body.find('>', at) + 1;
          const std::string line = body.substr(begin, body.find("</text>", begin) - begin);
          said += line;
          if (line.ends_with(" ·")) said += ' ';
        }
        INFO(demo.id << " " << width << ": " << said);
        const auto squeezed = [](std::string words) {
          std::erase(words, ' ');
          return words;
        };
        for (const std::string& whole : {around.title, around.conditions, around.verdict}) CHECK(squeezed(said).find(squeezed(report::xml_text(whole))) != std::string::npos);
      }
    }
  }
}

TEST_CASE("the conditions of a run are in one language: knobs by their names, compute and link in its words") {
  const auto text = tests::text(content::Language::zh);
  for (const auto& demo : check::load_demos(launch::Installation::find().demos())) {
    trace::RunInfo run;
    run.ranks = 4;
    run.backend = "host";
    run.semantics = "mpi";
    run.compute = "paced";
    run.link = "raw";
    for (const auto& knob : demo.knobs) run.knobs[knob.id] = knob.default_value;
    const std::string line = report::conditions(run, text, &demo);
    INFO(line);
    for (const char* english : {"paced", "raw link", "compute", "seed", "_us", "_ms"}) CHECK(line.find(english) == std::string::npos);
    for (const auto& knob : demo.knobs)
      if (!knob.default_value.empty() && knob.off.empty() && knob.part_of.empty() && knob.when.empty())
        CHECK(line.find(knob.title.zh + " " + report::knob_value(knob, knob.default_value)) != std::string::npos);
  }
}

TEST_CASE("a knob that is off, and what is part of it, are not among the conditions of a run; set, they are") {
  int can_be_off = 0;
  for (const auto& demo : check::load_demos(launch::Installation::find().demos())) {
    trace::RunInfo run;
    for (const auto& knob : demo.knobs) run.knobs[knob.id] = knob.off.empty() ? knob.default_value : knob.off;
    const std::string off = report::conditions(run, tests::text(), &demo);
    for (const auto& knob : demo.knobs)
      if (!knob.off.empty()) run.knobs[knob.id] = knob.type == check::Knob::Type::choice ? knob.choices.back() : "1";
    const std::string on = report::conditions(run, tests::text(), &demo);
    for (const auto& knob : demo.knobs) {
      if (knob.off.empty() && knob.part_of.empty()) continue;
      INFO(demo.id << ", " << knob.id << ": " << off << "; " << on);
      CHECK(off.find(knob.title.en + " ") == std::string::npos);
      CHECK(on.find(knob.title.en + " ") != std::string::npos);
      ++can_be_off;
    }
  }
  CHECK(can_be_off >= 7);
}

TEST_CASE("a knob is among the conditions only of runs that it is for") {
  for (const auto& demo : check::load_demos(launch::Installation::find().demos())) {
    if (demo.id != "deadlock") continue;
    const auto line = [&](const char* backend, const char* semantics) {
      trace::RunInfo run;
      run.demo = demo.id;
      run.backend = backend;
      run.semantics = semantics;
      for (const auto& knob : demo.knobs) run.knobs[knob.id] = knob.default_value;
      return report::conditions(run, tests::text(), &demo);
    };
    const auto has = [](const std::string& all, const char* part) { return all.find(part) != std::string::npos; };
    CHECK_FALSE(has(line("host", "mpi"), "hidden buffer"));
    CHECK(has(line("host", "nccl"), "hidden buffer"));
    CHECK(has(line("cuda", "nccl"), "hidden buffer"));
    CHECK_FALSE(has(line("nccl", "nccl"), "hidden buffer"));
    CHECK_FALSE(has(line("host", "nccl"), "Connect first"));
    CHECK(has(line("nccl", "nccl"), "Connect first"));
    return;
  }
  FAIL("no demo deadlock");
}

TEST_CASE("a simulated schedule has no seed among its conditions; a run of a demo on the virtual clock and a verified program have") {
  trace::RunInfo run;
  run.backend = "sim";
  run.ranks = 4;
  run.knobs = {{"schedule", "1f1b"}};
  CHECK(report::conditions(run, tests::text()).find("seed") == std::string::npos);
  run.demo = "pipeline";
  CHECK(report::conditions(run, tests::text()).find("seed 0") != std::string::npos);
  run.demo.clear();
  run.backend = "mpi";
  CHECK(report::conditions(run, tests::text()).find("seed 0") != std::string::npos);
}

TEST_CASE("the name of a knob says what it is where it stands alone") {
  // "Its time", "For", "Under way", "Smallest": names that lean on the knob before them.
  const std::set<std::string> lean{"Its", "Their", "For", "Under", "Of", "At"}, bare{"Smallest", "Largest", "Step", "Expert", "Load", "Train", "Forward", "Backward", "Latency", "Skew", "Capacity"};
  for (const auto& demo : check::load_demos(launch::Installation::find().demos())) {
    std::set<std::string> en, zh;
    for (const auto& knob : demo.knobs) {
      INFO(demo.id << ", " << knob.id << ": " << knob.title.en << ", " << knob.title.zh);
      CHECK(lean.count(knob.title.en.substr(0, knob.title.en.find(' '))) == 0);
      CHECK(bare.count(knob.title.en) == 0);
      CHECK(en.insert(knob.title.en).second);
      CHECK(zh.insert(knob.title.zh).second);
    }
  }
}

TEST_CASE("a span is described with every argument that was recorded") {
  const trace::Trace t = synthetic::pipeline();
  const auto text = tests::text();
  const auto pairs = report::describe(t, t.messages()[0].send, text);
  std::map<std::string, std::string> found(pairs.begin(), pairs.end());
  CHECK(found["size"] == "64 KiB");
  CHECK(found["peer"] == "1");
  CHECK(found["tag"] == "0");
  CHECK(found["source line"] == "pipeline.cpp:45");
  CHECK(found.count("matched") == 1);
  CHECK(found["where"] == "rank 0 · in flight");
}
