// Any call may fail at any use: the run ends with a sentence that names the call, and nothing is left of it.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <future>
#include <iterator>
#include <set>
#include <sstream>
#include <thread>

#include "tests/standin/stand_in.h"
#include "tests/support/catch.h"

using p2plab::analysis::Verdict;
using p2plab::test::describe;
using p2plab::test::on_stand_in;

namespace {

using Knobs = std::map<std::string, std::string>;

/// What runs start while it lives has a mark in its environment: the ranks, and all that stands between them and the lab.
class Marked {
 public:
  Marked() : here_(Knobs{{"P2PLAB_TEST_MARK", mark()}}) {}
  int running() const {
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
      const std::string name = entry.path().filename().string();
      if (name.find_first_not_of("0123456789") != std::string::npos || name == std::to_string(::getpid())) continue;
      std::ifstream file(entry.path() / "environ");
      const std::string environment((std::istreambuf_iterator<char>(file)), {});
      if (environment.find("P2PLAB_TEST_MARK=" + mark() + '\0') != std::string::npos) ++count;
    }
    return count;
  }
  /// What is left of the runs; what has been told to end may take a moment.
  int left() const {
    for (int i = 0; i < 1000 && running() > 0; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return running();
  }

 private:
  static std::string mark() { return std::to_string(::getpid()); }
  p2plab::test::Environment here_;
};

/// The functions of CUDA and NCCL that a plugin calls, but for those that say something and those that clean up.
std::set<std::string> calls_of(const std::string& backend) {
  const std::set<std::string> apart{"cudaGetErrorString", "cudaGetLastError", "ncclGetErrorString", "ncclGetLastError",      "cudaFree",        "cudaFreeHost",
                                    "cudaStreamDestroy",  "cudaEventDestroy", "cudaIpcCloseMemHandle", "ncclCommFinalize", "ncclCommDestroy", "ncclCommAbort"};
  std::FILE* pipe = ::popen(("nm -D --undefined-only '" + (p2plab::launch::Installation::find().lib() / ("libp2plab-" + backend + ".so")).string() + "'").c_str(), "r");
  std::string said;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) said += static_cast<char>(c);
  REQUIRE(WEXITSTATUS(::pclose(pipe)) == 0);
  std::set<std::string> calls{"cudaLaunchKernel"};  // by a name of the compiler's
  std::istringstream words(said);
  for (std::string word; words >> word;) {
    word = word.substr(0, word.find('@'));
    if ((word.starts_with("cuda") || word.starts_with("nccl")) && !apart.contains(word)) calls.insert(word);
  }
  return calls;
}

/// A run in which `call` is used.
struct Use {
  std::string demo;
  Knobs knobs;
  std::string devices = "8";
};
Use use_of(const std::string& call) {
  const Knobs cut{{"variant", "gather"}, {"max_tokens", "4"}, {"hidden", "8"}, {"iterations", "1"}, {"compute_us", "0"}};
  if (call == "ncclAllGather" || call == "ncclReduceScatter" || call.starts_with("cublas")) return {"tensor-parallel", cut};
  if (call == "ncclBroadcast") return {"pipeline", {{"transport", "bcast2"}, {"microbatches", "2"}, {"iterations", "1"}}};
  if (call == "cudaStreamWaitEvent") return {"pipeline", {{"microbatches", "2"}, {"iterations", "1"}}};
  if (call.starts_with("cudaIpc")) return {"deadlock", {{"variant", "ordered"}}, "1"};
  return {"corruption", {{"variant", "wait-first"}}};
}

/// What a rank can do without: cuBLAS, and on `cuda` what the ranks of one GPU first try of each other's.
bool spared(const std::string& backend, const std::string& call, int use) {
  return call == "cublasCreate" || (backend == "cuda" && use == 1 && (call.starts_with("cudaIpc") || call == "cudaEventCreateWithFlags"));
}

void check_fault(const std::string& backend, const std::string& call, int use) {
  const Use how = use_of(call);
  std::unique_ptr<p2plab::check::DemoRun> run;
  try {
    run = on_stand_in(how.demo, backend, how.knobs, "mpi", false, 2,
                      {{"P2PLAB_STANDIN_FAIL", call + ":" + std::to_string(use)}, {"P2PLAB_STANDIN_DEVICES", how.devices}});
  } catch (const p2plab::Error& error) {  // the lab asks for the GPUs before it starts anything
    CHECK(call == "cudaGetDeviceCount");
    CHECK(error.text().id == "gpu.failing");
    return;
  }
  INFO(backend << ": " << call << " use " << use << "\n" << describe(*run));
  std::string said;
  for (int rank = 0; rank < 2; ++rank) said += run->output(rank, true).text();
  const bool failed = said.find("fails as ordered") != std::string::npos;
  CHECK((failed || use > 1));  // a run that does not use it proves nothing
  if (!failed || spared(backend, call, use)) {
    CHECK(run->result().verdict == Verdict::pass);
    return;
  }
  CHECK(run->result().verdict != Verdict::pass);
  CHECK(run->result().verdict != Verdict::resource_limit);  // it did not hang
  const std::string named = call == "cudaLaunchKernel" ? "a kernel's launch" : call;
  CHECK(said.find(named + ": ") != said.npos);
}

/// Early uses lie before the run, late ones in it.
std::vector<int> uses() {
  if (std::getenv("P2PLAB_TEST_ALL") != nullptr) return {1, 2, 5, 50, 300};
  return {1, 5};
}

}  // namespace

TEST_CASE("each call of a backend that fails ends the run with its name, and nothing is left of it") {
  const Marked marked;
  for (const std::string backend : {"cuda", "nccl"}) {
    const auto calls = calls_of(backend);
    CHECK(calls.contains(backend == "cuda" ? "cudaIpcOpenMemHandle" : "ncclCommInitRankConfig"));
    for (const std::string& call : calls) {
      // What both backends call is tried on both only where there is time.
      if (backend == "nccl" && call.starts_with("cuda") && std::getenv("P2PLAB_TEST_ALL") == nullptr) continue;
      for (const int use : uses()) check_fault(backend, call, use);
    }
  }
  for (const std::string backend : {"cuda", "nccl"}) check_fault(backend, "cublasSgemm", 1);
  check_fault("cuda", "cublasCreate", 1);
  CHECK(marked.left() == 0);
}

TEST_CASE("a call of a group's broadcast that fails in the run, or of a group that is made, ends the run with its name") {
  const Marked marked;
  for (const int use : {3, 6}) check_fault("nccl", "ncclBroadcast", use);
  auto run = on_stand_in("pipeline", "nccl", use_of("ncclBroadcast").knobs, "nccl", false, 2, {{"P2PLAB_STANDIN_FAIL", "ncclCommInitRankConfig:4"}});
  INFO(describe(*run));  // after the world's and the two of the pair
  CHECK(run->result().verdict != Verdict::pass);
  CHECK((run->output(0, true).text() + run->output(1, true).text()).find("ncclCommInitRankConfig: ") != std::string::npos);
  run.reset();  // it keeps its supervisor
  CHECK(marked.left() == 0);
}

TEST_CASE("what a run starts is seen while it runs: ranks, supervisors and mpiexec") {
  const Marked marked;
  auto run = std::async(std::launch::async, [] { return on_stand_in("corruption", "cuda", {{"variant", "wait-first"}, {"receiver_delay_ms", "500"}}); });
  int most = 0;
  while (run.wait_for(std::chrono::milliseconds(5)) != std::future_status::ready) most = std::max(most, marked.running());
  CHECK(most >= 5);   // two ranks, mpiexec, its proxy, a supervisor
  run.get().reset();  // which it keeps
  CHECK(marked.left() == 0);
}

TEST_CASE("a clean-up that fails is said once, by name, and does not fail the run") {
  const Marked marked;
  const auto check = [](const std::string& backend, const std::string& call, Verdict verdict = Verdict::pass,
                        const std::map<std::string, std::string>& knobs = {{"variant", "ordered"}}, const std::string& devices = "8") {
    const auto run = on_stand_in("deadlock", backend, knobs, "mpi", false, 2, {{"P2PLAB_STANDIN_FAIL", call + ":1"}, {"P2PLAB_STANDIN_DEVICES", devices}});
    INFO(call << "\n" << describe(*run));
    CHECK(run->result().verdict == verdict);
    for (int rank = 0; rank < 2; ++rank) {
      const std::string said = run->output(rank, true).text(), sentence = "Cleaning up failed";
      const auto at = said.find(sentence);
      REQUIRE(at != std::string::npos);
      CHECK(said.find(sentence, at + 1) == std::string::npos);
      CHECK(said.find(call + ": ", at) != std::string::npos);
    }
  };
  for (const std::string call : {"cudaFree", "cudaFreeHost", "cudaStreamDestroy", "cudaEventDestroy"}) check("cuda", call);
  check("cuda", "cudaIpcCloseMemHandle", Verdict::pass, {{"variant", "ordered"}}, "1");
  for (const std::string call : {"cudaFree", "ncclCommFinalize", "ncclCommDestroy"}) check("nccl", call);
  check("nccl", "ncclCommAbort", Verdict::deadlock, {{"variant", "unfused"}});
  CHECK(marked.left() == 0);
}

TEST_CASE("an error that NCCL reports later names the call that was in progress") {
  const auto run = on_stand_in("deadlock", "nccl", {{"variant", "ordered"}}, "nccl", false, 2, {{"P2PLAB_STANDIN_FAIL", "cudaLaunchHostFunc:1"}});
  INFO(describe(*run));
  CHECK(run->result().verdict != Verdict::pass);
  CHECK((run->output(0, true).text() + run->output(1, true).text()).find("ncclSend and ncclRecv, in progress: unhandled cuda error (1)") != std::string::npos);
}

TEST_CASE("a machine with the libraries and no GPU is refused before anything starts, with the reason and what to do") {
  const auto refused = [](const std::string& backend, const std::string& devices) {
    try {
      on_stand_in("deadlock", backend, {{"variant", "grouped"}}, "mpi", false, 0, {{"P2PLAB_STANDIN_DEVICES", devices}});
    } catch (const p2plab::Error& error) {
      CHECK(error.exit_status() == 2);
      return error.text();
    }
    FAIL("it ran");
    return p2plab::TextRef{};
  };
  for (const std::string backend : {"cuda", "nccl"}) {
    for (const std::string devices : {"0", "error 34", "error 35", "error 100"}) {
      const auto why = refused(backend, devices);
      CHECK(why.id == "gpu.none");
      for (const auto& [name, value] : why.params) CHECK(!value.empty());
    }
  }
  for (const std::string backend : {"cuda", "nccl"}) {
    const auto why = refused(backend, "error 999");  // a fault of CUDA's, which would be hidden behind "no GPU"
    CHECK(why.id == "gpu.failing");
    CHECK(std::find(why.params.begin(), why.params.end(), std::pair<std::string, std::string>("error", "999")) != why.params.end());
  }
  CHECK(refused("nccl", "1").id == "gpu.too_few_for_any");  // one rank alone has nobody to send to
  try {
    on_stand_in("topology", "nccl", {{"variant", "ring"}}, "nccl", false, 4, {{"P2PLAB_STANDIN_DEVICES", "3"}});
    FAIL("it ran");
  } catch (const p2plab::Error& error) {
    CHECK(error.text().id == "gpu.too_few");
  }
}

TEST_CASE("a rank that is started by hand says it as well") {
  const p2plab::test::Environment here({{"LD_LIBRARY_PATH", P2PLAB_STANDIN_LIB}, {"UCX_MEM_EVENTS", "n"}, {"P2PLAB_STANDIN_DEVICES", "error 35"}});
  const std::string program = "'" + (p2plab::launch::Installation::find().lib() / "demo-deadlock").string() + "'";  // the path may have spaces
  std::FILE* pipe = ::popen((program + " --backend cuda 2>&1").c_str(), "r");
  std::string said;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) said += static_cast<char>(c);
  CHECK(WEXITSTATUS(::pclose(pipe)) == 2);
  CHECK(said.find("no GPU: ") != std::string::npos);
  CHECK(said.find("--backend host") != std::string::npos);
}
