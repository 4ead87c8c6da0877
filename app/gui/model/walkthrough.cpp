// Reads walkthroughs.
#include "app/gui/model/walkthrough.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "app/content/toml_reader.h"

namespace p2plab::gui {
namespace {

Zoom read_zoom(const content::TomlReader& step) {
  const toml::node& node = *step.table().get("zoom");
  if (node.is_string() && node.value<std::string>() == "fit") return ZoomFit{};
  if (const auto* table = node.as_table()) {
    if (table->contains("span")) return ZoomSpan{(*table)["rank"].value_or(0), (*table)["span"].value_or(std::string())};
    const ZoomTime time{(*table)["begin_ns"].value_or(std::int64_t{0}), (*table)["end_ns"].value_or(std::int64_t{0})};
    if (time.begin_ns < time.end_ns) return time;
  }
  step.broken(R"(zoom is "fit", { rank, span } or { begin_ns, end_ns })", &node);
}

Step read_step(const content::TomlReader& from) {
  from.only({"demo", "set", "semantics", "backend", "link", "strict", "ranks", "run", "zoom", "tab", "diff", "say"});  // a misspelt key would be a step that silently does nothing
  Step out;
  out.demo = from.text_or("demo", {});
  out.semantics = from.text_or("semantics", {});
  out.backend = from.text_or("backend", {});
  out.link = from.text_or("link", {});
  if (from.has("strict")) out.strict = from.truth("strict");
  if (from.has("diff")) out.diff = from.truth("diff");
  if (from.has("ranks")) out.ranks = from.number("ranks", 0, 1, 1024);
  out.run = from.has("run") && from.truth("run");
  out.tab = from.text_or("tab", {});
  constexpr std::array<std::string_view, 6> tabs{"", "numbers", "wait-for", "bytes", "log", "code"};
  if (std::find(tabs.begin(), tabs.end(), out.tab) == tabs.end()) from.broken("unknown tab \"" + out.tab + "\"");
  if (from.has("zoom")) out.zoom = read_zoom(from);
  out.set = from.values("set");
  out.say = from.bilingual("say");
  return out;
}

}  // namespace

Walkthrough load_walkthrough(const std::filesystem::path& file) {
  const toml::table root = content::parse_toml(file);
  const content::TomlReader from(file, root);
  from.only({"title", "minutes", "order", "step"});
  Walkthrough out;
  out.id = file.stem().string();
  out.title = from.bilingual("title");
  out.minutes = from.number("minutes", 0, 0, 600);
  out.order = from.number("order", 0, 0, 1000);
  for (const auto& step : from.tables("step")) out.steps.push_back(read_step(step));
  if (out.steps.empty()) from.broken("no [[step]]");
  if (out.steps.front().demo.empty()) from.broken("the first step names no demo");
  return out;
}

std::vector<Walkthrough> load_walkthroughs(const std::filesystem::path& folder, std::vector<content::LeftOut>* broken) {
  std::vector<Walkthrough> out;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none))
    if (entry.path().extension() == ".toml") content::unless_broken(broken, entry.path().stem().string(), [&] { out.push_back(load_walkthrough(entry.path())); });
  std::sort(out.begin(), out.end(), [](const Walkthrough& a, const Walkthrough& b) {
    return a.order != b.order ? a.order < b.order : a.id < b.id;
  });
  return out;
}

}  // namespace p2plab::gui
