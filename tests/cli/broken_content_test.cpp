// What a teacher has broken takes away only itself: one line says where and why, and all the rest is there.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "tests/cli/process.h"
#include "tests/support/catch.h"

using namespace cli_test;
using nlohmann::json;

namespace {

/// An installation whose content can be edited.
class Edited {
 public:
  Edited() {
    fs::create_directories(share());
    fs::create_directory_symlink(fs::path(P2PLAB_BUILD_DIR) / "lib", scratch_ / "lib");
    fs::create_directory_symlink(fs::path(P2PLAB_BUILD_DIR) / "bin", scratch_ / "bin");
    for (const char* part : {"assets", "demos", "labs"}) fs::copy(fs::path(P2PLAB_SOURCE_DIR) / part, share() / part, fs::copy_options::recursive | fs::copy_options::copy_symlinks);
    fs::create_directory_symlink(P2PLAB_SOURCE_DIR, share() / "include");
  }
  fs::path share() const { return scratch_ / "share" / "p2plab"; }
  void replace(const fs::path& file, const std::string& words, const std::string& by) const {
    std::string text = read_file(share() / file);
    const auto at = text.find(words);
    REQUIRE(at != std::string::npos);
    std::ofstream(share() / file) << text.replace(at, words.size(), by);
  }
  Ended run(const std::vector<std::string>& words) const { return p2plab(words, {{"P2PLAB_PREFIX", (scratch_ / "").string()}}); }
  /// How many `what` a list command lists, and that it says `lines` lines, each naming one of `files` with a line number.
  std::size_t listed(const std::string& command, const std::vector<std::string>& files) const {
    const Ended ended = run({command, "--json", "-"});
    INFO(command << ": " << ended.err);
    CHECK(ended.status == (files.empty() ? 0 : 2));
    CHECK(std::cmp_equal(std::count(ended.err.begin(), ended.err.end(), '\n'), files.size()));
    for (const std::string& file : files) {
      const auto at = ended.err.find(file);
      CHECK(at != std::string::npos);
      CHECK(ended.err.find("line ", at) != std::string::npos);
    }
    const json out = json::parse(ended.out, nullptr, false);
    REQUIRE_FALSE(out.is_discarded());
    CHECK(out["broken"].size() == files.size());
    return out[command].size();
  }
  /// Exit status 2 with one line that names the file.
  void refused(const std::vector<std::string>& words, const std::string& file) const {
    const Ended ended = run(words);
    INFO(ended.out << ended.err);
    CHECK(ended.status == 2);
    CHECK(std::count(ended.err.begin(), ended.err.end(), '\n') == 1);
    CHECK(ended.err.find(file) != std::string::npos);
  }
  /// As if nothing were broken.
  void works(const std::vector<std::string>& words) const {
    const Ended ended = run(words);
    INFO(ended.out << ended.err);
    CHECK(ended.status == 0);
    CHECK(ended.err.find("toml") == std::string::npos);
  }

 private:
  Scratch scratch_;
};

}  // namespace

TEST_CASE("a broken demo takes away that demo alone") {
  const Edited content;
  const std::size_t all = content.listed("demos", {});
  content.replace("demos/moe/demo.toml", "[title]", "[title");
  content.replace("demos/overlap/demo.toml", "[[knob]]", "[[knob]]\ncolour = \"red\"");
  CHECK(content.listed("demos", {"moe/demo.toml", "overlap/demo.toml"}) == all - 2);
  content.refused({"run", "moe"}, "moe/demo.toml");
  content.refused({"run", "overlap", "--help"}, "overlap/demo.toml");
  content.works({"run", "deadlock", "--backend", "sim", "--set", "variant=ordered"});
  content.works({"claims"});
}

TEST_CASE("a broken lesson takes away that lesson alone") {
  const Edited content;
  const std::size_t all = content.listed("lessons", {});
  content.replace("assets/lessons/moe/lesson.toml", "minutes = ", "minutes = many ");
  CHECK(content.listed("lessons", {"moe/lesson.toml"}) == all - 1);
  content.refused({"lesson", "moe"}, "moe/lesson.toml");
  content.works({"lesson", "deadlock", "--no-run"});
}

TEST_CASE("a broken claim takes away that claim, a file that cannot be read the claims in it") {
  const Edited content;
  const std::size_t all = content.listed("claims", {});
  content.replace("assets/claims/pipeline.toml", "verdict = ", "verdikt = ");
  CHECK(content.listed("claims", {"claims/pipeline.toml"}) == all - 1);
  std::string first = read_file(content.share() / "assets/claims/pipeline.toml");
  first = first.substr(first.find("id = \"") + 6);
  content.refused({"claim", "show", first.substr(0, first.find('"'))}, "claims/pipeline.toml");
  content.works({"claim", "show", "must-be-nonblocking"});
  content.replace("assets/claims/moe.toml", "[[claim]]", "[[claim");
  CHECK(content.listed("claims", {"claims/pipeline.toml", "claims/moe.toml"}) < all - 1);
}

TEST_CASE("a claim whose run gives no evidence does not take the other claims with it") {
  const Edited content;
  for (const auto& entry : fs::directory_iterator(content.share() / "assets/claims"))
    if (entry.path().extension() == ".toml" && entry.path().filename() != "moe.toml") fs::remove(entry.path());
  content.replace("assets/claims/moe.toml", "metrics.per_token_times", "metrics.never_was");
  const fs::path report = content.share() / "report.json", page = content.share() / "report.html";
  const Ended ended = content.run({"claim", "run", "--all", "--json", report.string(), "--html", page.string()});
  INFO(ended.out << ended.err);
  CHECK(ended.status == 3);
  CHECK(lines(ended.err) == 1);
  CHECK(ended.err.find("moe-batching-is-p2p") != std::string::npos);
  CHECK(ended.out.find("1 of 4 claims has no outcome") != std::string::npos);
  const json out = json::parse(read_file(report));
  CHECK(out["claims"].size() == 3);
  CHECK(out["as_declared"] == false);
  REQUIRE(out["errors"].size() == 1);
  CHECK(out["errors"][0]["claim"] == "moe-batching-is-p2p");
  CHECK_FALSE(out.contains("interrupted"));
  CHECK(read_file(page).find("1 of 4 claims has no outcome") != std::string::npos);
  const Ended alone = content.run({"claim", "run", "moe-batching-is-p2p", "--json", "-"});
  CHECK(alone.status == 3);
  CHECK(json::parse(alone.out)["errors"].size() == 1);
  CHECK(lines(alone.err) == 1);
}

TEST_CASE("a broken card takes away that card, and whoever follows up with it asks nothing") {
  const Edited content;
  const std::size_t all = content.listed("cards", {});
  content.replace("assets/drill/pipeline.toml", "kind = ", "kinds = ");
  CHECK(content.listed("cards", {"drill/pipeline.toml"}) == all - 1);
  content.replace("assets/drill/moe.toml", "[[card]]", "[[card");
  CHECK(content.listed("cards", {"drill/pipeline.toml", "drill/moe.toml"}) < all - 1);
  CHECK(content.run({"drill", "--export", "cheatsheet", (content.share() / "sheet.html").string(), "--lang", "zh"}).status == 0);
}

TEST_CASE("a broken lab takes away that lab alone") {
  const Edited content;
  const std::size_t all = content.listed("labs", {});
  content.replace("labs/05-overlap/lab.toml", "world = ", "worlds = ");
  CHECK(content.listed("labs", {"05-overlap/lab.toml"}) == all - 1);
  content.refused({"hint", "5"}, "05-overlap/lab.toml");
}
