// A run that fails a gate closes its own checks, not those of other runs; weights make the score.
#include "tests/labs/toy_lab.h"
#include "tests/support/catch.h"

using namespace toy;
using analysis::Verdict;

namespace {

/// Two runs, "good" and "bad", and a check for each; the second weighs three times as much.
check::LabManifest two_runs(const Lab& lab) {
  check::LabManifest manifest = lab.manifest();
  manifest.runs.front().id = "good";
  manifest.runs.front().arguments = {"good"};
  manifest.runs.push_back(manifest.runs.front());
  manifest.runs.back().id = "bad";
  manifest.runs.back().arguments = {"bad"};
  manifest.checks.front().runs = {"good"};
  manifest.checks.push_back(manifest.checks.front());
  manifest.checks.back().id = "other";
  manifest.checks.back().runs = {"bad"};
  manifest.checks.back().weight = 3;
  return manifest;
}

check::LabResult checked(const check::LabManifest& manifest, const fs::path& work) {
  check::LabRequest request;
  request.work = work;
  return check::check_lab(installation(), manifest, request);
}

}  // namespace

TEST_CASE("A deadlock in one run leaves the checks of the others to be judged") {
  const Lab lab;
  const fs::path work = lab.hand_in(program("if (argv[1][0] == 'b') MPI_Recv(&in, 1, MPI_INT, 1 - rank, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"));
  const check::LabResult result = checked(two_runs(lab), work);
  CHECK(result.verdict == Verdict::deadlock);
  CHECK(result.find("exchange")->verdict == Verdict::pass);
  CHECK(result.find("other")->verdict == Verdict::not_run);
  CHECK(result.score == 0.25);
  CHECK(result.find("finish")->where->run == "bad");
}

TEST_CASE("A check behind one that failed is not run, and a hidden one tells nothing but that it failed") {
  const Lab lab;
  check::LabManifest manifest = two_runs(lab);
  manifest.checks.back().depends = {"exchange"};
  manifest.checks.front().with["exactly"] = "3";
  manifest.checks.front().hidden = true;
  const check::LabResult result = checked(manifest, lab.hand_in(program()));
  CHECK(result.find("exchange")->verdict == Verdict::fail);
  CHECK(result.find("other")->verdict == Verdict::not_run);
  CHECK(result.score == 0);
  const auto json = check::to_json(manifest, check::LabRequest{}, result, check::Disclosure::full);
  CHECK(json["hidden"] == 1);
  CHECK(json["hidden_failed"] == 1);
  for (const auto& check : json["checks"]) {
    if (check["id"] != "exchange") continue;
    CHECK(check["wanted"].empty());
    CHECK(check["seen"].empty());
    CHECK(check["why"].is_null());
  }
}

TEST_CASE("The same seed gives the same verdict and the same cases") {
  const Lab lab;
  const check::LabManifest manifest = two_runs(lab);
  const fs::path work = lab.hand_in(program());
  check::LabRequest request;
  request.work = work;
  request.repeat = 2;
  const check::LabResult result = check::check_lab(installation(), manifest, request);
  CHECK(result.verdict == Verdict::pass);
  CHECK(result.score == 1.0);
}
