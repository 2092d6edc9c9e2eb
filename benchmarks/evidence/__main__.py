"""Measure that the games are fair, and print the tables of benchmarks/results/fairness.md.

The same number of games gives the same figures, on any machine and any number of cores.

    python -m benchmarks.evidence [--games N] [--markdown | --json | --write]
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from benchmarks.evidence import census, faces, ties
from benchmarks.evidence.census import Cell, Counts
from benchmarks.evidence.ends import (
    characters_table,
    each_seat_first,
    gang_of_dice_lengths,
    gangster_dice_lengths,
    seats_table,
)
from benchmarks.evidence.players import ANY, THINKING_BOTS
from benchmarks.evidence.stats import ChiSquare, chi_square_even
from benchmarks.evidence.ties import BotCopies
from benchmarks.harness import Job, Row, Section, Table, count, exit_on_sigterm, parser, publish, run_all
from gangland.games import GAME_NAMES, game_named

FULL = 15_000
"""The number of random games at each table; other numbers are parts of it."""

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
"""Sensible bots take more time, so they play fewer games."""
DEALT_PART = 2
TIES_PART = 100
SHUFFLES = 5


def cells(games: int) -> Iterator[tuple[Cell, int]]:
    """Yield all tables of equal players, with their numbers of games."""
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
    """Return all jobs, with at least some games of every kind."""
    return [
        *(job for cell, many in cells(games) for job in census.jobs(cell, max(2, many))),
        *ties.jobs(max(1, games // TIES_PART)),
        *faces.jobs(games * SHUFFLES),
    ]


def played_table(games: int) -> Table:
    """Return the number of games that each table of figures is based on."""
    by_kind: dict[str, list[int]] = {}
    for cell, many in cells(games):
        by_kind.setdefault(_kind(cell), []).append(many)
    rows: list[Row] = [(kind, len(counts), "games", max(2, counts[0])) for kind, counts in by_kind.items()]
    rows.append(("copies of one bot", len(ties.jobs(1)), "blocks", max(1, games // TIES_PART)))
    rows.append(("shuffles", len(faces.DECKS), "shuffles", games * SHUFFLES))
    finding = f"All of it comes out again, figure by figure, with `python -m benchmarks.evidence --games {games}`."
    return Table("played", "What was played", ("what", "tables", "unit", "at each"), tuple(rows), finding)


def _kind(cell: Cell) -> str:
    if cell.stem == ANY:
        return "random play" if cell.dice else "random play, other options"
    if cell.options:
        return "sensible bots with characters"
    return f"{'sensible' if cell.stem == 'sensible' else 'other house'} bots, {game_named(cell.game).title}"


def tables(games: int, results: Mapping[Any, list[Any]]) -> list[Table]:
    """Return all tables, made from the results of all jobs."""
    played = {cell: census.together(parts) for cell, parts in results.items() if isinstance(cell, Cell)}
    dice = {
        name: census.together([each for cell, each in played.items() if cell.game == name and cell.dice])
        for name in GAME_NAMES
    }
    dealt = {cell: each for cell, each in played.items() if cell.stem == "sensible" and cell.options == DEALT}
    return [
        played_table(games),
        faces.faces_table(dice),
        faces.tests_table(list(_chance_tests(results, played, dice))),
        faces.correlations_table(dice),
        gangster_dice_lengths(played),
        gang_of_dice_lengths(played),
        *(seats_table(name, played) for name in GAME_NAMES),
        characters_table(dealt),
        ties.ties_table({each: parts for each, parts in results.items() if isinstance(each, BotCopies)}),
    ]


def _chance_tests(
    results: Mapping[Any, list[Any]], played: Mapping[Cell, Counts], dice: Mapping[str, Counts]
) -> Iterator[tuple[str, str, ChiSquare]]:
    """Yield every test of chance: dice, first players, shuffles."""
    for name, counts in dice.items():
        for name_of_test, test in faces.dice_tests(name, counts):
            yield game_named(name).title, name_of_test, test
    for cell, counts in played.items():
        if cell.game == "gang-of-dice" and cell.dice:
            first = chi_square_even(list(each_seat_first(cell, counts)))
            yield game_named(cell.game).title, f"first player of {cell.seats} (D2)", first
    for deck, parts in results.items():
        if isinstance(deck, faces.Deck):
            for name_of_test, test in faces.deck_tests(deck, parts):
                yield "shuffle", name_of_test, test


def main(arguments: Sequence[str] | None = None) -> None:
    """Play, count and print."""
    line = parser("benchmarks.evidence", "Evidence that the games are fair.", page="fairness.md")
    line.add_argument("--games", type=count, default=FULL, help=f"games of random play at each table ({FULL})")
    line.add_argument("--workers", type=count, default=os.cpu_count() or 1, help="processes (one a core)")
    options = line.parse_args(arguments)
    sections = tables(options.games, run_all(jobs(options.games), options.workers))
    publish(options, [Section(table.key, (table,), dated=False) for table in sections])


if __name__ == "__main__":
    exit_on_sigterm()
    main()
