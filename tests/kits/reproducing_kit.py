"""Bots that decide the same in every replay of a match, and a bot that does not."""

STEADY = b"""
from gangland import gang_of_dice
class Steady(gang_of_dice.Bot):
    def __init__(self):
        self.met = 0
    def on_game_end(self, result):
        self.met += 1
    def choose_dice(self, view):
        return min(1 + self.met, view.pool)
"""

CHANCY = b"""
from gangland import gang_of_dice
class Chancy(gang_of_dice.Bot):
    def choose_dice(self, view):
        return self.rng.randint(1, view.pool)
    def choose_reroll(self, view):
        return [face for face in view.dice if self.rng.random() < 0.5]
"""

WILD = (
    CHANCY.replace(b"Chancy", b"Wild")
    .replace(b"self.rng", b"random.SystemRandom()")
    .replace(b"\nclass", b"\nimport random\nclass")
)

STEADIER = (
    STEADY + b"    def choose_reroll(self, view):\n        return [] if view.round < 3 else list(view.dice[:1])\n"
)
