// See card_files.h.
#include "app/report/card_files.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "app/report/html_page.h"
#include "app/report/utf8.h"

namespace p2plab::report {

namespace {

using content::Card;
using content::CardKind;
using content::Language;

/// One field of a note: HTML, no tab, no line end.
std::string field(std::string_view text) {
  std::string out;
  for (const char c : xml_text(text)) {
    if (c == '\n') out += "<br>";
    else out += c == '\t' ? ' ' : c;
  }
  return out;
}

std::string front(const Card& card, Language language) {
  std::string out = field(card.question.in(language));
  if (!card.code.empty()) out += "<br><pre>" + field(card.code) + "</pre>";
  return out;
}

std::string back(const Card& card, const content::Text& text, Language language) {
  std::string out;
  if (card.kind == CardKind::true_false) out += field(text(card.holds ? "drill.holds" : "drill.holds_not")) + "<br>";
  out += field(card.answer.in(language)) + "<ul>";
  for (const auto& point : card.points) out += "<li>" + field(point.text.in(language)) + "</li>";
  out += "</ul>";
  for (const auto& each : card.fatal) out += field(text("drill.never") + each.in(language)) + "<br>";
  if (!card.steps.empty()) {
    out += "<ol>";
    for (const auto& step : card.steps) out += "<li>" + field(step.in(language)) + "</li>";
    out += "</ol>";
  }
  return out + "<small>" + field(card.source) + "</small>";
}

/// The parts of one page, kept to what a sheet of A4 holds.
std::string sheet(const content::Cards& cards, const content::Text& text) {
  const Language language = text.language();
  constexpr int kQuestions = 18, kNever = 18, kNumbers = 9;
  std::string out = "<section lang=\"" + std::string(language == Language::zh ? "zh-CN" : "en") + "\">\n<h1>" + xml_text(text("sheet.title")) + "</h1>\n<div class=\"columns\">\n";
  for (const Card& card : cards.all())
    if (card.kind == CardKind::pitch) {
      out += "<h2>" + xml_text(text("sheet.pitch")) + "</h2><p>" + xml_text(card.answer.in(language)) + "</p>\n";
      break;
    }
  // Questions by topic weight, one round over the topics after another.
  std::vector<const content::Topic*> topics;
  for (const auto& topic : cards.topics()) topics.push_back(&topic);
  std::stable_sort(topics.begin(), topics.end(), [](const auto* a, const auto* b) { return a->weight > b->weight; });
  const auto round = [&](CardKind kind, int most, const auto& write) {
    int count = 0;
    for (std::size_t nth = 0; count < most && nth < cards.all().size(); ++nth)
      for (const auto* topic : topics) {
        std::size_t seen = 0;
        for (const Card& card : cards.all()) {
          if (card.topic != topic->id || card.kind != kind || seen++ != nth || count >= most) continue;
          if (write(card)) ++count;
        }
      }
  };
  out += "<h2>" + xml_text(text("sheet.questions")) + "</h2>\n";
  round(CardKind::follow_up, kQuestions, [&](const Card& card) {
    auto points = card.points;
    std::stable_sort(points.begin(), points.end(), [](const auto& a, const auto& b) { return a.weight > b.weight; });
    out += "<p><b>" + xml_text(card.question.in(language)) + "</b> ";
    for (std::size_t i = 0; i < points.size() && i < 2; ++i) out += (i > 0 ? (language == Language::zh ? "；" : "; ") : "") + xml_text(points[i].text.in(language));
    out += "</p>\n";
    return true;
  });
  out += "<h2>" + xml_text(text("sheet.never")) + "</h2>\n<ul>\n";
  std::set<std::string> said;
  for (const CardKind kind : {CardKind::pitfall, CardKind::follow_up})
    round(kind, kNever / 2, [&](const Card& card) {
      if (card.fatal.empty() || !said.insert(card.fatal.front().en).second) return false;
      out += "<li>" + xml_text(card.fatal.front().in(language)) + "</li>\n";
      return true;
    });
  out += "</ul>\n<h2>" + xml_text(text("sheet.numbers")) + "</h2>\n<ul>\n";
  round(CardKind::predict, kNumbers, [&](const Card& card) {
    out += "<li>" + xml_text(card.question.in(language)) + " <b>" + fmt::format("{:.4g}", card.prediction.value) + (card.prediction.unit.empty() ? "" : " " + xml_text(card.prediction.unit)) + "</b></li>\n";
    return true;
  });
  return out + "</ul>\n</div>\n</section>\n";
}

}  // namespace

std::string anki_notes(const content::Cards& cards, const content::Text& text) {
  content::Text zh = text, en = text;
  zh.use(Language::zh);
  en.use(Language::en);
  std::string out = "#separator:tab\n#html:true\n#notetype:Basic\n#deck:P2P Lab\n#columns:Front\tBack\tTags\n#tags column:3\n";
  for (const Card& card : cards.all())
    out += front(card, Language::zh) + "<hr>" + front(card, Language::en) + "\t" + back(card, zh, Language::zh) + "<hr>" + back(card, en, Language::en) + "\tp2plab " + card.topic + " " +
           std::string(to_string(card.kind)) + "\n";
  return out;
}

std::string cheat_sheet(const content::Cards& cards, content::Text text) {
  std::string body;
  const Language own = text.language();
  for (const Language language : {own, own == Language::zh ? Language::en : Language::zh}) {
    text.use(language);
    body += sheet(cards, text);
  }
  text.use(own);
  return html_page(text("sheet.title"), body, own,
                   "body{max-width:none;margin:1rem}section{break-after:page}section h1{font-size:13pt;margin:0 0 4pt}.columns{columns:3;column-gap:14pt;font-size:8pt;line-height:1.32}"
                   ".columns h2{font-size:9pt;margin:5pt 0 2pt}.columns p{margin:2pt 0}.columns ul{margin:2pt 0;padding-left:10pt}@page{size:A4 landscape;margin:10mm}"
                   "@media print{:root{color-scheme:light}body{margin:0}}\n");
}

}  // namespace p2plab::report
