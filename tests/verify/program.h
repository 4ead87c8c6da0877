// The corpus: small MPI programs that say in their first comments what the checker should say about them.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace p2plab::corpus {

/// A place that a finding must name: a rank and the line that carries the mark.
struct Place {
  int rank = 0;
  int line = 0;
};

struct Expectation {
  enum class Verdict { pass, fail, build_error, anything_but_pass };
  Verdict verdict = Verdict::pass;
  std::vector<std::string> kinds;  ///< of proven findings: at least one of these is wanted
  std::vector<std::string> also;   ///< may stand beside them
  std::vector<Place> places;       ///< each must be a site of a finding of one of `kinds`
};

/// One program: a shape (a source file) with the flags of one variant and size, on one number of ranks.
struct Program {
  std::string id;  ///< "deadlock/ring:wrong/large/4": kind, shape, variant, size if there is one, ranks
  std::string kind;
  std::filesystem::path source;
  std::string cflags;
  int ranks = 2;
  int timeout_s = 60;
  bool quick = false;  ///< belongs to the short tier
  Expectation expected;
};

/// All programs of one shape. Throws std::runtime_error naming the file and line of what is not understood.
std::vector<Program> read_shape(const std::filesystem::path& source);

/// All shapes under `folder`, in the order of their names.
std::vector<Program> read_corpus(const std::filesystem::path& folder);

/// The text of an expectation, as the head of a shape has it (marks as line numbers).
std::string describe(const Expectation& expected);

}  // namespace p2plab::corpus
