// One rank's recorder and the lab's reader of it, in one process.
#pragma once
#include <thread>

#include "app/trace/feed_reader.h"
#include "app/trace/recorder.h"
#include "tests/trace/temporary.h"

struct Feed {
  TemporaryDir dir;
  p2plab::trace::ClockScale clock = p2plab::trace::ClockScale::calibrate();
  p2plab::trace::Recorder recorder;
  p2plab::trace::FeedReader reader;
  p2plab::trace::Trace trace;

  explicit Feed(std::uint32_t slots = 1024) : recorder(dir.path(), 0, clock, slots), reader(dir.path(), 1, clock) {}

  std::size_t poll() { return reader.poll(trace); }

  /// The ring of another thread, which has ended: its single producer is the caller now.
  p2plab::trace::RingWriter* other_ring(std::string_view lane, std::string_view owner = {}) {
    p2plab::trace::RingWriter* ring = nullptr;
    std::thread([&] { ring = recorder.ring(lane, owner); }).join();
    return ring;
  }

  p2plab::trace::Record begin(p2plab::trace::RingWriter& ring, std::string_view lane, std::string_view name,
                              std::uint8_t flags = 0) {
    p2plab::trace::Record record;
    record.type = p2plab::trace::RecordType::begin;
    record.id = ring.next_id();
    record.lane = recorder.intern(lane);
    record.name = recorder.intern(name);
    record.flags = flags;
    return record;
  }
  static p2plab::trace::Record end_of(const p2plab::trace::Record& begin) {
    p2plab::trace::Record record;
    record.type = p2plab::trace::RecordType::end;
    record.id = begin.id;
    return record;
  }
};
