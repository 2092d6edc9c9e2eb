"""Bold: stakes many dice for a rich table, and rerolls until it leads.

Teaches: the stakes.  `view.table` is the prize, `view.would_lead` compares a roll with the
leader's, and `view.later_seats` are the seats that can still take the lead.
"""

from gangland import gang_of_dice

GOOD_TOTAL = 9


class BoldGang(gang_of_dice.Bot):
    """Roll many dice: the highest sum wins, and a tie goes to the seat with more dice."""

    def choose_dice(self, view):
        stake = 4 + view.table // 8
        return min(stake, 7, view.pool)

    def choose_reroll(self, view):
        leads = view.would_lead(view.total, view.stake) and not view.triggered
        if leads and (view.total >= GOOD_TOTAL or not view.later_seats):
            return []
        if view.triggered:
            return sorted(view.dice)[1:]  # all dice except the lowest one
        return [face for face in view.dice if face <= 2]
