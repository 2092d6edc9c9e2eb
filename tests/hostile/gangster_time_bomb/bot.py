"""Think for ever in every answer but its first kind."""

from gangland import gangster_dice


class Subject(gangster_dice.Bot):
    def act(self, decision):
        while decision.kind != "bids" or decision.view.round > 2:
            pass
        return super().act(decision)

    def choose_bids(self, view):
        return list(zip(view.legal_tokens, view.hand))[: view.bids_required]
