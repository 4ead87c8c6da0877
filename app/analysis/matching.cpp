// Pairs become messages, and their instants are filled in as they become known.
#include "app/analysis/matching.h"

#include <algorithm>

#include "app/analysis/operations.h"

namespace p2plab::analysis {

using trace::kNoIndex;
using trace::kOpen;
using trace::Message;
using trace::Span;
using trace::Trace;

struct Matcher::Impl {
  Operations operations;
  std::size_t next_pair = 0;
  std::uint64_t revision = 0;
  std::vector<std::size_t> unfinished;  ///< messages with an instant still to come

  /// True when no instant of the message can change any more.
  bool fill(const Trace& trace, Message& message) const {
    const Span& send = trace.span(message.send);
    const Span& receive = trace.span(message.receive);
    message.completion = receive.end;
    const Operation* operation = operations.find(trace.tracks()[send.track].rank, send.request);
    const bool has_call = operation != nullptr && operation->call != kNoIndex;
    if (has_call) message.send_return = trace.span(operation->call).end;
    return message.completion != kOpen && (has_call ? message.send_return != kOpen : !send.open());
  }
};

Matcher::Matcher() : impl_(std::make_unique<Impl>()) {}
Matcher::~Matcher() = default;
Matcher::Matcher(Matcher&&) noexcept = default;

void Matcher::update(Trace& trace) {
  impl_->operations.update(trace);
  if (impl_->operations.revision() != impl_->revision) {  // a wildcard took another message than it seemed
    impl_->revision = impl_->operations.revision();
    impl_->next_pair = 0;
    impl_->unfinished.clear();
    trace.messages().clear();
  }
  const std::vector<Pair>& pairs = impl_->operations.pairs();
  for (; impl_->next_pair < pairs.size(); ++impl_->next_pair) {
    const Pair& pair = pairs[impl_->next_pair];
    Message message;
    message.send = pair.send;
    message.receive = pair.receive;
    message.match = std::max(trace.span(pair.send).begin, trace.span(pair.receive).begin);
    impl_->unfinished.push_back(trace.messages().size());
    trace.messages().push_back(message);
  }
  std::erase_if(impl_->unfinished, [&](std::size_t i) { return impl_->fill(trace, trace.messages()[i]); });
}

}  // namespace p2plab::analysis
