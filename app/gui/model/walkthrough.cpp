// Reads walkthroughs.
#include "app/gui/model/walkthrough.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <toml++/toml.h>

namespace p2plab::gui {
namespace {

class Reader {
 public:
  explicit Reader(const std::filesystem::path& file) : file_(file) {}

  Walkthrough read() {
    toml::table root;
    try {
      root = toml::parse_file(file_.string());
    } catch (const toml::parse_error& error) {
      fail(error.source().begin.line, std::string(error.description()));
    }
    Walkthrough out;
    out.id = file_.stem().string();
    only(root, {"title", "minutes", "order", "step"});
    out.title = bilingual(root, "title");
    out.minutes = root["minutes"].value_or(0);
    out.order = root["order"].value_or(0);
    const auto* steps = root["step"].as_array();
    if (!steps || steps->empty()) fail(1, "no [[step]]");
    for (const auto& each : *steps) {
      if (!each.is_table()) fail(each.source().begin.line, "a step is a table");
      out.steps.push_back(step(*each.as_table()));
    }
    if (out.steps.front().demo.empty()) fail(1, "the first step names no demo");
    return out;
  }

 private:
  [[noreturn]] void fail(toml::source_index line, const std::string& what) const {
    throw Error("gui.walkthrough_broken", {{"file", file_.string()}, {"line", std::to_string(line)}, {"what", what}});
  }

  /// A misspelt key would be a step that silently does nothing.
  void only(const toml::table& table, std::initializer_list<std::string_view> known) const {
    for (const auto& [key, value] : table)
      if (std::find(known.begin(), known.end(), std::string_view(key)) == known.end())
        fail(value.source().begin.line, "unknown key `" + std::string(std::string_view(key)) + "`");
  }

  content::Twin bilingual(const toml::table& table, const char* key) const {
    content::Twin out{table[key]["en"].value_or(std::string()), table[key]["zh"].value_or(std::string())};
    if (out.en.empty() || out.zh.empty()) fail(table.source().begin.line, std::string(key) + " needs both en and zh");
    return out;
  }

  Zoom zoom(const toml::node& node) const {
    if (node.is_string() && node.value<std::string>() == "fit") return ZoomFit{};
    if (const auto* table = node.as_table()) {
      if (table->contains("span")) return ZoomSpan{(*table)["rank"].value_or(0), (*table)["span"].value_or(std::string())};
      const ZoomTime time{(*table)["begin_ns"].value_or(std::int64_t{0}), (*table)["end_ns"].value_or(std::int64_t{0})};
      if (time.begin_ns < time.end_ns) return time;
    }
    fail(node.source().begin.line, R"(zoom is "fit", { rank, span } or { begin_ns, end_ns })");
  }

  Step step(const toml::table& table) const {
    only(table, {"demo", "set", "semantics", "link", "strict", "ranks", "run", "zoom", "tab", "diff", "say"});
    Step out;
    out.demo = table["demo"].value_or(std::string());
    out.semantics = table["semantics"].value_or(std::string());
    out.link = table["link"].value_or(std::string());
    out.strict = table["strict"].value<bool>();
    out.diff = table["diff"].value<bool>();
    out.ranks = table["ranks"].value<int>();
    out.run = table["run"].value_or(false);
    out.tab = table["tab"].value_or(std::string());
    constexpr std::array<std::string_view, 6> tabs{"", "numbers", "wait-for", "bytes", "log", "code"};
    if (std::find(tabs.begin(), tabs.end(), out.tab) == tabs.end()) fail(table.source().begin.line, "unknown tab `" + out.tab + "`");
    if (const auto* node = table.get("zoom")) out.zoom = zoom(*node);
    if (const auto* set = table["set"].as_table()) {
      for (const auto& [key, value] : *set) {
        const auto text = value.value<std::string>();
        const auto number = value.value<std::int64_t>();
        if (!text && !number) fail(value.source().begin.line, "a knob's value is a text or a whole number");
        out.set[std::string(std::string_view(key))] = text ? *text : std::to_string(*number);
      }
    }
    out.say = bilingual(table, "say");
    return out;
  }

  std::filesystem::path file_;
};

}  // namespace

Walkthrough load_walkthrough(const std::filesystem::path& file) { return Reader(file).read(); }

std::vector<Walkthrough> load_walkthroughs(const std::filesystem::path& folder) {
  std::vector<Walkthrough> out;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none))
    if (entry.path().extension() == ".toml") out.push_back(load_walkthrough(entry.path()));
  std::sort(out.begin(), out.end(), [](const Walkthrough& a, const Walkthrough& b) {
    return a.order != b.order ? a.order < b.order : a.id < b.id;
  });
  return out;
}

}  // namespace p2plab::gui
