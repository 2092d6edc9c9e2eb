"""Play on as if honest, and think for ever in the second round."""

from gangland import gangster_dice


class Subject(gangster_dice.Bot):
    asked = 0

    def choose_bids(self, view):
        self.asked += 1
        while self.asked > 1:
            pass
        return list(zip(view.legal_tokens, view.hand))[: view.bids_required]
