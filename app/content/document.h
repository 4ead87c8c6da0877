// A lesson's text as blocks: what window and terminal draw, and what the tests compare between the languages.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace p2plab::content {

/// Text of one look.
struct Inline {
  enum Style : std::uint8_t { plain = 0, strong = 1, emphasis = 2, code = 4 };
  std::string text;
  std::uint8_t style = plain;
  std::string target;  ///< of a link: "lesson:ID", "demo:ID", "claim:ID", "lab:NN", "card:ID", "source:ID/SECTION" or an address
  bool operator==(const Inline&) const = default;
};
using Inlines = std::vector<Inline>;

std::string plain_text(const Inlines& inlines);

/// A block that can be run or answered in place.
struct Live {
  enum class Kind { demo, claim, sim, quiz };
  Kind kind = Kind::sim;
  /// What is run: the words behind `p2plab`; empty for a quiz.
  std::vector<std::string> command;
  std::string id;                      ///< of the demo or claim
  std::string ask;                     ///< what to predict, or the question of a quiz
  std::string look;                    ///< path of the number in the command's JSON, "metrics.bubble_ratio", "runs.1.metrics.makespan_ns"
  std::string value;                   ///< what it shows on the virtual clock, as a person reads it: "27.27 %"; empty: depends on the machine
  std::string why;                     ///< said after the answer
  std::vector<std::string> answers;    ///< of a quiz
  std::size_t right = 0;               ///< index of the right one
};

/// A number in the text and the command that makes it: <!-- figure: sim 1f1b -p 4 | metrics.makespan_ns -> 33.000 ms -->
struct Figure {
  std::vector<std::string> command;
  std::string look, value;
};

struct Block {
  enum class Kind { heading, paragraph, code, table, list, item, callout, live, figure, rule };
  Kind kind = Kind::paragraph;
  int level = 0;                       ///< of a heading, 1 … 4
  bool ordered = false;                ///< of a list
  int start = 1;                       ///< of an ordered list
  std::string word;                    ///< language of code, empty for a formula; "note", "trap", "say" or "card" of a callout
  std::string text;                    ///< of code, without the last line's end
  Inlines inlines;                     ///< of a heading or paragraph
  std::vector<std::vector<Inlines>> rows;  ///< of a table; the first is the heading
  std::vector<Block> children;         ///< of a list (items), an item, a callout
  Live live;
  Figure figure;
  int line = 0;                        ///< of the file
};

struct Document {
  std::vector<Block> blocks;
};

/// Calls `visit(block)` for every block, parents first.
template <class Visit>
void each_block(const std::vector<Block>& blocks, const Visit& visit) {
  for (const Block& block : blocks) {
    visit(block);
    each_block(block.children, visit);
  }
}

/// Calls `visit(inlines, block)` for every run of text: paragraphs, headings, cells.
template <class Visit>
void each_text(const Document& document, const Visit& visit) {
  each_block(document.blocks, [&](const Block& block) {
    if (!block.inlines.empty()) visit(block.inlines, block);
    for (const auto& row : block.rows)
      for (const auto& cell : row) visit(cell, block);
  });
}

/// All target strings of links, in order.
std::vector<std::string> links_of(const Document& document);

}  // namespace p2plab::content
