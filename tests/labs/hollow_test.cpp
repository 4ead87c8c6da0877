// No evidence, no pass: whatever a program says of itself, a lab demands the messages, with their bytes.
#include "app/check/lab_folder.h"
#include "app/check/lab_hollow.h"
#include "app/check/lab_lint.h"
#include "app/check/lab_run.h"
#include "tests/labs/toy_lab.h"
#include "tests/support/catch.h"

using namespace toy;

namespace {

/// What a rank that does nothing leaves, beside any number one may like to hand over.
trace::Trace idle(int ranks) {
  trace::Trace trace;
  trace.run.ranks = ranks;
  for (int rank = 0; rank < ranks; ++rank) trace.track(rank, trace.intern("host"));
  return trace;
}

}  // namespace

TEST_CASE("In no lab does a run without a message pass, whatever numbers it hands over") {
  for (const check::LabManifest& lab : check::load_labs(fs::path(P2PLAB_SOURCE_DIR) / "labs"))
    for (const check::LabRun& run : lab.runs) {
      const check::LabCase how = check::cases_of(lab, run, 1).front();
      const trace::Trace trace = idle(how.ranks);
      const check::LabEvidence evidence{how, trace, check::values_of(lab, how), nullptr};
      INFO(lab.id << ", run " << run.id);
      CHECK_FALSE(check::passes_hollow(lab, evidence, check::Hollow::silent));
    }
}

TEST_CASE("lab lint reports a lab whose solution could have sent nothing, or empty messages") {
  const Lab lab;
  const auto lint = [&](const std::string& with) {
    std::ifstream in(lab.folder() / "lab.toml");
    std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    const std::size_t at = text.find("with = {"), end = text.find('\n', at);
    std::ofstream(lab.folder() / "lab.toml") << text.replace(at, end - at, "with = { " + with + " }");
    std::ofstream(lab.folder() / "solution.cpp") << program();
    const check::LintResult result = check::lint_lab(installation(), lab.manifest(), 1, 1);
    return std::count_if(result.lines.begin(), result.lines.end(), [](const check::LintLine& line) { return line.what.id == "lab-lint.hollow"; });
  };
  CHECK(lint(R"(at_most = "2")") == 1);                // nothing would do
  CHECK(lint(R"(exactly = "2")") == 1);                // two empty ones would do
  CHECK(lint(R"(exactly = "2", bytes = "4")") == 0);
}
