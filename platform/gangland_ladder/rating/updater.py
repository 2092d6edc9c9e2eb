"""Update ratings with results in a fixed order, so that ratings do not depend on when results arrive.

The order is by match number in a tournament, and by first dispatch in a ladder. The live site and every rebuild use
`RatingUpdater`. Its cursor is the number of the next match to rate. It stops at a gap in the numbers and ignores the
results after it: the caller passes them again when the missing match has been played or voided.
"""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import NamedTuple

from gangland_ladder.rating import trueskill

EntryId = int | str  # The key of an entry. All keys in a ladder have the same type, so that they can be sorted.
Place = tuple[int, int]  # A mean place as numerator and denominator; the denominator is above 0.
RatingChange = tuple[float, float, float, float]  # mu and sigma of one entry before a match, then after it


class FinishedMatch(NamedTuple):
    """A finished match."""

    number: int  # its position in the order
    entries: tuple[EntryId, ...]  # in ascending order
    places: tuple[Place, ...]  # the entries' mean places; empty if the match is void


class RatingUpdater:
    """A tournament's ratings up to the cursor. Raises ValueError: an unknown game, or invalid seats or blocks."""

    def __init__(self, game: str, seats: int, blocks: int, *, cursor: int = 1) -> None:
        self.seats = seats
        self.cursor = cursor
        self._chance = trueskill.draw_probability(game, seats, blocks)
        self._margin = trueskill.draw_margin(game, seats, blocks)
        self._mu: dict[EntryId, float] = {}
        self._sigma: dict[EntryId, float] = {}

    def set_rating(self, entry: EntryId, rating: trueskill.Rating) -> None:
        """Set an entry's rating; without this call, it begins at `Rating()`. Raises ValueError: invalid rating."""
        trueskill.check_rating(rating)
        self._mu[entry], self._sigma[entry] = rating.mu, rating.sigma

    def has_rating(self, entry: EntryId) -> bool:
        """Return whether an entry has a rating, either set or from a match."""
        return entry in self._mu

    def rating(self, entry: EntryId) -> trueskill.Rating:
        """Return an entry's rating."""
        return trueskill.Rating(self._mu.get(entry, trueskill.MU), self._sigma.get(entry, trueskill.SIGMA))

    def ratings(self) -> dict[EntryId, trueskill.Rating]:
        """Return the ratings of all known entries."""
        return {entry: trueskill.Rating(mu, self._sigma[entry]) for entry, mu in self._mu.items()}

    def apply(self, results: Iterable[FinishedMatch]) -> Iterator[tuple[FinishedMatch, tuple[RatingChange, ...]]]:
        """Rate results in order, up to a gap, and yield each with its rating changes; a void match changes no rating.

        Raises ValueError: a match was already rated, or a result does not fit.
        """
        for result in results:
            number, entries, places = result
            if number != self.cursor:  # stop at a gap; otherwise ratings would depend on the time of arrival
                if number < self.cursor:
                    raise ValueError(f"match {number} has already been rated; expected match {self.cursor}")
                return
            changes: tuple[RatingChange, ...] = ()
            if places:
                self._check(result)
                changes = self._rate_two(entries, places) if self.seats == 2 else self._rate_several(entries, places)
            self.cursor = number + 1
            yield result, changes

    def _check(self, result: FinishedMatch) -> None:
        number, entries, places = result
        if not len(entries) == len(places) == self.seats:
            raise ValueError(
                f"match {number} must have {self.seats} entries and places, not {len(entries)} and {len(places)}"
            )
        last = None
        for entry in entries:
            if last is not None and not last < entry:  # type: ignore[operator]  # all entries have the same type
                raise ValueError(f"the entries of match {number} are not in ascending order: {list(entries)!r}")
            last = entry
        for _, denominator in places:
            if denominator < 1:
                raise ValueError(f"a mean place of match {number} has an invalid denominator: {denominator!r}")

    def _rate_two(self, entries: tuple[EntryId, ...], places: tuple[Place, ...]) -> tuple[RatingChange, ...]:
        one, other = entries
        (numerator, denominator), (other_numerator, other_denominator) = places
        mu, sigma = self._mu.get(one, trueskill.MU), self._sigma.get(one, trueskill.SIGMA)
        other_mu, other_sigma = self._mu.get(other, trueskill.MU), self._sigma.get(other, trueskill.SIGMA)
        ahead = other_numerator * denominator - numerator * other_denominator
        new_mu, new_sigma, other_new_mu, other_new_sigma = trueskill.rate_two(
            mu, sigma, other_mu, other_sigma, ahead, self._margin
        )
        self._mu[one], self._sigma[one] = new_mu, new_sigma
        self._mu[other], self._sigma[other] = other_new_mu, other_new_sigma
        return (mu, sigma, new_mu, new_sigma), (other_mu, other_sigma, other_new_mu, other_new_sigma)

    def _rate_several(self, entries: tuple[EntryId, ...], places: tuple[Place, ...]) -> tuple[RatingChange, ...]:
        before = [(self._mu.get(entry, trueskill.MU), self._sigma.get(entry, trueskill.SIGMA)) for entry in entries]
        exact = [Fraction(*place) for place in places]
        order = sorted(set(exact))
        after = trueskill.rate_several(before, [order.index(place) for place in exact], self._chance)
        for entry, (mu, sigma) in zip(entries, after, strict=True):
            self._mu[entry], self._sigma[entry] = mu, sigma
        return tuple(old + new for old, new in zip(before, after, strict=True))
