// Ctrl-C and SIGTERM ask what is running to stop; a second one ends the program at once.
#pragma once
namespace p2plab::launch {

/// From its making to its end, signals are noted instead of ending the program.
class Interrupt {
 public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;
  bool asked() const;
};

}  // namespace p2plab::launch
