// Collectives over all ranks or a group: blocking for the caller, or under nccl semantics for the streams.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "demos/p2p/runtime.h"
#include "demos/p2p/waiting.h"

namespace p2p {

void Runtime::collective(std::string_view name, Collective what, const Tensor& in, const Tensor& out, Where where,
                         const GroupPtr& group, StreamState* on) {
  gate(where);
  const auto call = [this, name = std::string(name), what, in, out, where, group] {
    const std::size_t bytes = std::max(in.nbytes(), out.nbytes());
    Record record = annotate(Kind::collective, name, where);
    record.flags = p2plab::trace::kBlocking;
    record.comm = group != nullptr ? group->comm : world_comm_;
    record.bytes = bytes;
    record.sequence = group != nullptr ? group->next++ : next_collective_++;
    const OpenSpan span(record);
    try {
      const auto pending = backend->collective(what);
      if (pending->test()) return;
      auto* ring = Lane::current().ring;
      if (ring != nullptr) ring->blocked(span.id());
      if (is_virtual()) {
        wait_virtually([&pending] { return pending->ready(); }, true);
        pending->test();
        return;
      }
      for (Backoff backoff; !pending->test(); backoff.pause()) {
        if (ring != nullptr) ring->polled();
        if (backoff.napping()) check_stop();
      }
      if (ring != nullptr) ring->running();
    } catch (const BackendError& error) {
      throw Error(fmt::format("{} of {} bytes ({}:{}) failed: {}.", name, bytes, where.file_name(), where.line(),
                              error.what()));
    }
  };
  const std::size_t bytes = std::max(in.nbytes(), out.nbytes());
  if (on != nullptr) {
    if (device_ != nullptr) device_collective(*on, name, what, bytes, where, group);
    else enqueue(*on, {}, call, where);
    return;
  }
  if (!options.nccl_semantics) return call();
  join_current(*stream("comm"), where);
  const auto work = device_ != nullptr ? device_collective(*stream("comm"), name, what, bytes, where, group)
                                       : enqueue(*stream("comm"), {}, call, where);
  if (what.type == Collective::Type::barrier) {
    synchronize(work->event, name, where);
  } else {
    wait(work, where);
  }
}

int Backend::new_group(std::span<const int>) { throw BackendError("this backend has no groups of ranks"); }

GroupPtr Runtime::new_group(std::span<const int> ranks, Where where) {
  auto group = std::make_shared<GroupState>();
  group->ranks.assign(ranks.begin(), ranks.end());
  const std::string members = fmt::format("{}", fmt::join(group->ranks, ","));
  const auto mine = std::count(ranks.begin(), ranks.end(), backend->rank());
  const bool known = std::all_of(ranks.begin(), ranks.end(), [&](int r) { return r >= 0 && r < backend->size(); });
  if (mine != 1 || !known) {
    throw Error(fmt::format("new_group of ranks {} ({}:{}): rank {} must be in it once, and the ranks are 0 to {}.", members, where.file_name(), where.line(),
                            backend->rank(), backend->size() - 1));
  }
  try {
    group->id = backend->new_group(ranks);
  } catch (const BackendError& error) {
    throw Error(fmt::format("new_group of ranks {} ({}:{}) failed: {}.", members, where.file_name(), where.line(), error.what()));
  }
  const int before = groups_made_[group->ranks]++;  // two groups of the same ranks are two communicators, by the same names everywhere
  group->comm = recorder.intern(before == 0 ? fmt::format("group {}", members) : fmt::format("group {} ({})", members, before + 1));
  if (auto* ring = Lane::current().ring; ring != nullptr) {
    Record record;
    record.type = RecordType::members;
    record.comm = group->comm;
    record.site = recorder.intern(members);
    ring->push(record);
  }
  return group;
}

}  // namespace p2p
