// See interrupt.h.
#include "app/launch/interrupt.h"

#include <signal.h>

#include <atomic>
#include <initializer_list>

namespace p2plab::launch {

namespace {

std::atomic<bool> stop_asked = false;  // the signal may come to any thread
static_assert(std::atomic<bool>::is_always_lock_free);

void note(int) { stop_asked = true; }

void handle(void (*handler)(int), int flags) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigemptyset(&action.sa_mask);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaction(signal, &action, nullptr);
}

}  // namespace

Interrupt::Interrupt() {
  stop_asked = false;
  handle(note, static_cast<int>(SA_RESETHAND));  // the second one has its usual effect
}
Interrupt::~Interrupt() { handle(SIG_DFL, 0); }
bool Interrupt::asked() const { return stop_asked; }

}  // namespace p2plab::launch
