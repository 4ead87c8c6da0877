#include "app/report/terminal_timeline.h"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <set>
#include <vector>

#include "app/report/quantity.h"
#include "app/report/timeline_layout.h"
#include "app/report/utf8.h"

namespace p2plab::report {
namespace {

using trace::Kind;

/// One character on screen.
struct Cell {
  std::string glyph = " ";
  bool filled = false;     ///< on a ground of `rgb`, else in `rgb`
  bool coloured = false;
  bool lettered = false;   ///< part of a label
  Rgb rgb = 0;
};
using Line = std::vector<Cell>;

/// Nearest of the 6×6×6 colours of a 256-colour terminal.
int cube(Rgb rgb) {
  int index = 16;
  for (int k = 0; k < 3; ++k) {
    const int value = static_cast<int>(rgb >> (16 - 8 * k)) & 0xFF;
    const int level = value < 48 ? 0 : value < 115 ? 1 : (value - 35) / 40;
    index += level * (k == 0 ? 36 : k == 1 ? 6 : 1);
  }
  return index;
}

std::string paint(Rgb rgb, bool ground, Terminal::Colour depth) {
  if (depth == Terminal::Colour::full)
    return fmt::format("\x1b[{};2;{};{};{}m", ground ? 48 : 38, (rgb >> 16) & 0xFF, (rgb >> 8) & 0xFF, rgb & 0xFF);
  return fmt::format("\x1b[{};5;{}m", ground ? 48 : 38, cube(rgb));
}

std::string print(const Line& line, const Terminal& terminal) {
  std::string out, last;
  for (const Cell& cell : line) {
    std::string state;
    if (terminal.colour != Terminal::Colour::none && cell.coloured)
      state = cell.filled ? paint(cell.rgb, true, terminal.colour) + "\x1b[38;5;231m" : paint(cell.rgb, false, terminal.colour);
    if (state != last) out += "\x1b[0m" + state;
    last = state;
    out += cell.glyph;
  }
  if (!last.empty()) out += "\x1b[0m";
  else
    while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

/// What stands for a kind where its label does not fit. Each is one ASCII letter, so that it needs no legend twice.
char letter(Kind kind) {
  switch (kind) {
    case Kind::forward: return 'F';
    case Kind::backward: return 'B';
    case Kind::weight: return 'W';
    case Kind::compute:
    case Kind::optimizer: return 'k';
    case Kind::send: return 's';
    case Kind::receive: return 'r';
    case Kind::collective: return 'c';
    case Kind::copy: return 'y';
    case Kind::other:
    case Kind::wait: break;
  }
  return '-';
}

/// Draws the blocks of one row, outer ones first, so that what is nested covers what it is nested in.
class RowPainter {
 public:
  RowPainter(const trace::Trace& trace, const Terminal& terminal, std::size_t width)
      : trace_(trace), terminal_(terminal), line_(width) {}

  Line paint(const Row& row) {
    for (const Block& block : row.blocks) draw(block);
    return std::move(line_);
  }

 private:
  void draw(const Block& block) {
    const auto width = static_cast<double>(line_.size());
    const auto first = static_cast<std::size_t>(std::clamp(std::round(block.x0), 0.0, width - 1));
    const auto end = std::max(first + 1, static_cast<std::size_t>(std::clamp(std::round(block.x1), 0.0, width)));
    const bool colour = terminal_.colour != Terminal::Colour::none;
    const Palette& palette_of = palette(terminal_.theme);
    Rgb rgb = p2plab::report::colour(palette_of, block.kind);
    if (block.kind == Kind::wait) {
      // A wait inside a call leaves the call's name standing.
      for (std::size_t i = first; i < end; ++i)
        if (block.depth == 0 || !line_[i].lettered) line_[i] = {"░", false, true, false, rgb};
      if (block.open && end - first > 1) line_[end - 1].glyph = "▸";
      return;
    }
    // Neighbours of one colour are told apart by a shade.
    if (first > 0 && line_[first - 1].filled && line_[first - 1].rgb == rgb) rgb = mix(rgb, palette_of.ground, 0.22);
    if (block.count > 1 && block.busy < 0.5F) rgb = mix(rgb, palette_of.ground, 0.45);
    const std::size_t room = end - first;
    std::string text = block.count > 1 ? std::string() : label(trace_, trace_.span(block.span));
    if (room > 4 && text.size() > room) text = text.substr(0, room);
    if (text.size() > room || text.size() != static_cast<std::size_t>(columns(text))) text.clear();
    const char fill = colour ? ' ' : block.kind == Kind::other ? '-' : '=';
    if (text.empty()) text = std::string(1, letter(block.kind));
    // Long blocks carry their name at the left, where what is nested begins a little later.
    const std::size_t offset = colour && room < 12 ? (room - text.size()) / 2 : 0;
    for (std::size_t i = 0; i < room; ++i) {
      Cell& cell = line_[first + i];
      cell = {std::string(1, fill), true, true, false, rgb};
      if (i < offset || i - offset >= text.size()) continue;
      cell.glyph = text[i - offset];
      cell.lettered = true;
    }
    if (block.open && room > text.size() + offset) line_[end - 1].glyph = "▸";
  }

  const trace::Trace& trace_;
  const Terminal& terminal_;
  Line line_;
};

std::string padded(std::string text, int width) {
  // Cut by whole characters.
  std::string out;
  std::string_view rest = text;
  int used = 0;
  while (!rest.empty()) {
    const std::size_t length = std::max<std::size_t>(1, character_length(rest));
    const int wide = columns(rest.substr(0, length));
    if (used + wide > width) break;
    out += rest.substr(0, length);
    used += wide;
    rest.remove_prefix(length);
  }
  return out + std::string(static_cast<std::size_t>(width - used), ' ');
}

std::string axis(const View& view, int names) {
  std::string out(static_cast<std::size_t>(names), ' ');
  int at = 0;
  for (const Tick& tick : ticks(view.begin, view.end, view.pixels, 12)) {
    const int x = static_cast<int>(std::lround(view.x(tick.at)));
    const int wide = columns(tick.label) + 1;
    if (x < at || x + wide > static_cast<int>(view.pixels)) continue;
    out += std::string(static_cast<std::size_t>(x - at), ' ') + "|" + tick.label;
    at = x + wide;
  }
  return out;
}

std::string legend(const std::set<Kind>& kinds, const content::Text& text, const Terminal& terminal, int names) {
  std::string out;
  int used = names;
  const std::string indent(static_cast<std::size_t>(names), ' ');
  for (const Kind kind : kinds) {
    const std::string word = text(std::string("span.") + kind_word(kind));
    const int wide = columns(word) + 5;
    if (used + wide > terminal.columns && used > names) {
      out += "\n";
      used = names;
    }
    if (used == names) out += indent;
    Line swatch(2);
    const Rgb rgb = colour(palette(terminal.theme), kind);
    if (kind == Kind::wait) swatch = {{"░", false, true, false, rgb}, {"░", false, true, false, rgb}};
    else {
      swatch = {{std::string(1, letter(kind)), true, true, false, rgb}, {terminal.colour == Terminal::Colour::none ? "=" : " ", true, true, false, rgb}};
      if (kind == Kind::other && terminal.colour == Terminal::Colour::none) swatch[1].glyph = "-";
    }
    out += print(swatch, terminal) + " " + word + "  ";
    used += wide;
  }
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out.empty() ? out : out + "\n";
}

}  // namespace

Terminal terminal(int fd) {
  Terminal out;
  if (const char* columns_given = std::getenv("COLUMNS")) {
    int value = 0;
    std::from_chars(columns_given, columns_given + std::strlen(columns_given), value);
    if (value > 0) out.columns = value;
  }
  if (isatty(fd) == 0) return out;
  winsize size{};
  if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) out.columns = size.ws_col;
  const auto set = [](const char* name) { return std::getenv(name) != nullptr && *std::getenv(name) != '\0'; };
  const std::string_view term = set("TERM") ? std::getenv("TERM") : "dumb";
  if (set("NO_COLOR") || term == "dumb") return out;
  const std::string_view depth = set("COLORTERM") ? std::getenv("COLORTERM") : "";
  out.colour = depth == "truecolor" || depth == "24bit" ? Terminal::Colour::full : Terminal::Colour::c256;
  return out;
}

std::string coloured(std::string_view words, Ink ink, const Terminal& terminal, bool bold) {
  if (terminal.colour == Terminal::Colour::none) return std::string(words);
  return (bold ? "\x1b[1m" : "") + paint(colour(palette(terminal.theme), ink), false, terminal.colour) + std::string(words) + "\x1b[0m";
}

std::string terminal_timeline(const trace::Trace& trace, const content::Text& text, const Terminal& terminal, const TerminalOptions& options) {
  if (trace.spans().empty()) return text("report.empty") + "\n";
  const int names = std::clamp(terminal.columns / 5, 10, 18);
  View view = whole(trace, std::max(10, terminal.columns - names));
  view.min_pixels = 1;
  if (options.end > options.begin) {
    view.begin = options.begin;
    view.end = options.end;
  }
  std::string out = axis(view, names) + "\n";
  std::set<Kind> kinds;
  int rank = -1;
  for (Row& row : rows(trace, {.in_flight = false, .fold_in_flight = false})) {
    fill(trace, view, row);
    for (const Block& block : row.blocks) kinds.insert(block.kind);
    std::string head = row.rank == rank ? "" : text("report.rank", {{"n", std::to_string(row.rank)}});
    rank = row.rank;
    const int head_wide = 8;
    const std::string name = padded(head, head_wide) + padded(row.lane, names - head_wide - 1) + " ";
    out += name + print(RowPainter(trace, terminal, static_cast<std::size_t>(view.pixels)).paint(row), terminal) + "\n";
  }
  if (options.legend) out += legend(kinds, text, terminal, names);
  return out;
}

}  // namespace p2plab::report
