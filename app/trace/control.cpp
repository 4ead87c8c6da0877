// The control page in shared memory.
#include "app/trace/control.h"

#include <new>

#include "app/trace/error.h"
#include "app/trace/mapped_file.h"
#include "app/trace/other_build.h"

namespace p2plab::trace {
namespace {

constexpr std::size_t kPage = 4096;
constexpr std::size_t kBytes = (sizeof(ControlPage) + kPage - 1) / kPage * kPage;

std::shared_ptr<ControlPage> as_page(const std::shared_ptr<std::byte>& memory) {
  return {memory, reinterpret_cast<ControlPage*>(memory.get())};
}

}  // namespace

Control Control::create(const std::filesystem::path& dir, int ranks, std::uint64_t seed) {
  MappedFile file = MappedFile::create(dir / "control");
  if (!file.reserve(0, kBytes)) throw Error("job.shm_full", {{"path", dir.string()}});
  Control control;
  control.page_ = as_page(file.map(0, kBytes));
  auto* page = new (control.page_.get()) ControlPage;
  page->seed = seed;
  page->ranks = ranks;
  page->clock = ClockScale::calibrate();
  page->magic = shared_layout();
  return control;
}

Control Control::open(const std::filesystem::path& dir) {
  const MappedFile file = MappedFile::open(dir / "control");
  if (!file || file.size() < kPage) throw Error("job.no_control", {{"path", dir.string()}});
  // The first word is looked at before anything whose place depends on the layout.
  if (file.size() != kBytes || *reinterpret_cast<const std::uint64_t*>(file.map(0, kPage).get()) != shared_layout()) {
    tell_other_build(dir);
    throw Error("job.other_build", {{"program", other_build(dir)}}, 3);
  }
  Control control;
  control.page_ = as_page(file.map(0, kBytes));
  return control;
}

}  // namespace p2plab::trace
