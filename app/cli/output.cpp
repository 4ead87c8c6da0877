// See output.h.
#include "app/cli/output.h"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <iostream>

#include "app/trace/atomic_file.h"

namespace p2plab::cli {

std::ostream& people(const std::string& json_target) { return json_target == "-" ? std::cerr : std::cout; }

void require_writable(const std::string& target) {
  if (!target.empty() && target != "-") trace::AtomicFile probe(target);  // leaves nothing behind without commit()
}

void begin_results(std::initializer_list<std::string> targets, const std::vector<std::string>& inputs) {
  const auto is_input = [&](const std::string& target) {
    std::error_code none;
    return std::any_of(inputs.begin(), inputs.end(), [&](const std::string& input) { return std::filesystem::equivalent(target, input, none); });
  };
  for (const std::string& target : targets) require_writable(target);
  for (const std::string& target : targets)
    if (!target.empty() && target != "-" && !is_input(target)) trace::remove_old(target);
}

void do_each(std::initializer_list<std::function<void()>> parts) {
  std::exception_ptr first;
  for (const auto& part : parts) try {
      part();
    } catch (...) {
      if (!first) first = std::current_exception();
    }
  if (first) std::rethrow_exception(first);
}

std::function<void()> file_part(const Context& context, std::ostream& out, const std::string& file, std::function<void()> write) {
  return [&context, &out, file, write = std::move(write)] {
    if (file.empty()) return;
    write();
    out << context("run.wrote", {{"file", file}}) << "\n";
  };
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
