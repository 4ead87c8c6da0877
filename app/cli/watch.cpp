// p2plab watch [LAB]: checks again on every save; keys for a hint, the next lab and the end.
#include <unistd.h>

#include <algorithm>
#include <iostream>

#include "app/check/file_watch.h"
#include "app/cli/keys.h"
#include "app/cli/lab_choice.h"
#include "app/cli/page.h"
#include "app/cli/show_check.h"
#include "app/cli/show_run.h"
#include "app/launch/interrupt.h"

namespace p2plab::cli {

namespace {

class Watcher {
 public:
  Watcher(const Context& context, const LabChoice& choice) : context_(context), labs_(choice.all(context)) {
    if (labs_.empty()) throw Error("lab.no_labs", {{"path", choice.labs}});
    lab_ = choice.lab.empty() ? current() : &check::find_lab(labs_, choice.lab);
  }

  int run() {
    const launch::Interrupt interrupt;
    const Keys keys;
    for (bool again = true;;) {
      const std::filesystem::path work = default_work(*lab_, diary_.state(lab_->id));
      check::FileWatch watch(check_files(work));
      again = true;
      for (bool same = true; same;) {
        if (again) check_once(work, interrupt, watch);
        again = false;
        if (interrupt.asked()) return 130;
        const char key = keys.next(100, watch.fd()).value_or('\0');
        if (key == 'q' || interrupt.asked()) return interrupt.asked() ? 130 : 0;
        if (key == 'h') hint();
        if (key == 'n') same = !next();
        if (watch.saved()) again = true;
      }
    }
  }

 private:
  /// The first that is begun and not passed, else the first that is not passed.
  const check::LabManifest* current() const {
    for (const bool begun : {true, false})
      for (const check::LabManifest& lab : labs_) {
        const check::LabState state = diary_.state(lab.id);
        if (!state.passed && (!begun || !state.folder.empty())) return &lab;
      }
    return &labs_.front();
  }

  std::vector<std::filesystem::path> check_files(const std::filesystem::path& work) const { return {std::filesystem::is_directory(work) ? work / lab_->file : work}; }

  void check_once(const std::filesystem::path& work, const launch::Interrupt& interrupt, const check::FileWatch& watch) {
    check::LabRequest request;
    request.work = work;
    LiveTimeline live(context_, STDOUT_FILENO);
    if (::isatty(STDOUT_FILENO) == 1) std::cout << "\x1b[2J\x1b[H" << std::flush;
    try {
      const check::LabResult result = check::check_lab(context_.installation, *lab_, request, [&](const trace::Trace& trace, const check::LabCase&) {
        live.update(trace);
        return !interrupt.asked();
      });
      live.clear();
      print_check(context_, *lab_, request, result, check::Disclosure::full, std::cout, STDOUT_FILENO);
      note(context_, [&](check::LabDiary& diary) { diary.checked(lab_->id, result, request.seed); });
    } catch (const Error& error) {
      live.clear();
      say(context_.text(error));
    }
    say("\n" + context_("lab.watching", {{"file", (std::filesystem::is_directory(work) ? work / lab_->file : work).string()}}));
    if (watch.polls()) say(context_("lab.polling"));
  }

  void hint() {
    const int rung = std::min(diary_.state(lab_->id).hints + 1, 4);
    note(context_, [&](check::LabDiary& diary) { diary.hinted(lab_->id, rung); });
    say("\n" + context_("lab.hint_of", {{"rung", std::to_string(rung)}}) + "\n" + lab_->hints.at(static_cast<std::size_t>(rung - 1)).in(context_.text.language()));
    if (rung == 4) say("\n" + context_("lab.hint_last", {{"lab", lab_->id}}));
  }

  /// Its size may have changed since the last time.
  static void say(const std::string& words) {
    const report::Terminal terminal = report::terminal(STDOUT_FILENO);
    Page(terminal, std::cout).say(words);
    std::cout << std::flush;
  }

  /// The first behind this one that is not passed; behind the last comes the first. True when there is one, and it is begun.
  bool next() {
    const auto here = static_cast<std::size_t>(lab_ - labs_.data());
    for (std::size_t i = 1; i < labs_.size(); ++i) {
      const check::LabManifest& lab = labs_[(here + i) % labs_.size()];
      const check::LabState state = diary_.state(lab.id);
      if (state.passed) continue;
      if (state.folder.empty()) {
        say(context_("lab.next_lab", {{"lab", lab.id}, {"title", lab.title.in(context_.text.language())}}));
        return false;
      }
      lab_ = &lab;
      return true;
    }
    say(context_("lab.all_passed", {{"count", std::to_string(labs_.size())}}));
    return false;
  }

  const Context& context_;
  std::vector<check::LabManifest> labs_;
  check::LabDiary diary_;
  const check::LabManifest* lab_ = nullptr;
};

}  // namespace

void add_watch(CLI::App& app, Context& context) {
  CLI::App* command = app.add_subcommand("watch", context("help.watch"));
  auto choice = add_lab_choice(*command, context, false);
  command->add_option("LAB", choice->lab, context("help.lab_id"));
  command->footer(context("help.watch_examples"));
  command->callback([&context, choice] { context.action = [&context, choice] {
    context.text.use_place("check");
    return Watcher(context, *choice).run();
  }; });
}

}  // namespace p2plab::cli
