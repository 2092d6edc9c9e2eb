"""What pages say of analysed games in sentences, and shares that add up as they are shown."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, fsum, sqrt
from typing import Final

from gangland_ladder.analysis.comparison import CLEAR, FEWEST, Comparison, Verdict
from gangland_ladder.common.plurals import counted
from gangland_ladder.viewer.verdicts import percent

NOT_SURE: Final = "; too few games to be sure"
_SHOWN: Final = 1000
"""Pages show shares of a win to a thousandth: 0.1%."""


def loses(
    theme: str,
    cost: float,
    error: float | None,
    part: float,
    rounds: Sequence[int],
    *,
    parts: int,
    games: int,
    means: tuple[float, float] | None = None,
) -> str:
    """Return what costs a bot most, as a sentence about it without a full stop.

    Args:
        cost: of the mistakes of this theme a game; error: its standard error.
        part: of it, what is lost in the third of the game that costs most; rounds: the first and the last round there.
        parts: in how many thirds of the game there are such mistakes.
        games: that these are means of.
        means: where these decisions are numbers, the mean of what it decided, and of what was best.
    """
    first, last = rounds
    where = f"round {first}" if first == last else f"rounds {first} to {last}"
    off = "" if error is None else f" ± {percent(error)}"
    text = f"Loses {percent(cost)}{off} of a win a game by {theme}"
    if means is not None:
        text += f" ({means[0]:.1f} on average, {means[1]:.1f} was best)"
    text += f" in {where}" if parts == 1 else f", above all in {where} ({percent(part)})"
    return text if is_clear(cost, error, games) else text + NOT_SURE


def is_clear(value: float, error: float | None, games: int) -> bool:
    """Tell whether a mean of so many games with this standard error, None if not known, may be told from 0."""
    return error is not None and games >= FEWEST and abs(value) >= CLEAR * error


def compared(found: Comparison) -> str:
    """Return in a sentence, without a full stop, which of two versions loses less."""
    whole = found.whole
    if not whole.verdict.claims:
        text = f"{whole.verdict.value.capitalize()}: {found.new} loses {percent(whole.new)} of a win a game"
        return f"{text}, {found.old} {percent(whole.old)}"
    by = percent(abs(whole.difference))
    text = f"{found.new} loses {by} of a win a game {whole.verdict.value} than {found.old}"
    text = f"{text}: {percent(whole.new)}, not {percent(whole.old)}"
    return f"V{text[1:]}" if text.startswith("version ") else text


def in_comparison(difference: float, verdict: Verdict) -> str:
    """Return what a difference to another bot's cost says of that other bot."""
    if not verdict.claims:
        return verdict.value
    return f"loses {percent(abs(difference))} {verdict.value}"


def rests_on(games: int, played: int, waiting: int, opened: int, opponent: str | None, *, most: int) -> str:
    """Return from how many games figures are.

    Args:
        games: analysed; played: all there are; waiting: those that are to be analysed.
        opened: how many of the analysed ones somebody opened.
        opponent: against whom all of them are.
        most: so many of the latest are summed up at most.
    """
    latest = " the latest" if games == most else ""
    if opponent is not None:
        text = f"From{latest} {counted(games, 'analysed game', ',')} against {opponent}."
    else:
        text = f"From{latest} {games:,} of its {counted(played, 'ladder game', ',')}"
        text += f"; {waiting:,} {'waits' if waiting == 1 else 'wait'} to be analysed." if waiting else "."
    if not opened:
        return text
    if opened == games:
        which = "It is a game" if games == 1 else "All are games"
    else:
        which = "One is a game" if opened == 1 else f"{opened:,} are games"
    return f"{text} {which} that somebody opened; such games may not be typical."


def adding_up(parts: Sequence[float], total: float) -> list[float]:
    """Return parts rounded to 0.1% so that they add up to the rounded total: those are changed that are nearest."""
    scaled = [part * _SHOWN for part in parts]
    found = [floor(each) for each in scaled]
    short = round(total * _SHOWN) - sum(found)
    by_rest = sorted(range(len(parts)), key=lambda at: found[at] - scaled[at])
    for turn in range(abs(short)):
        at = by_rest[turn % len(parts)] if short > 0 else by_rest[-1 - turn % len(parts)]
        found[at] += 1 if short > 0 else -1
    return [each / _SHOWN for each in found]


def mean_and_error(values: Sequence[float]) -> tuple[float, float | None]:
    """Return the mean and its standard error, None for a single value."""
    mean = fsum(values) / len(values)
    if len(values) < 2:
        return mean, None
    off = fsum((value - mean) ** 2 for value in values)
    return mean, sqrt(off / (len(values) - 1) / len(values))
