// What a learner has done of the labs, kept among his progress (records of kind "lab").
#pragma once
#include <filesystem>
#include <optional>
#include <string>

#include "app/check/lab_check.h"
#include "app/content/progress.h"

namespace p2plab::check {

struct LabState {
  std::filesystem::path folder;   ///< where it was started last; empty: never
  int checks = 0;
  bool passed = false;
  double best = 0;                ///< score
  int hints = 0;                  ///< rungs that were read
  bool solution = false;          ///< was shown
};

class LabDiary {
 public:
  explicit LabDiary(content::Progress progress = content::Progress()) : progress_(std::move(progress)) {}
  LabState state(const std::string& lab) const;
  /// Whether a file or folder lies in one of the folders in which he started this lab.
  bool owns(const std::string& lab, const std::filesystem::path& work) const;
  void started(const std::string& lab, const std::filesystem::path& folder);
  /// Nothing of a check that was stopped, had nothing to look at, or came to no verdict.
  void checked(const std::string& lab, const LabResult& result, std::uint64_t seed);
  void hinted(const std::string& lab, int rung);
  void solved(const std::string& lab);

 private:
  void note(const std::string& lab, const char* event, nlohmann::ordered_json more);
  content::Progress progress_;
};

}  // namespace p2plab::check
