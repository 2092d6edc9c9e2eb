"""Sleep before the first decision."""

import time

from gangland import gang_of_dice


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        return 1

    def on_game_start(self, start):
        time.sleep(3600)
