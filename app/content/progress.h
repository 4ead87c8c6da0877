// What the learner has done, as lines of JSON in one file that only grows: reviews of cards, labs passed, settings. Every
// part of the lab writes records of its own kind and leaves those of others alone.
#pragma once
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace p2plab::content {

/// $XDG_DATA_HOME/p2plab, else ~/.local/share/p2plab. Throws Error "progress.no_home".
std::filesystem::path data_directory();
/// Where runs that prove a card are kept; empty where there is no such place.
std::filesystem::path kept_runs();
/// Where progress is kept; empty where there is no such place, and then nothing can be appended.
std::filesystem::path progress_file();

class Progress {
 public:
  using Record = nlohmann::ordered_json;

  /// The file need not exist.
  explicit Progress(std::filesystem::path file = progress_file()) : file_(std::move(file)) {}

  const std::filesystem::path& file() const { return file_; }
  /// All records in the order written. A line that is no JSON object (a crash tore it) is passed over and counted.
  std::vector<Record> records() const;
  /// Records of one kind: {"kind": KIND, …}.
  std::vector<Record> records(std::string_view kind) const;
  /// Lines that the last records() passed over; they stay in the file.
  int unreadable() const { return unreadable_; }

  /// Adds one line whole or not at all, also when the disk is full or another program writes at the same time. "at" (UTC)
  /// and "day" (local) are set when the record lacks them. Throws Error "progress.unwritable", "progress.no_home".
  void append(Record record);
  /// All records as one file. Throws Error "file.unwritable".
  void export_to(const std::filesystem::path& file) const;
  /// Adds the records of such a file that are not here yet, unknown kinds and fields included; how many those were.
  /// Throws Error "progress.not_progress" and adds nothing when the file holds none.
  int import_from(const std::filesystem::path& file);

 private:
  std::filesystem::path file_;
  mutable int unreadable_ = 0;
};

}  // namespace p2plab::content
