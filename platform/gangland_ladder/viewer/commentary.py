"""What is said of a game that was played: its result and turning points, and verdicts of the analysis."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from gangland.games import game_named
from gangland.words import listed, times
from gangland_ladder.analysis.account import Judged, Mark, Option, recorded
from gangland_ladder.analysis.analyser import Continuation
from gangland_ladder.common.texts import formatted
from gangland_ladder.viewer.film import END, Film, Stop
from gangland_ladder.viewer.presentation import decision_in_words, presentation_of

# Turning points: the result, the winners' ways, leaders, largest swings, faults, luck.


_HOW: Final = {
    "round_limit": " when the last round allowed was over",
    "last_faultless": " as the last seat without a fault",
    "faultless_out": ", ahead of the seats at fault",
    "default_empty": " when a seat played by default had got rid of its dice",
}
_UNLUCKY: Final = 0.005
"""Luck that is shown as 0.00 is not worth a sentence."""


class Point(NamedTuple):
    """A sentence, and the address of the stop at which one sees it."""

    text: str
    at: str


def turning_points(film: Film) -> list[Point]:
    """Return what decided the game, the result first; every sentence with the place to look at."""
    if film.reason == "all_at_fault":
        points = [Point("Every seat is at fault: nobody wins.", END), *_faults(film)]
    else:
        points = [_result(film), *_ways(film), *_leads(film), *_swings(film), *_faults(film), *_luck(film)]
    return [Point(film.addressed(text), at) for text, at in points]


def result(film: Film) -> str:
    """Return who won and by what, in one sentence for people who do not know the game."""
    return turning_points(film)[0].text


def result_of(film: Film, seat: int) -> str:
    """Return what the game came to for one seat, which is told it: "You won." or "You came 2nd of 4; Ace won."."""
    if film.reason == "all_at_fault":
        return "Every seat is at fault: nobody won."
    winners = [other for other, place in enumerate(film.places) if place == 1 and other != seat]
    names = listed([film.names[other] for other in winners])
    if film.places[seat] == 1:
        return f"You won together with {names}." if winners else "You won."
    place = ("1st", "2nd", "3rd")[film.places[seat] - 1] if film.places[seat] <= 3 else f"{film.places[seat]}th"
    return f"You came {place} of {len(film.names)}; {names} won."


def luck_in_words(luck: float, unit: str) -> str:
    """Return luck as "+2.31 dice" or "-0.05 wins", the number alone without a unit."""
    return f"{signed(luck, 2)} {unit}".rstrip()


def signed(number: float, places: int) -> str:
    """Return a number with its sign, none at 0, and so many decimal places."""
    return formatted(number, f"+.{places}f")


def _result(film: Film) -> Point:
    winners = [seat for seat, place in enumerate(film.places) if place == 1]
    others = [seat for seat in range(len(film.names)) if seat not in winners]
    held = film.dice[-1][1]
    who = listed([film.in_sentences[seat] for seat in winners])
    together = " together" if len(winners) > 1 else ""
    text = f"{who} won{together} with {game_named(film.game).unit.counted(held[winners[0]])} in round {film.rounds}"
    # What made winners of them, in words that need no knowledge of the rules.
    completed = film.reason == "completed"
    text += presentation_of(film.game).how_it_ended(held, winners) if completed else _HOW[film.reason]
    if others:
        second = min(film.places[seat] for seat in others)
        rivals = [seat for seat in others if film.places[seat] == second]
        text += f"; {listed([f'{film.in_sentences[seat]} had {held[seat]}' for seat in rivals])}"
    return Point(f"{text}.", END)


def _ways(film: Film) -> list[Point]:
    if film.reason not in ("completed", "round_limit"):
        return []
    tell, by_rules = presentation_of(film.game).ways_to_win, film.reason == "completed"
    return [
        Point(text, END if number is None else f"r{number}")
        for seat, place in enumerate(film.places)
        if place == 1
        for text, number in tell(film.events, film.in_sentences, seat, by_rules=by_rules)
    ]


def _leads(film: Film) -> list[Point]:
    best = max if game_named(film.game).unit.more else min
    leaders = [held.index(best(held)) if held.count(best(held)) == 1 else None for _, held in film.dice]
    last = leaders[-1]
    if last is None:
        return []
    since = len(leaders) - 1
    while since and leaders[since - 1] == last:
        since -= 1
    led = [leader for leader in leaders if leader is not None]
    changes = sum(before != after for before, after in pairwise(led))
    began = film.dice[since][0]
    when, at = (f"from round {began} on", f"r{began}") if began <= film.rounds else ("only at the end", END)
    but = ", but was at fault" if film.table["seats"][str(last)]["fault"] else ""
    if not changes:
        return [Point(f"{film.in_sentences[last]} alone led {when}{but}; no other seat ever did.", at)]
    return [
        Point(f"The lead changed hands {times(changes)}: {film.in_sentences[last]} had it for good {when}{but}.", at)
    ]


def _swings(film: Film) -> list[Point]:
    sign = 1 if game_named(film.game).unit.more else -1
    changes = [
        (sign * (after[seat] - before[seat]), -number, seat)
        for (number, before), (_, after) in pairwise(film.dice)
        for seat in range(len(film.names))
    ]
    points, shown = [], presentation_of(film.game)
    gain, number, seat = max(changes, default=(0, 0, 0))
    if gain > 0:
        points.append(Point(shown.gain(film.events[-number], film.in_sentences, seat, -number, gain), f"r{-number}"))
    loss, number, seat = min(changes, default=(0, 0, 0))
    if loss < -1:  # one is what a seat may lose in any round
        points.append(Point(shown.loss(film.events[-number], film.in_sentences, seat, -number, -loss), f"r{-number}"))
    return points


def _faults(film: Film) -> list[Point]:
    return [
        Point(
            f"{film.in_sentences[stop.seat]} failed in round {stop.round}{f' ({stop.note})' if stop.note else ''} "
            "and was played by default from there.",
            stop.at,
        )
        for stop in film.stops
        if stop.fault
    ]


def _luck(film: Film) -> list[Point]:
    best, worst = max(film.luck), min(film.luck)
    if best - worst < _UNLUCKY:
        return []
    unit = game_named(film.game).luck_unit
    lucky, unlucky = film.in_sentences[film.luck.index(best)], film.in_sentences[film.luck.index(worst)]
    first, last = luck_in_words(best, unit), luck_in_words(worst, unit)
    helped, most = ("helped", "most") if round(best, 2) > 0 else ("hurt", "least")
    hurt, least = ("hurt", "most") if round(worst, 2) < 0 else ("helped", "least")
    text = (
        f"Compared with what could be expected, the dice {helped} {lucky} {most} ({first}) "
        f"and {hurt} {unlucky} {least} ({last})."
    )
    return [Point(text, END)]


# Verdicts: what the analysis says of a decision.


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


# A game played on from a decision.


def what_if_words(continuation: Continuation, stop: Stop, names: Sequence[str]) -> str:
    """Return in sentences what is different; `stop` is the decision in the recorded game."""
    best = decision_in_words(continuation.replay.game, continuation.kind, recorded(continuation.decision))
    did = stop.did if not stop.fault else "failed"
    return (
        f"at {stop.at} {names[continuation.seat]} {best}; as recorded: {did}. "
        "Then the reference player plays every seat, on the same dice."
    )
