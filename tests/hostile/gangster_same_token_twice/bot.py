"""Bid twice on the same token."""

from gangland import gangster_dice


class Subject(gangster_dice.Bot):
    def choose_bids(self, view):
        token = view.legal_tokens[0]
        return [(token, favor) for favor in view.hand[: view.bids_required]] * 2
