// What is said of a finding fits what happened, and speaks the language of the program.
#include "app/report/finding_text.h"

#include <array>
#include <regex>

#include "tests/report/support.h"
#include "tests/support/catch.h"

using namespace p2plab;

namespace {

constexpr std::array kKinds = {"deadlock",       "unsafe-buffering",  "send-buffer-race",    "recv-buffer-race", "message-race",  "request-leak", "type-mismatch", "size-mismatch",
                               "unmatched-message", "collective-mismatch", "invalid-argument", "resource-leak", "crash",        "livelock",      "resource-limit", "wrong-exit"};

analysis::Finding in_mpi(std::string kind, std::string detail, std::string call) {
  analysis::Finding finding;
  finding.kind = std::move(kind);
  finding.detail.id = std::move(detail);
  finding.sites.emplace_back().call = std::move(call);
  return finding;
}

/// The last two lines: why, and how it is mended.
std::string advice(const analysis::Finding& finding, const content::Text& text) {
  const auto lines = report::finding_text(finding, text);
  return lines.at(lines.size() - 2) + "\n" + lines.back();
}

/// Words of the lab's runtime and of its other commands, which a program that calls MPI does not know.
const std::regex& runtime_words() {
  static const std::regex kWords("wait\\(\\)|wait_all|\\bWork\\b|clone|\\b(?:isend|irecv|sendrecv|send_recv|batch_isend_irecv)\\b|p2plab run");
  return kWords;
}

}  // namespace

TEST_CASE("Of a program that calls MPI nothing is said in words of the lab's runtime") {
  content::Text text = tests::text();
  for (const auto language : {content::Language::en, content::Language::zh}) {
    text.use(language);
    std::vector<std::string> details{"verify-detail.none"};
    for (const auto& [id, twins] : text.all())
      if (id.starts_with("verify-detail.") || id.starts_with("finding-detail.")) details.push_back(id);
    std::size_t seen = 0;
    for (const char* kind : kKinds)
      for (const std::string& detail : details)
        for (const char* call : {"MPI_Send", "MPI_Recv", "MPI_Waitall", "MPI_Bcast", "MPI_Buffer_detach"})
          for (const std::string& line : report::finding_text(in_mpi(kind, detail, call), text)) {
            INFO(kind << ", " << detail << ", " << call << ": " << line);
            CHECK_FALSE(std::regex_search(line, runtime_words()));
            CHECK(line.find("[finding-") == std::string::npos);
            ++seen;
          }
    for (const auto& [id, twins] : text.all()) {
      INFO(id << ": " << twins.at(language));
      if (id.starts_with("verify.")) CHECK_FALSE(std::regex_search(twins.at(language), runtime_words()));
    }
    CHECK(seen > 1000);
  }
}

TEST_CASE("A program of the lab's runtime is still advised in its words") {
  const content::Text text = tests::text();
  CHECK(advice(in_mpi("send-buffer-race", "finding-detail.send-buffer-race", "isend"), text).find("wait()") != std::string::npos);
}

TEST_CASE("Where no argument is wrong, the advice does not ask to correct one") {
  const content::Text text = tests::text();
  const std::string correct = text("finding-fix.invalid-argument");
  const auto fix = [&](const std::string& detail) { return advice(in_mpi("invalid-argument", detail, "MPI_Send"), text); };
  CHECK(fix("verify-detail.rank").find(correct) != std::string::npos);
  for (const char* detail : {"thread-level", "not-ready", "before-init", "after-finalize", "init-twice", "finalize-twice", "comm-builtin", "type-builtin", "comm-dead", "type-dead",
                             "type-uncommitted", "request-dead", "request-unknown", "bsend-room", "request-active", "request-inactive", "request-not-persistent", "message-null", "partition-ready"}) {
    INFO(detail);
    REQUIRE(text.has(std::string("verify-detail.") + detail));
    CHECK(fix(std::string("verify-detail.") + detail).find(correct) == std::string::npos);
  }
  CHECK(fix("finding-detail.attached-buffer").find(correct) == std::string::npos);
  CHECK(fix("verify-detail.thread-level").find("MPI_THREAD_MULTIPLE") != std::string::npos);
  CHECK(fix("verify-detail.not-ready").find("MPI_Send") != std::string::npos);
}

TEST_CASE("Every text of advice belongs to a kind of finding, and where it names a detail, to one that there is") {
  content::Text text = tests::text();
  const auto known = [&](const std::string& name) {
    for (const std::string kind : kKinds) {
      if (name == kind || name == kind + "-mpi") return true;
      if (!name.starts_with(kind + "-")) continue;
      const std::string rest = name.substr(kind.size() + 1);
      if (text.has("verify-detail." + rest) || text.has("finding-detail." + rest) || rest == "outside-mpi" || rest == "predefined" || rest == "dead" || rest == "taken") return true;
      if (kind == "deadlock" && (rest == "awaited" || rest == "collective" || rest == "detach" || rest == "left" || rest == "unposted")) return true;
    }
    return false;
  };
  for (const auto& [id, twins] : text.all()) {
    INFO(id);
    const std::string plain = id.substr(0, id.find('@'));
    if (plain.starts_with("finding-why.") || plain.starts_with("finding-fix.")) CHECK(known(plain.substr(12)));
  }
}
