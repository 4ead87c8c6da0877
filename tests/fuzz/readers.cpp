// Whatever is in a file, a reader takes it or says in an Error what is wrong: it never crashes, hangs or throws
// anything else.
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "app/check/demo_manifest.h"
#include "app/check/demo_run.h"
#include "app/check/links.h"
#include "app/trace/error.h"
#include "app/trace/perfetto.h"
#include "tests/fuzz/mutate.h"
#include "tests/support/catch.h"
#include "tests/trace/example_trace.h"
#include "tests/trace/temporary.h"

namespace {

namespace fs = std::filesystem;
using p2plab::Error;

std::string read(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

void write(const fs::path& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

// Counts how many damaged copies of `whole` were refused; those that open are as good as whole.
template <class Open>
int refused(const std::string& whole, unsigned seed, Open&& open) {
  fuzz::Mutator damage(seed);
  int refused = 0;
  for (int round = 0; round < fuzz::rounds(); ++round) {
    const std::string damaged = damage(whole);
    INFO("seed " << seed << ", round " << round);
    try {
      open(damaged);
    } catch (const Error&) {
      ++refused;
    }
  }
  return refused;
}

}  // namespace

TEST_CASE("a damaged trace opens or is refused in one sentence") {
  const TemporaryDir dir;
  const fs::path path = dir.path() / "damaged.pftrace";
  p2plab::trace::save_perfetto(example_trace(11), path);
  const std::string whole = read(path);
  REQUIRE(whole.size() > 1000);
  CHECK(refused(whole, 1, [&](const std::string& damaged) {
          write(path, damaged);
          const p2plab::trace::Trace trace = p2plab::trace::open_perfetto(path);
          for (std::size_t i = 0; i < trace.spans().size(); ++i) REQUIRE(trace.spans()[i].track < trace.tracks().size());
        }) > 0);
}

TEST_CASE("a damaged demo.toml is read or refused in one sentence") {
  const TemporaryDir dir;
  const fs::path folder = dir.path() / "deadlock";
  fs::create_directory(folder);
  const std::string whole = read(fs::path(P2PLAB_SOURCE_DIR) / "demos/deadlock/demo.toml");
  CHECK(refused(whole, 2, [&](const std::string& damaged) {
          write(folder / "demo.toml", damaged);
          p2plab::check::load_demo(folder);
        }) > 0);
}

TEST_CASE("damaged links.toml is read or refused in one sentence") {
  const TemporaryDir dir;
  const std::string whole = read(fs::path(P2PLAB_SOURCE_DIR) / "assets/links.toml");
  CHECK(refused(whole, 3, [&](const std::string& damaged) {
          write(dir.path() / "links.toml", damaged);
          p2plab::check::load_links(dir.path() / "links.toml");
        }) > 0);
}

TEST_CASE("a damaged saved run is repeated or refused in one sentence") {
  const std::string whole =
      R"({"schema":"p2plab.run/1","demo":"pipeline","backend":"host","semantics":"mpi","link":"raw","compute":"paced",)"
      R"("ranks":4,"seed":1,"strict":false,"knobs":{"schedule":"1f1b","microbatches":8},"verdict":"pass"})";
  CHECK(refused(whole, 4, [&](const std::string& damaged) {
          const auto json = nlohmann::ordered_json::parse(damaged, nullptr, false);
          p2plab::check::request_from(json);
        }) > 0);
}
