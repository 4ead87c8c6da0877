// verify-score: runs `p2plab verify` over the corpus and prints what the acceptance asks for: specificity, recall, the
// rate of right kinds, and the seconds per program.  verify-score [--quick] [--every N] [--folder DIR] [--list] [WORD
// …]
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "tests/verify/outcome.h"
#include "tests/verify/program.h"

using namespace p2plab::corpus;

namespace {

struct Options {
  bool quick = false, list = false;
  std::size_t every = 1;
  std::string folder = P2PLAB_SOURCE_DIR "/tests/verify/shapes";
  std::vector<std::string> words;  ///< a program is taken when its id holds one of them
};

Options parse(int argc, char** argv) {
  Options out;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--quick")
      out.quick = true;
    else if (word == "--list")
      out.list = true;
    else if (word == "--every" && i + 1 < argc)
      out.every = std::max(1ul, std::stoul(argv[++i]));
    else if (word == "--folder" && i + 1 < argc)
      out.folder = argv[++i];
    else
      out.words.push_back(word);
  }
  return out;
}

std::vector<Program> chosen(const Options& options) {
  std::vector<Program> out;
  std::size_t seen = 0;
  for (Program& program : read_corpus(options.folder)) {
    if (options.quick && !program.quick) continue;
    const auto in_id = [&](const std::string& word) { return program.id.find(word) != std::string::npos; };
    if (!options.words.empty() && std::none_of(options.words.begin(), options.words.end(), in_id)) continue;
    if (seen++ % options.every == 0) out.push_back(std::move(program));
  }
  return out;
}

struct Score {
  int correct = 0, passed = 0;  ///< correct programs, and those that were found to be
  int wrong = 0, caught = 0, kinds = 0,
      places = 0;  ///< wrong programs; caught; with the right kind; and the right places
  std::vector<double> seconds;

  void add(const Program& program, const Outcome& outcome) {
    if (program.expected.verdict == Expectation::Verdict::pass) {
      ++correct;
      passed += outcome.verdict_right ? 1 : 0;
    } else {
      ++wrong;
      caught += outcome.verdict_right ? 1 : 0;
      kinds += outcome.kind_right ? 1 : 0;
      places += outcome.places_right ? 1 : 0;
    }
    seconds.push_back(outcome.seconds);
  }
};

double rate(int part, int whole) { return whole == 0 ? 1.0 : static_cast<double>(part) / whole; }

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

void print(const std::string& name, const Score& score) {
  fmt::print(
      "{:<20} {:>4} correct, specificity {:.3f} | {:>4} wrong, recall {:.3f}, right kind {:.3f}, right places {:.3f} | "
      "median {:.2f} s\n",
      name, score.correct, rate(score.passed, score.correct), score.wrong, rate(score.caught, score.wrong),
      rate(score.kinds, score.wrong), rate(score.places, score.wrong), median(score.seconds));
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = parse(argc, argv);
  Score total, plain_c;
  std::map<std::string, Score> by_kind;
  for (const Program& program : chosen(options)) {
    if (options.list) {
      fmt::print("{}  --ranks {} --cflags '{}' => {}\n", program.id, program.ranks, program.cflags,
                 describe(program.expected));
      continue;
    }
    const Outcome outcome = verify(program);
    total.add(program, outcome);
    by_kind[program.kind].add(program, outcome);
    if (program.ranks == 2 && program.source.extension() == ".c") plain_c.add(program, outcome);
    const char* what = outcome.right()          ? "ok   "
                       : !outcome.verdict_right ? "WRONG"
                       : !outcome.kind_right    ? "kind "
                                                : "place";
    fmt::print("{} {:5.2f} s  {}  [{}]{}\n", what, outcome.seconds, program.id, program.cflags,
               outcome.right()
                   ? ""
                   : "\n        expected " + describe(program.expected) + "\n        got      " + outcome.said);
    std::fflush(stdout);
  }
  if (options.list) return 0;
  for (const auto& [kind, score] : by_kind) print(kind, score);
  print("all", total);
  fmt::print("median of the C programs on 2 ranks: {:.2f} s\n", median(plain_c.seconds));
  return total.passed == total.correct && total.places == total.wrong ? 0 : 1;
}
