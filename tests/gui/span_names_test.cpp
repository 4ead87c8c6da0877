// Every name that a demo gives to a span has its twin in both languages, or is a call, which is code.
#include <algorithm>
#include <set>

#include "app/report/words.h"
#include "tests/demos/run_demo.h"
#include "tests/report/support.h"
#include "tests/support/catch.h"

using namespace p2plab;
using Knobs = std::map<std::string, std::string>;

namespace {

bool is_call(const trace::Trace& trace, const trace::Span& span) {
  const std::string& name = trace.name(span.name);
  const bool code = std::all_of(name.begin(), name.end(), [](char c) { return c == '_' || (c >= 'a' && c <= 'z'); });
  return code && (trace::is_communication(span.kind) || span.kind == trace::Kind::wait);
}

/// F3, B0: the same in every language.
bool is_microbatch(const trace::Span& span) { return trace::is_compute(span.kind) && span.microbatch >= 0; }

std::set<std::string> names_without_words(const std::string& demo, const std::string& semantics, Knobs knobs, const content::Text& text) {
  check::RunRequest request;
  request.demo = demo;
  request.semantics = semantics;
  request.knobs = std::move(knobs);
  request.timeout_s = 30;
  const auto run = test::run_demo(std::move(request));
  std::set<std::string> out;
  for (std::size_t i = 0; i < run->trace().spans().size(); ++i) {
    const trace::Span& span = run->trace().spans()[i];
    const std::string& name = run->trace().name(span.name);
    if (!is_call(run->trace(), span) && !is_microbatch(span) && !report::has_words(name, text)) out.insert(name);
  }
  CHECK(run->trace().spans().size() > 0);
  return out;
}

}  // namespace

TEST_CASE("every span name that a demo emits has its twin in Chinese, unless it is a call") {
  const auto text = tests::text(content::Language::zh);
  const std::set<std::string> none;
  for (const char* variant : {"send-first", "ordered", "sendrecv", "nonblocking", "unfused", "grouped"})
    for (const char* semantics : {"mpi", "nccl"}) {
      INFO("deadlock " << variant << " " << semantics);
      CHECK(names_without_words("deadlock", semantics, {{"variant", variant}}, text) == none);
    }
  for (const char* variant : {"unsafe", "wait-first", "clone", "double-buffer", "early-read", "early-reuse", "freed"}) {
    INFO("corruption " << variant);
    CHECK(names_without_words("corruption", "mpi", {{"variant", variant}, {"receiver_delay_ms", "2"}}, text) == none);
  }
  CHECK(names_without_words("moe", "nccl", {{"tokens", "4"}, {"iterations", "1"}}, text) == none);
  CHECK(names_without_words("pipeline", "nccl", {{"transport", "allreduce"}, {"iterations", "1"}, {"forward_us", "200"}, {"backward_us", "400"}}, text) == none);
  for (const char* communication : {"overlapped", "nonblocking", "blocking"})
    for (const char* iterations : {"1", "3"}) {
      INFO("pipeline " << communication << " " << iterations);
      CHECK(names_without_words("pipeline", "mpi", {{"communication", communication}, {"iterations", iterations}, {"freeze_stage", "1"}, {"freeze_ms", "2"},
                                                    {"forward_us", "200"}, {"backward_us", "400"}}, text) == none);
    }
}
