// See finding_text.h.
#include "app/report/finding_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "app/report/quantity.h"
#include "app/report/words.h"

namespace p2plab::report {

std::string site_text(const analysis::Site& site) {
  std::string line = fmt::format("rank {}  {}", site.rank, site.call.empty() ? "–" : site.call);
  std::vector<std::string> arguments;
  if (site.peer != trace::kNone) arguments.push_back(fmt::format("peer {}", site.peer));
  if (site.tag != trace::kNone) arguments.push_back(fmt::format("tag {}", site.tag));
  if (!site.comm.empty() && site.comm != "MPI_COMM_WORLD") arguments.push_back(site.comm);
  if (site.bytes > 0) arguments.push_back(bytes(site.bytes));
  if (!arguments.empty()) line += fmt::format("({})", fmt::join(arguments, ", "));
  if (!site.file.empty()) line += site.line > 0 ? fmt::format("  {}:{}", site.file, site.line) : fmt::format("  {}", site.file);
  return line;
}

bool is_cycle(const analysis::Finding& finding) {
  const auto says = [&](std::string_view word) { return finding.detail.id.find(word) != std::string::npos; };
  const bool stands = finding.kind == "deadlock" || finding.kind == "unsafe-buffering" || finding.kind == "livelock";
  return stands && finding.sites.size() > 1 && !says("-left") && !says("-nobody") && !says("-unposted") && !says("-self") && !says("-knot");
}

namespace {

/// Which text explains a finding: a standstill has several causes.
std::string explanation(const analysis::Finding& finding) {
  if (finding.kind == "wrong-exit" && (finding.detail.id.find("no-mpi") != std::string::npos || finding.detail.id.ends_with("other-mpi"))) return "wrong-exit-no-mpi";
  if (finding.kind != "deadlock") return finding.kind;
  if (finding.detail.id.ends_with("-unreceived")) return "deadlock-awaited";  // whatever else hangs on it
  if (finding.detail.id.ends_with("-unposted")) return "deadlock-unposted";
  if (finding.detail.id.ends_with("-left") || finding.detail.id.ends_with("-nobody")) return "deadlock-left";
  const auto any = [&](const auto& holds) { return std::any_of(finding.sites.begin(), finding.sites.end(), holds); };
  const auto speaks_of = [](const analysis::Site& site, std::initializer_list<std::string_view> words) {
    return std::any_of(words.begin(), words.end(), [&](std::string_view word) { return site.call.find(word) != std::string::npos; });
  };
  if (any([&](const analysis::Site& site) { return speaks_of(site, {"Buffer_detach"}); })) return "deadlock-detach";
  const auto one_to_one = [&](const analysis::Site& site) { return speaks_of(site, {"end", "ecv", "Wait", "Test", "robe", "Start"}); };
  if (any([&](const analysis::Site& site) { return !one_to_one(site); })) return "deadlock-collective";
  const bool sends = any([&](const analysis::Site& site) { return speaks_of(site, {"end"}) || (speaks_of(site, {"Wait"}) && !site.receives); });
  return sends ? "deadlock" : "deadlock-awaited";
}

/// Details that are explained and mended alike.
std::string detail_group(std::string_view detail) {
  static const std::map<std::string_view, std::string_view> kGroups = {
      {"before-init", "outside-mpi"}, {"after-finalize", "outside-mpi"}, {"init-twice", "outside-mpi"}, {"finalize-twice", "outside-mpi"},
      {"comm-builtin", "predefined"}, {"type-builtin", "predefined"},    {"comm-dead", "dead"},         {"type-dead", "dead"},
      {"bsend-room", "attached-buffer"},      {"unmatched-message-taken", "taken"}};
  detail.remove_prefix(detail.find('.') + 1);
  const auto group = kGroups.find(detail);
  return std::string(group == kGroups.end() ? detail : group->second);
}

/// The program calls MPI itself, and not the lab's runtime.
bool calls_mpi(const analysis::Finding& finding) {
  return finding.detail.id.starts_with("verify-detail.") || std::any_of(finding.sites.begin(), finding.sites.end(), [](const analysis::Site& site) { return site.call.starts_with("MPI_"); });
}

/// The text of "finding-why" or "finding-fix" that fits best: by what happened, in the words of the program, by the kind.
std::string advice(const char* section, const analysis::Finding& finding, const content::Text& text) {
  const std::string all = explanation(finding);
  std::vector<std::string> names{finding.kind + "-" + detail_group(finding.detail.id)};
  if (calls_mpi(finding)) names.push_back(all + "-mpi");
  for (const std::string& name : names) {
    const std::string id = std::string(section) + "." + name;
    if (text.has(id)) return text(id);
  }
  return text(std::string(section) + "." + all);
}

/// Kinds stand in details by their ids: people read their names.
TextRef named(TextRef detail, const content::Text& text) {
  for (auto& [name, value] : detail.params) {
    if (name == "end") value = text("kind." + value);
  }
  return detail;
}

}  // namespace

std::vector<std::string> finding_text(const analysis::Finding& finding, const content::Text& text) {
  std::vector<std::string> lines;
  std::string head = "✗ " + text("kind." + finding.kind);
  if (finding.certainty == analysis::Certainty::possible) head += " (" + text("certainty.possible") + ")";
  if (finding.count > 1) head += fmt::format(" × {}", finding.count);
  if (!finding.detail.id.empty()) head += colon(text) + text(named(finding.detail, text));
  lines.push_back(head);
  const bool cycle = is_cycle(finding);
  for (std::size_t i = 0; i < finding.sites.size(); ++i) {
    const char* mark = !cycle ? "  " : i == 0 ? "┌▶ " : "│  ";
    lines.push_back("    " + std::string(mark) + site_text(finding.sites[i]));
    if (cycle && i + 1 < finding.sites.size()) lines.push_back("    │    ↓ " + text("summary.waits_for", {}));
  }
  if (cycle) lines.push_back("    └──── ↓ " + text("summary.waits_for_first", {{"rank", std::to_string(finding.sites.front().rank)}}));
  lines.push_back("    " + text("verify.why") + advice("finding-why", finding, text));
  lines.push_back("    " + text("verify.fix") + advice("finding-fix", finding, text));
  return lines;
}

}  // namespace p2plab::report
