"""Bold: many dice for a rich table, and rerolls until it leads.

Teaches: what is at stake.  `view.table` is the prize, `view.would_lead` says what a roll is
worth now, and `view.later_seats` who can still take the lead away.
"""

from gangland import gang_of_dice

GOOD_TOTAL = 9


class BoldGang(gang_of_dice.Bot):
    """Who stakes most, shows most: the sum wins, and ties go to more dice."""

    def choose_dice(self, view):
        want = 4 + view.table // 8
        return min(want, 7, view.pool)

    def choose_reroll(self, view):
        leads = view.would_lead(view.total, view.stake) and not view.triggered
        if leads and (view.total >= GOOD_TOTAL or not view.later_seats):
            return []
        if view.triggered:
            return sorted(view.dice)[1:]  # everything but the lowest die
        return [face for face in view.dice if face <= 2]
