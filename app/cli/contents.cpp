// See contents.h.
#include "app/cli/contents.h"

#include <iostream>

namespace p2plab::cli {
namespace {

template <class Load>
auto usable(const Context& context, const std::string& wanted, std::vector<content::LeftOut>* told, const Load& load) {
  std::vector<content::LeftOut> broken;
  auto out = load(&broken);
  for (const content::LeftOut& each : broken) {
    if (wanted.empty()) std::cerr << "p2plab: " << context.text(each.why) << "\n";
    else if (each.id == wanted) throw Error(each.why.id, each.why.params);
  }
  if (told != nullptr) *told = std::move(broken);
  return out;
}

}  // namespace

std::vector<check::DemoManifest> usable_demos(const Context& context, const std::string& wanted, std::vector<content::LeftOut>* told) {
  return usable(context, wanted, told, [&](auto* broken) { return check::load_demos(context.installation.demos(), broken); });
}

std::vector<content::Lesson> usable_lessons(const Context& context, const std::string& wanted, std::vector<content::LeftOut>* told) {
  return usable(context, wanted, told, [&](auto* broken) { return content::load_lessons(context.installation.assets() / "lessons", broken); });
}

content::Claims usable_claims(const Context& context, const std::string& wanted, std::vector<content::LeftOut>* told) {
  return usable(context, wanted, told, [&](auto* broken) { return content::Claims(context.installation.assets() / "claims", broken); });
}

content::Cards usable_cards(const Context& context, std::vector<content::LeftOut>* told) {
  return usable(context, {}, told, [&](auto* broken) { return content::Cards(context.installation.assets() / "drill", broken); });
}

nlohmann::ordered_json left_out_json(const Context& context, const std::vector<content::LeftOut>& broken) {
  nlohmann::ordered_json out = nlohmann::ordered_json::array();
  for (const content::LeftOut& each : broken) out.push_back({{"id", each.id}, {"why", context.text(each.why)}});
  return out;
}

}  // namespace p2plab::cli
