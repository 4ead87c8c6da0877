// What every subcommand is given: where the installation is, the texts, and where its work is to be put.
#pragma once
#include <functional>
#include <string>

#include "app/content/text.h"
#include "app/launch/installation.h"

namespace p2plab::cli {

struct Context {
  launch::Installation installation;
  content::Text text;
  /// Set by the subcommand that was chosen; run after parsing. Returns the exit status of CONTRACTS.
  std::function<int()> action;
  /// What a subcommand has to say below its help; may be empty.
  std::function<std::string()> below_help;

  /// The text of an id, for help and messages.
  std::string operator()(std::string_view id, const Params& params = {}) const { return text(id, params); }
};

}  // namespace p2plab::cli
