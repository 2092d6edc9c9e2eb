"""Exit with every status in turn, through every door but the front one."""

import os
import signal

from gangland import gang_of_dice


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        try:
            os.kill(os.getpid(), signal.SIGKILL)
        except OSError:
            pass
        os._exit(128 + signal.SIGKILL)
