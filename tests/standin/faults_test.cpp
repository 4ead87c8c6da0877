// Any call may fail at any use: the run ends with a sentence that names the call, and nothing is left of it.
#include <dirent.h>

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
    if (file >> name && name == "demo-corruption") ++count;
  }
  ::closedir(proc);
  return count;
}

void check_fault(const std::string& backend, const std::string& call, int use) {
  const auto run = on_stand_in("corruption", backend, {{"variant", "wait-first"}}, "mpi", false, 0,
                               {{"P2PLAB_STANDIN_FAIL", call + ":" + std::to_string(use)}});
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
    check_fault("cuda", call, 1);
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

TEST_CASE("a machine with the libraries and no GPU says so, and what to do") {
  for (const std::string backend : {"cuda", "nccl"}) {
    for (const std::string devices : {"0", "error 34", "error 35", "error 100"}) {
      const auto run = on_stand_in("deadlock", backend, {{"variant", "grouped"}}, "mpi", false, 0, {{"P2PLAB_STANDIN_DEVICES", devices}});
      INFO(describe(*run));
      CHECK(run->result().verdict != Verdict::pass);
      const std::string said = run->output(0, true).text() + run->output(1, true).text();  // the first to leave ends the other
      CHECK(said.find("no GPU: ") != said.npos);
      CHECK(said.find("--backend host") != said.npos);
    }
  }
  const auto run = on_stand_in("deadlock", "nccl", {{"variant", "grouped"}}, "nccl", false, 0, {{"P2PLAB_STANDIN_DEVICES", "1"}});
  CHECK((run->output(0, true).text() + run->output(1, true).text()).find("one GPU per rank") != std::string::npos);
}
