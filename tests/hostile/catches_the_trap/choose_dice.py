"""Handle every signal that can be, block them all, and sleep by a selector."""

import faulthandler
import selectors
import signal


def choose_dice(self, view):
    for number in signal.valid_signals():
        try:
            signal.signal(number, lambda *_: None)
            self.log(f"ESCAPED by signal {number}" if number in (5, 31) else "set")
        except (OSError, ValueError):
            pass
    faulthandler.enable()
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    while True:
        try:
            selectors.DefaultSelector().select(1e-5)
        except BaseException:
            continue
