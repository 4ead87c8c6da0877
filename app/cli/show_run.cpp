// See show_run.h.
#include "app/cli/show_run.h"

#include <unistd.h>

#include <algorithm>
#include <ostream>

#include "app/report/run_summary.h"
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

std::string erase(int lines) { return lines > 0 ? "\x1b[" + std::to_string(lines) + "A\x1b[J" : std::string(); }

/// Columns a text takes in a terminal: CJK and full-width characters take two.
std::size_t columns(std::string_view text) {
  std::size_t width = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xC0) == 0x80) continue;
    width += (byte >= 0xE3 && byte <= 0xED) || byte == 0xEF ? 2 : 1;
  }
  return width;
}

std::string pad(const std::string& text, std::size_t width) {
  const std::size_t have = columns(text);
  return text + std::string(have < width ? width - have : 0, ' ');
}

report::Ink ink_of(report::RunSummary::Tone tone) {
  switch (tone) {
    case report::RunSummary::Tone::good: return report::Ink::good;
    case report::RunSummary::Tone::bad: return report::Ink::bad;
    default: return report::Ink::unsure;
  }
}

void print(const report::RunSummary& summary, const report::Terminal& terminal, std::ostream& out) {
  out << "\n" << report::coloured(summary.sign + " " + summary.verdict, ink_of(summary.tone), terminal, true) << "  (" << summary.promised << ")\n";
  if (!summary.says.empty()) out << "  " << summary.says << "\n";
  if (!summary.numbers.empty()) out << "\n";
  std::size_t names = 0, values = 0;
  for (const auto& number : summary.numbers) {
    names = std::max(names, columns(number.name));
    values = std::max(values, columns(number.value));
  }
  for (const auto& number : summary.numbers) {
    out << "  " << pad(number.name, names) << "  " << pad(number.value, values);
    if (!number.beside.empty()) out << "  " << report::coloured(number.beside, report::Ink::muted, terminal);
    out << "\n";
  }
  if (!summary.evidence.empty()) out << "\n";
  for (const std::string& line : summary.evidence) out << "  " << line << "\n";
  for (const std::string& line : summary.warnings) out << "  " << line << "\n";
  out << "\n  " << report::coloured(summary.conditions, report::Ink::muted, terminal) << "\n";
}

}  // namespace

LiveTimeline::LiveTimeline(const Context& context, int fd)
    : text_(context.text), terminal_(report::terminal(fd)), fd_(fd), live_(isatty(fd) == 1) {}

void LiveTimeline::update(const trace::Trace& trace) {
  if (!live_ || trace.revision() == revision_) return;
  const trace::Ns now = trace::monotonic_ns();
  if (now < next_) return;
  next_ = now + kRedrawEvery;
  revision_ = trace.revision();
  const std::string picture = report::terminal_timeline(trace, text_, terminal_);
  put(fd_, erase(lines_) + picture);
  lines_ = static_cast<int>(std::count(picture.begin(), picture.end(), '\n'));
}

void LiveTimeline::clear() {
  if (live_) put(fd_, erase(lines_));
  lines_ = 0;
}

void print_run(const Context& context, const check::DemoRun& run, const check::RunResult& result, std::ostream& out, int fd) {
  const report::Terminal terminal = report::terminal(fd);
  out << report::terminal_timeline(run.trace(), context.text, terminal);
  print(report::summarize(run.demo(), run.request(), result, run.trace(), context.text), terminal, out);
  out << std::flush;
}

}  // namespace p2plab::cli
