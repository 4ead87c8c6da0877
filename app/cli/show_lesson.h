// A lesson in a terminal: read screen by screen, its live blocks run in place, predictions asked first.
#pragma once
#include "app/cli/context.h"
#include "app/content/lesson.h"

namespace p2plab::cli {

struct ReadOptions {
  bool run = true;  ///< live blocks run: all of them before a screen, else the simulated ones
};

/// Shows the lesson on stdout. The exit status of the first command of it that failed, else 0; 130 when it was interrupted.
int read_lesson(const Context& context, const std::vector<content::Lesson>& lessons, const content::Lesson& lesson, const ReadOptions& options);

}  // namespace p2plab::cli
