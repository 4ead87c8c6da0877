// See output.h.
#include "app/cli/output.h"

#include <iostream>

#include "app/trace/atomic_file.h"

namespace p2plab::cli {

std::ostream& people(const std::string& json_target) { return json_target == "-" ? std::cerr : std::cout; }

void require_writable(const std::string& target) {
  if (!target.empty() && target != "-") trace::AtomicFile probe(target);  // leaves nothing behind without commit()
}

void begin_results(std::initializer_list<std::string> targets) {
  for (const std::string& target : targets) require_writable(target);
  for (const std::string& target : targets)
    if (!target.empty() && target != "-") trace::remove_old(target);
}

void write_json(const std::string& target, const nlohmann::ordered_json& json) {
  if (target.empty()) return;
  // Bytes of a program's output may be no UTF-8; they must not keep the result from being written.
  const std::string text = json.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
  if (target == "-") {
    std::cout << text << std::flush;
  } else {
    trace::write_file(target, text);
  }
}

nlohmann::ordered_json twin_json(const content::Twin& twin) {
  if (twin.empty()) return nullptr;
  return {{"en", twin.en}, {"zh", twin.zh}};
}

}  // namespace p2plab::cli
