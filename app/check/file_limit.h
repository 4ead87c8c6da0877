// The size that one file of a rank may have: a rank that writes beyond it is ended by SIGXFSZ, which is a limit and no crash.
#pragma once
#include <sys/resource.h>

#include <cstdint>

namespace p2plab::check {

/// What the job was given, else what this process has itself and hands on; 0: none.
inline std::uint64_t file_limit(std::uint64_t of_job) {
  rlimit own{};
  if (of_job != 0 || ::getrlimit(RLIMIT_FSIZE, &own) != 0 || own.rlim_cur == RLIM_INFINITY) return of_job;
  return own.rlim_cur;
}

}  // namespace p2plab::check
