// What lessons and claims cite: assets/sources.toml, each section with how far it was checked.
//   [[source]]
//   id = "mpi-4.1"
//   title = "MPI: A Message-Passing Interface Standard, Version 4.1"
//   url = "https://…"
//   sections = { "3.4" = "checked", "3.5" = "checked" }
#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "app/content/document.h"
#include "app/content/text.h"

namespace p2plab::content {

struct Source {
  std::string id, title, url;
  /// Section, page heading or issue number -> "checked" (read in the source itself), "secondary" (in notes on it), "recall" (from memory).
  std::map<std::string, std::string> sections;
};

/// Throws Error "manifest.broken" {file, line, what}.
std::vector<Source> load_sources(const std::filesystem::path& file);

/// What "source:ID/SECTION" means, with _ for a blank in the section; nullptr and empty when it is not listed.
struct Cited {
  const Source* source = nullptr;
  std::string section, status;
};
Cited cited(const std::vector<Source>& sources, const std::string& target);

/// Says behind each citation that nobody has checked in the source itself that it is so.
void mark_citations(Document& document, const std::vector<Source>& sources, const Text& text);

}  // namespace p2plab::content
