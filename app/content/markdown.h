// Markdown (md4c: CommonMark with tables) into the blocks of a lesson. What a lesson cannot show is refused with file and
// line, never dropped: raw HTML, images, unknown callouts and unknown links.
#pragma once
#include <filesystem>
#include <string>

#include "app/content/document.h"

namespace p2plab::content {

/// Throws Error "lesson.broken" {file, line, what}.
Document parse_markdown(const std::string& text, const std::filesystem::path& file);

}  // namespace p2plab::content
