"""Answer the next questions before they are asked, and stop reading."""

import os

from frames import ANSWERS, frame

from gangland import gang_of_dice


class Subject(gang_of_dice.Bot):
    def on_game_start(self, start):
        for number in range(3, 400):
            os.write(ANSWERS, frame(1, 4, number, b"1"))

    def choose_dice(self, view):
        return 1
