// Knobs that no run can have, by the ranks or by the other knobs, are refused before a rank starts: exit status 2 and one sentence.
#include <unistd.h>

#include <fstream>

#include "app/check/demo_run.h"
#include "app/content/text.h"
#include "app/launch/installation.h"
#include "tests/support/catch.h"

using namespace p2plab;
using Knobs = std::map<std::string, std::string>;

namespace {

/// The sentence of a refusal; its text is id "" when there is none.
TextRef refusal_of(const std::string& demo, Knobs knobs, int ranks = 0, const std::string& backend = "sim") {
  check::RunRequest request;
  request.demo = demo;
  request.backend = backend;
  request.ranks = ranks;
  request.knobs = std::move(knobs);
  try {
    check::complete(check::load_demo(launch::Installation::find().demos() / demo), request);
  } catch (const Error& error) {
    CHECK(error.exit_status() == 2);
    // One sentence in both languages, with nothing left to fill in.
    for (const auto language : {content::Language::en, content::Language::zh}) {
      const content::Text text(launch::Installation::find().assets() / "text", language);
      const std::string said = text(error);
      INFO(said);
      CHECK(text.has(error.text().id));
      CHECK(said.find('{') == std::string::npos);
      CHECK(said.find(". ") == std::string::npos);
      CHECK((said.ends_with(".") || said.ends_with("。")));
    }
    return error.text();
  }
  return {};
}

std::string id_of(const std::string& demo, Knobs knobs, int ranks = 0) { return refusal_of(demo, std::move(knobs), ranks).id; }

}  // namespace

TEST_CASE("a knob that names a rank names one of this run's") {
  for (const std::string knob : {"slow_stage", "freeze_stage"}) {
    INFO(knob);
    CHECK(id_of("pipeline", {{knob, "9"}}) == "run.no_such_rank");
    CHECK(id_of("pipeline", {{knob, "4"}}) == "run.no_such_rank");
    CHECK(id_of("pipeline", {{knob, "3"}}).empty());
    CHECK(id_of("pipeline", {{knob, "-1"}}).empty());
    CHECK(id_of("pipeline", {{knob, "20"}}, 32).empty());
  }
  CHECK(id_of("straggler", {{"slow_rank", "4"}}) == "run.no_such_rank");
}

TEST_CASE("no knob is cut in silence to what the ranks and the other knobs allow") {
  CHECK(id_of("moe", {{"empty_ranks", "9"}}) == "refuse.all_ranks");
  CHECK(id_of("moe", {{"empty_ranks", "8"}}).empty());
  CHECK(id_of("moe", {{"top_k", "8"}, {"experts", "1"}}, 4) == "refuse.all_experts");
  CHECK(id_of("moe", {{"top_k", "8"}, {"experts", "2"}}, 4).empty());
  CHECK(id_of("topology", {{"variant", "random"}, {"degree", "8"}}) == "refuse.other_ranks");
  CHECK(id_of("topology", {{"variant", "random"}, {"degree", "7"}}).empty());
  CHECK(id_of("topology", {{"variant", "moe"}, {"degree", "9"}}) == "refuse.one_expert_each");
  CHECK(id_of("topology", {{"variant", "moe"}, {"degree", "8"}}).empty());
  CHECK(id_of("topology", {{"variant", "chain"}, {"degree", "200"}}).empty());  // it has no degree
  CHECK(id_of("pipeline", {{"microbatch_size", "2"}, {"fixed_us", "5000"}}) == "refuse.fixed_part");
  CHECK(id_of("pipeline", {{"microbatch_size", "2"}, {"fixed_us", "4000"}}).empty());
  const TextRef said = refusal_of("moe", {{"top_k", "5"}, {"experts", "2"}}, 2);
  CHECK(said.params == Params{{"demo", "moe"}, {"ranks", "2"}, {"knob", "top_k"}, {"value", "5"}, {"limit", "4"}});
}

TEST_CASE("a graph of one's own is read before a rank starts, and its wrong line is named") {
  CHECK(id_of("topology", {{"variant", "file"}}) == "refuse.no_graph");
  const auto path = std::filesystem::temp_directory_path() / ("p2plab edges 图 " + std::to_string(::getpid()));
  const auto said = [&](const std::string& lines) {
    std::ofstream(path) << lines;
    return refusal_of("topology", {{"variant", "file"}, {"file", path.string()}}, 4);
  };
  CHECK(said("# mine\n0 3 64K\n\n3 0 1MiB # back\n").id.empty());
  for (const auto& [line, id] : std::map<std::string, std::string>{{"0 1", "words"}, {"0 1 2 3", "words"}, {"a 1 64K", "number"}, {"0 1 -4", "number"},
                                                                   {"0 1 4X", "number"}, {"0 4 64K", "rank"}, {"-1 0 64K", "rank"}, {"2 2 64K", "itself"},
                                                                   {"0 1 0", "size"}, {"0 1 2G", "size"}}) {
    INFO(line);
    const TextRef refused = said("0 1 4K\n" + line + "\n");
    CHECK(refused.id == "edges." + id);
    REQUIRE(refused.params.size() > 3);
    CHECK(refused.params[3] == std::pair<std::string, std::string>{"line", "2"});
  }
  CHECK(said("# nothing\n").id == "edges.none");
  said("0 1 4K\n");
  CHECK(id_of("topology", {{"file", path.string()}}) == "refuse.unread_file");  // of another variant
  std::filesystem::remove(path);
}
