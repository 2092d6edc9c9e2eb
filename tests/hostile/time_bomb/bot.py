"""Play the first game as honest bots do, and go off in the second."""

import os

from gangland import gang_of_dice


class Subject(gang_of_dice.Bot):
    games = 0

    def on_game_start(self, start):
        type(self).games += 1

    def choose_dice(self, view):
        if type(self).games > 1:
            os._exit(139)
        return 1
