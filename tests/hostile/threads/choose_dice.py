"""Start threads."""

import _thread
import threading

from attempts import escaped


def choose_dice(self, view):
    self.log(*escaped(lambda: threading.Thread(target=print).start()))
    self.log(*escaped(lambda: _thread.start_new_thread(print, ())))
    return 1
