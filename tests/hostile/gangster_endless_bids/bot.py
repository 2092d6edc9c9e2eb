"""Return bids without end."""

from gangland import gangster_dice


class Subject(gangster_dice.Bot):
    def choose_bids(self, view):
        def bids():
            while True:
                yield (view.legal_tokens[0], view.hand[0])

        return list(bids())
