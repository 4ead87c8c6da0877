// A finding as a paragraph: what happened, where, why it is wrong, how it is usually mended.
#pragma once
#include <string>
#include <vector>

#include "app/analysis/finding.h"
#include "app/content/text.h"

namespace p2plab::report {

/// Lines without line ends. The sites of a standstill are drawn as the cycle they are.
std::vector<std::string> finding_text(const analysis::Finding& finding, const content::Text& text);

/// Its sites stand in a circle, each waiting for the next; other standstills have no order.
bool is_cycle(const analysis::Finding& finding);

/// "rank 0  MPI_Send(peer 1, tag 0, 64 B)  a.c:12".
std::string site_text(const analysis::Site& site);

}  // namespace p2plab::report
