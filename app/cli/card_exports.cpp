// See card_exports.h.
#include "app/cli/card_exports.h"
#include "app/cli/contents.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>
#include <vector>

#include "app/content/card.h"
#include "app/content/progress.h"
#include "app/report/card_files.h"
#include "app/report/saved_runs.h"
#include "app/trace/atomic_file.h"

namespace p2plab::cli {

void add_card_exports(CLI::App& command, const Context& context, CardExports& exports) {
  command.add_option("--export", exports.write, context("help.cards_export"))->type_name("KIND FILE")->expected(2);
  command.add_option("--import", exports.read, context("help.cards_import"))->type_name("progress FILE")->expected(2);
  command.add_option("--runs", exports.runs, context("help.cards_runs"))->type_name("DIR");
}

namespace {

/// A name whose ending says another format than the one that is written would mislead whoever opens it.
void require_ending(const std::string& kind, const std::string& file) {
  const std::map<std::string, std::vector<std::string>> endings{{"progress", {".jsonl", ".json"}}, {"anki", {".txt", ".tsv"}}, {"cheatsheet", {".html", ".htm"}}, {"evidence", {".html", ".htm"}}};
  const auto of_kind = endings.find(kind);
  const std::string ending = std::filesystem::path(file).extension().string();
  if (of_kind == endings.end() || ending.empty()) return;
  const auto& all = of_kind->second;
  if (std::find(all.begin(), all.end(), ending) == all.end()) throw Error("drill.bad_ending", {{"file", file}, {"kind", kind}, {"ending", all.front()}});
}

}  // namespace

std::optional<int> carry_out(const Context& context, const CardExports& exports) {
  if (!exports.read.empty()) {
    if (exports.read[0] != "progress") throw Error("drill.bad_import", {{"value", exports.read[0]}});
    content::Progress progress;
    const int count = progress.import_from(exports.read[1]);
    std::cout << context("progress.imported", {{"n", std::to_string(count)}, {"path", progress.file().string()}}) << "\n";
    if (exports.write.empty()) return 0;
  }
  if (exports.write.empty()) return std::nullopt;
  const std::string& kind = exports.write[0];
  const std::string& file = exports.write[1];
  require_ending(kind, file);
  if (kind == "progress") {
    content::Progress().export_to(file);
  } else if (kind == "anki" || kind == "cheatsheet") {
    const content::Cards cards = usable_cards(context);
    trace::write_file(file, kind == "anki" ? report::anki_notes(cards, context.text) : report::cheat_sheet(cards, context.text));
  } else if (kind == "evidence") {
    const auto dir = exports.runs.empty() ? content::data_directory() / "runs" : std::filesystem::path(exports.runs);
    if (!exports.runs.empty() && !std::filesystem::is_directory(dir)) throw Error("drill.no_runs", {{"folder", dir.string()}});
    trace::write_file(file, report::evidence_page(report::saved_runs(dir, context.installation.demos()), dir, context.text));
  } else {
    throw Error("drill.bad_export", {{"value", kind}});
  }
  std::cout << context("progress.exported", {{"file", file}}) << "\n";
  return 0;
}

}  // namespace p2plab::cli
