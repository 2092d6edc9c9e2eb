"""What a seat sees: everything but the dice to come."""

from gangland.view import View as BaseView


class View(BaseView):
    """What `choose_turn` is given."""

    __slots__ = ()

    @property
    def seat(self) -> int:
        """Your seat, from 0."""
        return int(self.wire[0])

    @property
    def round(self) -> int:
        """This round, from 1."""
        return int(self.wire[1])

    @property
    def banked(self) -> tuple[int, ...]:
        """By seat, points that nobody can take any more."""
        points: tuple[int, ...] = self.wire[2]
        return points

    @property
    def at_risk(self) -> tuple[int, ...]:
        """By seat, points that a 1 wipes out."""
        points: tuple[int, ...] = self.wire[3]
        return points
