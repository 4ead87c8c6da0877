// Datatypes are taken apart with MPI's own envelopes, so that every constructor is understood alike.
#include "demos/probe/datatypes.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <unordered_map>
#include <unordered_set>

namespace p2plab::probe {
namespace {

constexpr std::size_t kMaxBlocks = 1 << 20;  // 16 MiB
constexpr std::size_t kMaxRuns = 1 << 20;
constexpr std::size_t kMaxPeriod = 1 << 12;  // of a signature that is written down
constexpr MPI_Aint kMaxUnpacked = 1 << 28;

struct Named {
  MPI_Datatype type;
  const char* name;
};

const auto& named_types() {
#define P2PLAB_TYPE(name) Named { name, #name }
  static const std::array kNamed = {
      P2PLAB_TYPE(MPI_CHAR), P2PLAB_TYPE(MPI_SIGNED_CHAR), P2PLAB_TYPE(MPI_UNSIGNED_CHAR), P2PLAB_TYPE(MPI_BYTE),
      P2PLAB_TYPE(MPI_WCHAR), P2PLAB_TYPE(MPI_SHORT), P2PLAB_TYPE(MPI_UNSIGNED_SHORT), P2PLAB_TYPE(MPI_INT),
      P2PLAB_TYPE(MPI_UNSIGNED), P2PLAB_TYPE(MPI_LONG), P2PLAB_TYPE(MPI_UNSIGNED_LONG), P2PLAB_TYPE(MPI_FLOAT),
      P2PLAB_TYPE(MPI_DOUBLE), P2PLAB_TYPE(MPI_LONG_DOUBLE), P2PLAB_TYPE(MPI_LONG_LONG), P2PLAB_TYPE(MPI_UNSIGNED_LONG_LONG),
      P2PLAB_TYPE(MPI_INT8_T), P2PLAB_TYPE(MPI_INT16_T), P2PLAB_TYPE(MPI_INT32_T), P2PLAB_TYPE(MPI_INT64_T),
      P2PLAB_TYPE(MPI_UINT8_T), P2PLAB_TYPE(MPI_UINT16_T), P2PLAB_TYPE(MPI_UINT32_T), P2PLAB_TYPE(MPI_UINT64_T),
      P2PLAB_TYPE(MPI_C_BOOL), P2PLAB_TYPE(MPI_C_FLOAT_COMPLEX), P2PLAB_TYPE(MPI_C_DOUBLE_COMPLEX),
      P2PLAB_TYPE(MPI_C_LONG_DOUBLE_COMPLEX), P2PLAB_TYPE(MPI_AINT), P2PLAB_TYPE(MPI_OFFSET), P2PLAB_TYPE(MPI_COUNT),
      P2PLAB_TYPE(MPI_PACKED), P2PLAB_TYPE(MPI_FLOAT_INT), P2PLAB_TYPE(MPI_DOUBLE_INT), P2PLAB_TYPE(MPI_LONG_INT),
      P2PLAB_TYPE(MPI_2INT), P2PLAB_TYPE(MPI_SHORT_INT), P2PLAB_TYPE(MPI_LONG_DOUBLE_INT), P2PLAB_TYPE(MPI_CXX_BOOL),
      P2PLAB_TYPE(MPI_CXX_FLOAT_COMPLEX), P2PLAB_TYPE(MPI_CXX_DOUBLE_COMPLEX), P2PLAB_TYPE(MPI_CXX_LONG_DOUBLE_COMPLEX)};
#undef P2PLAB_TYPE
  return kNamed;
}

const char* name_of(MPI_Datatype type) {
  const auto& named = named_types();
  const auto it = std::find_if(named.begin(), named.end(), [&](const Named& known) { return known.type == type; });
  return it == named.end() ? nullptr : it->name;
}

/// The types of MPI_MINLOC and MPI_MAXLOC are two elements, with a hole between them where C has one (MPI 4.1, section 6.9.4).
struct Pair {
  MPI_Datatype type, first;
  MPI_Aint first_length, second_at;
};

template <class T>
constexpr Pair pair_of(MPI_Datatype type, MPI_Datatype first) {
  struct Both {
    T value;
    int index;
  };
  return {type, first, sizeof(T), offsetof(Both, index)};
}

const Pair* find_pair(MPI_Datatype type) {
  static const std::array kPairs = {pair_of<int>(MPI_2INT, MPI_INT),
                                    pair_of<short>(MPI_SHORT_INT, MPI_SHORT),
                                    pair_of<long>(MPI_LONG_INT, MPI_LONG),
                                    pair_of<float>(MPI_FLOAT_INT, MPI_FLOAT),
                                    pair_of<double>(MPI_DOUBLE_INT, MPI_DOUBLE),
                                    pair_of<long double>(MPI_LONG_DOUBLE_INT, MPI_LONG_DOUBLE)};
  const auto it = std::find_if(kPairs.begin(), kPairs.end(), [&](const Pair& pair) { return pair.type == type; });
  return it == kPairs.end() ? nullptr : &*it;
}

/// Element types in a row, and how many.
struct Run {
  const char* name;
  MPI_Count count;
  bool operator==(const Run&) const = default;
};

/// A datatype while it is taken apart.
struct Parts {
  std::vector<Block> blocks;
  std::vector<Run> runs;
  bool mapped = true;  ///< all blocks are here
  bool named = true;   ///< all runs are

  bool grows() const { return mapped || named; }

  void add(Block block) {
    if (block.length <= 0) return;
    if (!blocks.empty() && blocks.back().offset + blocks.back().length == block.offset) {
      blocks.back().length += block.length;
    } else if (blocks.size() < kMaxBlocks) {
      blocks.push_back(block);
    } else {
      mapped = false;
    }
  }
  void add(Run run) {
    if (run.count <= 0) return;
    if (!runs.empty() && runs.back().name == run.name) {
      runs.back().count += run.count;
    } else if (runs.size() < kMaxRuns) {
      runs.push_back(run);
    } else {
      named = false;
    }
  }
};

MPI_Aint extent_of(MPI_Datatype type) {
  MPI_Aint lower = 0, extent = 0;
  PMPI_Type_get_extent(type, &lower, &extent);
  return extent;
}

Parts take_apart(MPI_Datatype type);

/// `count` elements of `inner` at `offset`.
void repeat(Parts& out, const Parts& inner, MPI_Aint offset, MPI_Count count, MPI_Aint stride) {
  out.mapped = out.mapped && inner.mapped;
  out.named = out.named && inner.named;
  if (inner.blocks.size() == 1 && inner.blocks[0].offset == 0 && inner.blocks[0].length == stride && inner.runs.size() == 1) {
    out.add(Block{offset, static_cast<MPI_Aint>(count) * stride});
    out.add(Run{inner.runs[0].name, inner.runs[0].count * count});
    return;
  }
  for (MPI_Count i = 0; i < count && out.grows(); ++i) {
    for (const Block& block : inner.blocks) out.add(Block{offset + static_cast<MPI_Aint>(i) * stride + block.offset, block.length});
    for (const Run& run : inner.runs) out.add(run);
  }
}

struct Contents {
  int combiner = MPI_COMBINER_NAMED;
  std::vector<MPI_Count> integers;
  std::vector<MPI_Aint> addresses;
  std::vector<MPI_Datatype> types;

  explicit Contents(MPI_Datatype type) {
    MPI_Count i = 0, a = 0, l = 0, t = 0;
    if (PMPI_Type_get_envelope_c(type, &i, &a, &l, &t, &combiner) != MPI_SUCCESS || combiner == MPI_COMBINER_NAMED) return;
    const auto room = [](MPI_Count n) { return static_cast<std::size_t>(n) + 1; };
    std::vector<int> small(room(i));
    std::vector<MPI_Count> large(room(l));
    addresses.resize(room(a));
    types.resize(room(t), MPI_DATATYPE_NULL);
    PMPI_Type_get_contents_c(type, i, a, l, t, small.data(), addresses.data(), large.data(), types.data());
    types.resize(static_cast<std::size_t>(t));
    if (l == 0) {
      integers.assign(small.begin(), small.end());
    } else {
      large.pop_back();
      sort_out(small, large);
    }
  }
  ~Contents() {
    for (MPI_Datatype type : types) {
      MPI_Count i = 0, a = 0, l = 0, t = 0;
      int inner = MPI_COMBINER_NAMED;
      PMPI_Type_get_envelope_c(type, &i, &a, &l, &t, &inner);
      if (inner != MPI_COMBINER_NAMED) PMPI_Type_free(&type);
    }
  }
  Contents(const Contents&) = delete;
  Contents& operator=(const Contents&) = delete;

 private:
  /// A type made with large counts keeps all of its numbers together (MPI 4.1, section 5.1.13): put where those of one made
  /// with int stand.
  void sort_out(const std::vector<int>& small, const std::vector<MPI_Count>& large) {
    std::size_t numbers = large.size();  // the rest are addresses
    switch (combiner) {
      case MPI_COMBINER_HVECTOR:
      case MPI_COMBINER_HINDEXED_BLOCK: numbers = 2; break;
      case MPI_COMBINER_HINDEXED:
      case MPI_COMBINER_STRUCT: numbers = 1 + static_cast<std::size_t>(large[0]); break;
      case MPI_COMBINER_RESIZED: numbers = 0; break;
      default: break;
    }
    const auto middle = large.begin() + static_cast<std::ptrdiff_t>(std::min(numbers, large.size()));
    integers.assign(large.begin(), middle);
    addresses.assign(middle, large.end());
    if (combiner == MPI_COMBINER_SUBARRAY) {
      integers.insert(integers.begin(), small[0]);  // axes
      integers.push_back(small[1]);                 // order
    }
  }
};

// The subarray of `dimensions` axes: rows of the fastest axis, one after the other.
void subarray(Parts& out, const Contents& in, const Parts& inner, MPI_Aint extent) {
  const auto n = static_cast<std::size_t>(in.integers[0]);
  const MPI_Count* sizes = &in.integers[1];
  const MPI_Count* part = sizes + n;
  const MPI_Count* start = part + n;
  const bool c_order = in.integers[1 + 3 * n] == MPI_ORDER_C;
  std::vector<std::size_t> axes(n);  // slowest first
  for (std::size_t k = 0; k < n; ++k) axes[k] = c_order ? k : n - 1 - k;
  std::vector<MPI_Aint> step(n, 1);
  for (std::size_t k = n - 1; k-- > 0;) step[k] = step[k + 1] * sizes[axes[k + 1]];
  std::vector<MPI_Count> index(n, 0);
  while (out.grows()) {
    MPI_Aint at = 0;
    for (std::size_t k = 0; k < n; ++k) at += step[k] * (start[axes[k]] + (k + 1 < n ? index[k] : 0));
    repeat(out, inner, at * extent, part[axes[n - 1]], extent);
    std::size_t k = n - 1;
    while (k-- > 0) {
      if (++index[k] < part[axes[k]]) break;
      index[k] = 0;
    }
    if (k == static_cast<std::size_t>(-1)) return;
  }
}

MPI_Count size_of(MPI_Datatype type) {
  MPI_Count size = 0;
  PMPI_Type_size_x(type, &size);
  return size;
}

/// For a constructor that is not taken apart here: the bytes that MPI itself writes, in the order of memory.
void unpacked(Parts& out, MPI_Datatype type) {
  MPI_Aint lower = 0, extent = 0;
  PMPI_Type_get_true_extent(type, &lower, &extent);
  out.mapped = extent <= kMaxUnpacked;
  if (!out.mapped || extent <= 0) return;
  MPI_Datatype copy = MPI_DATATYPE_NULL;
  PMPI_Type_dup(type, &copy);
  PMPI_Type_commit(&copy);
  const std::vector<char> ones(static_cast<std::size_t>(size_of(type)), 1);
  std::vector<char> written(static_cast<std::size_t>(extent), 0);
  MPI_Count position = 0;
  out.mapped = PMPI_Unpack_c(ones.data(), static_cast<MPI_Count>(ones.size()), &position, written.data() - lower, 1, copy, MPI_COMM_SELF) == MPI_SUCCESS;
  PMPI_Type_free(&copy);
  for (auto at = written.begin(); at != written.end();) {
    const auto begin = std::find(at, written.end(), 1);
    at = std::find(begin, written.end(), 0);
    out.add(Block{lower + (begin - written.begin()), at - begin});
  }
}

/// The signature of `type`, which is made of elements of the type `inner` alone.
void repeat_runs(Parts& out, const Parts& inner, MPI_Datatype type, MPI_Datatype inner_type) {
  out.named = inner.named;
  MPI_Count count = size_of(inner_type) == 0 ? 0 : size_of(type) / size_of(inner_type);
  if (inner.runs.size() == 1) return out.add(Run{inner.runs[0].name, inner.runs[0].count * count});
  for (; count > 0 && out.named; --count) {
    for (const Run& run : inner.runs) out.add(run);
  }
}

Parts take_apart(MPI_Datatype type) {
  Parts out;
  const Contents in(type);
  const auto& n = in.integers;
  const auto& a = in.addresses;
  const auto inner_of = [&](std::size_t i) { return take_apart(in.types[i]); };
  switch (in.combiner) {
    case MPI_COMBINER_NAMED: {
      if (const Pair* pair = find_pair(type)) {
        out.add(Run{name_of(pair->first), 1});
        out.add(Run{name_of(MPI_INT), 1});
        out.add(Block{0, pair->first_length});
        out.add(Block{pair->second_at, sizeof(int)});
        return out;
      }
      const char* name = name_of(type);
      int size = 0;
      PMPI_Type_size(type, &size);
      out.named = name != nullptr;
      if (out.named) out.add(Run{name, 1});
      out.add(Block{0, size});
      return out;
    }
    case MPI_COMBINER_DUP:
    case MPI_COMBINER_RESIZED:
      return inner_of(0);
    case MPI_COMBINER_CONTIGUOUS:
      repeat(out, inner_of(0), 0, n[0], extent_of(in.types[0]));
      return out;
    case MPI_COMBINER_VECTOR:
    case MPI_COMBINER_HVECTOR: {
      const Parts inner = inner_of(0);
      const MPI_Aint extent = extent_of(in.types[0]);
      const MPI_Aint stride = in.combiner == MPI_COMBINER_VECTOR ? n[2] * extent : a[0];
      for (MPI_Count i = 0; i < n[0]; ++i) repeat(out, inner, i * stride, n[1], extent);
      return out;
    }
    case MPI_COMBINER_INDEXED:
    case MPI_COMBINER_HINDEXED: {
      const Parts inner = inner_of(0);
      const MPI_Aint extent = extent_of(in.types[0]);
      const auto count = static_cast<std::size_t>(n[0]);
      for (std::size_t i = 0; i < count; ++i) {
        const MPI_Aint at = in.combiner == MPI_COMBINER_INDEXED ? n[1 + count + i] * extent : a[i];
        repeat(out, inner, at, n[1 + i], extent);
      }
      return out;
    }
    case MPI_COMBINER_INDEXED_BLOCK:
    case MPI_COMBINER_HINDEXED_BLOCK: {
      const Parts inner = inner_of(0);
      const MPI_Aint extent = extent_of(in.types[0]);
      for (std::size_t i = 0; i < static_cast<std::size_t>(n[0]); ++i) {
        repeat(out, inner, in.combiner == MPI_COMBINER_INDEXED_BLOCK ? n[2 + i] * extent : a[i], n[1], extent);
      }
      return out;
    }
    case MPI_COMBINER_STRUCT:
      for (std::size_t i = 0; i < static_cast<std::size_t>(n[0]); ++i) repeat(out, inner_of(i), a[i], n[1 + i], extent_of(in.types[i]));
      return out;
    case MPI_COMBINER_SUBARRAY:
      subarray(out, in, inner_of(0), extent_of(in.types[0]));
      return out;
    default:
      unpacked(out, type);
      out.named = in.types.size() == 1;  // of a darray: a part of an array of one type
      if (out.named) repeat_runs(out, inner_of(0), type, in.types[0]);
      return out;
  }
}

/// The shortest run of runs that the signature repeats.
std::string signature_text(const std::vector<Run>& runs) {
  if (runs.size() == 1) return runs[0].name;
  std::size_t period = 1;
  const auto repeats = [&](std::size_t p) {
    if (runs.size() % p != 0) return false;
    for (std::size_t i = p; i < runs.size(); ++i) {
      if (!(runs[i] == runs[i - p])) return false;
    }
    return true;
  };
  while (!repeats(period)) ++period;
  if (period > kMaxPeriod) return {};
  std::string text;
  for (std::size_t i = 0; i < period; ++i) text += fmt::format("{}{}:{}", i == 0 ? "" : ",", runs[i].name, runs[i].count);
  return text;
}

DatatypePtr describe(MPI_Datatype type) {
  auto out = std::make_shared<Datatype>();
  PMPI_Type_get_extent(type, &out->lower, &out->extent);
  Parts parts = take_apart(type);
  out->size = size_of(type);
  out->whole = parts.mapped;
  out->blocks = std::move(parts.blocks);
  out->lower = 0;
  out->dense = out->whole && out->blocks.size() == 1 && out->blocks[0].offset == 0 && out->blocks[0].length == out->extent;
  if (parts.named && !parts.runs.empty()) out->signature = signature_text(parts.runs);
  if (!out->signature.empty()) {
    out->signature_text = Probe::get().recorder.intern(out->signature);
  }
  return out;
}

struct Table {
  std::mutex mutex;
  std::unordered_map<MPI_Datatype, std::shared_ptr<Datatype>> made;
  std::unordered_map<MPI_Datatype, DatatypePtr> builtin;
  std::unordered_set<MPI_Datatype> freed;  ///< and not made again since
  std::unordered_map<MPI_Datatype, int> again;  ///< further handles that the program was given
};
Table& table() {
  static Table* const kTable = new Table;  // never destroyed: calls may come from destructors
  return *kTable;
}

thread_local std::array<DatatypePtr, kLastDatatypes> t_last_found;  ///< keeps what t_last_datatypes speaks of

DatatypePtr look_up(MPI_Datatype type) {
  Table& all = table();
  const Guard lock(all.mutex);
  if (const auto it = all.made.find(type); it != all.made.end()) return it->second;
  if (const auto it = all.builtin.find(type); it != all.builtin.end()) return it->second;
  if (all.freed.count(type) != 0) return nullptr;
  const auto& named = named_types();
  const bool is_named = std::any_of(named.begin(), named.end(), [&](const Named& known) { return known.type == type; });
  if (!is_named) {
    // Made by a call that we do not stand in front of: MPI knows whether it is a type.
    MPI_Count i = 0, a = 0, l = 0, t = 0;
    int combiner = 0;
    if (PMPI_Type_get_envelope_c(type, &i, &a, &l, &t, &combiner) != MPI_SUCCESS) return nullptr;
  }
  auto described = std::const_pointer_cast<Datatype>(describe(type));
  described->builtin = is_named;
  described->committed = true;
  return all.builtin[type] = described;
}

}  // namespace

const DatatypePtr& find_datatype(MPI_Datatype type) {
  const std::uint64_t epoch = g_datatypes_epoch.load(std::memory_order_acquire);
  LastDatatype& last = t_last_datatypes[last_place(type)];
  DatatypePtr& found = t_last_found[last_place(type)];
  if (last.type == type && last.epoch == epoch) return found;
  found = type == MPI_DATATYPE_NULL ? nullptr : look_up(type);
  last = {type, epoch, found.get()};
  return found;
}

void datatype_made(MPI_Datatype type, const CallSite& where) {
  auto described = std::const_pointer_cast<Datatype>(describe(type));
  described->made = where;
  {
    const Guard lock(table().mutex);
    table().freed.erase(type);
    table().builtin.erase(type);
    table().made[type] = std::move(described);
  }
  g_datatypes_epoch.fetch_add(1);
}

void datatype_committed(MPI_Datatype type) {
  const Guard lock(table().mutex);
  const auto it = table().made.find(type);
  if (it == table().made.end()) return;
  it->second->committed = true;
  if (!it->second->whole) note("unmapped", std::to_string(kMaxBlocks));
}

void datatype_given_again(MPI_Datatype type, const CallSite& where) {
  {
    const Guard lock(table().mutex);
    if (table().made.count(type) != 0) {
      ++table().again[type];
      return;
    }
  }
  datatype_made(type, where);  // the program has freed its own; a type that holds it has kept it
  datatype_committed(type);
}

void datatype_freed(MPI_Datatype type) {
  {
    const Guard lock(table().mutex);
    if (const auto it = table().again.find(type); it != table().again.end()) {
      if (--it->second == 0) table().again.erase(it);
      return;
    }
    table().made.erase(type);
    table().builtin.erase(type);
    table().freed.insert(type);
  }
  g_datatypes_epoch.fetch_add(1);
}

std::vector<DatatypePtr> datatypes_left() {
  const Guard lock(table().mutex);
  std::vector<DatatypePtr> left;
  for (const auto& [handle, type] : table().made) left.push_back(type);
  return left;
}

std::uint64_t hash_of(const Datatype& type, const void* buffer, MPI_Count count, MPI_Count bytes) {
  if (type.dense) return ::XXH3_64bits(buffer, static_cast<std::size_t>(std::min<MPI_Count>(bytes, count * type.size)));
  XXH3_state_t* state = ::XXH3_createState();
  ::XXH3_64bits_reset(state);
  visit_blocks(type, buffer, count, bytes, [&](std::uintptr_t at, std::size_t length) {
    ::XXH3_64bits_update(state, reinterpret_cast<const void*>(at), length);
  });
  const std::uint64_t hash = ::XXH3_64bits_digest(state);
  ::XXH3_freeState(state);
  return hash;
}

std::string operation_name(MPI_Op op) {
  struct NamedOp {
    MPI_Op op;
    const char* name;
  };
  static const std::array kNamed = {NamedOp{MPI_SUM, "MPI_SUM"}, NamedOp{MPI_MAX, "MPI_MAX"}, NamedOp{MPI_MIN, "MPI_MIN"},
                                    NamedOp{MPI_PROD, "MPI_PROD"}, NamedOp{MPI_LAND, "MPI_LAND"}, NamedOp{MPI_BAND, "MPI_BAND"},
                                    NamedOp{MPI_LOR, "MPI_LOR"}, NamedOp{MPI_BOR, "MPI_BOR"}, NamedOp{MPI_LXOR, "MPI_LXOR"},
                                    NamedOp{MPI_BXOR, "MPI_BXOR"}, NamedOp{MPI_MINLOC, "MPI_MINLOC"},
                                    NamedOp{MPI_MAXLOC, "MPI_MAXLOC"}, NamedOp{MPI_REPLACE, "MPI_REPLACE"},
                                    NamedOp{MPI_NO_OP, "MPI_NO_OP"}};
  if (op == MPI_OP_NULL) return {};
  const auto it = std::find_if(kNamed.begin(), kNamed.end(), [&](const NamedOp& known) { return known.op == op; });
  return it == kNamed.end() ? "user" : it->name;  // a program's own operation has no name that ranks share
}

}  // namespace p2plab::probe
