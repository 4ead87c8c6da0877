// See claim_report.h.
#include "app/report/claim_report.h"

#include <algorithm>
#include <map>
#include <sstream>

#include "app/content/spacing.h"
#include "app/report/html_page.h"
#include "app/report/utf8.h"

namespace p2plab::report {

namespace {

using content::ClaimOutcome;

constexpr std::string_view kClaimStyle =
    "article{border-top:1px solid #8884;padding:.4rem 0 1rem}.confirmed{color:#1a7f37}.refuted{color:#c0392b}.documented,.not-shown-here{opacity:.75}"
    "@media(prefers-color-scheme:dark){.confirmed{color:#57c776}.refuted{color:#ff7b6b}}blockquote{margin:.4rem 0 .4rem 1rem;font-size:1.05rem}"
    ".say{border-left:3px solid #1a7f37;padding-left:.8rem}svg{max-width:100%;height:auto}details{margin:.4rem 0}\n";

std::string paragraph(const std::string& kind, const std::string& text) {
  return "<p" + (kind.empty() ? "" : " class=\"" + kind + "\"") + ">" + xml_text(text) + "</p>\n";
}

/// Takes out what lies between `from` and `to`, both included, from `at` on, as often as it comes.
void take_out(std::string& text, std::string_view from, std::string_view to, std::size_t at) {
  std::string out = text.substr(0, at);
  for (std::size_t begin; (begin = text.find(from, at)) != std::string::npos;) {
    out.append(text, at, begin - at);
    const std::size_t end = text.find(to, begin);
    at = end == std::string::npos ? text.size() : end + to.size();
  }
  out.append(text, at, std::string::npos);
  text = std::move(out);
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  std::string out;
  std::size_t at = 0;
  for (std::size_t begin; (begin = text.find(from, at)) != std::string::npos; at = begin + from.size()) out.append(text, at, begin - at).append(to);
  out.append(text, at, std::string::npos);
  text = std::move(out);
}

/// A verdict in the language of the text, another word as it is.
std::string word_of(const std::string& word, const content::Text& text) { return text.has("verdict." + word) ? text("verdict." + word) : word; }

/// The name of a metric: "metrics.table[algorithm=ring].time_ns" is "time of the ring". The names are texts, claim.number and claim.row.
std::string name_of(std::string path, const content::Text& text) {
  if (path.starts_with("metrics.")) path.erase(0, 8);
  const auto bracket = path.find('['), end = path.find(']');
  if (bracket == std::string::npos) return text("claim.number." + path);
  return text("claim.of_row", {{"what", text("claim.number." + path.substr(end + 2))}, {"row", text("claim.row." + path.substr(bracket + 1, end - bracket - 1))}});
}

/// An SVG file as part of a page: without the XML declaration, and without what each span says when it is pointed at, which
/// makes half of a picture of thousands of spans, and the groups that held it. All pictures have the same style and patterns:
/// number 0 brings them.
std::string embedded(std::string_view svg, int number) {
  const auto at = svg.find("<svg");
  if (at == std::string_view::npos) return {};
  std::string out(svg.substr(at));
  const std::string_view end_of_title = "</title>";
  const auto own = out.find(end_of_title);  // what the whole picture shows
  if (own != std::string::npos) take_out(out, "<title>", end_of_title, own + end_of_title.size());
  if (out.find("<g ") == std::string::npos)  // else some groups mean something
    for (const std::string_view group : {"<g>\n", "</g>\n", "<g>", "</g>"}) replace_all(out, group, "");
  for (const std::string_view what : {"style", "defs"})
    if (number > 0) take_out(out, "<" + std::string(what) + ">", "</" + std::string(what) + ">", 0);
  replace_all(out, "p2plab-about", "p2plab-about-" + std::to_string(number));  // an id may stand once in a page
  replace_all(out, "p2plab-", "p-");  // thousands of elements name their class
  return out;
}

}  // namespace

std::string claim_speaker(const content::Claim& claim, const content::Text& text) {
  std::string sections;
  for (const int section : claim.sections) sections += (sections.empty() ? "" : ", ") + std::to_string(section);
  return text("claim.who_" + claim.who, {{"sections", sections}});
}

std::string claim_shows(const check::ClaimResult& result, const content::Text& text) {
  if (!result.why.id.empty()) return text(result.why.id, result.why.params);
  if (result.outcome == ClaimOutcome::documented) return text("claim.no_run_can_show");
  std::string out = result.experiment()->shows.in(text.language());
  content::fill_in(out, "number", result.number.is_string() ? word_of(result.shown, text) : result.shown);
  for (const auto& [name, shown] : result.also) content::fill_in(out, name, shown);
  return out;
}

std::string claim_outcome(const check::ClaimResult& result, const content::Text& text) {
  const std::string word(to_string(result.outcome));
  if (!result.counter) return text("claim.outcome_" + word);
  if (!result.other_sentence()) return text("claim.counter_" + word);
  return text("claim.other_" + word, {{"sentence", result.claim->counter->says.in(text.language())}});
}

std::string claim_verdict(const content::Claim& claim, const content::Text& text) {
  return text("claim.verdict_and_why", {{"verdict", text("claim.verdict_" + std::string(to_string(claim.verdict)))}, {"why", claim.why.in(text.language())}});
}

std::string claim_world(const check::ClaimResult& result, const content::Text& text) {
  if (result.stayed_on_sim()) return text("claim.on_sim");
  return result.asked == "host" && result.schedule_only() ? text("claim.schedule_only") : std::string();
}

std::string claim_worlds(const std::vector<check::ClaimResult>& results, const content::Text& text) {
  const auto count = [&](auto which) { return std::to_string(std::count_if(results.begin(), results.end(), which)); };
  if (results.empty() || results.front().asked != "host") return {};
  return text("claim.worlds", {{"host", count([](const auto& each) { return each.backend == "host" && !each.runs.empty(); })},
                               {"sim", count([](const auto& each) { return each.stayed_on_sim(); })},
                               {"schedules", count([](const auto& each) { return each.schedule_only(); })}});
}

std::string claim_number_name(const content::ClaimNumber& number, bool two_runs, const content::Text& text) {
  const std::string what = name_of(number.metric, text), other = number.over.empty() ? number.minus : number.over;
  if (other.empty()) return what;
  const std::string kind = number.over.empty() ? "claim.less" : "claim.over", second = name_of(other, text);
  if (two_runs) return text(kind + (what == second ? "_same_runs" : "_runs"), {{"what", what}, {"other", second}});
  return text(kind, {{"what", what}, {"other", second}});
}

std::string claim_predicts(const content::Experiment& experiment, const content::Text& text) {
  const auto& says = experiment.predicts;
  static const std::map<std::string, std::string> kRelations{{"<", "below"}, {"<=", "at_most"}, {">", "above"}, {">=", "at_least"}, {"=", "equal"}, {"!=", "not_equal"}};
  const std::string value = says.word.empty() ? check::claim_number(says.value, experiment.unit) : word_of(says.word, text);
  return text("claim.predicts", {{"number", claim_number_name(experiment, experiment.runs.size() == 2, text)},
                                 {"said", text((says.word.empty() ? "claim.relation_" : "claim.word_") + kRelations.at(says.relation), {{"value", value}})}});
}

std::vector<std::string> claim_sources(const content::Claim& claim, const std::vector<content::Source>& sources, const content::Text& text) {
  std::vector<std::string> out;
  for (const std::string& target : claim.sources) {
    const auto cite = content::cited(sources, target);
    if (cite.source == nullptr) continue;
    out.push_back(cite.source->title + ", " + cite.section);
    if (cite.status == "secondary" || cite.status == "recall") out.back() += text("lesson." + cite.status);
  }
  return out;
}

std::string claim_counts(const std::vector<check::ClaimResult>& results, const content::Text& text) {
  const auto count = [&](auto which) { return std::to_string(std::count_if(results.begin(), results.end(), which)); };
  const auto outcome = [&](ClaimOutcome one) { return count([one](const auto& each) { return !each.other_sentence() && each.outcome == one; }); };
  const bool counter = !results.empty() && results.front().counter;
  Params verdicts;
  for (const auto verdict : content::kClaimVerdicts) verdicts.emplace_back(to_string(verdict), count([verdict](const auto& each) { return each.claim->verdict == verdict; }));
  return text(counter ? "claim.counts_counter" : "claim.counts",
              {{"all", std::to_string(results.size())}, {"confirmed", outcome(ClaimOutcome::confirmed)}, {"refuted", outcome(ClaimOutcome::refuted)},
               {"documented", outcome(ClaimOutcome::documented)}, {"missing", outcome(ClaimOutcome::not_shown_here)},
               {"other", count([](const auto& each) { return each.other_sentence(); })}}) +
         "\n" + text("claim.counts_verdicts", verdicts);
}

std::string claim_page(const std::vector<check::ClaimResult>& results, const std::vector<content::Source>& sources, const content::Text& text, const std::string& missing) {
  std::string body = "<h1>" + xml_text(text("claim.page_title")) + "</h1>\n";
  if (!missing.empty()) body += paragraph("refuted", missing);
  std::istringstream counts(claim_counts(results, text));
  for (std::string line; std::getline(counts, line);) body += paragraph("muted", line);
  if (const std::string worlds = claim_worlds(results, text); !worlds.empty()) body += paragraph("muted", worlds);
  std::map<std::string, std::string> drawn_at;  ///< command -> id of the claim
  int pictures = 0;
  for (const check::ClaimResult& result : results) {
    const content::Claim& claim = *result.claim;
    const std::string outcome(to_string(result.outcome));
    body += "<article id=\"" + claim.id + "\">\n<h2>" + xml_text(claim.claim.in(text.language())) + "</h2>\n";
    body += "<p class=\"muted\"><code>" + claim.id + "</code> · " + xml_text(claim_speaker(claim, text));
    if (const std::string world = claim_world(result, text); !world.empty()) body += " · <b>" + xml_text(world) + "</b>";
    body += "</p>\n";
    body += "<p class=\"" + (result.counter && !result.other_sentence() ? "muted" : outcome) + "\"><b>" + xml_text(claim_outcome(result, text)) + "</b> " + xml_text(claim_shows(result, text)) + "</p>\n";
    if (!result.as_declared()) body += paragraph("refuted", text("claim.not_as_declared"));
    body += paragraph("", text("claim.own_verdict", {{"verdict", claim_verdict(claim, text)}}));
    body += "<p class=\"say\"><b>" + xml_text(text("claim.better")) + "</b><br>" + xml_text(claim.better.in(text.language())) + "</p>\n";
    for (std::size_t i = 0; i < result.commands.size(); ++i) {
      body += "<p><code>" + xml_text(result.commands[i]) + "</code></p>\n";
      if (i >= result.pictures.size()) continue;
      const auto [drawn, first] = drawn_at.emplace(result.commands[i], claim.id);  // a run that several claims share is drawn once
      if (first) body += "<figure>" + embedded(result.pictures[i], pictures++) + "</figure>\n";
      else if (drawn->second != claim.id) body += "<p class=\"muted\"><a href=\"#" + drawn->second + "\">" + xml_text(text("claim.drawn_there")) + "</a></p>\n";
    }
    for (const std::string& source : claim_sources(claim, sources, text)) body += paragraph("muted", source);
    body += "</article>\n";
  }
  return html_page(text("claim.page_title"), body, text.language(), kClaimStyle);
}

}  // namespace p2plab::report
