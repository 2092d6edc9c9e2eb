"""Matches on their way into an archive, out of what a record worker or a local ladder has at hand."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import msgspec
from msgspec import UNSET

from gangland_ladder.common.release import this_python
from gangland_ladder.matches.judging import Judged, JudgedGame, match_digest
from gangland_ladder.matches.orders import Order
from gangland_ladder.proof.archives.archive import Game, Match, PlayedMatch, SeatScore, Skill, ratio

Move = tuple[float, float, float, float]
"""mu and sigma of an entry before a match, then after it."""


def judged_match(number: int, order: Order, judged: Judged, moves: Sequence[Move] = ()) -> PlayedMatch:
    """Return a match that was played here, out of its judgement.

    Args:
        number: of the match in its tournament.
        moves: one an entry, as the ratings took it in; none if they have not come so far.
    """
    return done_match(
        number,
        [seat.entry for seat in order.seats],
        [archived_game(number, game) for game in judged.games],
        digest=match_digest(order, judged),
        rng_key=order.rng_key,
        python=this_python(),
        wins=[score.wins for score in judged.scores],
        lucks=[(score.mean_luck, score.adjusted) for score in judged.scores],
        faults=[sum(score.faults.values()) for score in judged.scores],
        moves=moves,
    )


def done_match(
    number: int,
    entries: Sequence[int],
    games: Sequence[Game],
    *,
    digest: str,
    rng_key: str,
    python: str | None,
    wins: Sequence[int],
    lucks: Sequence[tuple[float, float]],
    faults: Sequence[int],
    moves: Sequence[Move] = (),
) -> PlayedMatch:
    """Return a match that is done, out of what was kept of it.

    Args:
        entries: ids upward; wins and faults are one an entry.
        games: all of them, by block and rotation.
        python: that its bots ran on; None if nobody recorded it.
        lucks: mean luck and adjusted place, one an entry.
        moves: one an entry, as the ratings took it in; none if they have not come so far.
    """
    skills: list[tuple[Skill | None, Skill | None]] = [(move[:2], move[2:]) for move in moves]
    scores = [
        SeatScore(
            mean_place=ratio(sum(places, Fraction(0)) / len(places)),
            block_places=[ratio(place) for place in places],
            wins=wins[index],
            faults=faults[index],
            luck=lucks[index][0],
            adjusted=lucks[index][1],
            before=before,
            after=after,
        )
        for index, (places, (before, after)) in enumerate(
            zip(block_places(games), skills or [(None, None)] * len(entries), strict=True)
        )
    ]
    match = Match(number, list(entries), "done", digest=digest, rng_key=rng_key, scores=scores, python=python or UNSET)
    return PlayedMatch(match, tuple(games))


class GamePlaces(NamedTuple):
    """Of a game what its block's score is made of; see `archive.Game`."""

    block: int
    seating: Sequence[int]
    places: Sequence[int]


def block_places(games: Sequence[Game | GamePlaces]) -> list[list[Fraction]]:
    """Return, for each entry of a match in its order, the mean place over the games of each block.

    Args:
        games: all of a match, by block and rotation.
    """
    seats = len(games[0].seating)
    found = [[Fraction(0)] * (len(games) // seats) for _ in range(seats)]
    for game in games:
        for seat, index in enumerate(game.seating):
            place = game.places[seat]
            found[index][game.block] += place + Fraction(game.places.count(place) - 1, 2)
    return [[place / seats for place in places] for places in found]


def void_match(number: int, entries: Sequence[int], reason: str) -> PlayedMatch:
    """Return a match that nobody lost, and why."""
    return PlayedMatch(Match(number=number, entries=list(entries), state="void", void_reason=reason))


def scheduled_match(number: int, entries: Sequence[int]) -> PlayedMatch:
    """Return a match that is not played yet."""
    return PlayedMatch(Match(number=number, entries=list(entries), state="scheduled"))


def archived_game(number: int, game: JudgedGame) -> Game:
    """Return a game of the match of this number as it stands in an archive."""
    record = game.record
    return Game(
        match=number,
        block=record.block,
        rotation=record.rotation,
        seating=record.seating,
        places=list(game.outcome.places),
        luck=list(game.luck),
        replay=msgspec.Raw(record.replay.encode()),
        views=record.views,
        faults=record.faults,
    )
