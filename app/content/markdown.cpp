// md4c calls back for every begin and end; the open blocks stand on a stack.
#include "app/content/markdown.h"

#include <md4c.h>

#include <algorithm>
#include <exception>
#include <optional>

#include "app/content/live_block.h"
#include "app/trace/error.h"

namespace p2plab::content {
namespace {

constexpr std::string_view kCallouts[] = {"note", "trap", "say", "card"};
constexpr std::string_view kTargets[] = {"lesson:", "demo:", "claim:", "lab:", "card:", "source:", "https://"};

/// The code point at the end, or at the beginning, is drawn in full width: no blank belongs between two of these.
bool wide_character(std::string_view c) { return c.size() >= 3 && c >= std::string_view("\u2e80"); }
std::string_view last_character(std::string_view text) {
  std::size_t at = text.size();
  while (at > 0 && (static_cast<unsigned char>(text[--at]) & 0xC0) == 0x80) {}
  return text.substr(at);
}
std::string_view first_character(std::string_view text) {
  std::size_t end = std::min<std::size_t>(1, text.size());
  while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) ++end;
  return text.substr(0, end);
}
bool wide_mark(std::string_view c) { return !c.empty() && std::string_view("，。、；：？！）（》《」「】【”“").find(c) != std::string_view::npos; }
/// What a line's end in the source stands for.
bool blank_between(std::string_view before, std::string_view after) {
  const auto a = last_character(before), b = first_character(after);
  return !(wide_character(a) && wide_character(b)) && !wide_mark(a) && !wide_mark(b);
}

class MarkdownReader {
 public:
  MarkdownReader(const std::string& text, const std::filesystem::path& file) : text_(text), file_(file) { open_.push_back(&root_); }

  Document read() {
    MD_PARSER parser{};
    parser.flags = MD_FLAG_TABLES;
    parser.enter_block = [](MD_BLOCKTYPE type, void* detail, void* self) { return guarded(self, [&](auto& me) { me.enter(type, detail); }); };
    parser.leave_block = [](MD_BLOCKTYPE type, void*, void* self) { return guarded(self, [&](auto& me) { me.leave(type); }); };
    parser.enter_span = [](MD_SPANTYPE type, void* detail, void* self) { return guarded(self, [&](auto& me) { me.enter_span(type, detail); }); };
    parser.leave_span = [](MD_SPANTYPE type, void*, void* self) { return guarded(self, [&](auto& me) { me.leave_span(type); }); };
    parser.text = [](MD_TEXTTYPE type, const MD_CHAR* at, MD_SIZE size, void* self) { return guarded(self, [&](auto& me) { me.add(type, std::string_view(at, size)); }); };
    const int status = md_parse(text_.data(), static_cast<MD_SIZE>(text_.size()), &parser, this);
    if (failure_) std::rethrow_exception(failure_);
    if (status != 0) broken("this is no Markdown that can be read");
    return {std::move(root_.children)};
  }

 private:
  /// Exceptions may not pass through C code.
  template <class Act>
  static int guarded(void* self, const Act& act) {
    auto& me = *static_cast<MarkdownReader*>(self);
    try {
      act(me);
      return 0;
    } catch (...) {
      me.failure_ = std::current_exception();
      return 1;
    }
  }

  [[noreturn]] void broken(const std::string& what) const {
    throw Error("lesson.broken", {{"file", file_.string()}, {"line", std::to_string(line_)}, {"what", what}});
  }
  Block& top() { return *open_.back(); }
  Block& push(Block::Kind kind) {
    Block& parent = top();
    Block& child = parent.children.emplace_back();
    child.kind = kind;
    child.line = line_;
    open_.push_back(&child);
    return child;
  }
  void see(std::string_view at) {
    if (at.data() < text_.data() || at.data() > text_.data() + text_.size()) return;  // md4c's own memory
    line_ = 1 + static_cast<int>(std::count(text_.data(), at.data(), '\n'));
  }
  static std::string word_of(const MD_ATTRIBUTE& attribute) { return {attribute.text ? attribute.text : "", attribute.size}; }

  void enter(MD_BLOCKTYPE type, void* detail) {
    switch (type) {
      case MD_BLOCK_DOC: return;
      case MD_BLOCK_QUOTE: push(Block::Kind::callout); return;
      case MD_BLOCK_UL: push(Block::Kind::list); return;
      case MD_BLOCK_OL: {
        Block& list = push(Block::Kind::list);
        list.ordered = true;
        list.start = static_cast<int>(static_cast<MD_BLOCK_OL_DETAIL*>(detail)->start);
        return;
      }
      case MD_BLOCK_LI: push(Block::Kind::item); return;
      case MD_BLOCK_HR: push(Block::Kind::rule); return;
      case MD_BLOCK_H: push(Block::Kind::heading).level = static_cast<int>(static_cast<MD_BLOCK_H_DETAIL*>(detail)->level); return;
      case MD_BLOCK_CODE: {
        const auto& lang = static_cast<MD_BLOCK_CODE_DETAIL*>(detail)->lang;
        if (lang.text) see({lang.text, lang.size});
        push(Block::Kind::code).word = word_of(lang);
        return;
      }
      case MD_BLOCK_HTML:
        html_.clear();
        in_html_ = true;
        return;
      case MD_BLOCK_P: push(Block::Kind::paragraph); return;
      case MD_BLOCK_TABLE: push(Block::Kind::table); return;
      case MD_BLOCK_THEAD:
      case MD_BLOCK_TBODY: return;
      case MD_BLOCK_TR: top().rows.emplace_back(); return;
      case MD_BLOCK_TH:
      case MD_BLOCK_TD: top().rows.back().emplace_back(); return;
    }
  }

  void leave(MD_BLOCKTYPE type) {
    switch (type) {
      case MD_BLOCK_DOC:
      case MD_BLOCK_THEAD:
      case MD_BLOCK_TBODY:
      case MD_BLOCK_TR: return;
      case MD_BLOCK_TH:
      case MD_BLOCK_TD: soft_break_ = false; return;
      case MD_BLOCK_HTML: end_html(); return;
      case MD_BLOCK_CODE: end_code(); break;
      case MD_BLOCK_QUOTE: end_callout(); break;
      default: break;
    }
    soft_break_ = false;
    open_.pop_back();
  }

  void end_code() {
    Block& block = top();
    if (block.text.ends_with('\n')) block.text.pop_back();
    const auto kind = live_kind(block.word);
    if (!kind) return;
    if (open_.size() != 2) broken("a live block stands by itself, not inside a list or callout");
    block.live = parse_live(*kind, block.text, file_, block.line + 1);
    block.kind = Block::Kind::live;
    block.text.clear();
  }

  void end_html() {
    in_html_ = false;
    constexpr std::string_view begin = "<!-- figure:", end = "-->";
    std::string_view rest = html_;
    const auto skip_blanks = [&rest] {
      while (rest.starts_with('\n') || rest.starts_with(' ')) rest.remove_prefix(1);
    };
    for (skip_blanks(); !rest.empty(); skip_blanks()) {  // comments on consecutive lines are one block of HTML
      const std::size_t stop = rest.find(end);
      if (!rest.starts_with(begin) || stop == std::string_view::npos) broken("raw HTML is not shown: " + std::string(rest.substr(0, 40)));
      Block& block = push(Block::Kind::figure);
      block.figure = parse_figure(rest.substr(begin.size(), stop - begin.size()), file_, line_);
      open_.pop_back();
      rest.remove_prefix(stop + end.size());
    }
  }

  /// "> [!note]" on the first line names the kind.
  void end_callout() {
    Block& block = top();
    const bool has_text = !block.children.empty() && block.children[0].kind == Block::Kind::paragraph && !block.children[0].inlines.empty();
    std::string* first = has_text ? &block.children[0].inlines[0].text : nullptr;
    const std::size_t close = first && first->starts_with("[!") ? first->find(']') : std::string::npos;
    if (close == std::string::npos) broken("a quotation begins with its kind: > [!note], [!trap], [!say] or [!card]");
    block.word = first->substr(2, close - 2);
    if (std::find(std::begin(kCallouts), std::end(kCallouts), block.word) == std::end(kCallouts)) broken("unknown callout [!" + block.word + "]");
    first->erase(0, close + 1);
    while (first->starts_with(' ')) first->erase(0, 1);
    auto& inlines = block.children[0].inlines;
    if (first->empty()) inlines.erase(inlines.begin());
    if (!inlines.empty() && inlines[0].text.starts_with(' ')) inlines[0].text.erase(0, 1);
    if (inlines.empty()) block.children.erase(block.children.begin());
    if (block.children.empty()) broken("this callout says nothing");
  }

  void enter_span(MD_SPANTYPE type, void* detail) {
    switch (type) {
      case MD_SPAN_EM: style_ |= Inline::emphasis; return;
      case MD_SPAN_STRONG: style_ |= Inline::strong; return;
      case MD_SPAN_CODE: style_ |= Inline::code; return;
      case MD_SPAN_A: {
        const auto& href = static_cast<MD_SPAN_A_DETAIL*>(detail)->href;
        see({href.text, href.size});
        target_ = word_of(href);
        if (std::none_of(std::begin(kTargets), std::end(kTargets), [&](std::string_view scheme) { return target_.starts_with(scheme); }))
          broken("a link leads to lesson:, demo:, claim:, lab:, card:, source: or https://, not to \"" + target_ + "\"");
        return;
      }
      case MD_SPAN_IMG: broken("images are not shown; a figure is drawn by a live block");
      default: broken("this kind of text is not shown");
    }
  }
  void leave_span(MD_SPANTYPE type) {
    if (type == MD_SPAN_EM) style_ &= static_cast<std::uint8_t>(~Inline::emphasis);
    if (type == MD_SPAN_STRONG) style_ &= static_cast<std::uint8_t>(~Inline::strong);
    if (type == MD_SPAN_CODE) style_ &= static_cast<std::uint8_t>(~Inline::code);
    if (type == MD_SPAN_A) target_.clear();
  }

  /// Where text goes now: a cell, the paragraph, or the paragraph that a tight item lacks.
  Inlines& inlines() {
    Block& block = top();
    if (block.kind == Block::Kind::table) return block.rows.back().back();
    if (block.kind != Block::Kind::item) return block.inlines;
    if (block.children.empty() || block.children.back().kind != Block::Kind::paragraph) {
      Block& paragraph = block.children.emplace_back();
      paragraph.line = line_;
    }
    return block.children.back().inlines;
  }

  void add(MD_TEXTTYPE type, std::string_view text) {
    see(text);
    if (top().line == 0) top().line = line_;
    if (type == MD_TEXT_HTML) {
      if (!in_html_) broken("raw HTML is not shown: " + std::string(text));
      html_ += text;
      return;
    }
    if (top().kind == Block::Kind::code) {
      top().text += text;
      return;
    }
    if (type == MD_TEXT_SOFTBR || type == MD_TEXT_BR) {
      soft_break_ = true;
      return;
    }
    if (type == MD_TEXT_ENTITY) text = entity(text);
    if (type == MD_TEXT_NULLCHAR) text = "\uFFFD";
    auto& to = inlines();
    std::string piece(text);
    const bool blank = soft_break_ && !to.empty() && blank_between(to.back().text, text);
    soft_break_ = false;
    if (blank) put_blank(to, piece);
    if (!to.empty() && to.back().style == style_ && to.back().target == target_) to.back().text += piece;
    else to.push_back({piece, style_, target_});
  }

  /// A blank where a line ended stands outside `code` and links: in the text before them, in this one, or by itself.
  void put_blank(Inlines& to, std::string& piece) const {
    const auto takes = [](std::uint8_t style, const std::string& target) { return (style & Inline::code) == 0 && target.empty(); };
    if (takes(to.back().style, to.back().target)) to.back().text += ' ';
    else if (takes(style_, target_)) piece.insert(0, " ");
    else to.push_back({" ", Inline::plain, ""});
  }

  std::string_view entity(std::string_view text) const {
    if (text == "&lt;") return "<";
    if (text == "&gt;") return ">";
    if (text == "&amp;") return "&";
    if (text == "&nbsp;") return "\u00a0";
    broken("unknown entity " + std::string(text));
  }

  const std::string& text_;
  const std::filesystem::path& file_;
  Block root_;
  std::vector<Block*> open_;
  int line_ = 1;
  std::uint8_t style_ = Inline::plain;
  std::string target_, html_;
  bool soft_break_ = false, in_html_ = false;
  std::exception_ptr failure_;
};

}  // namespace

Document parse_markdown(const std::string& text, const std::filesystem::path& file) { return MarkdownReader(text, file).read(); }

}  // namespace p2plab::content
