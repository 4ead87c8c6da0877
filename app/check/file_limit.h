// The size that one file of a rank may have: a rank that writes beyond it is ended by SIGXFSZ, which is a limit and no crash.
#pragma once
#include <sys/resource.h>

#include <algorithm>
#include <cstdint>

namespace p2plab::check {

/// The lower one of what the job was given and of what this process has itself and hands on; 0: none.
inline std::uint64_t file_limit(std::uint64_t of_job) {
  rlimit own{};
  if (::getrlimit(RLIMIT_FSIZE, &own) != 0 || own.rlim_cur == RLIM_INFINITY) return of_job;
  return of_job == 0 ? own.rlim_cur : std::min<std::uint64_t>(of_job, own.rlim_cur);
}

}  // namespace p2plab::check
