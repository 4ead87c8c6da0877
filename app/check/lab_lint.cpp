// See lab_lint.h.
#include "app/check/lab_lint.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <future>
#include <set>
#include <sstream>
#include <thread>

#include "app/content/nearest.h"

namespace p2plab::check {

namespace {

using analysis::Verdict;
using Clock = std::chrono::steady_clock;

double since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

/// A program of the lab, and how it is to end.
struct DeclaredEnd {
  std::filesystem::path file;
  Verdict verdict = Verdict::pass;
  std::string fails;  ///< the first check that fails; empty: none
  bool alone = true;  ///< and no other
};

std::vector<DeclaredEnd> declared_ends(const LabManifest& lab) {
  std::vector<DeclaredEnd> out = {{lab.starter_file(), lab.starter, lab.starter_fails, false}, {lab.solution_file(), Verdict::pass, ""}};
  for (const LabMutant& mutant : lab.mutants) out.push_back({mutant.file, mutant.verdict, mutant.fails, true});
  return out;
}

std::vector<std::string> failed_checks(const LabResult& result) {
  std::vector<std::string> out;
  for (const LabOutcome& outcome : result.checks)
    if (outcome.verdict == Verdict::fail) out.push_back(outcome.id);
  return out;
}

LintLine judge_line(const LabManifest& lab, const DeclaredEnd& wanted, const LabResult& result) {
  LintLine line;
  line.file = wanted.file.lexically_relative(lab.folder).string();
  line.verdict = to_string(result.verdict);
  const auto failed = failed_checks(result);
  line.fails = content::join(failed);
  // An unfinished starter may lack several things; a mutant lacks one.
  const bool same = result.verdict == wanted.verdict && (wanted.fails.empty() ? failed.empty() : !failed.empty() && failed.front() == wanted.fails && (!wanted.alone || failed.size() == 1));
  line.good = same && result.hollow.empty();
  if (same && !line.good) line.what = {"lab-lint.hollow", {{"runs", content::join(result.hollow)}}};
  if (same) return line;
  const std::string declared = std::string(to_string(wanted.verdict)) + (wanted.fails.empty() ? "" : " (" + wanted.fails + ")");
  line.what = {"lab-lint.differs", {{"wanted", declared}, {"seen", line.verdict + (line.fails.empty() ? "" : " (" + line.fails + ")")}}};
  return line;
}

/// Ids of headings, so that both tasks have the same parts.
std::size_t headings(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::size_t count = 0;
  for (std::string line; std::getline(in, line);) count += line.starts_with("#") ? 1 : 0;
  return count;
}

std::vector<LintLine> texts(const LabManifest& lab) {
  std::vector<LintLine> out;
  const auto say = [&](const std::string& file, bool good, TextRef what) { out.push_back({.file = file, .good = good, .what = good ? TextRef{} : std::move(what)}); };
  const std::size_t en = headings(lab.task("en")), zh = headings(lab.task("zh"));
  say("task.en.md, task.zh.md", en >= 4 && en == zh, {"lab-lint.headings", {{"en", std::to_string(en)}, {"zh", std::to_string(zh)}}});
  say("lab.toml", lab.mutants.size() >= 4 && lab.mutants.size() <= 12, {"lab-lint.mutants", {{"count", std::to_string(lab.mutants.size())}}});
  std::set<std::string> proven;
  for (const LabMutant& mutant : lab.mutants) proven.insert(mutant.fails);
  proven.insert(lab.starter_fails);
  for (const LabCheck& check : lab.checks)
    if (!proven.contains(check.id)) say("lab.toml", false, {"lab-lint.unproven", {{"check", check.id}}});
  return out;
}

}  // namespace

bool LintResult::good() const {
  return !cancelled && !lines.empty() && std::all_of(lines.begin(), lines.end(), [](const LintLine& line) { return line.good; });
}

LintResult lint_lab(const launch::Installation& installation, const LabManifest& lab, int jobs, std::uint64_t seed, const LintWatcher& watcher) {
  const auto begin = Clock::now();
  LintResult result;
  std::atomic<bool> stop = false;
  const auto tell = [&](const LintLine* line) {
    if (watcher && !watcher(line)) stop = true;
  };
  result.lines = texts(lab);
  for (const LintLine& line : result.lines) tell(&line);
  const auto all = declared_ends(lab);
  struct Going {
    std::size_t index;
    std::future<LintLine> line;
  };
  std::vector<Going> going;
  std::vector<LintLine> done(all.size());
  for (std::size_t next = 0; (next < all.size() && !stop) || !going.empty();) {
    while (next < all.size() && !stop && std::cmp_less(going.size(), std::max(jobs, 1))) {
      const DeclaredEnd& wanted = all[next];
      going.push_back({next++, std::async(std::launch::async, [&, wanted] {
                         const auto started = Clock::now();
                         LabRequest request;
                         request.work = wanted.file;
                         request.seed = seed;
                         request.jobs = 1;
                         request.hollow = wanted.verdict == Verdict::pass;
                         LintLine line = judge_line(lab, wanted, check_lab(installation, lab, request, [&](const trace::Trace&, const LabCase&) { return !stop.load(); }));
                         line.seconds = since(started);
                         return line;
                       })});
    }
    for (std::size_t i = 0; i < going.size();) {
      if (going[i].line.wait_for(std::chrono::milliseconds(5)) != std::future_status::ready) {
        ++i;
        continue;
      }
      done[going[i].index] = going[i].line.get();
      tell(&done[going[i].index]);
      going.erase(going.begin() + static_cast<std::ptrdiff_t>(i));
    }
    tell(nullptr);
  }
  result.cancelled = stop;
  result.lines.insert(result.lines.end(), done.begin(), done.end());
  result.seconds = since(begin);
  return result;
}

}  // namespace p2plab::check
