// Calendar days, as the drill counts them.
#pragma once
#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace p2plab::content {

using Day = std::chrono::sys_days;

/// Of the learner's own clock.
Day today();
/// "2026-12-01"
std::string to_string(Day day);
/// Nothing for what is no day of the calendar.
std::optional<Day> parse_day(std::string_view text);
/// "2026-12-01T09:30:00Z"
std::string now_utc();

}  // namespace p2plab::content
