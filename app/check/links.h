// Link presets of assets/links.toml: emulated links by name.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "app/check/demo_manifest.h"

namespace p2plab::check {

/// A message of n bytes takes alpha_ns + n / bytes_per_s.
struct Link {
  std::string id;
  content::Twin title;
  std::int64_t alpha_ns = 0;
  double bytes_per_s = 0;
  std::string source;  ///< where the two numbers come from
  /// The size at which the two terms are equal: alpha * beta.
  double n_half_bytes() const { return static_cast<double>(alpha_ns) * 1e-9 * bytes_per_s; }
};

/// Throws Error "manifest.broken".
std::vector<Link> load_links(const std::filesystem::path& file);

/// What a rank's --link takes: "raw" or NAME:ALPHA_NS:BYTES_PER_S. Throws Error "run.unknown_link".
std::string link_argument(const std::vector<Link>& links, const std::string& id);

}  // namespace p2plab::check
