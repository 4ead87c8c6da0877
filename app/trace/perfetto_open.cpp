// Perfetto packets back into a trace; perfetto_format.h says how they are laid out.
#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "app/trace/error.h"
#include "app/trace/packet_file.h"
#include "app/trace/perfetto.h"
#include "app/trace/perfetto_format.h"
#include "app/trace/protozero.h"

namespace p2plab::trace {
namespace {

using namespace perfetto;
using protozero::data_view;
using protozero::pbf_reader;

// What one annotation holds; only the member of its kind is set.
struct Value {
  std::optional<Key> key;
  data_view name, text, bytes;  ///< `bytes` are those of the whole annotation, for nested ones
  std::int64_t integer = 0;     ///< also the unsigned ones, and iids of strings
  double number = 0;
};

struct Event {
  std::int32_t type = 0;
  std::uint64_t track = 0;
  std::uint64_t category = 0;
  std::uint64_t name = 0;
  std::vector<Value> values;
};

template <class T>
T as(std::int64_t value) {
  return static_cast<T>(value);
}

class Opener {
 public:
  explicit Opener(const std::filesystem::path& path) : file_(path) {}

  Trace open() {
    try {
      while (file_.next()) read_packet();
    } catch (const protozero::exception&) {
      refuse();
    } catch (const WrongWireType&) {
      refuse();
    } catch (const Error& error) {
      if (!is_ours_ && error.text().id == "trace.truncated") refuse();
      throw;
    }
    if (!is_ours_ || !is_whole_) refuse();
    return std::move(trace_);
  }

 private:
  // A file is ours once its run has been read; what is wrong afterwards is damage.
  [[noreturn]] void refuse() const {
    if (is_ours_) file_.damaged();
    throw Error("trace.foreign", {{"path", file_.path().string()}});
  }

  void read_packet() {
    Ns when = 0;
    data_view interned, event, descriptor;
    for (pbf_reader packet(file_.packet()); packet.next();) {
      switch (packet.tag()) {
        case packet::timestamp:
          when = static_cast<Ns>(packet.get_uint64());
          break;
        case packet::interned_data:
          interned = packet.get_view();
          break;
        case packet::track_event:
          event = packet.get_view();
          break;
        case packet::track_descriptor:
          descriptor = packet.get_view();
          break;
        default:
          packet.skip();
      }
    }
    if (interned.data() != nullptr) read_interned(interned);
    if (descriptor.data() != nullptr) read_descriptor(descriptor);
    if (event.data() != nullptr) read_event(when, event);
  }

  // --- interned texts, tracks ------------------------------------------------------------------------------------
  void read_interned(data_view data) {
    for (pbf_reader reader(data); reader.next();) {
      const std::uint32_t field = reader.tag();
      if (reader.wire_type() != protozero::pbf_wire_type::length_delimited) {
        reader.skip();
        continue;
      }
      std::uint64_t iid = 0;
      std::string text;
      for (pbf_reader entry = reader.get_message(); entry.next();) {
        if (entry.tag() == interned::iid)
          iid = entry.get_uint64();
        else if (entry.tag() == interned::text)
          text = entry.get_string();
        else
          entry.skip();
      }
      if (field == interned::event_categories) {
        const auto found = std::find(kCategories.begin(), kCategories.end(), text);
        if (found != kCategories.end()) categories_[iid] = static_cast<std::uint32_t>(found - kCategories.begin());
      } else if (field == interned::annotation_names) {
        const auto found = std::find(kKeys.begin(), kKeys.end(), text);
        if (found != kKeys.end()) keys_[iid] = static_cast<Key>(found - kKeys.begin());
      } else if (field == interned::event_names) {
        names_[iid] = trace_.intern(text);
      } else if (field == interned::annotation_strings) {
        strings_[iid] = trace_.intern(text);
      }
    }
  }

  void read_descriptor(data_view data) {
    std::uint64_t uuid = 0, parent = 0;
    std::string name;
    std::optional<int> rank;
    bool counts = false;
    for (pbf_reader reader(data); reader.next();) {
      switch (reader.tag()) {
        case descriptor::uuid:
          uuid = reader.get_uint64();
          break;
        case descriptor::parent_uuid:
          parent = reader.get_uint64();
          break;
        case descriptor::counter:
          counts = true;
          reader.skip();
          break;
        case descriptor::name:
          name = reader.get_string();
          break;
        case descriptor::process:
          for (pbf_reader process = reader.get_message(); process.next();) {
            if (process.tag() == process::pid)
              rank = process.get_int32() - 1;
            else
              process.skip();
          }
          break;
        default:
          reader.skip();
      }
    }
    if (counts) return;
    if (rank)
      ranks_[uuid] = *rank;
    else if (const auto of = ranks_.find(parent); of != ranks_.end())
      tracks_[uuid] = trace_.track(of->second, trace_.intern(name));
  }

  // --- events ------------------------------------------------------------------------------------------------------
  void read_event(Ns when, data_view data) {
    event_.values.clear();
    event_.type = 0;
    event_.track = event_.category = event_.name = 0;
    for (pbf_reader reader(data); reader.next();) {
      switch (reader.tag()) {
        case event::type:
          event_.type = reader.get_int32();
          break;
        case event::track_uuid:
          event_.track = reader.get_uint64();
          break;
        case event::category_iids:
          event_.category = reader.get_uint64();
          break;
        case event::name_iid:
          event_.name = reader.get_uint64();
          break;
        case event::debug_annotations:
          event_.values.push_back(value(reader.get_view()));
          break;
        default:
          reader.skip();
      }
    }
    if (!is_ours_) {  // the first event of all
      if (event_.track != kLabTrack || !is(Category::run)) refuse();
      return run();
    }
    if (event_.type == event::kBegin)
      begin(when);
    else if (event_.type == event::kEnd)
      end(when);
    else if (event_.track == kLabTrack)
      other();
  }

  Value value(data_view data) const {
    Value out;
    out.bytes = data;
    for (pbf_reader reader(data); reader.next();) {
      switch (reader.tag()) {
        case annotation::name_iid:
          if (const auto known = keys_.find(reader.get_uint64()); known != keys_.end()) out.key = known->second;
          break;
        case annotation::name:
          out.name = reader.get_view();
          break;
        case annotation::bool_value:
          out.integer = reader.get_bool() ? 1 : 0;
          break;
        case annotation::int_value:
          out.integer = reader.get_int64();
          break;
        case annotation::uint_value:
        case annotation::pointer_value:
        case annotation::string_value_iid:
          out.integer = static_cast<std::int64_t>(reader.get_uint64());
          break;
        case annotation::double_value:
          out.number = reader.get_double();
          break;
        case annotation::string_value:
          out.text = reader.get_view();
          break;
        default:
          reader.skip();
      }
    }
    return out;
  }

  bool is(Category category) const {
    const auto known = categories_.find(event_.category);
    return known != categories_.end() && known->second == static_cast<std::uint32_t>(category);
  }
  const Value* find(Key key) const {
    for (const Value& value : event_.values) {
      if (value.key == key) return &value;
    }
    return nullptr;
  }
  std::int64_t integer(Key key, std::int64_t otherwise = 0) const {
    const Value* found = find(key);
    return found != nullptr ? found->integer : otherwise;
  }
  std::string text(Key key) const {
    const Value* found = find(key);
    return found != nullptr ? std::string(found->text) : std::string();
  }
  NameId string(std::int64_t iid) const {
    const auto known = strings_.find(static_cast<std::uint64_t>(iid));
    return known != strings_.end() ? known->second : 0;
  }
  NameId name() const {
    const auto known = names_.find(event_.name);
    return known != names_.end() ? known->second : 0;
  }

  void run() {
    const std::string format = text(Key::format);
    if (!format.starts_with(kFormat)) refuse();
    if (const std::string found = format.substr(kFormat.size()); found != std::to_string(kVersion)) {
      throw Error("trace.version",
                  {{"path", file_.path().string()}, {"found", found}, {"wanted", std::to_string(kVersion)}});
    }
    is_ours_ = true;
    RunInfo& run = trace_.run;
    run.command = text(Key::command);
    run.demo = text(Key::demo);
    run.backend = text(Key::backend);
    run.semantics = text(Key::semantics);
    run.link = text(Key::link);
    run.compute = text(Key::compute);
    run.version = text(Key::version);
    run.machine = text(Key::machine);
    run.mpi = text(Key::mpi);
    run.ranks = as<int>(integer(Key::ranks));
    run.seed = as<std::uint64_t>(integer(Key::seed));
    run.strict = integer(Key::strict) != 0;
    run.clock_error_ns = integer(Key::clock_error_ns);
    const Value* knobs = find(Key::knobs);
    if (knobs == nullptr) return;
    for (pbf_reader reader(knobs->bytes); reader.next(annotation::dict_entries);) {
      const Value knob = value(reader.get_view());
      run.knobs[std::string(knob.name)] = std::string(knob.text);
    }
  }

  void begin(Ns when) {
    Span span;
    const auto track = tracks_.find(event_.track);
    const auto category = categories_.find(event_.category);
    if (track == tracks_.end() || category == categories_.end()) file_.damaged();
    span.begin = when;
    span.track = track->second;
    span.name = name();
    span.kind = static_cast<Kind>(std::min(category->second, static_cast<std::uint32_t>(Kind::wait)));
    const auto id = static_cast<SpanId>(trace_.spans().size());
    for (const Value& value : event_.values) {
      if (value.key) argument(span, id, *value.key, value);
    }
    // The end, if there is one, is the very next packet: it decides how the span is put back.
    trace_.restore(span);
    open_ = id;
    open_track_ = event_.track;
  }

  void argument(Span& span, SpanId id, Key key, const Value& value) {
    const std::int64_t v = value.integer;
    switch (key) {
      case Key::site:
        span.site = string(v);
        break;
      case Key::comm:
        span.comm = string(v);
        break;
      case Key::peer:
        span.peer = as<std::int32_t>(v);
        break;
      case Key::tag:
        span.tag = as<std::int32_t>(v);
        break;
      case Key::bytes:
        span.bytes = as<std::uint64_t>(v);
        break;
      case Key::request:
        span.request = as<std::int32_t>(v);
        break;
      case Key::sequence:
        span.sequence = as<std::int32_t>(v);
        break;
      case Key::microbatch:
        span.microbatch = as<std::int32_t>(v);
        break;
      case Key::chunk:
        span.chunk = as<std::int16_t>(v);
        break;
      case Key::stage:
        span.stage = as<std::int16_t>(v);
        break;
      case Key::depth:
        span.depth = as<std::uint16_t>(v);
        break;
      case Key::hash_post:
        trace_.hashes(id).post = as<std::uint64_t>(v);
        trace_.hashes(id).has_post = true;
        break;
      case Key::hash_done:
        trace_.hashes(id).done = as<std::uint64_t>(v);
        trace_.hashes(id).has_done = true;
        break;
      case Key::waits_for:
        wait_targets(span, id, value);
        break;
      case Key::message:
        messages(value);
        break;
      default:
        if (key >= Key::blocking && key <= Key::flag_128) {
          const auto bit = static_cast<std::uint32_t>(key) - static_cast<std::uint32_t>(Key::blocking);
          span.flags = static_cast<std::uint8_t>(span.flags | 1u << bit);
        }
    }
  }

  template <class Visit>
  void each_in(const Value& list, Visit&& visit) const {
    for (pbf_reader reader(list.bytes); reader.next(annotation::array_values);) {
      std::vector<Value> entries;
      for (pbf_reader one = reader.get_message(); one.next(annotation::dict_entries);)
        entries.push_back(value(one.get_view()));
      visit(entries);
    }
  }

  void wait_targets(const Span& span, SpanId id, const Value& list) {
    each_in(list, [&](const std::vector<Value>& entries) {
      WaitTarget target;
      target.wait = id;
      for (const Value& entry : entries) {
        if (entry.key == Key::request) target.request = as<std::int32_t>(entry.integer);
        if (entry.key == Key::lane)
          target.track = trace_.track(trace_.tracks()[span.track].rank, string(entry.integer));
        if (entry.key == Key::event) target.event = as<std::uint64_t>(entry.integer);
      }
      trace_.add(target);
    });
  }

  void messages(const Value& list) {
    each_in(list, [&](const std::vector<Value>& entries) {
      Message message;
      std::uint64_t index = 0;
      for (const Value& entry : entries) {
        if (entry.key == Key::index) index = as<std::uint64_t>(entry.integer);
        if (entry.key == Key::send) message.send = as<SpanId>(entry.integer);
        if (entry.key == Key::receive) message.receive = as<SpanId>(entry.integer);
        if (entry.key == Key::send_return) message.send_return = entry.integer;
        if (entry.key == Key::match) message.match = entry.integer;
        if (entry.key == Key::completion) message.completion = entry.integer;
      }
      messages_.emplace_back(index, message);
    });
  }

  void end(Ns when) {
    if (open_ == kNoIndex || open_track_ != event_.track) file_.damaged();
    trace_.end(open_, when);
    open_ = kNoIndex;
  }

  void other() {
    const int rank = as<int>(integer(Key::rank));
    if (is(Category::thread)) {
      ThreadSample thread;
      thread.rank = rank;
      thread.lane = name();
      thread.owner = string(integer(Key::owner));
      thread.state = static_cast<ThreadState>(std::clamp<std::int64_t>(integer(Key::state), 0, 3));
      thread.wait_span = as<SpanId>(integer(Key::wait_span, kNoIndex));
      thread.polls = as<std::uint64_t>(integer(Key::polls));
      thread.since = integer(Key::since);
      thread.newest_record = integer(Key::newest_record);
      thread.dropped = as<std::uint64_t>(integer(Key::dropped));
      trace_.threads().push_back(thread);
    } else if (is(Category::metric)) {
      const Value* value = find(Key::value);
      trace_.add(Metric{rank, name(), value != nullptr ? value->number : 0});
    } else if (is(Category::note)) {
      trace_.add(Note{rank, name(), trace_.intern(text(Key::text))});
    } else if (is(Category::event)) {
      event(rank);
    } else if (is(Category::unrecorded)) {
      trace_.unrecorded(rank, as<std::uint64_t>(integer(Key::dropped)));
    } else if (is(Category::end)) {
      finish();
    }
  }

  void event(int rank) {
    const auto number = as<std::uint64_t>(integer(Key::event));
    const Value* lane = find(Key::lane);
    if (lane != nullptr)
      trace_.event_recorded(rank, number, trace_.track(rank, string(lane->integer)), integer(Key::enqueued, kOpen));
    if (const Value* reached = find(Key::reached)) trace_.event_reached(rank, number, reached->integer);
  }

  // Everything has been read; what refers to something must find it.
  void finish() {
    const std::size_t spans = trace_.spans().size();
    const auto is_span = [&](SpanId id) { return id == kNoIndex || id < spans; };
    bool sound =
        as<std::size_t>(integer(Key::spans)) == spans && as<std::size_t>(integer(Key::messages)) == messages_.size();
    std::sort(messages_.begin(), messages_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [index, message] : messages_) {
      sound = sound && is_span(message.send) && is_span(message.receive);
      trace_.messages().push_back(message);
    }
    for (const ThreadSample& thread : trace_.threads()) sound = sound && is_span(thread.wait_span);
    if (!sound) file_.damaged();
    trace_.saw(integer(Key::now));
    is_whole_ = true;
  }

  PacketFile file_;
  Trace trace_;
  Event event_;
  std::unordered_map<std::uint64_t, std::uint32_t> categories_;
  std::unordered_map<std::uint64_t, Key> keys_;
  std::unordered_map<std::uint64_t, NameId> names_, strings_;
  std::unordered_map<std::uint64_t, int> ranks_;       ///< of process tracks
  std::unordered_map<std::uint64_t, TrackId> tracks_;  ///< of lanes
  std::vector<std::pair<std::uint64_t, Message>> messages_;
  SpanId open_ = kNoIndex;  ///< the span of the packet before
  std::uint64_t open_track_ = 0;
  bool is_ours_ = false, is_whole_ = false;
};

}  // namespace

Trace open_perfetto(const std::filesystem::path& path) { return Opener(path).open(); }

}  // namespace p2plab::trace
