"""Think for ever about every game that it did not win."""

from gangland import gang_of_dice


class Subject(gang_of_dice.Bot):
    def on_game_start(self, start):
        self.seat = start.seat

    def on_game_end(self, end):
        while end.places[self.seat] != 1:
            pass

    def choose_dice(self, view):
        return 1
