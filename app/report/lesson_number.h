// A number of a command's JSON as people read it, and what somebody guessed beside it.
#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "app/content/text.h"

namespace p2plab::report {

/// The value at a path of keys and indices, "metrics.peak_in_flight.0", or of the row that holds some values,
/// "metrics.growth.workers=8,way=ring.time_ns"; null when there is none.
nlohmann::ordered_json value_at(const nlohmann::ordered_json& json, std::string_view path);

/// By the name of the last key: "33.000 ms" of …_ns, "27.27 %" of a ratio, "64 KiB" of …bytes, "4 3 2 1" of a list, else the
/// number or word as it is; empty for null.
std::string shown_number(const nlohmann::ordered_json& json, std::string_view path);

/// The unit in which a number at this path is guessed: "ms", "%", "KiB" or none.
std::string guess_unit(std::string_view path);

struct Guess {
  enum class Score { right, close, off };
  double said = 0, is = 0;  ///< both in guess_unit()
  Score score = Score::off; ///< within 5 %, within 25 %, or not
};
/// Nothing when `typed` holds no number or there is no single number at the path.
std::optional<Guess> compare_guess(const std::string& typed, const nlohmann::ordered_json& json, std::string_view path);

/// What was typed is the word that came out, as it is or as either language says it. Any other wording only its author can judge.
bool same_word(const std::string& typed, const std::string& shown, const content::Text& text);

}  // namespace p2plab::report
