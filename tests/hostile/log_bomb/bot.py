"""Log what grows sixfold when it is made safe to print, within every limit."""

from gangland import gang_of_dice


class Subject(gang_of_dice.Bot):
    def on_game_start(self, start):
        print("\x01" * 16000)
        self.log("\x01" * 3000)

    def choose_dice(self, view):
        return 1
