"""Think for ever once the game is over."""

from gangland import gang_of_dice


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        return 1

    def on_game_end(self, end):
        while True:
            pass
