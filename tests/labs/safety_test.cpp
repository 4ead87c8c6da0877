// What a learner's program may do to a checker: hang, fork, flood, crash, leave things behind. Each is a verdict, never a pass,
// and nothing of it stays. What users of other checkers have met, and is tested elsewhere: results that swell and reports that do not
// say why (tests/cli/labs_test.cpp), instability, weights, hidden checks and one run that fails beside others (groups_test.cpp), a
// recycled process number (tests/launch/process_tree.cpp), links, wrapping folders and litter (tests/check/lab_manifest_test.cpp), a
// window that freezes (tests/gui/labs_model_test.cpp), torn and shared progress (tests/content).
#include <signal.h>

#include <future>

#include "app/launch/process_tree.h"
#include "app/launch/sandbox.h"
#include "tests/labs/toy_lab.h"
#include "tests/support/catch.h"

using namespace toy;
using analysis::Verdict;

namespace {

void mark() { setenv("P2PLAB_TEST_MARK", std::to_string(getpid()).c_str(), 1); }

const analysis::Finding& first_finding(const check::LabResult& result) {
  const check::LabOutcome* failure = result.first_failure();
  REQUIRE(failure != nullptr);
  REQUIRE_FALSE(failure->findings.empty());
  return failure->findings.front();
}

std::string parameter(const analysis::Finding& finding, const std::string& name) {
  for (const auto& [known, value] : finding.detail.params)
    if (known == name) return value;
  return {};
}

}  // namespace

TEST_CASE("A right program passes, whatever its name and its line ends") {
  const Lab lab;
  CHECK(check_work(lab, lab.hand_in(program(), "带 空格 的 名字.cpp")).verdict == Verdict::pass);
  std::string windows = program();
  for (std::size_t at = 0; (at = windows.find('\n', at)) != std::string::npos; at += 2) windows.replace(at, 1, "\r\n");
  const check::LabResult result = check_text(lab, windows);
  CHECK(result.verdict == Verdict::pass);
  CHECK(result.score == 1.0);
}

TEST_CASE("A standstill is a deadlock with its ranks, not a time-out") {
  const Lab lab;
  const check::LabResult result = check_text(lab, program("MPI_Recv(&in, 1, MPI_INT, 1 - rank, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"));
  CHECK(result.verdict == Verdict::deadlock);
  CHECK(result.score == 0);
  CHECK(first_finding(result).sites.size() == 2);
  CHECK(result.find("exchange")->verdict == Verdict::not_run);
}

TEST_CASE("An endless loop is ended by a limit that is named and measured, and nothing of it stays") {
  mark();
  const Lab lab("wall_s = 2");
  const check::LabResult result = check_text(lab, program("for (volatile int i = 0;; ++i) {}"));
  CHECK(result.verdict == Verdict::resource_limit);
  CHECK(parameter(first_finding(result), "limit") == "2000 ms");
  CHECK(std::stoi(parameter(first_finding(result), "measured")) >= 2000);
  CHECK(result.score == 0);
  CHECK(left_processes() == 0);
}

TEST_CASE("A fork bomb is ended by the number of processes, with all of them") {
  mark();
  const Lab lab("wall_s = 20\nprocesses = 20");
  const check::LabResult result = check_text(lab, program("for (int i = 0; i < 300; ++i) if (fork() == 0) { sleep(30); _exit(0); }\n", "#include <unistd.h>\n"));
  CHECK(result.verdict == Verdict::resource_limit);
  CHECK(first_finding(result).detail.id == "lab-detail.processes");
  CHECK(left_processes() == 0);
}

TEST_CASE("A flood of output is a verdict, and the checker keeps its head and its tail alone") {
  const Lab lab("wall_s = 20\noutput = \"64K\"");
  const check::LabResult result = check_text(lab, program("for (;;) std::putchar('x');", "#include <cstdio>\n"));
  CHECK(result.verdict == Verdict::resource_limit);
  CHECK(first_finding(result).detail.id == "verify-detail.limit-output");
  CHECK(parameter(first_finding(result), "limit") == "4194304 B");
  for (const std::string& output : result.output) CHECK(output.size() < 70'000);
}

TEST_CASE("A right program that prints much passes, and what was cut of its output is said") {
  const Lab lab("wall_s = 20\noutput = \"64K\"");
  const check::LabResult result = check_text(lab, program("for (int i = 0; i < 3'000'000; ++i) std::putchar('x');", "#include <cstdio>\n"));
  CHECK(result.verdict == Verdict::pass);
  CHECK(result.cut.id == "lab.output_cut");
  REQUIRE(result.output.size() == 2);
  for (const std::string& output : result.output) CHECK((output.size() < 70'000 && output.find(" B …]") != std::string::npos));
  const auto said = check::to_json(lab.manifest(), check::LabRequest{}, result, check::Disclosure::full);
  CHECK(said["output"]["params"]["printed"] == "3000000");
  CHECK(check_text(lab, program()).cut.id.empty());
}

TEST_CASE("A file that grows beyond its limit is that limit and no crash") {
  const Lab lab("wall_s = 20\nfile = \"1M\"");
  const check::LabResult result = check_text(lab, program("if (std::FILE* file = std::fopen(\"big\", \"w\")) for (int i = 0; i < 4'000'000; ++i) std::fputc('x', file);", "#include <cstdio>\n"));
  CHECK(result.verdict == Verdict::resource_limit);
  CHECK(first_finding(result).detail.id == "verify-detail.limit-file");
  CHECK(parameter(first_finding(result), "limit") == "1048576 B");
  CHECK_FALSE(parameter(first_finding(result), "rank").empty());
}

TEST_CASE("What crashes or hangs before MPI_Init is said to, and so is a signal that also ends what watches over the rank") {
  const Lab lab("wall_s = 2");
  const auto before = [](const std::string& what) { return program("", "#include <csignal>\nstruct Early { Early() { " + what + " } } early;\n"); };
  const check::LabResult crash = check_text(lab, before("raise(SIGSEGV);"));
  CHECK(crash.verdict == Verdict::crash);
  CHECK(first_finding(crash).detail.id == "verify-detail.crash-early-silent");
  const check::LabResult hang = check_text(lab, before("for (volatile int i = 0;; i = i + 1) {}"));
  CHECK(hang.verdict == Verdict::resource_limit);
  CHECK(first_finding(hang).detail.id == "verify-detail.limit-wall-early");
  const check::LabResult group = check_text(lab, program("if (rank == 1) kill(0, SIGTERM);", "#include <csignal>\n"));
  CHECK(group.verdict == Verdict::crash);
  CHECK(parameter(first_finding(group), "name") == "SIGTERM");
  const check::LabResult late = check_text(lab, program("", "#include <csignal>\nstruct Late { ~Late() { raise(SIGKILL); } } late;\n"));
  CHECK(late.verdict != Verdict::pass);
}

TEST_CASE("A program that eats memory is ended by the memory of all its ranks") {
  const Lab lab("wall_s = 20\nmemory = \"300M\"");
  const check::LabResult result = check_text(lab, program("for (int i = 0; i < 100; ++i) { char* p = new char[20 << 20]; std::memset(p, 1, 20 << 20); asm volatile(\"\" : : \"r\"(p) : \"memory\"); }", "#include <cstring>\n"));
  CHECK(result.verdict == Verdict::resource_limit);
  CHECK(first_finding(result).detail.id == "verify-detail.limit-memory");
}

TEST_CASE("A child that is left behind goes with the check") {
  mark();
  const Lab lab;
  const check::LabResult result = check_text(lab, program("if (fork() == 0) { setsid(); sleep(60); _exit(0); }\n", "#include <unistd.h>\n"));
  CHECK(result.verdict == Verdict::pass);
  CHECK(left_processes() == 0);
}

TEST_CASE("A checker that is killed leaves no verdict and no marks, and nothing of the program stays") {
  mark();
  const Lab lab;
  check::LabRequest request;
  request.work = lab.hand_in(program("for (volatile int i = 0;; ++i) {}"));
  bool killed = false;
  const check::LabResult result = check::check_lab(installation(), lab.manifest(), request, [&](const trace::Trace& trace, const check::LabCase&) {
    if (killed || trace.tracks().empty()) return true;
    for (const pid_t child : launch::children_of(getpid())) killed = ::kill(child, SIGKILL) == 0 || killed;  // p2plab-supervise
    return true;
  });
  CHECK(killed);
  CHECK(result.verdict == Verdict::infra_error);
  CHECK(result.score == 0);
  CHECK(left_processes() == 0);
}

TEST_CASE("A crash, an early exit and a program without MPI are no passes") {
  const Lab lab;
  CHECK(check_text(lab, program("*static_cast<volatile int*>(nullptr) = 1;")).verdict == Verdict::crash);
  CHECK(check_text(lab, program("std::exit(0);", "#include <cstdlib>\n")).verdict != Verdict::pass);
  CHECK(check_text(lab, "int main() { return 0; }\n").verdict != Verdict::pass);
  const check::LabResult result = check_text(lab, "int main( {\n");
  CHECK(result.verdict == Verdict::build_error);
  CHECK_FALSE(result.compiler_text.empty());
  CHECK(result.find("exchange")->verdict == Verdict::not_run);
}

TEST_CASE("Output that is no UTF-8 keeps no result from being written") {
  const Lab lab;
  const check::LabResult result = check_text(lab, program("std::printf(\"\\xff\\xfe\\x80 caf\\xe9\\n\");", "#include <cstdio>\n"));
  CHECK(result.verdict == Verdict::pass);
  check::LabRequest request;
  const auto json = check::to_json(lab.manifest(), request, result, check::Disclosure::full);
  CHECK_FALSE(json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace).empty());
}

TEST_CASE("An edited read-only file is named before anything is built") {
  const Lab lab;
  fs::create_directories(lab.root() / "mine");
  std::ofstream(lab.root() / "mine/toy.cpp") << program();
  std::ofstream(lab.root() / "mine/given.h") << "#define MPI_Sendrecv(...)\n";
  const check::LabResult result = check_work(lab, lab.root() / "mine");
  CHECK(result.verdict == Verdict::fail);
  CHECK(result.first_failure()->id == "files");
  CHECK(result.first_failure()->what.params.front().second == "given.h");
  CHECK(result.cases == 0);
}

TEST_CASE("A hand-in with nothing to look at fails by the gate of the files, and nothing is run") {
  const Lab lab;
  fs::create_directories(lab.root() / "empty");
  for (const fs::path& work : {lab.root() / "empty", lab.root() / "nowhere.cpp"}) {
    const check::LabResult result = check_work(lab, work);
    INFO(work);
    CHECK(result.verdict == Verdict::fail);
    REQUIRE(result.first_failure() != nullptr);
    CHECK(result.first_failure()->id == "files");
    CHECK(result.no_work);
    CHECK(result.missing == !fs::exists(work));
    CHECK(result.score == 0);
    CHECK(result.cases == 0);
    CHECK(result.find("exchange")->verdict == Verdict::not_run);
  }
}

TEST_CASE("What a run leaves in its folder is not there for the next, nor for one beside it") {
  const Lab lab;
  const std::string text = program("if (std::FILE* old = std::fopen(\"left.txt\", \"r\")) { std::fclose(old); std::abort(); }\nMPI_Barrier(MPI_COMM_WORLD);\nif (std::FILE* file = std::fopen(\"left.txt\", \"w\")) std::fclose(file);",
                                   "#include <cstdio>\n#include <cstdlib>\n");
  const fs::path work = lab.hand_in(text);
  auto beside = std::async(std::launch::async, [&] { return check_work(lab, work).verdict; });
  CHECK(check_work(lab, work).verdict == Verdict::pass);
  CHECK(beside.get() == Verdict::pass);
  CHECK(check_work(lab, work).verdict == Verdict::pass);
}

TEST_CASE("A program that goes around the profiling layer shows nothing, and is told so") {
  const Lab lab;
  std::string text = program();
  text.replace(text.find("MPI_Sendrecv"), 12, "PMPI_Sendrecv");
  const check::LabResult result = check_text(lab, text);
  CHECK(result.verdict == Verdict::fail);
  CHECK(result.first_failure()->id == "calls");
  CHECK(result.first_failure()->what.id == "lab-detail.around");
}

TEST_CASE("In the sandbox nothing is written outside, and there is no network but loopback") {
  if (launch::no_sandbox_reason() == "missing" || launch::no_sandbox_reason() == "refused") {
    WARN("skipped: bubblewrap is " + launch::no_sandbox_reason());
    return;
  }
  const Lab lab;
  const fs::path outside = fs::temp_directory_path() / ("p2plab-outside-" + std::to_string(getpid()));
  const std::string text = program("if (std::FILE* file = std::fopen(\"" + outside.string() + "\", \"w\")) std::fclose(file);\n"
                                   "if (std::fopen(\"" + (lab.root() / "toy.txt").string() + "\", \"w\") != nullptr) std::abort();\n"
                                   "int other = 0;\nstruct ifaddrs* all = nullptr;\ngetifaddrs(&all);\n"
                                   "for (auto* a = all; a != nullptr; a = a->ifa_next) if (std::string(a->ifa_name) != \"lo\") ++other;\nif (other != 0) std::abort();\n",
                                   "#include <ifaddrs.h>\n#include <cstdio>\n#include <cstdlib>\n#include <string>\n");
  CHECK(check_text(lab, text).verdict == Verdict::pass);
  CHECK_FALSE(fs::exists(outside));
}

TEST_CASE("In the sandbox no process but its own can be seen, root has no rights, labs cannot be read and nothing secret is passed on") {
  if (launch::no_sandbox_reason() == "missing" || launch::no_sandbox_reason() == "refused") {
    WARN("skipped: bubblewrap is " + launch::no_sandbox_reason());
    return;
  }
  const Lab lab;
  setenv("TOKEN_OF_A_TEST", "s3cr3t", 1);
  const std::string solution = fs::canonical(installation().share() / "labs").string() + "/01-hello-ping-pong/solution.cpp";
  REQUIRE(fs::exists(solution));
  // Who can signal the checker could also kill it; a file of its root folder would be one outside the sandbox.
  const std::string checker = std::to_string(getpid());
  const std::string text = program("const auto refuse = [](bool seen, const char* what) { if (seen) { std::fputs(what, stderr); std::abort(); } };\n"
                                   "refuse(kill(" + checker + ", 0) == 0, \"can signal the checker\");\n"
                                   "refuse(access(\"/proc/" + checker + "/root\", F_OK) == 0, \"sees the checker\");\n"
                                   "refuse(setuid(getuid() + 1) == 0, \"has root's rights\");\n"
                                   "refuse(std::fopen(\"" + solution + "\", \"r\") != nullptr, \"reads a solution\");\n"
                                   "refuse(std::getenv(\"TOKEN_OF_A_TEST\") != nullptr, \"knows the environment\");\n",
                                   "#include <csignal>\n#include <cstdio>\n#include <cstdlib>\n#include <unistd.h>\n");
  const check::LabResult result = check_text(lab, text);
  INFO((result.output.empty() ? std::string() : result.output.front() + result.output.back()));
  CHECK(result.verdict == Verdict::pass);
  unsetenv("TOKEN_OF_A_TEST");
  const check::LabResult stolen = check_text(lab, program("", "#include \"" + solution + "\"\n"));
  CHECK(stolen.verdict == Verdict::build_error);
}

TEST_CASE("A compiler that is ended by a limit is told apart from a program that does not compile") {
  CHECK(check::limit_of({}).empty());
  launch::JobStatus status;
  status.end = launch::JobEnd::memory_limit;
  CHECK(check::limit_of(status) == "memory");
  status.end = launch::JobEnd::wall_limit;
  CHECK(check::limit_of(status) == "time");
  const content::Text text(installation().share() / "assets/text", content::Language::en);
  for (const char* limit : {"time", "memory"})
    CHECK(text(std::string("lab-detail.build-") + limit, {{"file", "toy.cpp"}}).find("toy.cpp") != std::string::npos);
}
