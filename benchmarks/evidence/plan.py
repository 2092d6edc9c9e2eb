"""Which games are played for which table, and how many of each."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from typing import Any

from benchmarks.evidence import census, comparing, faces, ties
from benchmarks.evidence.census import Cell, Census
from benchmarks.evidence.characters import characters_table
from benchmarks.evidence.comparing import Pair
from benchmarks.evidence.jobs import Job
from benchmarks.evidence.lengths import gang_of_dice_table, gangster_dice_table
from benchmarks.evidence.mirrored import halves_table, mirrored_table, spread
from benchmarks.evidence.players import ANY, THINKING_BOTS
from benchmarks.evidence.seats import seats_table
from benchmarks.evidence.stats import ChiSquare, chi_square_even
from benchmarks.evidence.tables import Row, Table
from benchmarks.evidence.ties import Alike
from gangland.games import GAME_NAMES, game_named

FULL = 15_000
"""Games of random play at each table; all else is a part of it."""

VARIANTS: dict[str, tuple[tuple[tuple[str, object], ...], ...]] = {
    "gangster-dice": (
        (("investigator_colour", "held"),),
        (("spent_favor", "out"),),
        (("win_check", "win_first"),),
        (("characters", "dealt"),),
    ),
    "gang-of-dice": ((("first_player", "winner"),), (("deck", "box18"),)),
}
DEALT = (("characters", "dealt"),)

VARIANT_PART = 4
HOUSE_PART = 3
SENSIBLE_PART = {"gangster-dice": 4, "gang-of-dice": 12}
"""Sensible bots think, so they play less often."""
DEALT_PART = 2
BLOCKS_PART = 12
TIES_PART = 100
SHUFFLES = 5


def cells(games: int) -> Iterator[tuple[Cell, int]]:
    """Yield all tables of equal players, and how many games each plays."""
    for name in GAME_NAMES:
        for seats in game_named(name).table_sizes:
            yield census.any_play(name, seats), games
            for stem in THINKING_BOTS[name]:
                yield Cell(name, seats, stem), games // (SENSIBLE_PART[name] if stem == "sensible" else HOUSE_PART)
            for options in VARIANTS[name]:
                yield Cell(name, seats, ANY, options), games // VARIANT_PART
            if name == "gangster-dice":
                yield Cell(name, seats, "sensible", DEALT), games // DEALT_PART


def jobs(games: int) -> list[Job]:
    """Return all the work, some games of every kind at least; what takes longest comes first."""
    return [
        *comparing.jobs(max(2, games // BLOCKS_PART)),
        *(job for cell, count in cells(games) for job in census.jobs(cell, max(2, count))),
        *ties.jobs(max(1, games // TIES_PART)),
        *faces.jobs(games * SHUFFLES),
    ]


def played_table(games: int) -> Table:
    """Return how many games each table of figures rests on."""
    by_kind: dict[str, list[int]] = {}
    for cell, count in cells(games):
        by_kind.setdefault(_kind(cell), []).append(count)
    blocks, tied = max(2, games // BLOCKS_PART), max(1, games // TIES_PART)
    rows: list[Row] = [(kind, len(counts), "games", max(2, counts[0])) for kind, counts in by_kind.items()]
    rows.append(("two bots compared, in blocks and without", len(list(comparing.pairs())), "blocks", blocks))
    rows.append(("copies of one bot", len(ties.jobs(1)), "blocks", tied))
    rows.append(("shuffles", len(faces.DECKS), "shuffles", games * SHUFFLES))
    finding = f"All of it comes out again, figure by figure, with `python -m benchmarks.evidence --games {games}`."
    return Table("played", "What was played", ("what", "tables", "unit", "at each"), tuple(rows), finding)


def _kind(cell: Cell) -> str:
    if cell.stem == ANY:
        return "random play" if cell.dice else "random play, other options"
    if cell.options:
        return "sensible bots with characters"
    return f"{'sensible' if cell.stem == 'sensible' else 'other house'} bots, {game_named(cell.game).title}"


def second_jobs(found: Mapping[Hashable, list[Any]]) -> list[Job]:
    """Return the work that needs all results of the first: resampling takes long."""
    return [Job(pair, spread, (pair, parts)) for pair, parts in found.items() if isinstance(pair, Pair)]


def tables(games: int, found: Mapping[Hashable, list[Any]], second: Mapping[Hashable, list[Any]]) -> list[Table]:
    """Return all tables, made from the results of all jobs."""
    played = {cell: census.together(parts) for cell, parts in found.items() if isinstance(cell, Cell)}
    dice = {name: _dice_of(name, played) for name in GAME_NAMES}
    compared = {pair: result for pair, (result,) in second.items() if isinstance(pair, Pair)}
    alike = {each: parts for each, parts in found.items() if isinstance(each, Alike)}
    dealt = {cell: each for cell, each in played.items() if cell.stem == "sensible" and cell.options == DEALT}
    return [
        played_table(games),
        faces.faces_table(dice),
        faces.tests_table(list(_chance_tests(found, played, dice))),
        faces.correlations_table(dice),
        gangster_dice_table(played),
        gang_of_dice_table(played),
        *(seats_table(name, played) for name in GAME_NAMES),
        characters_table(dealt),
        *(mirrored_table(name, compared) for name in GAME_NAMES),
        halves_table(compared),
        ties.ties_table(alike),
    ]


def _dice_of(name: str, played: Mapping[Cell, Census]) -> Census:
    """Return the games of all table sizes whose dice were counted."""
    return census.together([each for cell, each in played.items() if cell.game == name and cell.dice])


def _chance_tests(
    found: Mapping[Hashable, list[Any]], played: Mapping[Cell, Census], dice: Mapping[str, Census]
) -> Iterator[tuple[str, str, ChiSquare]]:
    """Yield every test of chance: dice, first players, shuffles."""
    for name, each in dice.items():
        for what, test in faces.dice_tests(name, each):
            yield game_named(name).title, what, test
    for cell, each in played.items():
        if cell.game == "gang-of-dice" and cell.dice:
            first = [sum(n for result, n in each.results.items() if result.first == seat) for seat in range(cell.seats)]
            yield game_named(cell.game).title, f"first player of {cell.seats} (D2)", chi_square_even(first)
    for deck, parts in found.items():
        if isinstance(deck, faces.Deck):
            for what, test in faces.deck_tests(deck, parts):
                yield "shuffle", what, test
