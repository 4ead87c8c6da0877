// Head and tail of a stream.
#include "app/launch/output_keeper.h"

#include <algorithm>

namespace p2plab::launch {
namespace {

bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

/// Bytes of an unfinished UTF-8 character at the end of `text`.
std::size_t unfinished(std::string_view text) {
  std::size_t length = 0;
  while (length < text.size() && length < 3 && continues_character(text[text.size() - 1 - length])) ++length;
  if (length == text.size()) return 0;
  const auto lead = static_cast<unsigned char>(text[text.size() - 1 - length]);
  const std::size_t wanted = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
  return wanted > length + 1 ? length + 1 : 0;
}

}  // namespace

void OutputKeeper::append(std::string_view bytes) {
  total_ += bytes.size();
  const std::size_t to_head = std::min(head_capacity_ - head_.size(), bytes.size());
  head_.append(bytes.substr(0, to_head));
  bytes.remove_prefix(to_head);
  if (bytes.size() > tail_capacity_) bytes.remove_prefix(bytes.size() - tail_capacity_);  // the rest would be overwritten

  const std::size_t growth = std::min(tail_capacity_ - tail_.size(), bytes.size());
  tail_.append(bytes.substr(0, growth));
  bytes.remove_prefix(growth);
  while (!bytes.empty()) {
    const std::size_t run = std::min(tail_capacity_ - tail_start_, bytes.size());
    tail_.replace(tail_start_, run, bytes.substr(0, run));
    tail_start_ = (tail_start_ + run) % tail_capacity_;
    bytes.remove_prefix(run);
  }
}

RankOutput OutputKeeper::snapshot() const {
  RankOutput output;
  output.head = head_;
  output.tail = tail_.substr(tail_start_) + tail_.substr(0, tail_start_);
  output.cut_bytes = total_ - output.head.size() - output.tail.size();
  return output;
}

std::string RankOutput::text() const {
  if (cut_bytes == 0) return head + tail;
  // The cut may have halved a character on either side.
  const std::size_t before = unfinished(head);
  std::size_t after = 0;
  while (after < tail.size() && after < 3 && continues_character(tail[after])) ++after;
  return head.substr(0, head.size() - before) + "\n[… " + std::to_string(cut_bytes + before + after) + " B …]\n" +
         tail.substr(after);
}

}  // namespace p2plab::launch
