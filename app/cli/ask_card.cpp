// See ask_card.h.
#include "app/cli/ask_card.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <fmt/format.h>
#include <iostream>

#include "app/content/deck.h"
#include "app/content/progress.h"
#include "app/content/stepper.h"
#include "app/launch/environment.h"
#include "app/launch/spawn.h"
#include "app/report/card_heading.h"
#include "app/report/mock_report.h"
#include "app/report/resume.h"
#include "app/report/right_or_wrong.h"
#include "app/report/utf8.h"
#include "app/report/wrap.h"

namespace p2plab::cli {

namespace {

using content::Card;
using content::CardKind;
using content::Twin;
using report::Ink;

std::string minutes_seconds(double seconds) { return fmt::format("{}:{:02}", static_cast<int>(seconds) / 60, static_cast<int>(seconds) % 60); }

/// "a" … of a list.
char letter_at(std::size_t index) { return static_cast<char>('a' + index); }

std::string numbered(const std::string& code) {
  std::string out;
  int number = 1;
  for (std::size_t at = 0; at < code.size();) {
    const std::size_t end = std::min(code.find('\n', at), code.size());
    out += fmt::format("{:>3}  {}\n", number++, code.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

/// "1 3", "1,3" or "a": which of `count` are ticked. Nothing when it is none of these.
std::optional<std::vector<bool>> ticks_of(const std::string& answer, std::size_t count) {
  std::vector<bool> out(count, answer == "a" || answer == "A");
  if (!out.empty() && out.front()) return out;
  for (std::size_t at = 0; at < answer.size();) {
    if (answer[at] == ' ' || answer[at] == ',') {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < answer.size() && std::isdigit(static_cast<unsigned char>(answer[end])) != 0) ++end;
    if (end == at || end - at > 2) return std::nullopt;
    const auto number = std::stoul(answer.substr(at, end - at));
    if (number < 1 || number > count) return std::nullopt;
    out[number - 1] = true;
    at = end;
  }
  return out;
}

}  // namespace

AskCard::AskCard(Context& context, Answers& answers, const content::Cards& cards, std::vector<report::SavedRun> runs, std::uint64_t seed)
    : context_(context), answers_(answers), cards_(cards), runs_(std::move(runs)), lots_(seed), terminal_(report::terminal(STDOUT_FILENO)) {}

void AskCard::say(const std::string& text, Ink ink, int indent) const {
  const auto width = static_cast<float>(std::max(30, std::min(terminal_.columns, 100) - indent - 1));
  std::string rest = text;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const auto lines = report::wrap(text.substr(at, end - at), width, [](std::string_view part) { return static_cast<float>(report::columns(part)); });
    for (const std::string& line : lines) std::cout << std::string(static_cast<std::size_t>(indent), ' ') << report::coloured(line, ink, terminal_) << "\n";
    if (lines.empty()) std::cout << "\n";
    at = end + 1;
  }
}

std::optional<std::string> AskCard::prompt(const Show& show, const std::string& question_id, Read read, const Params& params) {
  show();
  while (true) {
    std::cout << report::coloured(missed_ ? ">" : context_(question_id, params), Ink::accent, terminal_) << " " << std::flush;
    missed_ = false;
    const auto answer = read == Read::key ? answers_.key() : answers_.line();
    if (!answers_.terminal() || read == Read::key) std::cout << "\n";
    if (!answer || *answer == "q" || *answer == "Q") {
      quit_ = true;
      return std::nullopt;
    }
    if (*answer == "l" || *answer == "L") {
      context_.text.use(language() == content::Language::zh ? content::Language::en : content::Language::zh);
      show();
    } else if (*answer == "?") {
      say(context_("drill.keys"), Ink::muted);
    } else {
      return answer;
    }
  }
}

void AskCard::missed(const std::string& answer) {
  say(context_("drill.bad_answer", {{"value", answer}}), Ink::unsure);
  missed_ = true;
}

std::optional<std::vector<bool>> AskCard::tick(const Show& show, const std::string& question_id, const std::vector<Twin>& entries) {
  const auto list = [&] {
    show();
    for (std::size_t i = 0; i < entries.size(); ++i) say(fmt::format("{}. {}", i + 1, entries[i].in(language())), Ink::text, 2);
  };
  Show again = list;
  while (true) {
    const auto answer = prompt(again, question_id, Read::line);
    if (!answer) return std::nullopt;
    if (const auto ticks = ticks_of(*answer, entries.size())) return ticks;
    again = [] {};
    say(context_("drill.bad_ticks", {{"value", *answer}, {"n", std::to_string(entries.size())}}), Ink::unsure);
    missed_ = true;
  }
}

std::optional<bool> AskCard::yes_or_no(const std::string& question_id) {
  while (true) {
    const auto answer = prompt([] {}, question_id, Read::key);
    if (!answer) return std::nullopt;
    if (*answer == "y" || *answer == "Y" || *answer == "是") return true;
    if (*answer == "n" || *answer == "N" || *answer == "否" || answer->empty()) return false;
    missed(*answer);
  }
}

void AskCard::show_question(const Card& card, const std::string& heading) const {
  std::cout << "\n" << report::coloured(heading + "  " + report::card_heading(cards_, card, context_.text), Ink::muted, terminal_) << "\n";
  say(card.question.in(language()));
  if (!card.code.empty()) std::cout << numbered(card.code);
  for (std::size_t i = 0; i < card.ranks.size(); ++i) say(fmt::format("rank {}: {}", i, card.ranks[i]), Ink::text, 2);
  for (std::size_t i = 0; i < shuffled_.size() && card.kind == CardKind::order; ++i)
    say(fmt::format("{}) {}", letter_at(i), card.steps[static_cast<std::size_t>(shuffled_[i])].in(language())), Ink::text, 2);
}

void AskCard::show_answer(const Card& card, const content::Attempt& attempt) const {
  std::cout << "\n";
  const auto& zh_or_en = context_;
  if (card.kind == CardKind::true_false) say(zh_or_en(card.holds ? "drill.holds" : "drill.holds_not"), Ink::accent);
  if (card.kind == CardKind::predict) say(fmt::format("= {:.6g} {}", card.prediction.value, card.prediction.unit), Ink::accent);
  if (card.kind == CardKind::spot_bug) say(zh_or_en("drill.fault_line", {{"n", std::to_string(card.line)}}), Ink::accent);
  if (const auto right = content::is_right(card, attempt)) say(report::right_or_wrong(card, attempt, context_.text), *right ? Ink::good : Ink::bad);
  if (!card.says.empty()) say(zh_or_en("drill.card_says") + card.says.in(language()), Ink::muted);
  say(card.answer.in(language()));
  if (!card.two_minutes.empty()) {
    say("\n" + zh_or_en("drill.two_minutes"), Ink::accent);
    say(card.two_minutes.in(language()));
    say("\n" + zh_or_en("drill.five_minutes"), Ink::accent);
    say(card.five_minutes.in(language()));
  }
  for (std::size_t i = 0; i < card.steps.size(); ++i) say(fmt::format("{}. {}", i + 1, card.steps[i].in(language())), Ink::text, 2);
  if (!card.sentence.empty()) {
    const auto blanks = report::fill_blanks(card, runs_);
    say("“" + report::resume_sentence(card, blanks, language()) + "”", Ink::accent);
    for (const auto& filled : blanks)
      if (filled.run != nullptr) say(zh_or_en("drill.measured_by", {{"what", filled.blank->what.in(language())}, {"value", filled.value}, {"run", filled.run->conditions}}), Ink::muted, 2);
  }
  if (card.kind == CardKind::predict || card.kind == CardKind::order)
    for (const auto& point : card.points) say("· " + point.text.in(language()), Ink::text, 2);
  say(zh_or_en("drill.source") + card.source, Ink::muted);
}

bool AskCard::step_ranks(const Card& card, const Show& show, content::Attempt& attempt) {
  content::Stepper stepper(card.ranks, card.slots);
  const auto where = [&] {
    for (int rank = 0; rank < stepper.ranks(); ++rank)
      say(fmt::format("rank {}: {}", rank, stepper.finished(rank) ? context_("drill.rank_finished") : stepper.call(rank) + (stepper.blocked(rank) ? context_("drill.rank_blocked") : std::string())),
          stepper.blocked(rank) ? Ink::bad : Ink::text, 2);
  };
  Show around = [&] { show(), where(); };
  while (!stepper.deadlocked() && !stepper.all_finished()) {
    const auto answer = prompt(around, "drill.ask_step", Read::key, {{"last", std::to_string(stepper.ranks() - 1)}});
    if (!answer) return false;
    const auto is_rank = [&](char c) { return c >= '0' && c < '0' + stepper.ranks(); };
    around = where;
    if (*answer == "r") {
      stepper = content::Stepper(card.ranks, card.slots);
    } else if (answer->empty()) {
      break;  // given up
    } else if (std::none_of(answer->begin(), answer->end(), is_rank)) {
      missed(*answer);
      around = [] {};
    } else {
      for (const char c : *answer)  // a piped line may hold several steps
        if (is_rank(c)) stepper.step(c - '0');
    }
  }
  where();
  attempt.deadlocked = stepper.deadlocked();
  say(context_(attempt.deadlocked ? "drill.deadlocked" : "drill.not_deadlocked"), attempt.deadlocked ? Ink::good : Ink::unsure);
  return true;
}

bool AskCard::take_typed(const Card& card, const Show& show, content::Attempt& attempt) {
  Show around = show;
  while (true) {
    std::optional<std::string> answer;
    switch (card.kind) {
      case CardKind::true_false:
        answer = prompt(around, "drill.ask_true", Read::key);
        if (!answer) return false;
        if (*answer == "t" || *answer == "T" || *answer == "y" || *answer == "对") attempt.said_true = true;
        if (*answer == "f" || *answer == "F" || *answer == "n" || *answer == "错") attempt.said_true = false;
        if (attempt.said_true) return true;
        break;
      case CardKind::predict:
        answer = prompt(around, card.prediction.unit.empty() ? "drill.ask_number" : "drill.ask_number_of", Read::line, {{"unit", card.prediction.unit}});
        if (!answer) return false;
        attempt.number = content::parse_answer(*answer, card.prediction.unit);
        if (attempt.number || answer->empty()) return true;  // nothing said is an answer, too
        break;
      case CardKind::spot_bug:
        answer = prompt(around, "drill.ask_line", Read::line);
        if (!answer) return false;
        if (answer->empty()) return true;
        if (const auto line = content::parse_number(*answer)) attempt.line = static_cast<int>(*line);
        if (attempt.line) return true;
        break;
      case CardKind::order: {
        answer = prompt(around, "drill.ask_order", Read::line);
        if (!answer) return false;
        attempt.order.clear();
        for (const char c : *answer) {
          const auto at = static_cast<std::size_t>(std::tolower(static_cast<unsigned char>(c)) - 'a');
          if (at < shuffled_.size()) attempt.order.push_back(shuffled_[at]);
        }
        if (attempt.order.size() == card.steps.size() || answer->empty()) return true;
        break;
      }
      case CardKind::cause_bug: return step_ranks(card, show, attempt);
      case CardKind::pitch: case CardKind::follow_up: case CardKind::pitfall: case CardKind::resume: {
        const auto start = std::chrono::steady_clock::now();
        const auto gone = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
        const auto ask = [&] { show(), say(context_(answers_.terminal() ? "drill.speak" : "drill.speak_piped"), Ink::muted); };
        const auto clocks = [&](double) {
          std::cout << "\r" << report::coloured(minutes_seconds(gone()), gone() > card.seconds() ? Ink::unsure : Ink::accent, terminal_)
                    << report::coloured("   " + context_("drill.clocks"), Ink::muted, terminal_) << "  " << std::flush;
        };
        ask();
        while (true) {
          const auto done = answers_.key(clocks);
          if (!done || *done == "q" || *done == "Q") return !(quit_ = true);
          if (*done != "l" && *done != "L") break;
          context_.text.use(language() == content::Language::zh ? content::Language::en : content::Language::zh);
          ask();
        }
        if (!answers_.terminal()) return true;
        attempt.seconds = gone();
        std::cout << "\n";
        say(context_(attempt.seconds > card.seconds() ? "drill.took_over" : "drill.took", {{"time", minutes_seconds(attempt.seconds)}, {"limit", minutes_seconds(card.seconds())}}), Ink::muted);
        return true;
      }
    }
    if (card.kind == CardKind::predict) {
      say(report::no_number(card, *answer, context_.text), Ink::unsure);
      missed_ = true;
    } else {
      missed(*answer);
    }
    around = [] {};
  }
}

std::optional<content::Attempt> AskCard::ask(const Card& card, const std::string& heading) {
  content::Attempt attempt;
  shuffled_.clear();
  for (std::size_t i = 0; i < card.steps.size(); ++i) shuffled_.push_back(static_cast<int>(i));
  do {
    for (std::size_t i = shuffled_.size(); i > 1; --i) std::swap(shuffled_[i - 1], shuffled_[content::draw(lots_, i)]);
  } while (shuffled_.size() > 1 && std::is_sorted(shuffled_.begin(), shuffled_.end()));
  const Show question = [&, heading] { show_question(card, heading); };
  if (!take_typed(card, question, attempt)) return std::nullopt;

  Show nothing = [] {};
  while (attempt.confidence == 0) {
    const auto answer = prompt(nothing, "drill.ask_confidence", Read::key);
    if (!answer) return std::nullopt;
    if (answer->size() == 1 && (*answer)[0] >= '1' && (*answer)[0] <= '5') attempt.confidence = ((*answer)[0] - '1') * 20 + 10;
    else if (answer->empty()) break;  // would rather not say
    else missed(*answer);
  }

  const Show whole = [&] { show_answer(card, attempt); };
  if (content::points_count(card.kind)) {
    std::vector<Twin> points;
    for (const auto& point : card.points) points.push_back(point.text);
    const auto ticked = tick(whole, "drill.ask_points", points);
    if (!ticked) return std::nullopt;
    attempt.points = *ticked;
    const auto proof = yes_or_no("drill.ask_proof");
    if (!proof) return std::nullopt;
    attempt.proof = *proof;
  } else {
    whole();
  }
  if (!card.fatal.empty() && content::points_count(card.kind)) {
    const auto said = tick(nothing, "drill.ask_fatal", card.fatal);
    if (!said) return std::nullopt;
    attempt.fatal = *said;
  }
  return attempt;
}

void AskCard::prove(const Card& card, const content::Evidence& evidence) {
  auto words = evidence.command();
  say("$ " + report::shell_words(words), Ink::muted);
  words.insert(words.begin(), (context_.installation.prefix / "bin/p2plab").string());
  words.insert(words.end(), {"--lang", language() == content::Language::zh ? "zh" : "en"});
  if (evidence.kind == "demo" || evidence.kind == "sim") {  // kept for the evidence page
    const auto dir = content::kept_runs();
    std::error_code ignored;
    std::filesystem::create_directories(dir, ignored);
    if (::access(dir.c_str(), W_OK) == 0) words.insert(words.end(), {"--json", (dir / (card.id + ".json")).string()});
  }
  std::cout << std::flush;
  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  const pid_t pid = launch::spawn({words, launch::job_environment({}), {}, {{nothing, 0}, {1, 1}, {2, 2}}});
  ::close(nothing);
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
}

bool AskCard::show_grade(const Card& card, const content::Grade& grade, const std::string& next) {
  const Ink ink = grade.good() ? Ink::good : grade.letter == 'C' ? Ink::unsure : Ink::bad;
  say(context_(grade.error ? "drill.grade_error" : "drill.grade",
               {{"letter", std::string(1, grade.letter)}, {"score", fmt::format("{:.0f} %", grade.score * 100)}, {"error", fmt::format("{:.1f} %", grade.error.value_or(0) * 100)}}),
      ink);
  if (!grade.missed.empty() && content::points_count(card.kind)) say(context_("drill.heaviest_missing") + card.points[grade.missed.front()].text.in(language()), Ink::unsure);
  if (!next.empty()) say(next, Ink::muted);
  if (!answers_.terminal()) return false;
  const auto answer = prompt([] {}, "drill.ask_prove", Read::key, {{"command", report::evidence_command(card)}});
  if (!answer || (*answer != "p" && *answer != "P")) return false;
  prove(card, card.evidence.front());
  return true;
}

}  // namespace p2plab::cli
