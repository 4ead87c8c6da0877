// See sim_server.h.
#include "app/check/sim_server.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <map>
#include <numeric>
#include <optional>
#include <thread>
#include <vector>

#include "app/analysis/wait_for.h"
#include "app/launch/fd.h"
#include "app/schedule/hub_protocol.h"
#include "app/trace/error.h"

namespace p2plab::check {

namespace {

using namespace schedule;
using hub::Frame;
using hub::Head;
using Bytes = std::vector<std::byte>;

constexpr std::uint64_t kMostBytes = 1ULL << 32;  ///< of one frame; more is no frame of ours
constexpr std::size_t kReadAtOnce = 65536;         ///< bytes, where no longer frame is known to come
constexpr std::size_t kKept = 4 << 20;             ///< of room, for the next frame of a rank

/// The connection to one rank.
struct Peer {
  launch::Fd fd;
  Bytes unread;            ///< room, of which the first `filled` bytes have been read from the socket
  std::size_t filled = 0;
  int rank = -1;
};

/// The ranks that a collective is among, and how far each has come. 0 is the world.
struct Group {
  std::vector<int> ranks;
  std::vector<std::uint32_t> next_call;  ///< per member
};

/// One collective as all members have posted it.
struct Call {
  std::vector<std::uint32_t> numbers;  ///< of the operation, per member
  std::vector<Bytes> inputs;
  hub::Collective what;
  std::size_t given = 0;  ///< of a broadcast that waits for nobody: members that have their bytes
};

template <class T>
void reduce(Bytes& into, const Bytes& from, bool max) {
  const std::size_t n = std::min(into.size(), from.size()) / sizeof(T);
  for (std::size_t i = 0; i < n; ++i) {
    T a, b;
    std::memcpy(&a, into.data() + i * sizeof(T), sizeof(T));
    std::memcpy(&b, from.data() + i * sizeof(T), sizeof(T));
    a = max ? std::max(a, b) : static_cast<T>(a + b);
    std::memcpy(into.data() + i * sizeof(T), &a, sizeof(T));
  }
}

Bytes reduced(const Call& call) {
  Bytes out = call.inputs[0];
  for (std::size_t r = 1; r < call.inputs.size(); ++r) {
    if (call.what.f32 != 0) reduce<float>(out, call.inputs[r], call.what.max != 0);
    else reduce<std::uint8_t>(out, call.inputs[r], call.what.max != 0);
  }
  return out;
}

Bytes slice(const Bytes& from, std::size_t at, std::size_t size) {
  if (at >= from.size()) return {};
  const auto begin = from.begin() + static_cast<std::ptrdiff_t>(at);
  return Bytes(begin, begin + static_cast<std::ptrdiff_t>(std::min(size, from.size() - at)));
}

/// What each rank gets.
std::vector<Bytes> results(const Call& call) {
  const std::size_t p = call.inputs.size(), part = call.what.count * (call.what.f32 != 0 ? sizeof(float) : 1);
  std::vector<Bytes> out(p);
  switch (call.what.type) {
    case hub::CollectiveType::barrier: break;
    case hub::CollectiveType::broadcast: out.assign(p, call.inputs[static_cast<std::size_t>(call.what.root) % p]); break;
    case hub::CollectiveType::all_reduce: out.assign(p, reduced(call)); break;
    case hub::CollectiveType::all_gather: {
      Bytes all;
      for (const Bytes& input : call.inputs) all.insert(all.end(), input.begin(), input.end());
      out.assign(p, all);
      break;
    }
    case hub::CollectiveType::reduce_scatter: {
      const Bytes all = reduced(call);
      for (std::size_t r = 0; r < p; ++r) out[r] = slice(all, r * part, part);
      break;
    }
    case hub::CollectiveType::all_to_all:
      for (std::size_t r = 0; r < p; ++r)
        for (const Bytes& input : call.inputs) {
          const Bytes piece = slice(input, r * part, part);
          out[r].insert(out[r].end(), piece.begin(), piece.end());
        }
      break;
  }
  return out;
}

/// Rounds of latency and share of the bytes that the usual algorithms take: trees, rings, pairs.
HubCollective priced(const hub::Collective& what, std::uint64_t bytes, int ranks) {
  const double p = ranks, tree = std::ceil(std::log2(std::max(1, ranks)));
  HubCollective out;
  out.bytes = bytes;
  switch (what.type) {
    case hub::CollectiveType::barrier: out.rounds = tree; break;
    case hub::CollectiveType::broadcast: out.rounds = tree, out.share = ranks > 1 ? 1 : 0; break;
    case hub::CollectiveType::all_reduce: out.rounds = 2 * (p - 1), out.share = 2 * (p - 1) / p; break;
    case hub::CollectiveType::all_gather: out.rounds = p - 1, out.share = p - 1; break;
    case hub::CollectiveType::reduce_scatter:
    case hub::CollectiveType::all_to_all: out.rounds = p - 1, out.share = (p - 1) / p; break;
  }
  return out;
}

}  // namespace

struct SimServer::Impl {
  Hub world;
  int ranks;
  launch::Fd listening, stop;
  std::vector<std::unique_ptr<Peer>> peers;
  std::vector<Peer*> of_rank;
  std::vector<bool> has_left;
  std::map<OperationId, Bytes> payloads;  ///< fetched, not yet received
  std::vector<Group> groups;
  std::map<std::pair<std::vector<int>, std::uint32_t>, int> group_ids;  ///< by members and instance
  std::map<std::pair<int, std::uint32_t>, Call> calls;                   ///< by group and number
  std::map<OperationId, std::uint64_t> sizes;
  SimWitness witness;
  std::map<OperationId, std::size_t> witnessed;  ///< messages that are not done, by their place
  std::atomic<Ns> now{0};
  std::atomic<bool> stuck{false};
  bool stopping = false;
  std::thread thread;

  Impl(const std::filesystem::path& job, int n, const LinkCost& link)
      : world(n, link), ranks(n), of_rank(static_cast<std::size_t>(n), nullptr), has_left(static_cast<std::size_t>(n), false) {
    std::vector<int> all(static_cast<std::size_t>(n));
    std::iota(all.begin(), all.end(), 0);
    group_of(all, 0);  // the world
    witness.ranks.resize(static_cast<std::size_t>(n));
    const std::string path = (job / hub::kSocket).string();
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const auto refuse = [&](int why) { return Error("sim.no_socket", {{"path", path}, {"why", std::strerror(why)}}, 3); };
    if (path.size() >= sizeof address.sun_path) throw refuse(ENAMETOOLONG);
    std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
    listening.reset(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    stop.reset(::eventfd(0, EFD_CLOEXEC));
    if (!listening || !stop || ::bind(listening.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
        ::listen(listening.get(), n) != 0)
      throw refuse(errno);
    thread = std::thread([this] {
      try {
        serve();
      } catch (const std::exception&) {
        peers.clear();  // time beyond 64 bits, or no memory: the world ends, and with it its ranks
      }
    });
  }
  ~Impl() { end(); }
  void end() {
    if (!thread.joinable()) return;
    const std::uint64_t one = 1;
    while (::write(stop.get(), &one, sizeof one) < 0 && errno == EINTR) {
    }
    thread.join();
  }
  SimWitness::Rank& seen(int rank) { return witness.ranks[static_cast<std::size_t>(rank)]; }

  /// Waits until something can be read (or written to `writable`), at most `ms` (-1: for ever). False once it is to stop.
  bool wait(int ms, std::vector<pollfd>& fds) {
    fds.insert(fds.begin(), {stop.get(), POLLIN, 0});
    while (::poll(fds.data(), fds.size(), ms) < 0 && errno == EINTR) {
    }
    if (fds[0].revents != 0) stopping = true;
    fds.erase(fds.begin());
    return !stopping;
  }

  void serve() {
    while (!stopping) {
      std::vector<pollfd> fds{{listening.get(), POLLIN, 0}};
      for (const auto& peer : peers) fds.push_back({peer->fd.get(), POLLIN, 0});
      if (!wait(-1, fds)) return;
      for (std::size_t i = peers.size(); i-- > 0;)
        if (fds[i + 1].revents != 0) read_from(*peers[i]);
      if (fds[0].revents != 0) accept_all();
      for (const auto& peer : peers)
        while (auto frame = next_frame(*peer)) handle(*peer, frame->first, std::move(frame->second));
      std::erase_if(peers, [](const auto& peer) { return !peer->fd && peer->filled == 0; });
      while (!stopping && !stuck && world.all_quiet() && !everybody_left()) step();
      if (everybody_left()) release();
    }
  }

  void accept_all() {
    for (;;) {
      launch::Fd fd{::accept4(listening.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK)};
      if (!fd) return;
      peers.push_back(std::make_unique<Peer>());
      peers.back()->fd = std::move(fd);
    }
  }

  /// The size of the frame that has begun to come; 0 while that is not known, or no frame of ours.
  static std::size_t frame_size(const Peer& peer) {
    Head head;
    if (peer.filled < sizeof head) return 0;
    std::memcpy(&head, peer.unread.data(), sizeof head);
    return head.size > kMostBytes ? 0 : sizeof head + head.size;
  }

  void read_from(Peer& peer) {
    for (;;) {
      // The whole of a long frame is read to where it stays: gradients of megabytes come this way.
      const std::size_t room = std::max(peer.filled + kReadAtOnce, frame_size(peer));
      if (peer.unread.size() < room) peer.unread.resize(room);
      const std::size_t wanted = room - peer.filled;
      const ssize_t n = ::recv(peer.fd.get(), peer.unread.data() + peer.filled, wanted, 0);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return;
      if (n <= 0) return lost(peer);
      peer.filled += static_cast<std::size_t>(n);
      if (static_cast<std::size_t>(n) < wanted) return;
    }
  }

  /// The rank has ended, in whatever way: nobody hears of it again.
  void lost(Peer& peer) {
    peer.fd.reset();
    peer.filled = 0;
    if (peer.rank < 0) return;
    world.left(peer.rank);
    has_left[static_cast<std::size_t>(peer.rank)] = true;
    of_rank[static_cast<std::size_t>(peer.rank)] = nullptr;
  }

  std::optional<std::pair<Head, Bytes>> next_frame(Peer& peer) {
    if (peer.filled < sizeof(Head)) return std::nullopt;
    Head head;
    std::memcpy(&head, peer.unread.data(), sizeof head);
    if (head.size > kMostBytes) {
      lost(peer);
      return std::nullopt;
    }
    if (peer.filled < sizeof head + head.size) return std::nullopt;
    const auto begin = peer.unread.begin() + sizeof head, end = begin + static_cast<std::ptrdiff_t>(head.size);
    std::pair<Head, Bytes> out{head, Bytes(begin, end)};
    std::copy(end, peer.unread.begin() + static_cast<std::ptrdiff_t>(peer.filled), peer.unread.begin());
    peer.filled -= sizeof head + head.size;
    if (peer.filled == 0 && peer.unread.size() > kKept) peer.unread = {};
    return out;
  }

  void handle(Peer& peer, const Head& head, Bytes payload) {
    if (head.frame == Frame::hello) {
      if (head.a < 0 || head.a >= ranks || of_rank[static_cast<std::size_t>(head.a)] != nullptr) return lost(peer);
      peer.rank = static_cast<int>(head.a);
      of_rank[static_cast<std::size_t>(peer.rank)] = &peer;
      return;
    }
    if (peer.rank < 0) return lost(peer);
    const OperationId id{peer.rank, head.number};
    switch (head.frame) {
      case Frame::send:
      case Frame::receive:
        if (head.a < 0 || head.a >= ranks || head.c < 0) return lost(peer);
        sizes[id] = static_cast<std::uint64_t>(head.c);
        witnessed[id] = seen(peer.rank).messages.size();
        seen(peer.rank).messages.push_back({head.frame == Frame::send, static_cast<int>(head.a), static_cast<int>(head.b), sizes[id], world.now()});
        world.post(HubMessage{id, head.frame == Frame::send, static_cast<int>(head.a), static_cast<int>(head.b), static_cast<std::uint64_t>(head.c), head.flag != 0});
        break;
      case Frame::collective: gather(id, payload); break;
      case Frame::quiet: world.quiet(peer.rank, head.a); break;
      case Frame::leave:
        world.left(peer.rank);
        has_left[static_cast<std::size_t>(peer.rank)] = true;
        break;
      case Frame::bytes:
        if (const auto open = witnessed.find(id); open != witnessed.end())
          seen(id.rank).messages[open->second].contents = ::XXH64(payload.data(), payload.size(), 0);
        payloads[id] = std::move(payload);
        break;
      default: lost(peer);
    }
  }

  void gather(const OperationId& id, const Bytes& payload) {
    Peer& peer = *of_rank[static_cast<std::size_t>(id.rank)];
    hub::Collective what;
    if (payload.size() < sizeof what) return lost(peer);
    std::memcpy(&what, payload.data(), sizeof what);
    const std::size_t listed = what.members * sizeof(std::int32_t), head = sizeof what + listed;
    if (what.members > static_cast<std::uint32_t>(ranks) || payload.size() < head) return lost(peer);
    std::vector<int> members(what.members);
    if (listed > 0) std::memcpy(members.data(), payload.data() + sizeof what, listed);
    for (const int member : members)
      if (member < 0 || member >= ranks) return lost(peer);
    const int group = what.members == 0 ? 0 : group_of(members, what.instance + 1);
    Group& among = groups[static_cast<std::size_t>(group)];
    const auto mine = std::find(among.ranks.begin(), among.ranks.end(), id.rank);
    if (mine == among.ranks.end()) return lost(peer);
    const auto place = static_cast<std::size_t>(mine - among.ranks.begin());
    Call& call = calls[{group, among.next_call[place]++}];
    call.numbers.resize(among.ranks.size());
    call.inputs.resize(among.ranks.size());
    call.what = what;
    call.numbers[place] = id.number;
    call.inputs[place] = Bytes(payload.begin() + static_cast<std::ptrdiff_t>(head), payload.end());
    HubCollective one = priced(what, payload.size() - head, static_cast<int>(among.ranks.size()));
    one.id = id;
    one.group = group;
    if (what.type == hub::CollectiveType::broadcast) one.root = among.ranks[static_cast<std::size_t>(what.root) % among.ranks.size()];
    if (group != 0) one.members = among.ranks;
    world.post(one);
  }

  int group_of(const std::vector<int>& members, std::uint32_t instance) {
    const auto [at, fresh] = group_ids.try_emplace({members, instance}, static_cast<int>(groups.size()));
    if (fresh) groups.push_back({members, std::vector<std::uint32_t>(members.size(), 0)});
    return at->second;
  }

  bool everybody_left() const {
    return std::all_of(has_left.begin(), has_left.end(), [](bool left) { return left; });
  }

  void release() {
    for (Peer* peer : of_rank)
      if (peer != nullptr) write_to(*peer, {Frame::left, 0, 0, 0, 0, 0, 0, 0}, {});
    std::fill(of_rank.begin(), of_rank.end(), nullptr);  // told once
  }

  void step() {
    std::vector<HubEvent> events;
    if (!world.advance(events)) {
      now.store(now.load() + analysis::kStandstillNs);  // whatever this machine does: the same run, the same timeline
      stuck = true;
      for (Peer* peer : of_rank)
        if (peer != nullptr) write_to(*peer, {Frame::stuck, 0, 0, 0, 0, 0, 0, 0}, {});
      return;
    }
    now.store(world.now());
    for (const HubEvent& event : events) tell(event);
    for (const int rank : world.wakes()) {
      seen(rank).awake.push_back(world.now());
      if (Peer* peer = of_rank[static_cast<std::size_t>(rank)]) write_to(*peer, {Frame::go, 0, world.now(), 0, 0, 0, 0, 0}, {});
    }
  }

  void tell(const HubEvent& event) {
    Peer* peer = event.kind == HubEvent::Kind::collected ? nullptr : of_rank[static_cast<std::size_t>(event.id.rank)];
    switch (event.kind) {
      case HubEvent::Kind::fetch: fetch(event.id); break;
      case HubEvent::Kind::collected: {
        const auto call = calls.find({event.id.rank, event.id.number});
        if (call == calls.end()) break;
        const std::vector<Bytes> out = results(call->second);
        const std::vector<int>& members = groups[static_cast<std::size_t>(event.id.rank)].ranks;
        for (std::size_t i = 0; i < out.size(); ++i)
          if (Peer* member = of_rank[static_cast<std::size_t>(members[i])]) write_to(*member, {Frame::done, call->second.numbers[i], 0, 0, 0, 0, 0, 0}, out[i]);
        calls.erase(call);
        break;
      }
      case HubEvent::Kind::given: {
        const auto call = calls.find({event.from->rank, event.from->number});
        if (call == calls.end()) break;
        Call& broadcast = call->second;
        const Bytes& bytes = broadcast.inputs[static_cast<std::size_t>(broadcast.what.root) % broadcast.inputs.size()];
        if (peer != nullptr) write_to(*peer, {Frame::done, event.id.number, 0, 0, 0, 0, 0, 0}, bytes);
        if (++broadcast.given == broadcast.inputs.size()) calls.erase(call);
        break;
      }
      case HubEvent::Kind::done:
      case HubEvent::Kind::truncated: {
        if (const auto open = witnessed.find(event.id); open != witnessed.end()) {
          seen(event.id.rank).messages[open->second].done = world.now();
          witnessed.erase(open);
        }
        Bytes payload;
        if (event.from) {
          payload = std::move(payloads[*event.from]);
          payloads.erase(*event.from);
        }
        if (peer == nullptr) break;
        if (event.kind == HubEvent::Kind::truncated)
          write_to(*peer, {Frame::truncated, event.id.number, static_cast<std::int64_t>(sizes[*event.from]), 0, 0, 0, 0, 0}, {});
        else write_to(*peer, {Frame::done, event.id.number, 0, 0, 0, 0, 0, 0}, payload);
        break;
      }
    }
  }

  /// The bytes as they lie in the sender's memory now. The rank is quiet, so it answers at once, unless it has died.
  void fetch(const OperationId& id) {
    Peer* peer = of_rank[static_cast<std::size_t>(id.rank)];
    if (peer == nullptr) {
      payloads[id].assign(sizes[id], std::byte{0});
      return;
    }
    write_to(*peer, {Frame::fetch, id.number, 0, 0, 0, 0, 0, 0}, {});
    while (!stopping && peer->fd) {
      if (auto frame = next_frame(*peer)) {
        handle(*peer, frame->first, std::move(frame->second));
        if (payloads.contains(id)) return;
        continue;
      }
      std::vector<pollfd> fds{{peer->fd.get(), POLLIN, 0}};
      if (!wait(-1, fds)) return;
      read_from(*peer);
    }
    payloads[id].assign(sizes[id], std::byte{0});
  }

  /// All of it, however slowly the rank reads; not at all when it has gone.
  void write_to(Peer& peer, Head head, const Bytes& payload) {
    head.size = payload.size();
    const std::size_t size = sizeof head + payload.size();
    for (std::size_t at = 0; at < size && peer.fd && !stopping;) {
      const std::size_t in_head = std::min(at, sizeof head), in_payload = at - in_head;
      iovec parts[2]{{reinterpret_cast<std::byte*>(&head) + in_head, sizeof head - in_head},
                     {const_cast<std::byte*>(payload.data()) + in_payload, payload.size() - in_payload}};  // sendmsg writes nothing there
      msghdr message{};
      message.msg_iov = parts;
      message.msg_iovlen = 2;
      const ssize_t n = ::sendmsg(peer.fd.get(), &message, MSG_NOSIGNAL);
      if (n > 0) {
        at += static_cast<std::size_t>(n);
      } else if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
        std::vector<pollfd> fds{{peer.fd.get(), POLLOUT, 0}};
        wait(-1, fds);
      } else if (!(n < 0 && errno == EINTR)) {
        return;  // read_from() notices that it has gone
      }
    }
  }
};

SimServer::SimServer(const std::filesystem::path& job, int ranks, const LinkCost& link) : impl_(std::make_unique<Impl>(job, ranks, link)) {}
SimServer::~SimServer() = default;
const std::atomic<Ns>& SimServer::now() const { return impl_->now; }
bool SimServer::stuck() const { return impl_->stuck; }
const SimWitness& SimServer::end() {
  impl_->end();
  return impl_->witness;
}

}  // namespace p2plab::check
