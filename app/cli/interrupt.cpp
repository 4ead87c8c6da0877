// See interrupt.h.
#include "app/cli/interrupt.h"

#include <signal.h>

#include <initializer_list>

namespace p2plab::cli {

namespace {

volatile sig_atomic_t stop_asked = 0;

void note(int) { stop_asked = 1; }

void handle(void (*handler)(int), int flags) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigemptyset(&action.sa_mask);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaction(signal, &action, nullptr);
}

}  // namespace

Interrupt::Interrupt() {
  stop_asked = 0;
  handle(note, static_cast<int>(SA_RESETHAND));  // the second one has its usual effect
}
Interrupt::~Interrupt() { handle(SIG_DFL, 0); }
bool Interrupt::asked() const { return stop_asked != 0; }

}  // namespace p2plab::cli
