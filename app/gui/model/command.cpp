// See command.h.
#include "app/gui/model/command.h"

#include "app/content/live_block.h"

namespace p2plab::gui {

check::RunRequest request_of(const std::vector<std::string>& words, const std::string& backend) {
  check::RunRequest out;
  out.backend = backend;
  if (words.size() > 1) out.demo = words[1];
  for (std::size_t i = 2; i < words.size(); ++i) {
    const std::string value = i + 1 < words.size() ? words[i + 1] : std::string();
    if (words[i] == "--set") out.knobs[value.substr(0, value.find('='))] = value.substr(value.find('=') + 1);
    if (words[i] == "--backend") out.backend = value;
    if (words[i] == "--semantics") out.semantics = value;
    if (words[i] == "--link") out.link = value;
    if (words[i] == "--compute") out.compute = value;
    if (words[i] == "--strict") out.strict = true;
    if (words[i] == "--ranks") out.ranks = static_cast<int>(check::parse_amount(value).value_or(0));
    if (words[i] == "--seed") out.seed = static_cast<std::uint64_t>(check::parse_amount(value).value_or(1));
  }
  return out;
}

std::string command_of(const check::DemoManifest& demo, const check::RunRequest& request) {
  std::vector<std::string> words{"run", demo.id, "--backend", request.backend};
  const auto add = [&](const char* option, const std::string& value) { words.insert(words.end(), {option, value}); };
  if (request.ranks != demo.ranks && request.ranks > 0) add("--ranks", std::to_string(request.ranks));
  if (request.backend != "nccl" && !demo.semantics.empty() && request.semantics != demo.semantics.front()) add("--semantics", request.semantics);
  if (request.link != (request.backend == "sim" ? demo.sim_link : "raw")) add("--link", request.link);
  if (request.compute != "paced") add("--compute", request.compute);
  for (const check::Knob& knob : demo.knobs)
    if (const auto set = request.knobs.find(knob.id); set != request.knobs.end() && set->second != knob.default_value) add("--set", knob.id + "=" + set->second);
  if (request.strict) words.emplace_back("--strict");
  add("--seed", std::to_string(request.seed));
  return content::typed_command(words);
}

}  // namespace p2plab::gui
