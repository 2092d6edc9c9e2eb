"""Banks what it has at risk from 20 points on."""

from gangland import bust


class Banker(bust.Bot):
    def choose_turn(self, view):
        return bust.BANK if view.at_risk[view.seat] >= 20 else bust.ROLL
