// The names beside a timeline in a terminal, and the labels inside it: distinguishable and unbroken at any width.
#include <set>

#include "app/report/row_names.h"
#include "app/report/terminal_timeline.h"
#include "app/report/utf8.h"
#include "tests/report/support.h"
#include "tests/support/catch.h"

using namespace p2plab;
using trace::Kind;

namespace {

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) out.push_back(text.substr(at, text.find('\n', at) - at));
  return out;
}

trace::SpanId add(trace::Trace& t, int rank, const char* lane, const char* name, Kind kind, trace::Ns begin, trace::Ns end) {
  trace::Span span;
  span.track = t.track(rank, t.intern(lane));
  span.name = t.intern(name);
  span.kind = kind;
  span.begin = begin;
  span.end = end;
  return t.begin(span);
}

}  // namespace

TEST_CASE("a label that is cut says so and does not run into the next one") {
  trace::Trace t;
  add(t, 0, "host", "a name that is much too long for its block", Kind::other, 0, 2'000'000);
  add(t, 0, "host", "send", Kind::send, 2'000'000, 8'000'000);
  const std::string out = report::terminal_timeline(t, tests::text(content::Language::en), {});
  INFO(out);
  CHECK(out.find("…send") != std::string::npos);
}

TEST_CASE("a rank that step mode holds is called that in few columns") {
  trace::Trace t;
  add(t, 0, "host", "waiting for a step", Kind::other, 0, 1'000'000);
  add(t, 0, "host", "send", Kind::send, 1'000'000, 8'000'000);
  CHECK(report::terminal_timeline(t, tests::text(content::Language::en), {}).find("held") != std::string::npos);
  CHECK(report::terminal_timeline(t, tests::text(content::Language::zh), {}).find("停住") != std::string::npos);
}

TEST_CASE("names that do not fit are shortened so that no two look the same") {
  const std::vector<std::string> lanes{"host", "compute", "comm", "comm in"};
  for (int width = 1; width <= 8; ++width) {
    INFO(width);
    std::set<std::string> seen;
    for (const auto& [name, form] : report::short_names(lanes, width)) {
      CHECK(report::columns(form) <= width);
      seen.insert(form);
      if (report::columns(name) <= width) CHECK(form == name);
    }
    CHECK(seen.size() == lanes.size());
  }
  const auto three = report::short_names(lanes, 3);
  CHECK(three.at("compute") != "com");  // which would be comm as well
}

TEST_CASE("Chinese names are cut between characters") {
  const auto forms = report::short_names({"主机计算流", "主机通信流"}, 4);
  CHECK(forms.at("主机计算流") != forms.at("主机通信流"));
  for (const auto& [name, form] : forms) CHECK(report::columns(form) <= 4);
  CHECK(report::padded("主机", 3) == "主 ");
}

TEST_CASE("under 80 columns every lane still has a name of its own and nothing is wider than the terminal") {
  trace::Trace t;
  for (int rank = 0; rank < 12; ++rank)
    for (const char* lane : {"host", "compute", "comm", "comm in"}) add(t, rank, lane, "", Kind::compute, 0, 1'000'000);
  for (const int columns : {24, 40, 60, 79}) {
    INFO(columns);
    report::Terminal terminal;
    terminal.columns = columns;
    const auto text = tests::text();
    for (const std::string& line : lines(report::terminal_timeline(t, text, terminal))) CHECK(report::columns(line) <= columns);
    const auto rows = report::rows(t);
    const report::RowNames name(rows, text, columns);
    std::set<std::string> seen;
    for (std::size_t i = 0; i < 4; ++i) seen.insert(name(rows[i], false));
    CHECK(seen.size() == 4);
    for (const report::Row& row : rows) CHECK(report::columns(name(row, true)) == name.width());
  }
}

TEST_CASE("a nested span takes its place from the one around it, and neither label runs into the other") {
  trace::Trace t;
  add(t, 0, "host", "measured step", Kind::other, 0, 100'000'000);
  add(t, 0, "host", "isend", Kind::send, 4'000'000, 30'000'000);
  add(t, 0, "host", "wait", Kind::wait, 40'000'000, 60'000'000);
  report::Terminal terminal;
  terminal.columns = 80;
  const std::string row = lines(report::terminal_timeline(t, tests::text(), terminal))[1];
  INFO(row);
  CHECK(row.find("isend") != std::string::npos);
  CHECK(row.find("measured step") != std::string::npos);  // where it is in sight, not under the send
  CHECK(row.find("measured step") > row.find("░"));
}

TEST_CASE("a wait inside a call leaves the call's name standing") {
  trace::Trace t;
  add(t, 0, "comm", "all_reduce", Kind::collective, 0, 100'000'000);
  add(t, 0, "comm", "wait", Kind::wait, 1'000'000, 99'000'000);
  CHECK(report::terminal_timeline(t, tests::text(), {}).find("all_reduce") != std::string::npos);
}

TEST_CASE("labels in Chinese take two columns a character and stay within their block") {
  trace::Trace t;
  add(t, 0, "host", "measured step", Kind::other, 0, 100'000'000);
  add(t, 0, "compute", "", Kind::compute, 10'000'000, 90'000'000);
  const std::string out = report::terminal_timeline(t, tests::text(content::Language::zh), {});
  CHECK(out.find("被测的一步") != std::string::npos);
  CHECK(out.find("主机") != std::string::npos);
  for (const std::string& line : lines(out)) CHECK(report::columns(line) <= 80);
}
