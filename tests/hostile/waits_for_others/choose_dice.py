"""Wait for children that it does not have, and reap somebody else's."""

import os

from attempts import escaped


def choose_dice(self, view):
    for flags in (os.WNOHANG, os.WNOHANG | os.WUNTRACED):
        self.log(*escaped(lambda: os.waitpid(-1, flags)))
    self.log(*escaped(lambda: os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)))
    self.log(*escaped(lambda: os.wait3(os.WNOHANG)))
    return 1
