// Where the lab may not write, or was given what another version wrote: one clear sentence and the status of the contract.
#include <sys/mount.h>

#include <nlohmann/json.hpp>

#include "tests/cli/process.h"
#include "tests/support/catch.h"

using namespace cli_test;
using nlohmann::json;

namespace {

/// A memory file system of its own, as small as stated; only root may have one.
class TinyMemory {
 public:
  explicit TinyMemory(const char* options) : at_(scratch_ / "memory") {
    fs::create_directories(at_);
    mounted_ = geteuid() == 0 && mount("tmpfs", at_.c_str(), "tmpfs", 0, options) == 0;
  }
  ~TinyMemory() {
    if (mounted_) umount(at_.c_str());
  }
  bool there() const {
    if (!mounted_) WARN("skipped: only root may mount a tmpfs, and this is not root or not allowed to");
    return mounted_;
  }
  std::map<std::string, std::string> environment() const { return {{"P2PLAB_SHM", at_.string()}}; }
  std::string path() const { return at_.string(); }
  bool empty() const { return fs::is_empty(at_); }

 private:
  Scratch scratch_;
  fs::path at_;
  bool mounted_ = false;
};

void refused(const Ended& ended, const std::vector<std::string>& parts) {
  INFO(ended.err);
  CHECK(ended.status == 2);
  CHECK(ended.out.empty());
  CHECK(lines(ended.err) == 1);
  for (const std::string& part : parts) {
    INFO("expected: " << part);
    CHECK(ended.err.find(part) != std::string::npos);
  }
}

}  // namespace

TEST_CASE("a full /dev/shm is said before any rank starts: what, why and what to do, status 2, nothing left") {
  for (const char* options : {"size=4k", "size=1500k", "size=64m,nr_inodes=2"}) {
    INFO(options);
    const TinyMemory memory(options);
    if (!memory.there()) return;
    refused(p2plab({"run", "deadlock"}, memory.environment()), {"no room left in " + memory.path(), "P2PLAB_SHM"});
    CHECK(memory.empty());
  }
}

TEST_CASE("a shared memory that fills during the run ends it at once: the lab failed, status 3, and the JSON says why") {
  const TinyMemory memory("size=4m");  // each of two ranks has one ring there, not the five of its streams
  if (!memory.there()) return;
  const Ended ended = p2plab({"run", "pipeline", "--ranks", "2", "--json", "-", "--timeout", "50"}, memory.environment());
  INFO(ended.err);
  CHECK(ended.status == 3);
  const json out = json::parse(ended.out, nullptr, false);
  REQUIRE_FALSE(out.is_discarded());
  CHECK(out["verdict"] == "infra-error");
  CHECK(out["why"]["id"] == "job.shm_full");
  CHECK(ended.err.find("no room left in " + memory.path()) != std::string::npos);
  CHECK(memory.empty());
}

TEST_CASE("a trace of another version, and a file that is none, are refused with one sentence") {
  const Scratch scratch;
  const fs::path saved = scratch / "saved.pftrace", old = scratch / "old.pftrace", foreign = scratch / "foreign.pftrace";
  REQUIRE(p2plab({"run", "deadlock", "--set", "variant=ordered", "--trace", saved.string()}).status == 0);
  std::string bytes = read_file(saved);
  const std::size_t version = bytes.find("p2plab.trace/1");
  REQUIRE(version != std::string::npos);
  bytes[version + std::string("p2plab.trace/").size()] = '9';
  std::ofstream(old, std::ios::binary) << bytes;
  std::ofstream(foreign, std::ios::binary) << "\x0a\x03" << "not a trace of ours";
  refused(p2plab({"run", "--again", old.string()}), {old.string(), "format", "9", "Record the run again"});
  refused(p2plab({"run", "--again", foreign.string()}), {foreign.string()});
  CHECK(p2plab({"run", "--again", old.string(), "--lang", "zh"}).err.find("格式版本") != std::string::npos);
}
