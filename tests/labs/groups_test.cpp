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

TEST_CASE("A program that is not the same each time is unstable, and both verdicts are told") {
  const Lab lab;
  // Rank 0 tosses a coin: on one side it sends one message more.
  const std::string coin = "if (rank == 0) out = std::chrono::steady_clock::now().time_since_epoch().count() / 1000 % 2;\n"
                           "MPI_Bcast(&out, 1, MPI_INT, 0, MPI_COMM_WORLD);\n"
                           "if (out == 1 && rank == 0) MPI_Send(&in, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);\n"
                           "if (out == 1 && rank == 1) MPI_Recv(&in, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);";
  check::LabRequest request;
  request.work = lab.hand_in(program(coin, "#include <chrono>\n"));
  request.repeat = 30;  // ends with the first that differs; all the same is as likely as thirty heads
  const check::LabResult result = check::check_lab(installation(), lab.manifest(), request);
  CHECK(result.verdict == Verdict::unstable);
  CHECK(result.why.id == "lab-detail.unstable");
  REQUIRE(result.why.params.size() == 3);
  CHECK(result.why.params[0].second != result.why.params[1].second);
  CHECK(result.score == 0);
}

TEST_CASE("Each failure keeps the run that it was seen in, and the first of the list is the one to show") {
  const Lab lab;
  check::LabManifest manifest = two_runs(lab);
  manifest.checks.front().runs = {"bad"};   // listed first, fails last
  manifest.checks.back().runs = {"good"};
  manifest.checks.front().with["exactly"] = "7";
  manifest.checks.back().with["exactly"] = "8";
  const check::LabResult result = checked(manifest, lab.hand_in(program()));
  REQUIRE(result.find("exchange")->trace);
  REQUIRE(result.find("other")->trace);
  CHECK(result.find("exchange")->trace != result.find("other")->trace);
  CHECK(result.trace == result.first_failure()->trace);
  CHECK(result.first_failure()->id == "exchange");
}

TEST_CASE("A check is stopped while it compiles") {
  const Lab lab;
  check::LabRequest request;
  request.work = lab.hand_in(program());
  request.go_on = [] { return false; };
  const check::LabResult result = check::check_lab(installation(), lab.manifest(), request);
  CHECK(result.cancelled);
  CHECK(result.cases == 0);
  CHECK(result.score == 0);
  CHECK(result.compiler_text.empty());
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
