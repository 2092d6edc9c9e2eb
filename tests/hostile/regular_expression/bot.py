"""Match a pattern that never ends."""

import re

from gangland import gang_of_dice


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        return len(re.match(r"(a|aa)+$", "a" * 64 + "b"))
