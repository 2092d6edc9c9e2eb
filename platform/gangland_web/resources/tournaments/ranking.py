"""A class's own ranking in an event: house bots left out, and one total over all its games.

In each game, whoever takes part is given a share of the others of the class whom they stand before: 1 who is first of
all, 0 who is last, a half for each with whom they stand level.  Who is alone in a game has 1, who has no bot in it 0.
The total is the sum over the event's games; equal totals share a rank.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from gangland_web.resources.tables import Column, Kind
from gangland_web.resources.tournaments.queries import Part

COLUMNS: Final = (
    *(Column("rank", "Rank", Kind.WHOLE), Column("who", "Who"), Column("total", "Total", Kind.NUMBER)),
    *(Column("game", "Game"), Column("tournament", "Tournament", Kind.WHOLE, quiet=True), Column("bot", "Bot")),
    *(Column("place", "Place in class", Kind.WHOLE), Column("of", "of", Kind.WHOLE)),
    Column("points", "Points", Kind.NUMBER),
)
"""A row for each bot of the class in each game."""

Owner = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Stand:
    """Where somebody's best bot stands in one game of the event, among bots of the class alone."""

    part: Part
    place: int
    points: Fraction


@dataclass(frozen=True, slots=True)
class Ranked:
    """A line of the ranking; `stands` has an item for each game, in the event's order."""

    rank: int
    who: str
    total: Fraction
    stands: tuple[Stand | None, ...]


@dataclass(frozen=True, slots=True)
class Played:
    """A game of the event that is over: who took part, and what its final standings say."""

    parts: Sequence[Part]
    rows: Sequence[Mapping[str, Any]]


def owner_of(part: Part) -> Owner | None:
    """Return whose a bot is: a person or a team; None if it is the house's."""
    if part.team_id is not None:
        return ("team", part.team_id)
    return None if part.owner_id is None else ("person", part.owner_id)


def ranking(games: Sequence[Played]) -> list[Ranked]:
    """Return the ranking over the games of an event that are over, first to last."""
    stands = [_stands(game) for game in games]
    owners = {owner: stand.part.owner or "" for game in stands for owner, stand in game.items()}
    totals = {owner: sum((game[owner].points for game in stands if owner in game), Fraction(0)) for owner in owners}
    order = sorted(owners, key=lambda owner: (-totals[owner], owners[owner].casefold(), owner))
    return [
        Ranked(
            rank=1 + sum(other > totals[owner] for other in totals.values()),
            who=owners[owner],
            total=totals[owner],
            stands=tuple(game.get(owner) for game in stands),
        )
        for owner in order
    ]


def rows_of(ranked: Sequence[Ranked], games: Sequence[tuple[int, str]]) -> list[dict[str, Any]]:
    """Return the ranking as rows of a table.

    Args:
        games: of each game its tournament and its name.
    """
    return [
        {
            "rank": line.rank,
            "who": line.who,
            "total": float(line.total),
            "game": game,
            "tournament": tournament,
            "bot": stand.part.bot,
            "place": stand.place,
            "of": sum(other.stands[at] is not None for other in ranked),
            "points": float(stand.points),
        }
        for line in ranked
        for at, ((tournament, game), stand) in enumerate(zip(games, line.stands, strict=True))
        if stand is not None
    ]


def _stands(game: Played) -> dict[Owner, Stand]:
    """Return where each owner's best bot stands."""
    by_entry = {part.entry.id: part for part in game.parts if part.entry is not None}
    best: dict[Owner, tuple[int, Part]] = {}
    for row in game.rows:
        part = by_entry.get(row["entry"])
        owner = None if part is None else owner_of(part)
        if part is not None and owner is not None and (owner not in best or row["rank"] < best[owner][0]):
            best[owner] = (row["rank"], part)
    ranks = [rank for rank, _ in best.values()]
    return {
        owner: Stand(part, 1 + sum(r < rank for r in ranks), _points(rank, ranks))
        for owner, (rank, part) in best.items()
    }


def _points(rank: int, ranks: Sequence[int]) -> Fraction:
    others = len(ranks) - 1
    level = sum(other == rank for other in ranks) - 1
    behind = sum(other > rank for other in ranks)
    return Fraction(2 * behind + level, 2 * others) if others else Fraction(1)
