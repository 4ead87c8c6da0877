// What a rank program was asked for on its command line.
#pragma once
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>

namespace p2p {

/// One English sentence for the person who started the program. Status 2: a usage error; 1: the program failed.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& sentence, int exit_status = 1)
      : std::runtime_error(sentence), exit_status_(exit_status) {}
  int exit_status() const { return exit_status_; }

 private:
  int exit_status_;
};

/// An emulated link: a message of n bytes is delivered alpha + n/beta after it has really arrived.
struct LinkSpec {
  std::string name = "raw";
  std::int64_t alpha_ns = 0;
  double bytes_per_s = 0;
  bool emulated() const { return bytes_per_s > 0; }
};

struct Options {
  std::string backend = "host";
  bool nccl_semantics = false;
  LinkSpec link;
  bool real_compute = false;
  std::uint64_t seed = 1;
  bool strict = false;
  bool hash = false;  ///< hash payloads at post and at completion
  /// Matrices are multiplied, by the program itself or as real computation: on a GPU what that needs is made before the run.
  bool multiplies = false;
  std::map<std::string, std::string, std::less<>> knobs;
};

/// Throws Error with status 2 on anything it does not know.
Options parse_options(int argc, const char* const* argv);

/// "64K", "1M", "4KiB" or a plain number.
std::int64_t parse_amount(const std::string& what, const std::string& text);

}  // namespace p2p
