// See links.h.
#include "app/check/links.h"

#include <algorithm>

#include "app/content/toml_reader.h"
#include "app/check/unknown.h"

namespace p2plab::check {

std::vector<Link> load_links(const std::filesystem::path& file) {
  const toml::table table = content::parse_toml(file);
  const content::TomlReader reader(file, table);
  reader.only({"link"});
  std::vector<Link> links;
  for (const content::TomlReader& entry : reader.tables("link")) {
    entry.only({"id", "title", "alpha_ns", "bytes_per_s", "source"});
    Link link;
    link.id = entry.text("id");
    link.title = entry.bilingual("title");
    link.alpha_ns = static_cast<std::int64_t>(entry.real("alpha_ns"));
    link.bytes_per_s = entry.real("bytes_per_s");
    link.source = entry.text("source");
    if (link.alpha_ns < 0 || link.bytes_per_s <= 0) entry.broken("alpha_ns >= 0 and bytes_per_s > 0 do not hold");
    if (link.id == "raw" || link.id.find(':') != std::string::npos) entry.broken("\"" + link.id + "\" cannot be a link's id");
    links.push_back(std::move(link));
  }
  return links;
}

std::string link_argument(const std::vector<Link>& links, const std::string& id) {
  if (id == "raw") return id;
  const auto found = std::find_if(links.begin(), links.end(), [&](const Link& link) { return link.id == id; });
  if (found == links.end()) {
    std::vector<std::string> known{"raw"};
    for (const Link& link : links) known.push_back(link.id);
    throw unknown("run.unknown_link", id, known);
  }
  return id + ":" + std::to_string(found->alpha_ns) + ":" + std::to_string(static_cast<std::int64_t>(found->bytes_per_s));
}

}  // namespace p2plab::check
