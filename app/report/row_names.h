// The column of names beside a timeline in a terminal: "rank 0  compute", shortened where the terminal is narrow, but
// never so that two lanes look the same.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "app/content/text.h"
#include "app/report/timeline_layout.h"

namespace p2plab::report {

/// Cut or filled with spaces to `width` columns, by whole characters.
std::string padded(std::string_view text, int width);
/// A short form of each name within `width` columns: no two names get the same one.
std::map<std::string, std::string> short_names(const std::vector<std::string>& names, int width);

class RowNames {
 public:
  /// For rows in the order in which they are drawn, in a terminal of `columns`.
  RowNames(const std::vector<Row>& rows, const content::Text& text, int columns);
  int width() const { return head_ + lane_; }
  /// Exactly width() columns; only the first row of a rank says which rank it is.
  std::string operator()(const Row& row, bool first_of_rank) const;

 private:
  std::string head(int rank) const;
  const content::Text& text_;
  int head_ = 0, lane_ = 0;  ///< columns, with the space behind
  bool words_ = true;        ///< "rank 3", else "3"
  std::map<std::string, std::string> short_;
};

}  // namespace p2plab::report
