// See show_lesson.h.
#include "app/cli/show_lesson.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iostream>
#include <set>

#include "app/cli/scratch.h"
#include "app/content/lesson_trail.h"
#include "app/content/live_block.h"
#include "app/content/reading_log.h"
#include "app/content/sources.h"
#include "app/launch/environment.h"
#include "app/report/lesson_number.h"
#include "app/report/terminal_document.h"

namespace p2plab::cli {

namespace {

using content::Block;
using content::Live;
using report::Ink;

/// What is shown, a screen at a time where somebody sits before it.
class Screen {
 public:
  Screen() : terminal_(report::terminal(STDOUT_FILENO)), attended_(isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1) {}

  const report::Terminal& terminal() const { return terminal_; }
  bool attended() const { return attended_; }
  bool left() const { return left_; }
  void leave() { left_ = true; }

  void put(const Context& context, std::string_view text) {
    while (!text.empty() && !left_) {
      const std::size_t end = std::min(text.find('\n'), text.size() - 1);
      if (attended_ && terminal_.lines > 4 && shown_ >= terminal_.lines - 2) pause(context);
      if (left_) return;
      std::cout << text.substr(0, end + 1);
      ++shown_;
      text.remove_prefix(end + 1);
    }
  }
  /// One line typed by the reader; nothing when he has left, or the terminal has been closed.
  std::optional<std::string> ask(const std::string& prompt) {
    if (left_) return std::nullopt;
    std::cout << coloured(prompt, Ink::accent, terminal_, true) << " " << std::flush;
    std::string line;
    shown_ = 0;  // what is above has been seen
    if (!std::getline(std::cin, line)) {
      left_ = true;
      std::cout << "\n";
      return std::nullopt;
    }
    return line;
  }
  /// Something else has written to the terminal.
  void written_by_another() { shown_ = 0; }

 private:
  void pause(const Context& context) {
    const auto line = ask(context("lesson.more"));
    if (line && (*line == "q" || *line == "Q")) left_ = true;
  }

  report::Terminal terminal_;
  bool attended_, left_ = false;
  int shown_ = 0;
};

struct CommandEnd {
  int status = 3;
  nlohmann::ordered_json json;
};

/// The same program with other words, on the same terminal; its JSON is kept.
CommandEnd run_here(const Context& context, std::vector<std::string> words) {
  const Scratch scratch("p2plab-lesson");
  const auto json = scratch.path() / "result.json";
  std::vector<std::string> command{std::filesystem::read_symlink("/proc/self/exe").string()};
  command.insert(command.end(), words.begin(), words.end());
  command.insert(command.end(), {"--json", json.string(), "--lang", context.text.language() == content::Language::zh ? "zh" : "en"});
  std::cout << std::flush;
  const auto environment = launch::job_environment({});
  std::vector<char*> argv, envp;
  for (const std::string& each : command) argv.push_back(const_cast<char*>(each.c_str()));
  for (const std::string& each : environment) envp.push_back(const_cast<char*>(each.c_str()));
  argv.push_back(nullptr);
  envp.push_back(nullptr);
  // Ctrl-C ends what runs here; the page goes on or not as its status says.
  struct sigaction ignore{}, before{};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGINT, &ignore, &before);
  const pid_t pid = fork();
  if (pid == 0) {
    sigaction(SIGINT, &before, nullptr);
    execve(argv[0], argv.data(), envp.data());
    _exit(127);
  }
  int status = 0;
  CommandEnd out;
  if (pid > 0 && waitpid(pid, &status, 0) == pid) out.status = WIFEXITED(status) ? WEXITSTATUS(status) : 130;
  sigaction(SIGINT, &before, nullptr);
  std::ifstream in(json);
  out.json = nlohmann::ordered_json::parse(in, nullptr, false);
  if (out.json.is_discarded()) out.json = nullptr;
  return out;
}

class Reader {
 public:
  Reader(const Context& context, const ReadOptions& options) : context_(context), options_(options) {}

  int read(const std::vector<content::Lesson>& lessons, const content::Lesson& lesson) {
    content::Document document = content::lesson_text(lesson, context_.text.language());
    content::mark_citations(document, content::load_sources(context_.installation.assets() / "sources.toml"), context_.text);
    bool first = true;
    lesson_ = &lesson;
    for (const Block& block : document.blocks) {
      index_ = static_cast<std::size_t>(&block - document.blocks.data());
      if (screen_.left() || status_ == 130) break;
      if (block.kind == Block::Kind::figure) continue;
      if (!first) say("\n");
      first = false;
      if (block.kind == Block::Kind::live) live(block.live);
      else say(report::terminal_block(block, context_.text, screen_.terminal()));
    }
    if (!screen_.left() && status_ != 130) {
      if (screen_.attended()) log_.read(lesson.id, context_.text.language());
      after(lessons, lesson, document);
    }
    if (log_.not_saved()) say_coloured(context_("lesson.not_saved", {{"why", context_.text(*log_.not_saved())}}), Ink::bad);
    std::cout << std::flush;
    return status_;
  }

 private:
  void say(const std::string& text) { screen_.put(context_, text); }
  void say_coloured(const std::string& text, Ink ink, bool bold = false) { paragraph(text, 0, ink, bold); }
  void paragraph(const std::string& text, int indent = 0, std::optional<Ink> ink = {}, bool bold = false) {
    Block block;
    content::Inline piece{text, bold ? content::Inline::strong : content::Inline::plain, ""};
    block.inlines.push_back(piece);
    std::string out = report::terminal_block(block, context_.text, screen_.terminal(), indent);
    if (ink) {
      std::string painted;
      for (std::size_t at = 0; at < out.size();) {
        const std::size_t end = out.find('\n', at);
        painted += coloured(out.substr(at, end - at), *ink, screen_.terminal(), bold) + "\n";
        at = end + 1;
      }
      out = painted;
    }
    say(out);
  }

  void live(const Live& live) {
    if (live.kind == Live::Kind::quiz) return quiz(live);
    const bool runs = options_.run && (screen_.attended() || live.kind == Live::Kind::sim);
    if (!live.ask.empty()) say_coloured(context_("lesson.predict", {{"ask", live.ask}}), Ink::accent, true);
    std::optional<std::string> guess;
    if (runs && screen_.attended()) {
      const std::string unit = report::guess_unit(live.look);
      guess = live.ask.empty() ? screen_.ask(context_("lesson.press_enter", {{"command", content::typed_command(live.command)}}))
                               : screen_.ask(context_(unit.empty() ? "lesson.your_guess" : "lesson.your_guess_in", {{"unit", unit}}));
      if (screen_.left()) return;
      if (*guess == "s" || *guess == "q") {
        if (*guess == "q") screen_.leave();
        return;
      }
    }
    say(coloured("$ " + content::typed_command(live.command), Ink::accent, screen_.terminal()) + "\n");
    if (!runs) {
      if (!live.value.empty()) say_coloured("  " + context_("lesson.shows", {{"value", live.value}}), Ink::muted);
      return why(live);
    }
    const CommandEnd end = run_here(context_, live.command);
    screen_.written_by_another();
    if (end.status != 0) status_ = status_ == 0 || end.status == 130 ? end.status : status_;
    if (end.status == 130) return;
    const std::string shown = report::shown_number(end.json, live.look);
    if (!shown.empty()) answer(shown, guess, guess ? report::compare_guess(*guess, end.json, live.look) : std::nullopt);
    why(live);
    if (guess && !guess->empty() && shown.find_first_of("0123456789") == std::string::npos && !report::same_word(*guess, shown, context_.text)) tick(*guess);
  }

  void foreseen(content::Foreseen how) { log_.predicted(lesson_->id, index_, how); }

  /// What was predicted in words only its author can compare.
  void tick(const std::string& said) {
    const auto typed = screen_.ask(context_("lesson.tick", {{"said", said}}));
    if (!typed || typed->empty()) return;
    foreseen(*typed == "y" || *typed == "Y" || *typed == "是" ? content::Foreseen::right : content::Foreseen::off);
  }

  void answer(const std::string& shown, const std::optional<std::string>& typed, const std::optional<report::Guess>& guess) {
    using Score = report::Guess::Score;
    const std::string verdict = "verdict." + shown;  // where the answer is one, it has a word in this language
    const std::string value = context_.text.has(verdict) ? context_(verdict) : shown;
    if (!guess && typed && report::same_word(*typed, shown, context_.text)) {
      foreseen(content::Foreseen::right);
      return say_coloured(context_("lesson.guess_right", {{"value", value}, {"said", *typed}}), Ink::good, true);
    }
    if (!guess) return say_coloured(context_("lesson.number", {{"value", value}}), Ink::good, true);
    foreseen(guess->score == Score::right ? content::Foreseen::right : guess->score == Score::close ? content::Foreseen::close : content::Foreseen::off);
    const char* id = guess->score == Score::right ? "lesson.guess_right" : guess->score == Score::close ? "lesson.guess_close" : "lesson.guess_off";
    char said[32];
    std::snprintf(said, sizeof said, "%g", guess->said);
    say_coloured(context_(id, {{"value", shown}, {"said", said}}), guess->score == Score::off ? Ink::unsure : Ink::good, true);
  }

  void why(const Live& live) {
    if (!live.why.empty()) paragraph(live.why, 2);
  }

  void quiz(const Live& live) {
    say_coloured(context_("lesson.question", {{"ask", live.ask}}), Ink::accent, true);
    for (std::size_t i = 0; i < live.answers.size(); ++i) paragraph(std::to_string(i + 1) + ". " + live.answers[i], 2);
    if (options_.run && screen_.attended()) {
      const auto typed = screen_.ask(context_("lesson.your_answer"));
      if (!typed) return;
      if (*typed == "q") return screen_.leave();
      std::size_t chosen = 0;
      std::from_chars(typed->data(), typed->data() + typed->size(), chosen);
      if (chosen > 0) foreseen(chosen == live.right + 1 ? content::Foreseen::right : content::Foreseen::off);
      if (chosen == live.right + 1) say_coloured(context_("lesson.quiz_right"), Ink::good, true);
      else if (chosen > 0) say_coloured(context_("lesson.quiz_wrong", {{"n", std::to_string(live.right + 1)}}), Ink::unsure, true);
      else say_coloured(context_("lesson.quiz_answer", {{"n", std::to_string(live.right + 1)}}), Ink::muted);
    } else {
      say_coloured(context_("lesson.quiz_answer", {{"n", std::to_string(live.right + 1)}}), Ink::muted);
    }
    why(live);
  }

  /// Where the page leads: what it links to as commands, its sources, its PyTorch files, and the next lesson.
  void after(const std::vector<content::Lesson>& lessons, const content::Lesson& lesson, const content::Document& document) {
    const auto sources = content::load_sources(context_.installation.assets() / "sources.toml");
    std::vector<std::string> commands, cites;
    std::set<std::string> seen;
    bool cards = false;
    for (const std::string& target : content::links_of(document)) {
      if (!seen.insert(target).second) continue;
      const std::size_t colon = target.find(':');
      const std::string scheme = target.substr(0, colon), id = target.substr(colon + 1);
      if (scheme == "lesson") commands.push_back("p2plab lesson " + id);
      if (scheme == "demo") commands.push_back("p2plab run " + id);
      if (scheme == "claim") commands.push_back("p2plab claim run " + id);
      if (scheme == "lab") commands.push_back("p2plab start " + lab_of(id));
      if (scheme == "card" && !cards) {
        commands.push_back("p2plab drill");
        cards = true;
      }
      if (scheme == "source")
        if (const auto cite = content::cited(sources, target); cite.source != nullptr) cites.push_back(cite.source->title + ", " + cite.section);
    }
    const auto list = [&](const char* heading, const std::vector<std::string>& lines) {
      if (lines.empty()) return;
      say("\n");
      say_coloured(context_(heading), Ink::muted, true);
      for (const std::string& each : lines) paragraph(each, 2);
    };
    list("lesson.from_here", commands);
    std::vector<std::string> said;
    std::vector<content::LeftOut> broken;  // is no trail, and the lists of claims and cards say so
    const content::Claims claims(context_.installation.assets() / "claims", &broken);
    const content::Cards drill(context_.installation.assets() / "drill", &broken);
    const auto trail = content::trail_of(lesson, claims, drill);
    for (const auto* claim : trail.claims) said.push_back(claim->id + "   " + context_("claim.badge_" + std::string(to_string(claim->verdict))) + "   " + claim->claim.in(context_.text.language()));
    list("lesson.trail_commands", said);
    std::vector<std::string> questions;
    for (const auto* card : trail.cards) questions.push_back(card->question.in(context_.text.language()));
    list("lesson.trail_cards", questions);
    list("lesson.sources", cites);
    std::vector<std::string> torch;
    for (const auto& file : content::torch_files(lesson)) torch.push_back(std::filesystem::relative(file, lesson.folder.parent_path().parent_path()).string());
    list("lesson.torch", torch);
    const auto at = std::find_if(lessons.begin(), lessons.end(), [&](const content::Lesson& each) { return each.id == lesson.id; });
    if (at != lessons.end() && at + 1 != lessons.end())
      list("lesson.next", {"p2plab lesson " + (at + 1)->id + "   " + (at + 1)->title.in(context_.text.language())});
  }

  /// "03" is the beginning of a lab's id.
  std::string lab_of(const std::string& number) const {
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(context_.installation.share() / "labs", none))
      if (entry.path().filename().string().starts_with(number)) return entry.path().filename().string();
    return number;
  }

  const Context& context_;
  const ReadOptions& options_;
  Screen screen_;
  content::ReadingLog log_;
  const content::Lesson* lesson_ = nullptr;
  std::size_t index_ = 0;  ///< of the block that is shown
  int status_ = 0;
};

}  // namespace

int read_lesson(const Context& context, const std::vector<content::Lesson>& lessons, const content::Lesson& lesson, const ReadOptions& options) {
  return Reader(context, options).read(lessons, lesson);
}

}  // namespace p2plab::cli
