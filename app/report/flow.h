// Text of several looks broken into lines: the breaking is report::wrap's, the looks are found again in each line.
#pragma once
#include <string>
#include <vector>

#include "app/content/document.h"
#include "app/report/wrap.h"

namespace p2plab::report {

/// A part of a line that has one look.
struct FlowPiece {
  std::string text;
  std::size_t inline_index = 0;  ///< which of the inlines it is from
  std::size_t begin = 0;         ///< byte within plain_text(inlines)
};
using FlowLine = std::vector<FlowPiece>;

/// `measure` is given pieces of `plain`, which is plain_text(inlines), by pointer: it can tell where a piece stands in it.
std::vector<FlowLine> flow(const content::Inlines& inlines, const std::string& plain, float width, const Measure& measure);

}  // namespace p2plab::report
