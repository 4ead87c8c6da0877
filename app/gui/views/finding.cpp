// See finding.h.
#include "app/gui/views/finding.h"

#include <algorithm>

#include "app/gui/widgets/basic.h"
#include "app/report/words.h"

namespace p2plab::gui {

trace::SpanId draw_finding(Ui& ui, const analysis::Finding& finding, int index, float width) {
  trace::SpanId chosen = trace::kNoIndex;
  const auto& p = ui.palette();
  if (finding.kind != "lab-rule") {  // its places alone; the check itself says what is wrong
    const std::string head = ui.text("kind." + finding.kind) + " · " +
                             ui.text(finding.certainty == analysis::Certainty::proven ? "certainty.proven" : "certainty.possible") +
                             (finding.count > 1 ? " × " + std::to_string(finding.count) : "");
    paragraph(ui, ui.fonts.small, p.text, head, width);
    if (!finding.detail.id.empty()) paragraph(ui, ui.fonts.small, p.muted, ui.text(finding.detail), width);
  }
  for (std::size_t i = 0; i < std::min<std::size_t>(finding.sites.size(), 8); ++i) {
    const auto& site = finding.sites[i];
    std::string words = ui.text("report.rank", {{"n", std::to_string(site.rank)}}) + "  " + report::shown_name(site.call, ui.text);
    if (site.peer != trace::kNone) words += " → " + std::to_string(site.peer);
    if (site.line > 0) words += "  " + site.file.substr(site.file.find_last_of('/') + 1) + ":" + std::to_string(site.line);
    ImGui::PushID(index * 64 + static_cast<int>(i));
    line(ui, ui.fonts.code, site.span != trace::kNoIndex ? p.accent : p.muted, words, width);
    if (ImGui::IsItemHovered() && site.span != trace::kNoIndex) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (ImGui::IsItemClicked() && site.span != trace::kNoIndex) chosen = site.span;
    ImGui::PopID();
  }
  return chosen;
}

}  // namespace p2plab::gui
