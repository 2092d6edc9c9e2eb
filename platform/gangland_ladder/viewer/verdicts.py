"""What the analysis says of a decision, in words."""

from __future__ import annotations

from gangland_ladder.analysis.account import Judged, Mark, Option
from gangland_ladder.common.numbers import formatted
from gangland_ladder.viewer.games import decision_in_words


def what_is_valued(seats: int) -> str:
    """Return what a value is at a table of so many seats, as a heading."""
    return "Chance to win" if seats == 2 else "Expected share of the table"


def verdict(game: str, judged: Judged) -> str:
    """Return how good a decision was, with the cost's standard error if it was sampled, the best one, and the odds."""
    chosen, best = judged.chosen, judged.best
    if judged.mark is Mark.BEST:
        odds = ", ".join(f"{name} {percent(chance, 0)}" for name, chance in (chosen.odds or {}).items())
        return f"Best: {percent(chosen.value)}{f'; {odds}' if odds else ''}."
    error = f" ± {percent(chosen.error)}" if chosen.error > 0 else ""
    head = f"{judged.mark.value.capitalize()}: costs {percent(judged.cost)}{error} of a win."
    if judged.chosen.decision == judged.best.decision:
        return head  # a fault: there is no other decision to name
    instead = f"{percent(best.value)} instead of {percent(chosen.value)}"
    return f"{head} Best: {decision_in_words(game, judged.kind, best.decision)}, {instead}{_odds(chosen, best)}."


def _odds(chosen: Option, best: Option) -> str:
    """Return the odds of the best option beside those of the chosen one, where they are known and differ."""
    ours, theirs = (
        {name: percent(chance, 0) for name, chance in (option.odds or {}).items()} for option in (best, chosen)
    )
    unlike = [name for name in ours if theirs.get(name, ours[name]) != ours[name]]
    return "".join(f"; {name} {ours[name]} instead of {theirs[name]}" for name in unlike)


def percent(share: float, places: int = 1) -> str:
    """Return a share as "38.2%"."""
    return f"{formatted(100 * share, f'.{places}f')}%"
