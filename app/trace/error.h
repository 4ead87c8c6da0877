// An error a person can act on: the id of a text in assets/text (what, why and what to do next) and its parameters.
#pragma once
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace p2plab {

/// Named parameters of a text, in the order written.
using Params = std::vector<std::pair<std::string, std::string>>;

/// A text in no language yet: looked up by content::Text when it is shown.
struct TextRef {
  std::string id;
  Params params;
};

/// Thrown where an operation cannot go on. `exit_status` follows CONTRACTS: 2 for input, 3 for the lab itself.
class Error : public std::runtime_error {
 public:
  explicit Error(std::string id, Params params = {}, int exit_status = 2)
      : std::runtime_error(describe(id, params)), text_{std::move(id), std::move(params)}, exit_status_(exit_status) {}
  const TextRef& text() const { return text_; }
  int exit_status() const { return exit_status_; }

 private:
  static std::string describe(const std::string& id, const Params& params) {
    std::string out = id;
    for (const auto& [name, value] : params) out += " " + name + "=" + value;
    return out;
  }
  TextRef text_;
  int exit_status_;
};

/// The front of what stood in a file or on a command line, as long as a sentence may repeat it; cut between characters of UTF-8.
inline std::string excerpt(std::string_view text, std::size_t most = 40) {
  if (text.size() <= most) return std::string(text);
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0) == 0x80) --most;
  return std::string(text.substr(0, most)) + "…";
}

}  // namespace p2plab
