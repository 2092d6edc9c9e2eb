"""What there is to see in a game, by name: the golden games have to show all of it."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Any, Literal, Self, get_args, get_type_hints

from gangland.game import EndReason, Event
from gangland.games import game_named
from gangland.gang_of_dice import events as gang_events
from gangland.gang_of_dice.warnings import WARNINGS
from gangland.gangster_dice import events as gangster_events
from gangland.gangster_dice.cards import LAWYER, SPECIAL
from gangland.gangster_dice.characters import BY_KEY
from gangland.replay import Replay, Step, expand

LAST_ROUND = 12


@dataclass(frozen=True)
class Seen:
    replay: Replay
    steps: tuple[Step, ...]

    @classmethod
    def of(cls, replay: Replay) -> Self:
        return cls(replay, tuple(expand(replay)))

    @property
    def events(self) -> list[Event]:
        return [event for step in self.steps for event in step.events]

    def of_kind(self, *kinds: str) -> list[Event]:
        return [event for event in self.events if event[0] in kinds]

    def rounds(self) -> Iterator[list[Event]]:
        """Yield the events of each round; the setup belongs to the first."""
        gathered: list[Event] = []
        for event in self.events:
            if event[0] == "round" and any(before[0] == "round" for before in gathered):
                yield gathered
                gathered = []
            gathered.append(event)
        yield gathered

    @property
    def winners(self) -> list[int]:
        return [seat for seat, place in enumerate(self.replay.places) if place == 1]

    def option(self, name: str) -> Any:
        return getattr(game_named(self.replay.game).options(self.replay.options), name)


Sight = Callable[[Seen], object]

NEVER = {"gangster-dice": {EndReason.FAULTLESS_OUT}, "gang-of-dice": {EndReason.ROUND_LIMIT, EndReason.DEFAULT_EMPTY}}


def event_kinds(game: str) -> set[str]:
    if game == "gangster-dice":
        return set(gangster_events.KINDS)
    kinds = [get_type_hints(each)["kind"] for each in get_args(gang_events.TypedEvent)]
    assert all(kind.__origin__ is Literal for kind in kinds)
    return {kind.__args__[0] for kind in kinds}


def general(game: str) -> dict[str, Sight]:
    """Return what every game has to show: all kinds of events, questions, ends and faults."""
    known = game_named(game)
    return {
        **{f"event {kind}": _has_event(kind) for kind in sorted(event_kinds(game))},
        **{f"question {kind}": _is_requested(kind) for kind in known.bot_class.kinds},
        **{f"fault at {kind}": _fails_at(kind) for kind in known.bot_class.kinds},
        **{f"end {reason}": _ends_by(reason) for reason in EndReason if reason not in NEVER[game]},
        **{f"{seats} seats": _has_seats(seats) for seats in known.table_sizes},
        "no fault": lambda observed: not observed.replay.faults,
        "a fault at the first decision": lambda observed: 0 in dict.fromkeys(d for _, d in observed.replay.faults),
        "one seat at fault before the game": lambda observed: [d for _, d in observed.replay.faults].count(None) == 1,
        "several at fault before the game": lambda observed: [d for _, d in observed.replay.faults].count(None) > 1,
        "faults at different moments of one game": lambda observed: len({d for _, d in observed.replay.faults}) > 1,
        "a win that is shared": lambda observed: len(observed.winners) > 1 and observed.replay.reason != "all_at_fault",
    }


def _has_event(kind: str) -> Sight:
    return lambda observed: observed.of_kind(kind)


def _is_requested(kind: str) -> Sight:
    return lambda observed: kind in asked(observed)


def _fails_at(kind: str) -> Sight:
    return lambda observed: kind in faults(observed)


def _ends_by(reason: EndReason) -> Sight:
    return lambda observed: observed.replay.reason == reason


def _has_seats(seats: int) -> Sight:
    return lambda observed: observed.replay.seats == seats


def _with_option(name: str, value: str, seats: int) -> Sight:
    return lambda observed: observed.option(name) == value and observed.replay.seats == seats


def asked(observed: Seen) -> set[str]:
    return {answer.kind for step in observed.steps for answer in step.answers if answer.number is not None}


def faults(observed: Seen) -> Counter[str]:
    """Count the kinds of questions at which seats failed."""
    answers = [answer for step in observed.steps for answer in step.answers]
    return Counter(answer.kind for answer in answers if answer.by_default and answer.number is not None)


# Gang of Dice ------------------------------------------------------------------------------------


def _all_bust(observed: Seen) -> list[int]:
    return [number for number, events in enumerate(observed.rounds(), 1) if any(e[0] == "all_bust" for e in events)]


def _bust_after(observed: Seen, roll: int, colour: str) -> bool:
    cards = {card.id: card.colour for card in WARNINGS}
    found = False
    for events in observed.rounds():
        for before, event in pairwise(events):
            found |= event[0] == "busted" and before[2] == roll and cards[events[0][2]] == colour
    return found


def _out(observed: Seen) -> list[tuple[list[Event], tuple[int, ...]]]:
    return [(events, event[1]) for events in observed.rounds() for event in events if event[0] == "eliminated"]


def _warns(card: str) -> Sight:
    return lambda observed: any(event[2] == card for event in observed.of_kind("round"))


def _breaks_tie(name: str) -> Sight:
    return lambda observed: any(event[4] == name for event in observed.of_kind("won"))


def _by_rulings(deck: str, first: str) -> Sight:
    return lambda observed: (
        (observed.option("deck"), observed.option("first_player"), observed.replay.rounds) == (deck, first, LAST_ROUND)
    )


def _gang_of_dice() -> dict[str, Sight]:
    return {
        **{f"warning {card.id}": _warns(card.id) for card in WARNINGS},
        **{f"tie break {name!r}": _breaks_tie(name) for name in ("", "dice", "turn")},
        **{f"{deck}, {first}": _by_rulings(deck, first) for deck in ("w24", "box18") for first in ("next", "winner")},
        "all bust in round 12": lambda observed: LAST_ROUND in _all_bust(observed),
        "a carried pot with bonus dice on it": lambda observed: any(e[4] and e[5] for e in observed.of_kind("round")),
        "two rounds running all bust": lambda observed: any(n + 1 in _all_bust(observed) for n in _all_bust(observed)),
        "out with one's dice in the carried pot": lambda observed: any(
            any(e[0] == "all_bust" for e in events) for events, _ in _out(observed)
        ),
        "the last go out together": lambda observed: (
            observed.replay.reason == "completed"
            and len(_out(observed)) == 1
            and len(_out(observed)[0][1]) == observed.replay.seats
        ),
        "one left before round 12": lambda observed: (
            observed.replay.reason == "completed" and observed.replay.rounds < LAST_ROUND and len(observed.winners) == 1
        ),
        "a place below is shared": lambda observed: any(observed.replay.places.count(place) > 1 for place in (2, 3)),
        "won by a total of 0": lambda observed: any(e[2] == 0 for e in observed.of_kind("won")),
        "everything rolled again": lambda observed: any(
            e[2] > 1 and len(e[3]) == len(e[5]) for e in observed.of_kind("rolled")
        ),
        "some rolled again": lambda observed: any(0 < len(e[3]) < len(e[5]) for e in observed.of_kind("rolled")),
        "some rolled again twice": lambda observed: any(e[2] == 3 for e in observed.of_kind("rolled")),
        "bust at the first roll": lambda observed: _bust_after(observed, 1, "yellow"),
        "bust by a first reroll": lambda observed: _bust_after(observed, 2, "yellow"),
        "bust by a second reroll": lambda observed: _bust_after(observed, 3, "black"),
        "the last die is staked unasked": lambda observed: any(
            e[0] == "rolled" and e[2] == 1 and e[1] not in {a.seat for a in step.answers if a.kind == "dice"}
            for step in observed.steps
            for e in step.events
        ),
        "a seat at fault wins a round": lambda observed: any(
            e[1] in step.defaulting for step in observed.steps for e in step.events if e[0] == "won"
        ),
        "more than 32 dice in one roll": lambda observed: any(len(e[4]) > 32 for e in observed.of_kind("rolled")),
    }


# Gangster Dice -----------------------------------------------------------------------------------


def _stack_is_empty(observed: Seen) -> bool:
    """Return whether the Lawyer's controller won it again when no +4 was left, the used ones included."""
    control, taken = None, 0
    for events in observed.rounds():
        won = [e[2] for e in events if e[0] == "won" and e[1] == LAWYER]
        special = [e for e in events if e[0] == "special"]
        if won and won == [control] and not special and taken:
            return True
        taken += len(special)
        control = next((e[2] for e in events if e[0] == "took" and e[1] == LAWYER), control)
    return False


def _die_at_zero(observed: Seen) -> bool:
    """Return whether a seat without dice had to take one, and rolled it as its only one."""
    before: set[int] = set()
    for events in observed.rounds():
        if any(e[0] == "rolled" and e[1] in before and sum(map(len, e[2])) == 1 for e in events):
            return True
        before = {e[1] for e in events if e[0] == "received"}
    return False


def _faults_in_one_stage(observed: Seen) -> int:
    return max(sum(a.by_default and a.number is not None for a in step.answers) for step in observed.steps)


def _cast(observed: Seen) -> tuple[str | None, ...]:
    view: Any = game_named(observed.replay.game).observe(observed.steps[0].after, 0)
    return tuple(player.character and player.character.key for player in view.players)


def _together(one: str, other: str) -> Sight:
    return lambda observed: {one, other} <= set(_cast(observed))


def _deals(key: str) -> Sight:
    return lambda observed: observed.option("characters") == "dealt" and key in _cast(observed)


def _chooses(key: str) -> Sight:
    return lambda observed: key in observed.option("cast")


def _sits_heads_up(key: str) -> Sight:
    return lambda observed: observed.replay.seats == 2 and key in _cast(observed)


def _characters() -> dict[str, Sight]:
    return {
        **{f"{one} with {other}": _together(one, other) for one, other in combinations(BY_KEY, 2)},
        **{f"{key} dealt": _deals(key) for key in BY_KEY}, **{f"{key} chosen": _chooses(key) for key in BY_KEY},
        **{f"{key} heads-up": _sits_heads_up(key) for key in BY_KEY},
        "nobody rerolls": lambda observed: any(
            answer.kind == "reroll" and answer.decision is None for step in observed.steps for answer in step.answers
        ),
        "a die is swapped": lambda observed: any(e[2] is not None for e in observed.of_kind("swapped")),
        "no die is swapped": lambda observed: any(e[2] is None for e in observed.of_kind("swapped")),
        "a die is swapped for one of its colour": lambda observed: any(
            e[2] is not None and e[2] == e[3] for e in observed.of_kind("swapped")
        ),
        "two of one colour are placed": lambda observed: any(2 in e[2] for e in observed.of_kind("placed")),
        "two of different colours are placed": lambda observed: any(1 in e[2] for e in observed.of_kind("placed")),
        "liza names a colour": lambda observed: any(
            _cast(observed)[e[1]] == "liza" for e in observed.of_kind("dumped")
        ),
        "two pairs in one round": lambda observed: any(
            sum(e[0] == "paired" for e in r) == 2 for r in observed.rounds()
        ),
        "a pair of equal favors": lambda observed: any(e[2][0] == e[2][1] for e in observed.of_kind("paired")),
        "a +4 is dropped": lambda observed: any(e[2] == SPECIAL for e in observed.of_kind("dropped")),
        "no favor is dropped": lambda observed: any(
            answer.kind == "discard" and answer.decision is None for step in observed.steps for answer in step.answers
        ),
        "eddie takes a +4 as he takes the Lawyer": lambda observed: any(
            ("special", e[2]) in events for events in observed.rounds() for e in events if e[0] == "took" and not e[1]
        ),
        "silvio wins a tie": lambda observed: any(
            e[4] and _cast(observed)[e[2]] == "silvio" for e in observed.of_kind("won")
        ),
    }  # fmt: skip


def _special_from_deck(observed: Seen) -> bool:
    for events in observed.rounds():
        given = Counter(e[1] for e in events if e[0] == "special")
        if any(e[2].count(SPECIAL) > given[e[1]] for e in events if e[0] == "drew"):
            return True
    return False


def _gangster_dice() -> dict[str, Sight]:
    rulings = {
        "investigator_colour": ("any", "held"), "spent_favor": ("stack", "out", "discards"),
        "win_check": ("die_first", "win_first"), "characters": ("none", "dealt", "chosen"),
    }  # fmt: skip
    return {
        **{
            f"{name} {value} at {seats} seats": _with_option(name, value, seats)
            for name, values in rulings.items()
            for value in values
            for seats in (2, 3, 4)
        },
        **_characters(),
        "the round limit of 100": lambda observed: (
            observed.replay.rounds == 100 and observed.replay.reason == "round_limit"
        ),
        "a round limit of its own": lambda observed: (
            observed.replay.rounds < 100 and observed.replay.reason == "round_limit"
        ),
        "the round limit is won by one": lambda observed: (
            observed.replay.reason == "round_limit" and len(observed.winners) == 1
        ),
        "several at zero win": lambda observed: any(len(e[1]) > 1 for e in observed.of_kind("emptied")),
        "no +4 left for the Lawyer": _stack_is_empty, "a +4 comes from the deck": _special_from_deck,
        "a +4 is played": lambda observed: any(bid[1] == SPECIAL for e in observed.of_kind("revealed") for bid in e[2]),
        "at zero, and takes a die": _die_at_zero,
        "at zero, and declines a die": lambda observed: any(
            e[0] == "declined" and e[1] in set().union(*(f[1] for f in events if f[0] == "emptied"))
            for events in observed.rounds()
            for e in events
        ),
        "the Investigator moves on": lambda observed: any(e[1] is not None for e in observed.of_kind("moved")),
        "a token is taken from another": lambda observed: any(e[3] is not None for e in observed.of_kind("took")),
        "the Streets break a tie": lambda observed: any(e[4] for e in observed.of_kind("won")),
        "one bid heads-up": lambda observed: (
            observed.replay.seats == 2 and any(len(e[2]) == 1 for e in observed.of_kind("revealed"))
        ),
        "one seat wins two tokens": lambda observed: any(
            max(Counter(e[2] for e in events if e[0] == "won").values(), default=0) > 1 for events in observed.rounds()
        ),
        "a colour is named that one lacks": lambda observed: any(
            e[2] is not None and not e[3] for e in observed.of_kind("dumped")
        ),
        "nothing can be dumped": lambda observed: any(e[2] is None for e in observed.of_kind("dumped")),
        "a colour against the same": lambda observed: any(
            given and taken for e in observed.of_kind("exchanged") for given, taken in zip(e[2], e[3], strict=True)
        ),
        "nothing is exchanged": lambda observed: any(not sum(e[2]) for e in observed.of_kind("exchanged")),
        "no die is staked": lambda observed: any(e[2] is None for e in observed.of_kind("staked")),
        "faults of two seats in one stage": lambda observed: _faults_in_one_stage(observed) > 1,
    }  # fmt: skip


SIGHTS = {
    "gang-of-dice": general("gang-of-dice") | _gang_of_dice(),
    "gangster-dice": general("gangster-dice") | _gangster_dice(),
}
