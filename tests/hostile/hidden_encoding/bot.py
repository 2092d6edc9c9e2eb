
# coding: utf-7
# +AAo-raise SystemExit
"""Hide code in a comment by a declared encoding, after a lone carriage return."""

from gangland import gang_of_dice


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        return 1
