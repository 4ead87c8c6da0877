// Any call may fail at any use: the run ends with a sentence that names the call, and nothing is left of it.
#include <dirent.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <fstream>

#include "tests/standin/stand_in.h"
#include "tests/support/catch.h"

using p2plab::analysis::Verdict;
using p2plab::test::describe;
using p2plab::test::on_stand_in;

namespace {

/// Processes that run a demo.
int demos_running() {
  int count = 0;
  DIR* proc = ::opendir("/proc");
  while (const dirent* entry = ::readdir(proc)) {
    std::ifstream file(std::string("/proc/") + entry->d_name + "/comm");
    std::string name;
    // The kernel keeps 15 letters of a name.
    if (file >> name && (name == "demo-corruption" || name == "demo-pipeline" || name == "demo-tensor-par")) ++count;
  }
  ::closedir(proc);
  return count;
}

void check_fault(const std::string& backend, const std::string& call, int use, const std::string& demo = "corruption",
                 const std::map<std::string, std::string>& knobs = {{"variant", "wait-first"}}) {
  std::unique_ptr<p2plab::check::DemoRun> run;
  try {
    run = on_stand_in(demo, backend, knobs, "mpi", false, 2, {{"P2PLAB_STANDIN_FAIL", call + ":" + std::to_string(use)}});
  } catch (const p2plab::Error& error) {  // the lab asks for the GPUs before it starts anything
    CHECK(call == "cudaGetDeviceCount");
    CHECK(error.text().id == "gpu.failing");
    return;
  }
  INFO(call << " use " << use << "\n" << describe(*run));
  std::string said;
  for (int rank = 0; rank < 2; ++rank) said += run->output(rank, true).text();
  if (said.find("fails as ordered") == std::string::npos) {  // never used so often
    CHECK(run->result().verdict == Verdict::pass);
    return;
  }
  CHECK(run->result().verdict != Verdict::pass);
  CHECK(run->result().verdict != Verdict::resource_limit);  // it did not hang
  const std::string named = call == "cudaLaunchKernel" ? "a kernel's launch" : call;
  CHECK(said.find(named + ": ") != said.npos);
}

}  // namespace

TEST_CASE("a CUDA call that fails ends the run with its name") {
  for (const std::string call : {"cudaGetDeviceCount", "cudaSetDevice", "cudaMalloc", "cudaMallocHost", "cudaStreamCreateWithFlags", "cudaEventCreateWithFlags",
                                 "cudaEventRecord", "cudaEventQuery", "cudaEventElapsedTime", "cudaStreamWaitEvent", "cudaMemcpyAsync",
                                 "cudaMemsetAsync", "cudaLaunchKernel"}) {
    // The first event is one that processes share; where there are none the host orders the copies.
    check_fault("cuda", call, call == "cudaEventCreateWithFlags" ? 2 : 1);
    check_fault("cuda", call, 5);
  }
  CHECK(demos_running() == 0);
}

TEST_CASE("an NCCL call that fails ends the run with its name") {
  for (const std::string call : {"ncclGetUniqueId", "ncclCommInitRankConfig", "ncclCommGetAsyncError", "ncclGroupStart", "ncclGroupEnd", "ncclSend",
                                 "ncclRecv", "ncclAllReduce"}) {
    check_fault("nccl", call, 1);
    check_fault("nccl", call, 5);
  }
  CHECK(demos_running() == 0);
}

TEST_CASE("a call of a group's broadcast or of a collective that fails ends the run with its name") {
  const std::map<std::string, std::string> groups{{"transport", "bcast2"}, {"microbatches", "2"}, {"iterations", "1"}};
  for (const int use : {1, 3, 6}) check_fault("nccl", "ncclBroadcast", use, "pipeline", groups);  // before the run, and in it
  check_fault("nccl", "ncclCommInitRankConfig", 4, "pipeline", groups);                            // after the world's and the two of the pair
  for (const int use : {1, 4}) check_fault("cuda", "cudaMemcpyAsync", use, "pipeline", groups);
  const std::map<std::string, std::string> gather{{"variant", "gather"}, {"max_tokens", "4"}, {"hidden", "8"}, {"iterations", "1"}, {"compute_us", "0"}};
  for (const std::string call : {"ncclAllGather", "ncclReduceScatter"}) check_fault("nccl", call, 2, "tensor-parallel", gather);
  CHECK(demos_running() == 0);
}

TEST_CASE("a clean-up that fails is said once, by name, and does not fail the run") {
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
  CHECK(demos_running() == 0);
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
