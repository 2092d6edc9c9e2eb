"""Sleep in its constructor and at the end of each game."""

import time

from gangland import gang_of_dice


class Subject(gang_of_dice.Bot):
    def on_game_end(self, end):
        time.sleep(3600)

    def choose_dice(self, view):
        return 1
