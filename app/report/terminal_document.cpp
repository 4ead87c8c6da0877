// See terminal_document.h.
#include "app/report/terminal_document.h"

#include <algorithm>
#include <numeric>

#include "app/report/flow.h"
#include "app/report/utf8.h"

namespace p2plab::report {
namespace {

using content::Inline;
using content::Inlines;

constexpr int kNarrowestColumn = 9;  ///< of a table; below it the table is a list

float terminal_columns(std::string_view text) { return static_cast<float>(columns(text)); }

/// Without colour the marks of code stay, or nobody could tell it apart.
Inlines readable(const Inlines& inlines, const Terminal& terminal) {
  Inlines out = inlines;
  if (terminal.colour == Terminal::Colour::none)
    for (Inline& each : out)
      if (each.style & Inline::code) each.text = "`" + each.text + "`";
  return out;
}

std::string painted(const Inline& look, const std::string& text, const Terminal& terminal, bool bold, std::optional<Ink> ink) {
  const bool strong = bold || (look.style & Inline::strong) != 0;
  if (!look.target.empty()) return coloured(text, Ink::accent, terminal, strong);
  if (look.style & Inline::code) return coloured(text, Ink::copy, terminal, strong);
  if (look.style & Inline::emphasis) return coloured(text, ink.value_or(Ink::unsure), terminal, strong);
  return strong || ink ? coloured(text, ink.value_or(Ink::text), terminal, strong) : text;
}

/// Lines of one run of text, each with its width in columns.
struct Painted {
  std::string text;
  int width = 0;
};
std::vector<Painted> painted_lines(const Inlines& inlines, int width, const Terminal& terminal, bool bold = false, std::optional<Ink> ink = {}) {
  const Inlines shown = readable(inlines, terminal);
  const std::string plain = content::plain_text(shown);
  std::vector<Painted> out;
  for (const FlowLine& line : flow(shown, plain, static_cast<float>(std::max(width, 8)), terminal_columns)) {
    Painted one;
    for (const FlowPiece& piece : line) {
      one.text += painted(shown[piece.inline_index], piece.text, terminal, bold, ink);
      one.width += columns(piece.text);
    }
    out.push_back(std::move(one));
  }
  return out;
}

std::string blanks(int n) { return std::string(static_cast<std::size_t>(std::max(0, n)), ' '); }

std::string text_block(const Inlines& inlines, const Terminal& terminal, int indent, int width, bool bold = false, std::optional<Ink> ink = {}) {
  std::string out;
  for (const Painted& line : painted_lines(inlines, width - indent, terminal, bold, ink)) out += blanks(indent) + line.text + "\n";
  return out;
}

std::string code_block(const content::Block& block, const Terminal& terminal, int indent) {
  std::string out;
  for (std::size_t at = 0; at <= block.text.size();) {
    const std::size_t end = std::min(block.text.find('\n', at), block.text.size());
    const std::string line = block.text.substr(at, end - at);
    const bool command = block.word == "console" && line.starts_with("$ ");
    out += blanks(indent + 4) + coloured(line, command ? Ink::accent : Ink::copy, terminal) + "\n";
    at = end + 1;
  }
  return out;
}

/// Widths of the columns: their own, or as much of them as fits, taken from the widest; empty when that is too narrow.
std::vector<int> column_widths(const content::Block& table, const Terminal& terminal, int room) {
  const std::size_t n = table.rows[0].size();
  std::vector<int> widths(n, 1);
  for (const auto& row : table.rows)
    for (std::size_t c = 0; c < std::min(n, row.size()); ++c) widths[c] = std::max(widths[c], columns(content::plain_text(readable(row[c], terminal))));
  const int gaps = 2 * static_cast<int>(n - 1);
  while (std::accumulate(widths.begin(), widths.end(), gaps) > room) {
    int& widest = *std::max_element(widths.begin(), widths.end());
    if (widest <= kNarrowestColumn) return {};
    --widest;
  }
  return widths;
}

std::string table_block(const content::Block& table, const Terminal& terminal, int indent, int width) {
  const auto widths = column_widths(table, terminal, width - indent);
  std::string out;
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const auto& row = table.rows[r];
    if (widths.empty()) {  // one line for each cell, headed by its column
      if (r == 0) continue;
      for (std::size_t c = 0; c < row.size(); ++c) {
        out += text_block(table.rows[0][c], terminal, indent, width, false, Ink::muted);
        out += text_block(row[c], terminal, indent + 2, width);
      }
      out += r + 1 < table.rows.size() ? "\n" : "";
      continue;
    }
    std::vector<std::vector<Painted>> cells;
    std::size_t height = 1;
    for (std::size_t c = 0; c < row.size(); ++c) {
      cells.push_back(painted_lines(row[c], widths[c], terminal, r == 0, r == 0 ? std::optional(Ink::muted) : std::nullopt));
      height = std::max(height, cells.back().size());
    }
    for (std::size_t l = 0; l < height; ++l) {
      std::string line = blanks(indent);
      for (std::size_t c = 0; c < cells.size(); ++c) {
        const Painted cell = l < cells[c].size() ? cells[c][l] : Painted{};
        line += cell.text + (c + 1 < cells.size() ? blanks(widths[c] - cell.width + 2) : "");
      }
      while (line.ends_with(' ')) line.pop_back();
      out += line + "\n";
    }
    if (r == 0) {
      const int all = std::accumulate(widths.begin(), widths.end(), 2 * static_cast<int>(widths.size() - 1));
      std::string rule;
      for (int i = 0; i < all; ++i) rule += "─";
      out += blanks(indent) + coloured(rule, Ink::muted, terminal) + "\n";
    } else if (height > 1 && r + 1 < table.rows.size()) {
      out += "\n";
    }
  }
  return out;
}

Ink callout_ink(const std::string& word) { return word == "trap" ? Ink::bad : word == "say" ? Ink::good : word == "card" ? Ink::unsure : Ink::accent; }

/// Puts a mark before the first line of what is inside, a bar before all lines of a callout.
std::string behind(const std::string& inner, const std::string& first, const std::string& rest) {
  std::string out;
  bool begun = false;
  for (std::size_t at = 0; at < inner.size();) {
    const std::size_t end = inner.find('\n', at);
    out += (begun ? rest : first) + inner.substr(at, end - at) + "\n";
    begun = true;
    at = end + 1;
  }
  return out;
}

std::string inside(const std::vector<content::Block>& children, const content::Text& text, const Terminal& terminal) {
  std::string out;
  for (std::size_t i = 0; i < children.size(); ++i) {
    if (i > 0 && children[i].kind != content::Block::Kind::list) out += "\n";
    out += terminal_block(children[i], text, terminal, 0);
  }
  return out;
}

std::string list_block(const content::Block& list, const content::Text& text, const Terminal& terminal, int indent) {
  std::string out;
  int number = list.start;
  for (const content::Block& item : list.children) {
    const std::string mark = list.ordered ? std::to_string(number++) + ". " : "• ";
    Terminal narrower = terminal;
    narrower.columns = std::min(terminal.columns, kReadableColumns) - indent - columns(mark);
    out += behind(inside(item.children, text, narrower), blanks(indent) + mark, blanks(indent + columns(mark)));
  }
  return out;
}

}  // namespace

std::string terminal_block(const content::Block& block, const content::Text& text, const Terminal& terminal, int indent) {
  const int width = std::min(terminal.columns, kReadableColumns);
  switch (block.kind) {
    case content::Block::Kind::heading: return text_block(block.inlines, terminal, indent, width, true, block.level == 1 ? Ink::accent : Ink::text);
    case content::Block::Kind::paragraph: return text_block(block.inlines, terminal, indent, width);
    case content::Block::Kind::code: return code_block(block, terminal, indent);
    case content::Block::Kind::table: return table_block(block, terminal, indent, terminal.columns);
    case content::Block::Kind::list: return list_block(block, text, terminal, indent);
    case content::Block::Kind::callout: {
      Terminal narrower = terminal;
      narrower.columns = width - indent - 2;
      const std::string bar = blanks(indent) + coloured("│ ", callout_ink(block.word), terminal);
      return bar + coloured(text("lesson.callout_" + block.word), callout_ink(block.word), terminal, true) + "\n" + behind(inside(block.children, text, narrower), bar, bar);
    }
    case content::Block::Kind::rule: return blanks(indent) + coloured("* * *", Ink::muted, terminal) + "\n";
    case content::Block::Kind::item: return inside(block.children, text, terminal);
    case content::Block::Kind::live:
    case content::Block::Kind::figure: return {};
  }
  return {};
}

}  // namespace p2plab::report
