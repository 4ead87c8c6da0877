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
#include "app/report/row_names.h"
#include "app/report/timeline_layout.h"
#include "app/report/utf8.h"
#include "app/report/words.h"

namespace p2plab::report {
namespace {

using trace::Kind;

/// One character on screen.
struct Cell {
  std::string glyph = " ";
  bool filled = false;     ///< on a ground of `rgb`, else in `rgb`
  bool coloured = false;
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

/// Draws the blocks of one row: first the ground of all, outer ones first, so that what is nested covers what it is nested
/// in; then each label where its block is still in sight, so that no label runs into another.
class RowPainter {
 public:
  RowPainter(const trace::Trace& trace, const content::Text& text, const Terminal& terminal, std::size_t width)
      : trace_(trace), text_(text), terminal_(terminal), line_(width), owner_(width, kNobody) {}

  Line paint(const Row& row) {
    if (row.ghost) return ghost(row);
    for (std::size_t i = 0; i < row.blocks.size(); ++i) ground(row.blocks[i], i);
    for (std::size_t i = 0; i < row.blocks.size(); ++i)
      if (row.blocks[i].kind != Kind::wait) write(row, i);
    return std::move(line_);
  }

 private:
  static constexpr std::size_t kNobody = static_cast<std::size_t>(-1);
  struct Run {
    std::size_t begin = 0, end = 0;
    std::size_t size() const { return end - begin; }
  };

  Run cells(const Block& block) const {
    const auto width = static_cast<double>(line_.size());
    const auto first = static_cast<std::size_t>(std::clamp(std::round(block.x0), 0.0, width - 1));
    return {first, std::max(first + 1, static_cast<std::size_t>(std::clamp(std::round(block.x1), 0.0, width)))};
  }

  /// The ideal run: pale and without labels; where there is no colour, dots that begin with the action's letter.
  Line ghost(const Row& row) {
    const Palette& palette_of = palette(terminal_.theme);
    for (const Block& block : row.blocks) {
      const Run run = cells(block);
      for (std::size_t i = run.begin; i < run.end; ++i) {
        const bool first = i == run.begin;
        line_[i] = {terminal_.colour != Terminal::Colour::none ? "▔" : first ? std::string(1, static_cast<char>(std::tolower(letter(block.kind)))) : "·",
                    false, true, mix(p2plab::report::colour(palette_of, block.kind), palette_of.ground, first ? 0.15 : 0.45)};
      }
    }
    return std::move(line_);
  }

  void ground(const Block& block, std::size_t index) {
    const Run run = cells(block);
    const bool colour = terminal_.colour != Terminal::Colour::none;
    const Palette& palette_of = palette(terminal_.theme);
    Rgb rgb = p2plab::report::colour(palette_of, block.kind);
    Cell cell{"░", false, true, rgb};
    if (block.kind != Kind::wait) {
      // Neighbours of one colour are told apart by a shade.
      if (run.begin > 0 && line_[run.begin - 1].filled && line_[run.begin - 1].rgb == rgb) rgb = mix(rgb, palette_of.ground, 0.22);
      if (block.count > 1 && block.busy < 0.5F) rgb = mix(rgb, palette_of.ground, 0.45);
      cell = {colour ? " " : block.kind == Kind::other ? "-" : "=", true, true, rgb};
    }
    for (std::size_t i = run.begin; i < run.end; ++i) {
      line_[i] = cell;
      owner_[i] = index;
    }
    if (block.open && run.size() > 1) line_[run.end - 1].glyph = "▸";
  }

  /// True where the label of a block may stand: on its own ground, and for a call on that of a wait inside it.
  bool free(const Row& row, std::size_t cell, std::size_t index) const {
    if (owner_[cell] == index) return line_[cell].glyph != "▸";
    const Block& block = row.blocks[index];
    if (owner_[cell] == kNobody || !trace::is_communication(block.kind)) return false;
    const Block& over = row.blocks[owner_[cell]];
    return over.kind == Kind::wait && over.depth > block.depth;
  }

  void write(const Row& row, std::size_t index) {
    const Block& block = row.blocks[index];
    std::string words = block.count > 1 ? std::string() : shown_label(trace_, trace_.span(block.span), text_);
    const auto wanted = static_cast<std::size_t>(columns(words));
    const Run all = cells(block);
    Run best;  // the first stretch in sight that takes the whole label, else the longest
    for (std::size_t i = all.begin; i < all.end;) {
      Run run{i, i};
      while (run.end < all.end && free(row, run.end, index)) ++run.end;
      if (run.size() > best.size() && (best.size() == 0 || best.size() < wanted)) best = run;
      i = run.end + 1;
    }
    if (best.size() == 0) return;
    // What is cut says so: "waiting f" before "send" would read as one word.
    if (best.size() > 4 && wanted > best.size()) words = padded(words, static_cast<int>(best.size()) - 1) + "…";
    if (words.empty() || static_cast<std::size_t>(columns(words)) > best.size()) words = std::string(1, letter(block.kind));
    // Short blocks carry their name in the middle.
    const bool centred = terminal_.colour != Terminal::Colour::none && best.size() < 12;
    put(words, best.begin + (centred ? (best.size() - static_cast<std::size_t>(columns(words))) / 2 : 0));
  }

  /// A wide character takes two cells, the second of which is empty.
  void put(std::string_view words, std::size_t at) {
    while (!words.empty() && at < line_.size()) {
      const std::size_t length = std::max<std::size_t>(1, character_length(words));
      line_[at].glyph = words.substr(0, length);
      const int wide = columns(words.substr(0, length));
      if (wide == 2 && at + 1 < line_.size()) line_[at + 1].glyph.clear();
      at += static_cast<std::size_t>(wide);
      words.remove_prefix(length);
    }
  }

  const trace::Trace& trace_;
  const content::Text& text_;
  const Terminal& terminal_;
  Line line_;
  std::vector<std::size_t> owner_;  ///< index of the block whose ground a cell shows
};

std::string axis(const View& view, int names) {
  std::string out(static_cast<std::size_t>(names), ' ');
  int at = 0;
  for (const Tick& tick : ticks(view.begin, view.end, view.pixels, 12, view.origin)) {
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
  constexpr int kSwatch = 3, kGap = 2;  // columns before and behind a word
  int longest = 0;
  for (const Kind kind : kinds) longest = std::max(longest, columns(text(std::string("span.") + kind_word(kind))));
  if (names + kSwatch + longest > terminal.columns) names = 0;
  int used = names;
  const std::string indent(static_cast<std::size_t>(names), ' ');
  for (const Kind kind : kinds) {
    std::string word = text(std::string("span.") + kind_word(kind));
    word = padded(word, std::min(columns(word), std::max(0, terminal.columns - kSwatch)));
    const int wide = kSwatch + columns(word);
    if (used > names && used + kGap + wide > terminal.columns) {
      out += "\n";
      used = names;
    }
    out += used == names ? indent : std::string(kGap, ' ');
    used += (used == names ? 0 : kGap) + wide;
    Line swatch(2);
    const Rgb rgb = colour(palette(terminal.theme), kind);
    if (kind == Kind::wait) swatch = {{"░", false, true, rgb}, {"░", false, true, rgb}};
    else {
      swatch = {{std::string(1, letter(kind)), true, true, rgb}, {terminal.colour == Terminal::Colour::none ? "=" : " ", true, true, rgb}};
      if (kind == Kind::other && terminal.colour == Terminal::Colour::none) swatch[1].glyph = "-";
    }
    out += print(swatch, terminal) + " " + word;
  }
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
  out.screen = true;
  winsize size{};
  if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) out.columns = size.ws_col;
  out.lines = size.ws_row;
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
  std::vector<Row> shown = rows(trace, {.in_flight = false, .fold_in_flight = false, .ideal = options.ideal});
  const RowNames name(shown, text, terminal.columns);
  View view = whole(trace, std::max(1, terminal.columns - name.width()));
  view.min_pixels = 1;
  if (options.end > options.begin) {
    view.begin = options.begin;
    view.end = options.end;
  }
  std::string out = axis(view, name.width()) + "\n";
  std::set<Kind> kinds;
  int rank = -1;
  for (Row& row : shown) {
    fill(trace, view, row);
    for (const Block& block : row.blocks) kinds.insert(block.kind);
    out += name(row, row.rank != rank) + print(RowPainter(trace, text, terminal, static_cast<std::size_t>(view.pixels)).paint(row), terminal) + "\n";
    rank = row.rank;
  }
  if (options.legend) out += legend(kinds, text, terminal, name.width());
  return out;
}

}  // namespace p2plab::report
