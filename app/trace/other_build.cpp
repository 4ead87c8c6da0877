// See other_build.h.
#include "app/trace/other_build.h"

#include <dlfcn.h>

#include <cstddef>
#include <fstream>
#include <iterator>

#include "app/trace/control.h"
#include "app/trace/record.h"

namespace p2plab::trace {
namespace {

constexpr const char* kNote = "other-build";

/// Mixes sizes and offsets; whoever changes one of the structures changes the number without thinking of it.
constexpr std::uint64_t mixed(std::uint64_t so_far, std::uint64_t value) { return (so_far ^ value) * 0x100000001B3; }

std::string own_file() {
  Dl_info info{};
  const bool known = ::dladdr(reinterpret_cast<void*>(&shared_layout), &info) != 0 && info.dli_fname != nullptr && *info.dli_fname == '/';
  std::error_code ignored;
  return known ? info.dli_fname : std::filesystem::read_symlink("/proc/self/exe", ignored).string();
}

}  // namespace

std::uint64_t shared_layout() {
  std::uint64_t out = kControlMagic;
  for (const std::uint64_t value :
       {std::uint64_t{kFeedVersion}, std::uint64_t{sizeof(ControlPage)}, std::uint64_t{offsetof(ControlPage, clock)}, std::uint64_t{offsetof(ControlPage, stop)},
        std::uint64_t{offsetof(ControlPage, rank)}, std::uint64_t{offsetof(ControlPage, probe)}, std::uint64_t{sizeof(RankControl)}, std::uint64_t{sizeof(ProbeControl)},
        std::uint64_t{offsetof(ProbeControl, access)}, std::uint64_t{offsetof(ProbeControl, forced)}, std::uint64_t{sizeof(ClockScale)}, std::uint64_t{sizeof(Record)},
        std::uint64_t{offsetof(Record, value)}, std::uint64_t{sizeof(RingHeader)}, std::uint64_t{sizeof(FeedHeader)}, std::uint64_t{kRingSlots},
        std::uint64_t{static_cast<std::uint8_t>(RecordType::finding)}, std::uint64_t{static_cast<std::uint8_t>(Kind::wait)}}) {
    out = mixed(out, value);
  }
  return out;
}

void tell_other_build(const std::filesystem::path& job) { std::ofstream(job / kNote) << own_file(); }

std::string other_build(const std::filesystem::path& job) {
  std::ifstream in(job / kNote);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

}  // namespace p2plab::trace
