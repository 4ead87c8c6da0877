// The command line of a rank program.
#include "demos/p2p/options.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <string_view>

namespace p2p {
namespace {

[[noreturn]] void refuse(std::string_view option, std::string_view value, std::string_view legal) {
  throw Error(fmt::format("{} {}: not a legal value; give {}.", option, value, legal), 2);
}

LinkSpec parse_link(const std::string& text) {
  if (text == "raw") return {};
  const auto beta_at = text.rfind(':');
  const auto alpha_at = beta_at == std::string::npos || beta_at == 0 ? std::string::npos : text.rfind(':', beta_at - 1);
  if (alpha_at == std::string::npos) refuse("--link", text, "raw, or NAME:ALPHA_NS:BYTES_PER_S");
  LinkSpec link;
  link.name = text.substr(0, alpha_at);
  link.alpha_ns = parse_amount("--link", text.substr(alpha_at + 1, beta_at - alpha_at - 1));
  link.bytes_per_s = static_cast<double>(parse_amount("--link", text.substr(beta_at + 1)));
  if (link.alpha_ns < 0 || link.bytes_per_s <= 0) refuse("--link", text, "a latency >= 0 and a bandwidth > 0");
  return link;
}

bool choose(std::string_view option, const std::string& value, std::string_view off, std::string_view on) {
  if (value != off && value != on) refuse(option, value, fmt::format("{} or {}", off, on));
  return value == on;
}

}  // namespace

std::int64_t parse_amount(const std::string& what, const std::string& text) {
  std::int64_t value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  std::string_view unit(rest, static_cast<std::size_t>(text.data() + text.size() - rest));
  std::int64_t factor = 1;
  if (!unit.empty()) {
    const std::string_view units = "KMG";
    const auto power = units.find(unit.front());
    unit.remove_prefix(1);
    if (power == std::string_view::npos || (!unit.empty() && unit != "iB" && unit != "B")) refuse(what, text, "a number such as 4096, 64K or 1M");
    factor = std::int64_t{1} << (10 * (power + 1));
  }
  if (error != std::errc{} || rest == text.data()) refuse(what, text, "a number such as 4096, 64K or 1M");
  return value * factor;
}

Options parse_options(int argc, const char* const* argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    const auto value = [&]() -> std::string {
      if (i + 1 >= argc) throw Error(fmt::format("{} needs a value after it.", option), 2);
      return argv[++i];
    };
    if (option == "--backend") {
      options.backend = value();
    } else if (option == "--semantics") {
      options.nccl_semantics = choose(option, value(), "mpi", "nccl");
    } else if (option == "--link") {
      options.link = parse_link(value());
    } else if (option == "--compute") {
      options.real_compute = choose(option, value(), "paced", "real");
    } else if (option == "--seed") {
      options.seed = static_cast<std::uint64_t>(parse_amount(option, value()));
    } else if (option == "--strict") {
      options.strict = true;
    } else if (option == "--hash") {
      options.hash = true;
    } else if (option == "--set") {
      const std::string pair = value();
      const auto equals = pair.find('=');
      if (equals == std::string::npos || equals == 0) refuse(option, pair, "KNOB=VALUE");
      options.knobs[pair.substr(0, equals)] = pair.substr(equals + 1);
    } else {
      throw Error(fmt::format("{}: no such option; a rank program takes --backend, --semantics, --link, --compute, "
                              "--seed, --strict, --hash and --set KNOB=VALUE.", option), 2);
    }
  }
  return options;
}

}  // namespace p2p
