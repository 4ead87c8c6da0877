// Demos, lessons, claims and cards for a command. What is broken takes away only itself: it is said on the standard error, one
// line each with file, line and cause, and the rest is there.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/check/demo_manifest.h"
#include "app/cli/context.h"
#include "app/content/card.h"
#include "app/content/claim.h"
#include "app/content/lesson.h"

namespace p2plab::cli {

// With `wanted` only that one matters: what is wrong with it is thrown, and of others nothing is said. Lists tell what is broken
// in `broken` as well.
std::vector<check::DemoManifest> usable_demos(const Context& context, const std::string& wanted = {}, std::vector<content::LeftOut>* broken = nullptr);
std::vector<content::Lesson> usable_lessons(const Context& context, const std::string& wanted = {}, std::vector<content::LeftOut>* broken = nullptr);
content::Claims usable_claims(const Context& context, const std::string& wanted = {}, std::vector<content::LeftOut>* broken = nullptr);
content::Cards usable_cards(const Context& context, std::vector<content::LeftOut>* broken = nullptr);

/// Of a list, as JSON: {id, why}.
nlohmann::ordered_json left_out_json(const Context& context, const std::vector<content::LeftOut>& broken);

}  // namespace p2plab::cli
