"""Answer, and be dead when asked again."""

import os
import sys

from gangland import gang_of_dice


def leave(frame, event, argument):
    if event == "return" and frame.f_code.co_name == "send":
        os._exit(0)


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        sys.setprofile(leave)
        return 1
