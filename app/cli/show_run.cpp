// See show_run.h.
#include "app/cli/show_run.h"

#include <unistd.h>

#include <algorithm>
#include <ostream>

#include "app/check/links.h"
#include "app/cli/page.h"
#include "app/report/result_charts.h"
#include "app/report/row_names.h"
#include "app/report/run_summary.h"
#include "app/report/terminal_chart.h"
#include "app/report/utf8.h"
#include "app/trace/clock.h"

namespace p2plab::cli {

namespace {

constexpr trace::Ns kRedrawEvery = 150'000'000;

/// All of it, whatever the terminal takes at once.
void put(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(fd, bytes.data(), bytes.size());
    if (written <= 0) return;  // a terminal that is gone is no reason to stop the run
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

/// Row by row: a terminal that is told to clear from its first row on may first move what stands there into its history.
std::string erase(int rows) {
  std::string out;
  if (rows > 0) out = "\r\x1b[2K";  // a key that was pressed meanwhile may stand here
  for (int i = 0; i < rows; ++i) out += "\x1b[A\x1b[2K";
  return out;
}

std::string pad(const std::string& text, int width) { return report::padded(text, std::max(width, report::columns(text))); }

report::Ink ink_of(report::RunSummary::Tone tone) {
  switch (tone) {
    case report::RunSummary::Tone::good: return report::Ink::good;
    case report::RunSummary::Tone::bad: return report::Ink::bad;
    default: return report::Ink::unsure;
  }
}

void print_numbers(const std::vector<report::Number>& numbers, const report::Terminal& terminal, const Page& page, std::ostream& out) {
  int names = 0, values = 0, beside = 0;
  for (const auto& number : numbers) {
    names = std::max(names, report::columns(number.name));
    values = std::max(values, report::columns(number.value));
    beside = std::max(beside, report::columns(number.beside));
  }
  const bool columns_fit = page.fits(2 + names + 2 + values);
  const bool one_line = page.fits(2 + names + 2 + values + 2 + beside);
  for (const auto& number : numbers) {
    if (columns_fit) {
      out << "  " << pad(number.name, names) << "  " << (one_line ? pad(number.value, values) : number.value);
      if (one_line && !number.beside.empty()) out << "  " << report::coloured(number.beside, report::Ink::muted, terminal);
      out << "\n";
    } else {
      page.say(number.name, 2);
      page.say(number.value, 4);
    }
    if (!one_line && !number.beside.empty()) page.say(number.beside, 4, report::Ink::muted);
  }
}

void print(const report::RunSummary& summary, const report::Terminal& terminal, std::ostream& out) {
  const Page page(terminal, out);
  const std::string verdict = summary.sign + " " + summary.verdict, promised = "(" + summary.promised + ")";
  out << "\n";
  if (page.fits(report::columns(verdict) + 2 + report::columns(promised))) {
    out << report::coloured(verdict, ink_of(summary.tone), terminal, true) << "  " << promised << "\n";
  } else {
    page.say(verdict, 0, ink_of(summary.tone), true);
    page.say(promised, 2);
  }
  if (!summary.says.empty()) page.say(summary.says, 2);
  if (!summary.numbers.empty()) out << "\n";
  print_numbers(summary.numbers, terminal, page, out);
  if (!summary.evidence.empty()) out << "\n";
  for (const std::string& line : summary.evidence) page.evidence(line);
  for (const std::string& line : summary.warnings) page.say(line, 2);
  out << "\n";
  page.say(summary.conditions, 2, report::Ink::muted);
}

/// Rows that a picture takes on a screen: one that was made narrower since has broken its lines.
int rows(std::string_view picture, int columns) {
  int out = 0, wide = 0;
  for (std::size_t i = 0; i < picture.size();) {
    if (picture[i] == '\x1b') {  // of a colour
      i = std::min(picture.find('m', i), picture.size() - 1) + 1;
    } else if (picture[i] == '\n') {
      out += std::max(1, (wide + columns - 1) / std::max(columns, 1));
      wide = 0;
      ++i;
    } else {
      const std::size_t next = i + std::max<std::size_t>(report::character_length(picture.substr(i)), 1);
      wide += report::columns(picture.substr(i, next - i));
      i = next;
    }
  }
  return out;
}

/// The first lines of a picture, as many as the screen holds above the cursor: what scrolled away could not be erased.
std::string first_lines(const std::string& picture, int most) {
  std::size_t end = 0;
  for (int i = 0; i < most && end < picture.size(); ++i) end = picture.find('\n', end) + 1;
  return picture.substr(0, end);
}

}  // namespace

LiveTimeline::LiveTimeline(const Context& context, int fd) : text_(context.text), fd_(fd), live_(isatty(fd) == 1) {}
LiveTimeline::~LiveTimeline() { clear(); }

void LiveTimeline::update(const trace::Trace& trace) {
  if (!live_ || trace.revision() == revision_ || trace.spans().empty()) return;  // before the first span there is nothing to say
  const trace::Ns now = trace::monotonic_ns();
  if (now < next_) return;
  next_ = now + kRedrawEvery;
  revision_ = trace.revision();
  const report::Terminal terminal = report::terminal(fd_);  // its size may have changed
  std::string picture = report::terminal_timeline(trace, text_, terminal);
  if (terminal.lines > 1) picture = first_lines(picture, terminal.lines - 1);
  put(fd_, erase(rows(picture_, terminal.columns)) + picture);
  picture_ = std::move(picture);
}

void LiveTimeline::clear() {
  if (!picture_.empty()) put(fd_, erase(rows(picture_, report::terminal(fd_).columns)));
  picture_.clear();
}

void print_run(const Context& context, const PastRun& run, const check::RunResult& result, std::ostream& out, int fd) {
  const report::Terminal terminal = report::terminal(fd);
  const auto ideal = analysis::differing_ideal_run(run.trace);
  report::TerminalOptions options;
  options.ideal = ideal ? &*ideal : nullptr;
  const auto links = check::load_links(context.installation.assets() / "links.toml");
  const auto charts = report::result_charts(run.demo, result.metrics, links, context.text);
  if (charts.empty() || run.demo.results.timeline) out << report::terminal_timeline(run.trace, context.text, terminal, options);
  for (const report::ResultTable& table : report::result_tables(run.demo, result.metrics, context.text)) {
    out << "\n" << report::coloured(table.title, report::Ink::text, terminal, true) << "\n" << report::table_text(table);
  }
  for (const report::Chart& chart : charts)
    if (const std::string drawn = report::terminal_chart(chart, terminal); !drawn.empty()) out << "\n" << drawn;
  print(report::summarize(run.demo, run.request, result, run.trace, context.text), terminal, out);
  out << std::flush;
}

}  // namespace p2plab::cli
