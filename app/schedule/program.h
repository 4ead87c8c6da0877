// What the engine runs: a generator that streams, or a schedule as lists. Either is read a few actions at a time.
#pragma once
#include <cstdint>
#include <span>

#include "app/schedule/generator.h"

namespace p2plab::schedule {

class Program {
 public:
  /// Streams where the generator can; plans otherwise. Throws as require_legal and Generator::plan do.
  Program(const Generator& generator, const Problem& problem);
  /// `schedule` has to outlive the program, and to be free of faults (find_fault).
  explicit Program(const Schedule& schedule);

  const Layout& layout() const { return layout_; }
  int stages() const { return layout_.stages(); }
  int microbatches() const { return microbatches_; }
  bool meets() const { return meets_; }
  bool says_messages() const { return says_messages_; }
  std::int64_t count(int stage) const;
  /// Copies actions `from`, `from`+1, … of a stage; `out` lies within count().
  void read(int stage, std::int64_t from, std::span<Action> out) const;

 private:
  Layout layout_;
  int microbatches_;
  bool meets_ = false, says_messages_ = false;
  const Generator* generator_ = nullptr;  ///< streams; null: lists
  Shape shape_;
  Schedule planned_;
  const Schedule* lists_ = nullptr;
};

}  // namespace p2plab::schedule
