"""Sentences about a recorded game: the result, the turning points, and the verdicts of the analysis."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from gangland.games import game_named
from gangland.words import join_and, times
from gangland_ladder.analysis.account import Judged, Mark, Option, recorded_form
from gangland_ladder.analysis.analyzer import Continuation
from gangland_ladder.common.texts import format_number
from gangland_ladder.viewer.presentation import decision_text, presentation_of
from gangland_ladder.viewer.timeline import END, Frame, Timeline

# Turning points: the result, how the winner won, leads, the largest changes, faults and luck.

_ENDINGS: Final = {
    "round_limit": ", the final round",
    "last_faultless": " as the last seat without a fault",
    "faultless_out": ", ahead of the seats at fault",
    "default_empty": " when a seat at fault had no dice left",
}
_MIN_LUCK_SPREAD: Final = 0.005  # A smaller difference in luck gets no sentence.


class Point(NamedTuple):
    """A sentence, and the address of the frame that shows it."""

    text: str
    at: str


def turning_points(timeline: Timeline) -> list[Point]:
    """Return the events that decided the game, the result first."""
    if timeline.reason == "all_at_fault":
        points = [Point("Every seat is at fault: nobody wins.", END), *_faults(timeline)]
    else:
        points = [
            _result_point(timeline),
            *_ways_to_win(timeline),
            *_leads(timeline),
            *_swings(timeline),
            *_faults(timeline),
            *_luck(timeline),
        ]
    return [Point(timeline.addressed(text), at) for text, at in points]


def result_sentence(timeline: Timeline) -> str:
    """Return a sentence with the winner and the reason, for people who do not know the game."""
    return turning_points(timeline)[0].text


def seat_result(timeline: Timeline, seat: int) -> str:
    """Return a seat's result in the second person: "You won." or "You finished 2nd of 4; Ace won."."""
    if timeline.reason == "all_at_fault":
        return "Every seat is at fault: nobody won."
    winners = [winner for winner, place in enumerate(timeline.places) if place == 1 and winner != seat]
    names = join_and([timeline.names[winner] for winner in winners])
    if timeline.places[seat] == 1:
        return f"You tied for first with {names}." if winners else "You won."
    place = (
        ("1st", "2nd", "3rd")[timeline.places[seat] - 1] if timeline.places[seat] <= 3 else f"{timeline.places[seat]}th"
    )
    return f"You finished {place} of {len(timeline.names)}; {names} won."


def luck_text(luck: float, unit: str) -> str:
    """Return luck as "+2.31 dice" or "-0.05 wins"; only the number if `unit` is empty."""
    return f"{signed(luck, 2)} {unit}".rstrip()


def signed(number: float, digits: int) -> str:
    """Return a number with its sign, except 0, and this number of decimal places."""
    return format_number(number, f"+.{digits}f")


def _result_point(timeline: Timeline) -> Point:
    winners = [seat for seat, place in enumerate(timeline.places) if place == 1]
    losers = [seat for seat in range(len(timeline.names)) if seat not in winners]
    final_counts = timeline.counts[-1][1]
    names = join_and([timeline.sentence_names[seat] for seat in winners])
    together = " together" if len(winners) > 1 else ""
    dice = game_named(timeline.game).unit.counted(final_counts[winners[0]])
    text = f"{names} won{together} with {dice} in round {timeline.rounds}"
    completed = timeline.reason == "completed"
    text += presentation_of(timeline.game).win_reason(final_counts, winners) if completed else _ENDINGS[timeline.reason]
    if losers:
        second = min(timeline.places[seat] for seat in losers)
        rivals = [seat for seat in losers if timeline.places[seat] == second]
        text += f"; {join_and([f'{timeline.sentence_names[seat]} had {final_counts[seat]}' for seat in rivals])}"
    return Point(f"{text}.", END)


def _ways_to_win(timeline: Timeline) -> list[Point]:
    if timeline.reason not in ("completed", "round_limit"):
        return []
    ways_to_win, by_rules = presentation_of(timeline.game).ways_to_win, timeline.reason == "completed"
    return [
        Point(text, END if number is None else f"r{number}")
        for seat, place in enumerate(timeline.places)
        if place == 1
        for text, number in ways_to_win(timeline.events, timeline.sentence_names, seat, by_rules=by_rules)
    ]


def _leads(timeline: Timeline) -> list[Point]:
    best_of = max if game_named(timeline.game).unit.more_is_better else min
    leaders = [held.index(best_of(held)) if held.count(best_of(held)) == 1 else None for _, held in timeline.counts]
    seat = leaders[-1]
    if seat is None:
        return []
    since = len(leaders) - 1
    while since and leaders[since - 1] == seat:
        since -= 1
    led = [leader for leader in leaders if leader is not None]
    changes = sum(before != after for before, after in pairwise(led))
    start = timeline.counts[since][0]
    when, at = (f"from round {start}", f"r{start}") if start <= timeline.rounds else ("only at the end", END)
    but = ", but was at fault" if timeline.table["seats"][str(seat)]["fault"] else ""
    if not changes:
        return [Point(f"{timeline.sentence_names[seat]} led alone {when}{but}. No other seat ever led.", at)]
    return [Point(f"The lead changed {times(changes)}. {timeline.sentence_names[seat]} led for good {when}{but}.", at)]


def _swings(timeline: Timeline) -> list[Point]:
    sign = 1 if game_named(timeline.game).unit.more_is_better else -1
    changes = [
        (sign * (after[seat] - before[seat]), -number, seat)
        for (number, before), (_, after) in pairwise(timeline.counts)
        for seat in range(len(timeline.names))
    ]
    points, presentation, names = [], presentation_of(timeline.game), timeline.sentence_names
    gain, number, seat = max(changes, default=(0, 0, 0))
    if gain > 0:
        points.append(Point(presentation.gain(timeline.events[-number], names, seat, -number, gain), f"r{-number}"))
    loss, number, seat = min(changes, default=(0, 0, 0))
    if loss < -1:  # a loss of one is common in any round
        points.append(Point(presentation.loss(timeline.events[-number], names, seat, -number, -loss), f"r{-number}"))
    return points


def _faults(timeline: Timeline) -> list[Point]:
    return [
        Point(
            f"{timeline.sentence_names[frame.seat]} failed in round {frame.round}"
            f"{f' ({frame.note})' if frame.note else ''}. From then on, default decisions were played.",
            frame.at,
        )
        for frame in timeline.frames
        if frame.fault
    ]


def _luck(timeline: Timeline) -> list[Point]:
    high, low = max(timeline.luck), min(timeline.luck)
    if high - low < _MIN_LUCK_SPREAD:
        return []
    unit = game_named(timeline.game).luck_unit
    lucky, unlucky = (timeline.sentence_names[timeline.luck.index(luck)] for luck in (high, low))
    text = f"Most luck: {lucky} ({luck_text(high, unit)}). Least: {unlucky} ({luck_text(low, unit)})."
    return [Point(text, END)]


# Verdicts of the analysis.


def value_label(seats: int) -> str:
    """Return the heading for the values of a game with this number of seats."""
    return "Chance to win" if seats == 2 else "Expected share of the table"


def verdict(game: str, judged: Judged) -> str:
    """Return a decision's mark, its cost (with the standard error if sampled), the best decision, and the odds."""
    option, best = judged.chosen, judged.best
    if judged.mark is Mark.BEST:
        odds = ", ".join(f"{name} {percent(chance, 0)}" for name, chance in (option.odds or {}).items())
        return f"Best: {percent(option.value)}{f'; {odds}' if odds else ''}."
    error = f" ± {percent(option.error)}" if option.error > 0 else ""
    head = f"{judged.mark.value.capitalize()}: costs {percent(judged.cost)}{error} of a win."
    if option.decision == best.decision:
        return head  # after a fault, there is no better decision to compare
    values = f"{percent(best.value)} instead of {percent(option.value)}"
    return f"{head} Best: {decision_text(game, judged.kind, best.decision)}, {values}{_odds(option, best)}."


def _odds(option: Option, best: Option) -> str:
    """Return those odds of the best option that differ from this option's odds."""
    best_odds, odds = (
        {name: percent(chance, 0) for name, chance in (choice.odds or {}).items()} for choice in (best, option)
    )
    return "".join(
        f"; {name} {chance} instead of {odds[name]}"
        for name, chance in best_odds.items()
        if odds.get(name, chance) != chance
    )


def percent(share: float, digits: int = 1) -> str:
    """Return a share as "38.2%"."""
    return f"{format_number(100 * share, f'.{digits}f')}%"


def what_if_text(continuation: Continuation, frame: Frame, names: Sequence[str]) -> str:
    """Describe where and how a what-if game departs from the recorded game."""
    best = decision_text(continuation.replay.game, continuation.kind, recorded_form(continuation.decision))
    did = frame.did if not frame.fault else "failed"
    return (
        f"At {frame.at}, {names[continuation.seat]} {best} (recorded: {did}). "
        "Then the reference player plays every seat, with the same dice."
    )
