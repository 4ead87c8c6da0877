// See structure.h.
#include "app/content/structure.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "app/content/live_block.h"
#include "app/content/nearest.h"

namespace p2plab::content {
namespace {

bool name_character(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.'; }

std::string live_line(const Live& live) {
  std::string out(to_string(live.kind));
  out += " " + join(live.command, " ");
  if (live.kind == Live::Kind::quiz) return out + std::to_string(live.answers.size()) + " answers, right " + std::to_string(live.right + 1);
  out += " look=" + live.look + " value=" + live.value;
  out += live.ask.empty() ? "" : " asks";
  return out + (live.why.empty() ? "" : " explains");
}

/// The commands of a console block: the lines behind "$ ".
std::string code_line(const Block& block) {
  if (block.word != "console") return "code " + block.word;
  std::string out = "console";
  for (std::size_t at = 0; at < block.text.size();) {
    const std::size_t end = std::min(block.text.find('\n', at), block.text.size());
    if (block.text.compare(at, 2, "$ ") == 0) out += " | " + block.text.substr(at + 2, end - at - 2);
    at = end + 1;
  }
  return out;
}

class StructureOf {
 public:
  std::vector<std::string> of(const Document& document) {
    walk(document.blocks);
    end_section();
    return std::move(lines_);
  }

 private:
  void walk(const std::vector<Block>& blocks) {
    for (const Block& block : blocks) {
      switch (block.kind) {
        case Block::Kind::heading:
          end_section();
          lines_.push_back("h" + std::to_string(block.level));
          break;
        case Block::Kind::code: lines_.push_back(code_line(block)); break;
        case Block::Kind::table: lines_.push_back("table " + std::to_string(block.rows.size()) + "x" + std::to_string(block.rows[0].size())); break;
        case Block::Kind::callout: lines_.push_back("callout " + block.word); break;
        case Block::Kind::list: lines_.push_back((block.ordered ? "ordered list " : "list ") + std::to_string(block.children.size())); break;
        case Block::Kind::live: lines_.push_back(live_line(block.live)); break;
        case Block::Kind::figure: lines_.push_back("figure " + join(block.figure.command, " ") + " | " + block.figure.look + " -> " + block.figure.value); break;
        default: break;
      }
      note(block.inlines);
      for (const auto& row : block.rows)
        for (const auto& cell : row) note(cell);
      walk(block.children);
    }
  }
  void note(const Inlines& inlines) {
    for (const Inline& each : inlines) {
      if (!each.target.empty()) links_.insert(each.target);
    }
    for (std::string& number : numbers_in(plain_text(inlines))) numbers_.insert(std::move(number));
  }
  void end_section() {
    const auto line = [&](const char* what, std::set<std::string>& all) {
      if (all.empty()) return;
      lines_.push_back(what + join(std::vector<std::string>(all.begin(), all.end()), " "));
      all.clear();
    };
    line("links ", links_);
    line("numbers ", numbers_);
  }
  std::vector<std::string> lines_;
  std::set<std::string> links_, numbers_;
};

}  // namespace

std::vector<std::string> structure(const Document& document) { return StructureOf().of(document); }

std::vector<std::string> numbers_in(const std::string& text) {
  std::set<std::string> out;
  for (std::size_t at = 0; at < text.size();) {
    if (!name_character(text[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    bool letters = false;
    // "1 024" is one number: a blank with exactly three digits behind it joins.
    const auto thousands = [&] {
      if (letters || end + 3 >= text.size() || text[end] != ' ') return false;
      for (std::size_t i = 1; i <= 3; ++i)
        if (std::isdigit(static_cast<unsigned char>(text[end + i])) == 0) return false;
      return end + 4 >= text.size() || std::isalnum(static_cast<unsigned char>(text[end + 4])) == 0;
    };
    while (end < text.size() && (name_character(text[end]) || thousands())) {
      if (std::isalpha(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_') letters = true;
      ++end;
    }
    std::string word = text.substr(at, end - at);
    at = end;
    std::erase(word, ' ');
    while (word.ends_with('.') || word.ends_with('-')) word.pop_back();
    if (!letters && !word.empty() && std::isdigit(static_cast<unsigned char>(word[0])) != 0) out.insert(word);
  }
  return {out.begin(), out.end()};
}

}  // namespace p2plab::content
