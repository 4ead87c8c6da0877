// The demo corruption, run for real: every variant, below and above the eager limit.
#include <nlohmann/json.hpp>

#include "tests/demos/run_demo.h"
#include "tests/support/catch.h"

using p2plab::analysis::Verdict;
using p2plab::test::describe;
using p2plab::test::run_demo;

namespace {

std::unique_ptr<p2plab::check::DemoRun> corruption(const std::string& variant, const std::string& bytes, bool strict = false) {
  p2plab::check::RunRequest request;
  request.demo = "corruption";
  request.strict = strict;
  // The sender has overwritten its buffer long before the receiver comes, however busy the machine is.
  request.knobs = {{"variant", variant}, {"bytes", bytes}, {"receiver_delay_ms", "300"}};
  request.timeout_s = 20;
  return run_demo(std::move(request));
}

std::int64_t metric(const p2plab::check::DemoRun& run, const char* name) {
  return run.result().metrics[name].get<std::int64_t>();
}

}  // namespace

TEST_CASE("a send buffer overwritten before wait corrupts large messages") {
  const std::string variant = GENERATE("unsafe", "freed");
  const auto run = corruption(variant, "1M");
  INFO(describe(*run));
  CHECK(run->result().verdict == Verdict::corrupt);
  CHECK(run->result().as_promised);
  CHECK(metric(*run, "corrupt_bytes") > 1'000);
  CHECK(metric(*run, "hash_mismatches") == 1);
}

TEST_CASE("small messages hide an overwritten send buffer, and the hash finds it") {
  const std::string variant = GENERATE("unsafe", "freed");
  const auto run = corruption(variant, "1K");
  INFO(describe(*run));
  CHECK(run->result().verdict == Verdict::corrupt);
  CHECK(run->result().as_promised);
  CHECK(metric(*run, "corrupt_bytes") == 0);
  CHECK(metric(*run, "hash_mismatches") == 1);
}

TEST_CASE("with every send synchronous completion waits, not the copy: small messages stay intact, and the hash finds it") {
  const std::string variant = GENERATE("unsafe", "freed");
  const auto run = corruption(variant, "64", true);
  INFO(describe(*run));
  CHECK(run->result().as_promised);
  CHECK(metric(*run, "hash_mismatches") == 1);
  // MPICH copies; what another MPI does is said all the same.
  CHECK((run->result().says.en.find("intact") != std::string::npos || run->result().says.en.find("bytes are right") != std::string::npos) == (metric(*run, "corrupt_bytes") == 0));
}

TEST_CASE("the sentence of an overwritten send buffer fits the bytes that arrived, strict or not, at any size") {
  int intact = 0, wrong = 0;
  for (const std::string variant : {"unsafe", "freed"})
    for (const bool strict : {false, true})
      for (const std::string bytes : {"64", "65536", "1048576"}) {
        p2plab::check::RunRequest request;
        request.demo = "corruption";
        request.backend = "sim";
        request.strict = strict;
        request.knobs = {{"variant", variant}, {"bytes", bytes}};
        request.timeout_s = 60;
        const auto run = run_demo(std::move(request));
        INFO(describe(*run));
        CHECK(run->result().as_promised);
        const bool none = metric(*run, "corrupt_bytes") == 0;
        const auto& says = run->result().says;
        CHECK((says.en.starts_with("All bytes arrived intact") || says.en.find("the bytes are right") != std::string::npos) == none);
        CHECK((says.zh.find("全部正确") != std::string::npos || says.zh.find("字节是对的") != std::string::npos) == none);
        (none ? intact : wrong) += 1;
      }
  CHECK(intact == 4);  // not strict and eager: copied
  CHECK(wrong == 8);   // the virtual machine copies nothing when strict
}

TEST_CASE("a receive buffer read or reused before wait is wrong at any size") {
  const std::string variant = GENERATE("early-read", "early-reuse");
  const std::string bytes = GENERATE("1K", "1M");
  const auto run = corruption(variant, bytes);
  INFO(describe(*run));
  CHECK(run->result().verdict == Verdict::corrupt);
  CHECK(run->result().as_promised);
  CHECK(metric(*run, "corrupt_bytes") > 900);
  REQUIRE(run->result().findings.size() == 1);
  CHECK(run->result().findings[0].kind == "recv-buffer-race");
  CHECK(run->result().findings[0].count == 1);  // the other message was right
}

TEST_CASE("the fixes of the corruption pass at any size") {
  const std::string variant = GENERATE("wait-first", "clone", "double-buffer");
  const std::string bytes = GENERATE("1K", "1M");
  const auto run = corruption(variant, bytes);
  INFO(describe(*run));
  CHECK(run->result().verdict == Verdict::pass);
  CHECK(run->result().as_promised);
  CHECK(metric(*run, "corrupt_bytes") == 0);
  CHECK(metric(*run, "hash_mismatches") == 0);
}

TEST_CASE("the first differing bytes are noted, sent against received") {
  const auto run = corruption("unsafe", "1M");
  INFO(describe(*run));
  std::string text;
  for (const auto& note : run->trace().notes()) {
    if (run->trace().name(note.name) == "first_difference") text = run->trace().name(note.text);
  }
  const auto difference = nlohmann::json::parse(text);
  CHECK(difference["offset"].get<std::int64_t>() >= 0);
  CHECK(difference["sent"].get<std::string>().size() == 32);
  CHECK(difference["received"].get<std::string>().size() == 32);
  CHECK(difference["sent"] != difference["received"]);
}

TEST_CASE("under NCCL's rules every variant comes out as promised, too") {
  for (const std::string variant : {"unsafe", "wait-first", "clone", "double-buffer", "early-read", "early-reuse", "freed"}) {
    p2plab::check::RunRequest request;
    request.demo = "corruption";
    request.backend = "sim";
    request.semantics = "nccl";
    request.knobs = {{"variant", variant}};
    request.timeout_s = 20;
    const auto run = run_demo(std::move(request));
    INFO(variant << "\n" << describe(*run));
    CHECK(run->result().as_promised);
  }
}

TEST_CASE("under NCCL's rules a small send that was overwritten is found by the hash, and the finding names the send's buffer, once") {
  for (const std::string backend : {"host", "sim"})
    for (const std::string bytes : {"64", "1M"}) {
      p2plab::check::RunRequest request;
      request.demo = "corruption";
      request.backend = backend;
      request.semantics = "nccl";
      request.knobs = {{"variant", "unsafe"}, {"bytes", bytes}};
      request.timeout_s = 60;
      const auto run = run_demo(std::move(request));
      INFO(backend << " " << bytes << "\n" << describe(*run));
      CHECK(run->result().verdict == Verdict::corrupt);
      CHECK(run->result().as_promised);
      CHECK(metric(*run, "hash_mismatches") == 1);
      REQUIRE(run->result().findings.size() == 1);
      CHECK(run->result().findings[0].kind == "send-buffer-race");
      CHECK(run->result().findings[0].count == 1);
    }
}
