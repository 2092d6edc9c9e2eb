"""Compare the analysis's values of positions with the results of games of its reference against itself.

The seeds of these games are hashes of the words in this module.  The tables were learned with a generator of numpy,
not from games of the engine, so no such game was trained on.
"""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, Final

import numpy as np

from benchmarks.analysis.bounded import Sum, in_time
from benchmarks.harness import Row, Table, seed_of
from gangland.chance import SeededChance
from gangland.games import game_named
from gangland_ladder.analysis.account import scores_of
from gangland_ladder.analysis.games import reference_of

Rows = Any
"""A structured array of numpy, `ROW`: one row for each position and seat."""

ROW: Final = np.dtype(
    [
        ("game", np.int64),
        ("round", np.int64),
        ("decides", np.bool_),  # before a decision, not before the round's dice and cards
        ("ahead", np.float64),  # dice beyond the mean of the others
        ("predicted", np.float64),
        ("observed", np.float64),
    ]
)
PARTS: Final = 10
LATE: Final = 13
"""From this round on, all rounds share the same guess."""


def played(game: str, seats: int, numbers: Sequence[int], until: float) -> list[Rows]:
    """Play the games of these numbers until a time limit, and return the predictions and results of each."""
    return [_played(game, seats, number) for number in in_time(numbers, until)]


def _played(game: str, seats: int, number: int) -> Rows:
    rules, words = game_named(game), ("calibration", game, seats, number)
    options, rng = rules.options({}), Random(seed_of(*words, "reference"))
    reference, chance = reference_of(game, seats, options, number), SeededChance(seed_of(*words))
    if reference is None:
        raise ValueError(f"{game} has no analysis")
    rows: list[tuple[Any, ...]] = []
    (state, _), latest = rules.start(seats, options, chance), 0
    while (outcome := rules.outcome(state)) is None:
        round_number, held = rules.round(state), rules.held(state)
        worths = [(True, reference.worth(state))]
        if round_number > latest:
            latest = round_number
            worths.append((False, reference.before_round(state)))
        for decides, values in worths:
            for own, value in zip(held, values, strict=True):
                ahead = own - (sum(held) - own) / (seats - 1)
                rows.append((number, round_number, decides, ahead, value, 0.0))
        decisions = {each.seat: reference.decide(state, each.seat, rng) for each in rules.pending(state)}
        state, _ = rules.resolve(state, decisions, chance)
    table = np.array(rows, ROW)
    table["observed"] = np.tile(scores_of(outcome), len(rows) // seats)
    return table


def difference(rows: Rows) -> Sum:
    """Return the observed score minus the predicted score; positions of one game are one observation."""
    return Sum.of(rows["observed"] - rows["predicted"], rows["game"])


def parts(rows: Rows) -> list[Rows]:
    """Return the rows in ten parts, by prediction."""
    return list(np.array_split(rows[np.argsort(rows["predicted"], kind="stable")], PARTS))


def slope(rows: Rows) -> Sum:
    """Return the ratio of the scores' distance from 1/2 to the predictions'; below 1, values are too extreme."""
    off, observed = rows["predicted"] - 0.5, rows["observed"] - 0.5
    squares = float((off * off).sum()) / max(1, len(rows)) or 1.0
    times = float((off * observed).sum()) / max(1, len(rows)) / squares
    spread = Sum.of(off * (observed - times * off) / squares, rows["game"])
    return Sum(times, spread.error, spread.games)


def guessed(learned: Rows, judged: Rows) -> Any:
    """Return a guess for some rows by dice count and round only: a logistic curve per round, learned from other rows.

    Rounds with too few rows use the curve of all rounds.
    """
    curves = {number: _curve(learned[_late(learned) == number]) for number in range(LATE + 1)}
    curves[0] = _curve(learned)
    guesses = np.empty(len(judged))
    for number in np.unique(_late(judged)):
        here = _late(judged) == number
        enough = len(np.unique(learned["game"][_late(learned) == number])) > PARTS
        level, steepness = curves[number if enough else 0]
        guesses[here] = 1 / (1 + np.exp(-level - steepness * judged["ahead"][here]))
    return guesses


def _late(rows: Rows) -> Any:
    return np.minimum(rows["round"], LATE)


def _curve(rows: Rows) -> Any:
    """Fit a logistic curve of scores by dice ahead (Newton's method), and return its level and steepness."""
    at, curve = np.column_stack([np.ones(len(rows)), rows["ahead"]]), np.zeros(2)
    for _ in range(25):
        guess = 1 / (1 + np.exp(-np.clip(at @ curve, -30, 30)))
        bent = (at * (guess * (1 - guess))[:, None]).T @ at + 1e-3 * np.eye(2)
        curve = curve + np.linalg.solve(bent, at.T @ (rows["observed"] - guess))
    return curve


def tables(results: dict[tuple[str, int], Rows]) -> Iterator[Table]:
    """Return the findings at all table sizes.

    Args:
        results: by game and seats, the games.
    """
    names = [f"{part}0%" for part in range(1, PARTS + 1)]
    columns, by_part, whole, by_round = ("game", "seats", "before"), list[Row](), list[Row](), list[Row]()
    for (game, seats), all_rows in results.items():
        for before, decides in (("a round", False), ("a decision", True)):
            rows = all_rows[all_rows["decides"] == decides]
            off = [difference(part) for part in parts(rows)]
            worst = max(off, key=lambda deviation: abs(deviation.value))
            learned, judged = rows[rows["game"] % 2 == 0], rows[rows["game"] % 2 == 1]
            squares = [
                float(((values - judged["observed"]) ** 2).mean()) if len(judged) else 0.0
                for values in (judged["predicted"], guessed(learned, judged))
            ]
            key = (game, seats, before)
            by_part.append((*key, *(deviation.points for deviation in off)))
            count = len(np.unique(rows["game"]))
            brier = tuple(f"{square:.4f}" for square in squares)
            whole.append((*key, count, worst.points, abs(worst.value) < 0.03, str(slope(rows)), *brier))
            thirds = [rows[(rows["round"] > low) & (rows["round"] <= high)] for low, high in _ROUNDS.values()]
            by_round.append((*key, *(str(slope(third)) if len(third) else "" for third in thirds)))
    yield Table(
        "calibration",
        "Values against scores: the worst tenth, and the mean squared difference",
        (*columns, "games", "worst tenth", "within 3", "slope", "Brier", "by dice count"),
        tuple(whole),
        "Points are hundredths of a win, observed less predicted, ± one standard error (games are independent, "
        "positions of one are not). Slope: how far scores are from 1/2 for each unit predicted. The guess by dice "
        "count is fitted to the even games, both squares are of the odd ones.",
    )
    yield Table(
        "tenths",
        "Observed less predicted, in points, by tenth of the predicted value",
        (*columns, *names),
        tuple(by_part),
    )
    yield Table("slopes", "Slope by rounds", (*columns, *_ROUNDS), tuple(by_round))


_ROUNDS: Final = {"1 to 3": (0, 3), "4 to 6": (3, 6), "7 to 9": (6, 9), "10 to 12": (9, 12), "later": (12, 100)}
