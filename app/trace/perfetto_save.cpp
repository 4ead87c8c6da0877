// A trace as Perfetto packets; perfetto_format.h says how it is laid out.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "app/trace/atomic_file.h"
#include "app/trace/nesting.h"
#include "app/trace/perfetto.h"
#include "app/trace/perfetto_format.h"
#include "app/trace/protozero.h"

namespace p2plab::trace {
namespace {

using namespace perfetto;
using protozero::pbf_writer;

// The annotations of one event, or the entries of one dictionary.
class Annotations {
 public:
  Annotations(pbf_writer& parent, std::uint32_t field) : parent_(parent), field_(field) {}
  void integer(Key key, std::int64_t value) { open(key).add_int64(annotation::int_value, value); }
  void natural(Key key, std::uint64_t value) { open(key).add_uint64(annotation::uint_value, value); }
  void hexadecimal(Key key, std::uint64_t value) { open(key).add_uint64(annotation::pointer_value, value); }
  void number(Key key, double value) { open(key).add_double(annotation::double_value, value); }
  void truth(Key key) { open(key).add_bool(annotation::bool_value, true); }
  void text(Key key, const std::string& value) {
    if (!value.empty()) open(key).add_string(annotation::string_value, value);
  }
  /// Left out when it says nothing.
  void unless_none(Key key, std::int64_t value) {
    if (value != kNone) integer(key, value);
  }
  void unless_open(Key key, Ns value) {
    if (value != kOpen) integer(key, value);
  }
  pbf_writer open(Key key) {
    pbf_writer one(parent_, field_);
    one.add_uint64(annotation::name_iid, static_cast<std::uint64_t>(key) + 1);
    return one;
  }

 private:
  pbf_writer& parent_;
  std::uint32_t field_;
};

// A message by the span that shows it.
struct Shown {
  SpanId span;
  std::uint32_t message;
  bool operator<(const Shown& other) const { return std::pair(span, message) < std::pair(other.span, other.message); }
};

// The part of a list sorted by span that belongs to one span; spans are asked for in order.
template <class T, class SpanOf>
class InOrder {
 public:
  InOrder(std::vector<T> all, SpanOf span_of) : all_(std::move(all)), span_of_(span_of) {
    std::stable_sort(all_.begin(), all_.end(), [&](const T& a, const T& b) { return span_of_(a) < span_of_(b); });
  }
  std::pair<const T*, const T*> of(SpanId id) {
    while (at_ < all_.size() && span_of_(all_[at_]) < id) ++at_;
    const std::size_t from = at_;
    while (at_ < all_.size() && span_of_(all_[at_]) == id) ++at_;
    return {all_.data() + from, all_.data() + at_};
  }

 private:
  std::vector<T> all_;
  SpanOf span_of_;
  std::size_t at_ = 0;
};

class Writer {
 public:
  Writer(const Trace& trace, const std::filesystem::path& path, std::span<const Counter> counters)
      : trace_(trace), counters_(counters), file_(path), names_written_(trace.names(), false), strings_written_(trace.names(), false) {}

  void write() {
    first_packet();
    run();
    tracks();
    spans();
    this->counters();
    for (const ThreadSample& thread : trace_.threads()) this->thread(thread);
    for (const Metric& metric : trace_.metrics()) {
      instant(Category::metric, trace_.now(), metric.name, [&](Annotations& notes) {
        notes.integer(Key::rank, metric.rank);
        notes.number(Key::value, metric.value);
      });
    }
    for (const Note& note : trace_.notes()) {
      instant(Category::note, trace_.now(), note.name, [&](Annotations& notes) {
        notes.integer(Key::rank, note.rank);
        notes.text(Key::text, trace_.name(note.text));
      });
    }
    for (const auto& [event, mark] : trace_.events()) this->event(event.first, event.second, mark);
    for (const auto& [rank, records] : trace_.unrecorded()) {
      instant(Category::unrecorded, trace_.now(), 0, [&, &rank = rank, &records = records](Annotations& notes) {
        notes.integer(Key::rank, rank);
        notes.natural(Key::dropped, records);
      });
    }
    instant(Category::end, trace_.now(), 0, [&](Annotations& notes) {
      notes.integer(Key::now, trace_.now());
      notes.natural(Key::spans, trace_.spans().size());
      notes.natural(Key::messages, trace_.messages().size());
    });
    file_.commit();
  }

 private:
  // --- packets ---------------------------------------------------------------------------------------------------
  // Packets of events are put together from two parts, because the event decides what has to be interned with it.
  void packet(Ns when) {
    body_.clear();
    pbf_writer packet(body_);
    packet.add_uint64(packet::timestamp, static_cast<std::uint64_t>(when));
    packet.add_uint32(packet::sequence_id, 1);
    packet.add_uint32(packet::sequence_flags, packet::kNeedsState);
    if (!interned_.empty()) packet.add_message(packet::interned_data, interned_);
    packet.add_message(packet::track_event, event_);
    interned_.clear();
    event_.clear();
    flush();
  }

  void flush() {
    frame_.clear();
    pbf_writer(frame_).add_message(file::packet, body_);
    file_.write(frame_);
  }

  void intern(std::uint32_t field, std::uint64_t iid, std::string_view text) {
    pbf_writer data(interned_);
    pbf_writer entry(data, field);
    entry.add_uint64(interned::iid, iid);
    entry.add_string(interned::text, text.data(), text.size());
  }

  std::uint64_t name_iid(NameId id) {
    if (!names_written_[id]) intern(interned::event_names, id, trace_.name(id));
    names_written_[id] = true;
    return id;
  }

  void string(Annotations& notes, Key key, NameId id) {
    if (id == 0) return;
    if (!strings_written_[id]) intern(interned::annotation_strings, id, trace_.name(id));
    strings_written_[id] = true;
    notes.open(key).add_uint64(annotation::string_value_iid, id);
  }

  void head(pbf_writer& event, std::int32_t type, std::uint64_t track, std::uint32_t category, NameId name) {
    event.add_int32(event::type, type);
    event.add_uint64(event::track_uuid, track);
    event.add_uint64(event::category_iids, category + 1);
    if (name != 0) event.add_uint64(event::name_iid, name_iid(name));
  }

  template <class Fill>
  void instant(Category category, Ns when, NameId name, Fill&& fill) {
    pbf_writer event(event_);
    head(event, event::kInstant, kLabTrack, static_cast<std::uint32_t>(category), name);
    Annotations notes(event, event::debug_annotations);
    fill(notes);
    packet(when);
  }

  // --- what the trace holds ----------------------------------------------------------------------------------------
  void first_packet() {
    body_.clear();
    {
      pbf_writer packet(body_);
      packet.add_uint32(packet::sequence_id, 1);
      packet.add_uint32(packet::sequence_flags, packet::kStateCleared);
      pbf_writer descriptor(packet, packet::track_descriptor);
      descriptor.add_uint64(descriptor::uuid, kLabTrack);
      descriptor.add_string(descriptor::name, "P2P Lab");
    }
    flush();
    for (std::size_t i = 0; i < kCategories.size(); ++i) intern(interned::event_categories, i + 1, kCategories[i]);
    for (std::size_t i = 0; i < kKeys.size(); ++i) intern(interned::annotation_names, i + 1, kKeys[i]);
  }

  void run() {
    const RunInfo& run = trace_.run;
    instant(Category::run, 0, 0, [&](Annotations& notes) {
      notes.text(Key::format, std::string(kFormat) + std::to_string(kVersion));
      notes.text(Key::command, run.command);
      notes.text(Key::demo, run.demo);
      notes.text(Key::backend, run.backend);
      notes.text(Key::semantics, run.semantics);
      notes.text(Key::link, run.link);
      notes.text(Key::compute, run.compute);
      notes.text(Key::version, run.version);
      notes.text(Key::machine, run.machine);
      notes.text(Key::mpi, run.mpi);
      notes.integer(Key::ranks, run.ranks);
      notes.natural(Key::seed, run.seed);
      if (run.strict) notes.truth(Key::strict);
      notes.integer(Key::clock_error_ns, run.clock_error_ns);
      if (run.knobs.empty()) return;
      pbf_writer knobs = notes.open(Key::knobs);
      for (const auto& [name, value] : run.knobs) {
        pbf_writer knob(knobs, annotation::dict_entries);
        knob.add_string(annotation::name, name);
        knob.add_string(annotation::string_value, value);
      }
    });
  }

  template <class Fill>
  void describe(std::uint64_t uuid, std::uint64_t parent, std::string_view name, Fill&& fill) {
    body_.clear();
    {
      pbf_writer packet(body_);
      packet.add_uint32(packet::sequence_id, 1);
      pbf_writer descriptor(packet, packet::track_descriptor);
      descriptor.add_uint64(descriptor::uuid, uuid);
      if (parent != 0) descriptor.add_uint64(descriptor::parent_uuid, parent);
      descriptor.add_string(descriptor::name, name.data(), name.size());
      fill(descriptor);
    }
    flush();
  }

  void tracks() {
    std::vector<bool> described(static_cast<std::size_t>(trace_.ranks()), false);
    for (TrackId id = 0; id < trace_.tracks().size(); ++id) {
      const Track& track = trace_.tracks()[id];
      const std::string title = "rank " + std::to_string(track.rank);
      if (!described[static_cast<std::size_t>(track.rank)]) {
        describe(process_uuid(track.rank), 0, title, [&](pbf_writer& descriptor) {
          pbf_writer process(descriptor, descriptor::process);
          process.add_int32(process::pid, track.rank + 1);  // 0 is the idle process of Linux
          process.add_string(process::process_name, title);
        });
        described[static_cast<std::size_t>(track.rank)] = true;
      }
      for (std::uint32_t row = 0; row < std::max<std::size_t>(track.rows.size(), 1); ++row) {
        describe(lane_uuid(id, row), process_uuid(track.rank), trace_.name(track.lane), [](pbf_writer&) {});
      }
    }
  }

  void spans() {
    const auto& messages = trace_.messages();
    std::vector<Shown> shown, sent;
    for (std::uint32_t i = 0; i < messages.size(); ++i) {
      shown.push_back({messages[i].receive != kNoIndex ? messages[i].receive : messages[i].send, i});
      sent.push_back({messages[i].send, i});
    }
    const auto span_of = [](const Shown& s) { return s.span; };
    InOrder received(std::move(shown), span_of), sending(std::move(sent), span_of);
    InOrder waits(trace_.wait_targets(), [](const WaitTarget& t) { return t.wait; });
    const std::vector<std::uint16_t> stacks = nesting_stacks(trace_);
    for (SpanId id = 0; id < trace_.spans().size(); ++id) {
      const Span& span = trace_.span(id);
      const std::uint64_t track = lane_uuid(span.track, stacks[id]);
      const auto [first, last] = received.of(id);
      {
        pbf_writer event(event_);
        head(event, event::kBegin, track, static_cast<std::uint32_t>(span.kind), span.name);
        Annotations notes(event, event::debug_annotations);
        arguments(notes, span);
        if (const auto hashes = trace_.all_hashes().find(id); hashes != trace_.all_hashes().end()) {
          if (hashes->second.has_post) notes.hexadecimal(Key::hash_post, hashes->second.post);
          if (hashes->second.has_done) notes.hexadecimal(Key::hash_done, hashes->second.done);
        }
        if (const auto [from, to] = waits.of(id); from != to) wait_targets(notes, from, to);
        if (first != last) this->messages(notes, first, last);
        for (auto [message, end] = sending.of(id); message != end; ++message) {
          event.add_fixed64(event::flow_ids, std::uint64_t{message->message} + 1);
        }
      }
      packet(span.begin);
      if (span.open()) continue;
      {
        pbf_writer event(event_);
        event.add_int32(event::type, event::kEnd);
        event.add_uint64(event::track_uuid, track);
        // At the end, because a receive is often posted before the send: a flow runs forward in time.
        for (const Shown* message = first; message != last; ++message) {
          if (messages[message->message].receive == id) {
            event.add_fixed64(event::terminating_flow_ids, std::uint64_t{message->message} + 1);
          }
        }
      }
      packet(span.end);
    }
  }

  void counters() {
    for (std::size_t i = 0; i < counters_.size(); ++i) {
      const Counter& one = counters_[i];
      // Empty, but there: a message begun and ended without content would be taken back, and the track be one of spans.
      describe(counter_uuid(i), process_uuid(one.rank), one.name, [](pbf_writer& descriptor) { descriptor.add_message(descriptor::counter, "", 0); });
      for (const auto& [when, value] : one.values) {
        {
          pbf_writer event(event_);
          event.add_int32(event::type, event::kCounter);
          event.add_uint64(event::track_uuid, counter_uuid(i));
          event.add_double(event::double_counter_value, value);
        }
        packet(when);
      }
    }
  }

  void arguments(Annotations& notes, const Span& span) {
    string(notes, Key::site, span.site);
    string(notes, Key::comm, span.comm);
    notes.unless_none(Key::peer, span.peer);
    notes.unless_none(Key::tag, span.tag);
    if (span.bytes != 0) notes.natural(Key::bytes, span.bytes);
    notes.unless_none(Key::request, span.request);
    notes.unless_none(Key::sequence, span.sequence);
    notes.unless_none(Key::microbatch, span.microbatch);
    notes.unless_none(Key::chunk, span.chunk);
    notes.unless_none(Key::stage, span.stage);
    if (span.depth != 0) notes.natural(Key::depth, span.depth);
    for (std::uint32_t bit = 0; bit < 8; ++bit) {
      if ((span.flags >> bit & 1) != 0) notes.truth(static_cast<Key>(static_cast<std::uint32_t>(Key::blocking) + bit));
    }
  }

  void wait_targets(Annotations& notes, const WaitTarget* from, const WaitTarget* to) {
    pbf_writer list = notes.open(Key::waits_for);
    for (; from != to; ++from) {
      pbf_writer target(list, annotation::array_values);
      Annotations entries(target, annotation::dict_entries);
      entries.unless_none(Key::request, from->request);
      if (from->track != kNoIndex) string(entries, Key::lane, trace_.tracks()[from->track].lane);
      if (from->event != 0) entries.natural(Key::event, from->event);
    }
  }

  void messages(Annotations& notes, const Shown* from, const Shown* to) {
    pbf_writer list = notes.open(Key::message);
    for (; from != to; ++from) {
      const Message& message = trace_.messages()[from->message];
      pbf_writer one(list, annotation::array_values);
      Annotations entries(one, annotation::dict_entries);
      entries.natural(Key::index, from->message);
      if (message.send != kNoIndex) entries.natural(Key::send, message.send);
      if (message.receive != kNoIndex) entries.natural(Key::receive, message.receive);
      entries.unless_open(Key::send_return, message.send_return);
      entries.unless_open(Key::match, message.match);
      entries.unless_open(Key::completion, message.completion);
    }
  }

  void thread(const ThreadSample& thread) {
    instant(Category::thread, trace_.now(), thread.lane, [&](Annotations& notes) {
      notes.integer(Key::rank, thread.rank);
      string(notes, Key::owner, thread.owner);
      notes.natural(Key::state, static_cast<std::uint64_t>(thread.state));
      if (thread.wait_span != kNoIndex) notes.natural(Key::wait_span, thread.wait_span);
      notes.natural(Key::polls, thread.polls);
      notes.integer(Key::since, thread.since);
      notes.integer(Key::newest_record, thread.newest_record);
      notes.natural(Key::dropped, thread.dropped);
    });
  }

  void event(int rank, std::uint64_t number, const EventMark& mark) {
    instant(Category::event, mark.enqueued != kOpen ? mark.enqueued : trace_.now(), 0, [&](Annotations& notes) {
      notes.integer(Key::rank, rank);
      notes.natural(Key::event, number);
      if (mark.track != kNoIndex) string(notes, Key::lane, trace_.tracks()[mark.track].lane);
      notes.unless_open(Key::enqueued, mark.enqueued);
      notes.unless_open(Key::reached, mark.reached);
    });
  }

  const Trace& trace_;
  std::span<const Counter> counters_;
  AtomicFile file_;
  std::string body_, event_, interned_, frame_;
  std::vector<bool> names_written_, strings_written_;
};

}  // namespace

void save_perfetto(const Trace& trace, const std::filesystem::path& path, std::span<const Counter> counters) { Writer(trace, path, counters).write(); }

}  // namespace p2plab::trace
