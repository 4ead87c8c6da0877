// Recording on the thread that runs.
#include "demos/probe/thread.h"

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <string>

#include <fmt/format.h>

#include "demos/probe/findings.h"

namespace p2plab::probe {
namespace {

std::atomic<int> g_threads{0};

}  // namespace

Thread& Thread::make() {
  thread_local Thread thread;
  return *(current_ = &thread);
}

Thread::Thread() {
  Probe& probe = Probe::get();
  const int number = g_threads.fetch_add(1);
  const std::string lane = number == 0 ? "host" : "thread " + std::to_string(number + 1);
  ring_ = probe.recorder.ring(lane);
  lane_ = probe.recorder.intern(lane);
}

Thread::~Thread() {
  if (ring_ != nullptr && Probe::get().recorder.on()) ring_->exited();
  ring_ = nullptr;
}

StringHandle Thread::text(const char* literal) {
  if (ring_ == nullptr) return 0;
  Known& known = known_[(reinterpret_cast<std::uintptr_t>(literal) >> 2) % known_.size()];
  if (known.key != literal) known = {literal, Probe::get().recorder.intern(literal)};
  return known.handle;
}

StringHandle Thread::site(void* pc) {
  if (ring_ == nullptr) return 0;
  Known& known = known_[(reinterpret_cast<std::uintptr_t>(pc) >> 1) % known_.size()];
  if (known.key != pc) known = {pc, Probe::get().recorder.intern(module_offset(pc))};
  return known.handle;
}

void note(const char* what, std::string_view text, std::int32_t number) {
  trace::Recorder& recorder = Probe::get().recorder;
  Record record;
  record.type = RecordType::note;
  record.name = recorder.intern(what);
  record.site = recorder.intern(text);
  record.request = number;
  Thread::current().push(record);
}

std::string module_offset(void* pc) {
  // One byte back: a return address may be the first of another line.
  const auto address = reinterpret_cast<std::uintptr_t>(pc) - 1;
  Dl_info info{};
  link_map* module = nullptr;
  if (::dladdr1(reinterpret_cast<void*>(address), &info, reinterpret_cast<void**>(&module), RTLD_DL_LINKMAP) == 0 || module == nullptr) return {};
  std::string path = module->l_name;
  if (path.empty()) {
    char self[4096];
    const ssize_t length = ::readlink("/proc/self/exe", self, sizeof self);
    if (length > 0) path.assign(self, static_cast<std::size_t>(length));
  }
  return fmt::format("@{}+{:#x}", path, address - module->l_addr);
}

void Thread::begin_polling(const CallSite& where, const void* set) {
  if (in_streak_ && (set_ == nullptr || set == set_)) return;
  set_ = in_streak_ ? nullptr : set;  // it looks at something else as well: any of it may let the program go on
  end_polling();
  Record record;
  record.type = RecordType::begin;
  record.kind = trace::Kind::wait;
  record.flags = set_ != nullptr ? trace::kPolling : trace::kAny | trace::kPolling;
  record.lane = lane_;
  record.name = text(where.call);
  record.site = site(where.pc);
  record.id = streak_ = ring_->next_id();
  push(record);
  in_streak_ = true;
  target_count_ = 0;
  ring_->polling(streak_);
}

bool Thread::is_new_target(std::uint64_t target) {
  const auto end = targets_.begin() + static_cast<std::ptrdiff_t>(target_count_);
  if (std::find(targets_.begin(), end, target) != end) return false;
  if (target_count_ == targets_.size()) return false;
  targets_[target_count_++] = target;
  return true;
}

void Thread::polled_request(const CallSite& where, std::int32_t request, const void* set) {
  if (ring_ == nullptr) return;
  begin_polling(where, set);
  ring_->polled();
  if (!is_new_target(static_cast<std::uint64_t>(request))) return;
  Record record;
  record.type = RecordType::wait_on;
  record.id = streak_;
  record.request = request;
  push(record);
}

void Thread::polled_message(const CallSite& where, StringHandle comm, int peer, int tag) {
  if (ring_ == nullptr) return;
  begin_polling(where, nullptr);
  ring_->polled();
  const auto packed = (std::uint64_t{comm} << 48) ^ (static_cast<std::uint64_t>(static_cast<std::uint32_t>(peer)) << 24) ^
                      static_cast<std::uint64_t>(static_cast<std::uint32_t>(tag)) ^ (std::uint64_t{1} << 63);
  if (!is_new_target(packed)) return;
  Record record;
  record.type = RecordType::wait_on;
  record.id = streak_;
  record.comm = comm;
  record.peer = peer;
  record.tag = tag;
  push(record);
}

void Thread::end_streak() {
  in_streak_ = false;
  end_span(*this, streak_);
  if (ring_ != nullptr) ring_->running();
}

void Thread::admit(const CallSite& where) {
  const Probe& probe = Probe::get();
  if (!probe.initialized.load(std::memory_order_acquire)) return;
  admitted_ = true;
  if (!probe.one_thread || main_) return;
  Defect defect;
  defect.detail = "thread-level";
  report(where, defect);
}

Call::Call(const CallSite& where, const Record& record, When when) : thread_(Thread::current()), record_(record) {
  if (!thread_.on()) return;
  thread_.calls(where);
  thread_.end_polling();
  record_.type = RecordType::begin;
  record_.ticks = thread_.ring()->now();
  record_.lane = thread_.lane();
  record_.name = thread_.text(where.call);
  record_.site = thread_.site(where.pc);
  record_.id = id_ = thread_.next_id();
  if ((record_.flags & trace::kPosts) != 0) thread_.next_id();  // of the operation in flight
  open_ = true;
  if (when == When::now) begin();
}

void Call::begin() {
  if (!open_ || begun_) return;
  begun_ = true;
  thread_.push_stamped(record_);
}

void Call::waits_for(std::int32_t request) {
  if (!open_) return;
  begin();
  Record record;
  record.type = RecordType::wait_on;
  record.id = id_;
  record.request = request;
  thread_.push(record);
}

void Call::waits_for_message(StringHandle comm, int peer, int tag) {
  if (!open_) return;
  begin();
  Record record;
  record.type = RecordType::wait_on;
  record.id = id_;
  record.comm = comm;
  record.peer = peer;
  record.tag = tag;
  thread_.push(record);
}

void Call::end(bool posts) {
  if (!open_) return;
  open_ = false;
  const bool whole = posts || (record_.flags & trace::kPosts) == 0;
  if (!begun_ && whole) {
    record_.type = RecordType::done;
    record_.value |= (thread_.ring()->now() - record_.ticks) << 16;
    thread_.push_stamped(record_);
    return;
  }
  if (!begun_) thread_.push_stamped(record_);
  Record record;
  record.type = RecordType::end;
  record.id = id_;
  if (posts) record.flags = trace::kPosts;
  thread_.push(record);
}

void end_span(Thread& thread, std::uint32_t id) {
  Record record;
  record.type = RecordType::end;
  record.id = id;
  thread.push(record);
}

}  // namespace p2plab::probe
