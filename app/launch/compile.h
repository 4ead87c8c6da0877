// "Edit a copy and run it": compiling a learner's copy of a demo's source against this installation.
#pragma once
#include <filesystem>

#include "app/launch/job.h"

namespace p2plab::launch {

struct Compilation {
  std::filesystem::path demo;    ///< folder of the demo: its other sources and its headers are used as they are
  std::string replaced;          ///< name of the source that the copy stands for, e.g. "deadlock.cpp"
  std::filesystem::path copy;    ///< the learner's copy, absolute
  std::filesystem::path output;  ///< the program to make; RunRequest::program of the run that follows
  std::string shares{};          ///< another demo beside it, whose sources but for main.cpp are part of the program; empty if none
};

/// The compiler's job: start it as a launch::Job and poll it. Exit status 0 means that `output` is there;
/// output(0, true).text() is the compiler's text.
/// Throws Error "compile.no_compiler" or "compile.no_headers".
JobSpec compile_job(const Installation& installation, const Compilation& what);

}  // namespace p2plab::launch
