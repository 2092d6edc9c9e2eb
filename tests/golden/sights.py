"""What there is to see in a game, by name: the golden games have to show all of it."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
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
        **{f"event {kind}": partial(lambda kind, seen: seen.of_kind(kind), kind) for kind in sorted(event_kinds(game))},
        **{f"question {kind}": partial(lambda kind, seen: kind in asked(seen), kind) for kind in known.bot_class.kinds},
        **{
            f"fault at {kind}": partial(lambda kind, seen: kind in faults(seen), kind) for kind in known.bot_class.kinds
        },
        **{
            f"end {reason}": partial(lambda reason, seen: seen.replay.reason == reason, reason)
            for reason in EndReason
            if reason not in NEVER[game]
        },
        **{
            f"{seats} seats": partial(lambda seats, seen: seen.replay.seats == seats, seats)
            for seats in known.table_sizes
        },
        "no fault": lambda seen: not seen.replay.faults,
        "a fault at the first decision": lambda seen: 0 in dict.fromkeys(d for _, d in seen.replay.faults),
        "one seat at fault before the game": lambda seen: [d for _, d in seen.replay.faults].count(None) == 1,
        "several at fault before the game": lambda seen: [d for _, d in seen.replay.faults].count(None) > 1,
        "faults at different moments of one game": lambda seen: len({d for _, d in seen.replay.faults}) > 1,
        "a win that is shared": lambda seen: len(seen.winners) > 1 and seen.replay.reason != "all_at_fault",
    }


def asked(seen: Seen) -> set[str]:
    return {answer.kind for step in seen.steps for answer in step.answers if answer.number is not None}


def faults(seen: Seen) -> Counter[str]:
    """Count the kinds of questions at which seats failed."""
    answers = [answer for step in seen.steps for answer in step.answers]
    return Counter(answer.kind for answer in answers if answer.by_default and answer.number is not None)


# Gang of Dice ------------------------------------------------------------------------------------


def _all_bust(seen: Seen) -> list[int]:
    return [number for number, events in enumerate(seen.rounds(), 1) if any(e[0] == "all_bust" for e in events)]


def _bust_after(seen: Seen, roll: int, colour: str) -> bool:
    cards = {card.id: card.colour for card in WARNINGS}
    found = False
    for events in seen.rounds():
        for before, event in pairwise(events):
            found |= event[0] == "busted" and before[2] == roll and cards[events[0][2]] == colour
    return found


def _out(seen: Seen) -> list[tuple[list[Event], tuple[int, ...]]]:
    return [(events, event[1]) for events in seen.rounds() for event in events if event[0] == "eliminated"]


def _gang_of_dice() -> dict[str, Sight]:
    return {
        **{
            f"warning {card.id}": partial(lambda card, seen: any(e[2] == card for e in seen.of_kind("round")), card.id)
            for card in WARNINGS
        },
        **{
            f"tie break {name!r}": partial(lambda name, seen: any(e[4] == name for e in seen.of_kind("won")), name)
            for name in ("", "dice", "turn")
        },
        **{
            f"{deck}, {first}": partial(
                lambda wanted, seen: (seen.option("deck"), seen.option("first_player"), seen.replay.rounds) == wanted,
                (deck, first, LAST_ROUND),
            )
            for deck in ("w24", "box18")
            for first in ("next", "winner")
        },
        "all bust in round 12": lambda seen: LAST_ROUND in _all_bust(seen),
        "a carried pot with bonus dice on it": lambda seen: any(e[4] and e[5] for e in seen.of_kind("round")),
        "two rounds running all bust": lambda seen: any(n + 1 in _all_bust(seen) for n in _all_bust(seen)),
        "out with one's dice in the carried pot": lambda seen: any(
            any(e[0] == "all_bust" for e in events) for events, _ in _out(seen)
        ),
        "the last go out together": lambda seen: (
            seen.replay.reason == "completed" and len(_out(seen)) == 1 and len(_out(seen)[0][1]) == seen.replay.seats
        ),
        "one left before round 12": lambda seen: (
            seen.replay.reason == "completed" and seen.replay.rounds < LAST_ROUND and len(seen.winners) == 1
        ),
        "a place below is shared": lambda seen: any(seen.replay.places.count(place) > 1 for place in (2, 3)),
        "won by a total of 0": lambda seen: any(e[2] == 0 for e in seen.of_kind("won")),
        "everything rolled again": lambda seen: any(
            e[2] > 1 and len(e[3]) == len(e[5]) for e in seen.of_kind("rolled")
        ),
        "some rolled again": lambda seen: any(0 < len(e[3]) < len(e[5]) for e in seen.of_kind("rolled")),
        "some rolled again twice": lambda seen: any(e[2] == 3 for e in seen.of_kind("rolled")),
        "bust at the first roll": lambda seen: _bust_after(seen, 1, "yellow"),
        "bust by a first reroll": lambda seen: _bust_after(seen, 2, "yellow"),
        "bust by a second reroll": lambda seen: _bust_after(seen, 3, "black"),
        "the last die is staked unasked": lambda seen: any(
            e[0] == "rolled" and e[2] == 1 and e[1] not in {a.seat for a in step.answers if a.kind == "dice"}
            for step in seen.steps
            for e in step.events
        ),
        "a seat at fault wins a round": lambda seen: any(
            e[1] in step.defaulting for step in seen.steps for e in step.events if e[0] == "won"
        ),
        "more than 32 dice in one roll": lambda seen: any(len(e[4]) > 32 for e in seen.of_kind("rolled")),
    }


# Gangster Dice -----------------------------------------------------------------------------------


def _stack_is_empty(seen: Seen) -> bool:
    """Return whether the Lawyer's controller won it again when no +4 was left, the used ones included."""
    control, taken = None, 0
    for events in seen.rounds():
        won = [e[2] for e in events if e[0] == "won" and e[1] == LAWYER]
        special = [e for e in events if e[0] == "special"]
        if won and won == [control] and not special and taken:
            return True
        taken += len(special)
        control = next((e[2] for e in events if e[0] == "took" and e[1] == LAWYER), control)
    return False


def _die_at_zero(seen: Seen) -> bool:
    """Return whether a seat without dice had to take one, and rolled it as its only one."""
    before: set[int] = set()
    for events in seen.rounds():
        if any(e[0] == "rolled" and e[1] in before and sum(map(len, e[2])) == 1 for e in events):
            return True
        before = {e[1] for e in events if e[0] == "received"}
    return False


def _faults_in_one_stage(seen: Seen) -> int:
    return max(sum(a.by_default and a.number is not None for a in step.answers) for step in seen.steps)


def _cast(seen: Seen) -> tuple[str | None, ...]:
    view: Any = game_named(seen.replay.game).observe(seen.steps[0].after, 0)
    return tuple(player.character and player.character.key for player in view.players)


def _characters() -> dict[str, Sight]:
    return {
        **{
            " with ".join(pair): partial(lambda pair, seen: {*pair} <= {*_cast(seen)}, pair)
            for pair in combinations(BY_KEY, 2)
        },
        **{
            f"{key} dealt": partial(lambda key, seen: seen.option("characters") == "dealt" and key in _cast(seen), key)
            for key in BY_KEY
        },
        **{f"{key} chosen": partial(lambda key, seen: key in seen.option("cast"), key) for key in BY_KEY},
        **{
            f"{key} heads-up": partial(lambda key, seen: seen.replay.seats == 2 and key in _cast(seen), key)
            for key in BY_KEY
        },
        "nobody rerolls": lambda seen: any(
            answer.kind == "reroll" and answer.decision is None for step in seen.steps for answer in step.answers
        ),
        "a die is swapped": lambda seen: any(e[2] is not None for e in seen.of_kind("swapped")),
        "no die is swapped": lambda seen: any(e[2] is None for e in seen.of_kind("swapped")),
        "a die is swapped for one of its colour": lambda seen: any(
            e[2] is not None and e[2] == e[3] for e in seen.of_kind("swapped")
        ),
        "two of one colour are placed": lambda seen: any(2 in e[2] for e in seen.of_kind("placed")),
        "two of different colours are placed": lambda seen: any(1 in e[2] for e in seen.of_kind("placed")),
        "liza names a colour": lambda seen: any(_cast(seen)[e[1]] == "liza" for e in seen.of_kind("dumped")),
        "two pairs in one round": lambda seen: any(sum(e[0] == "paired" for e in r) == 2 for r in seen.rounds()),
        "a pair of equal favors": lambda seen: any(e[2][0] == e[2][1] for e in seen.of_kind("paired")),
        "a +4 is dropped": lambda seen: any(e[2] == SPECIAL for e in seen.of_kind("dropped")),
        "no favor is dropped": lambda seen: any(
            answer.kind == "discard" and answer.decision is None for step in seen.steps for answer in step.answers
        ),
        "eddie takes a +4 as he takes the Lawyer": lambda seen: any(
            ("special", e[2]) in events for events in seen.rounds() for e in events if e[0] == "took" and not e[1]
        ),
        "silvio wins a tie": lambda seen: any(e[4] and _cast(seen)[e[2]] == "silvio" for e in seen.of_kind("won")),
    }  # fmt: skip


def _special_from_deck(seen: Seen) -> bool:
    for events in seen.rounds():
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
            f"{name} {value} at {seats} seats": partial(
                lambda name, wanted, seen: (seen.option(name), seen.replay.seats) == wanted, name, (value, seats)
            )
            for name, values in rulings.items()
            for value in values
            for seats in (2, 3, 4)
        },
        **_characters(),
        "the round limit of 100": lambda seen: seen.replay.rounds == 100 and seen.replay.reason == "round_limit",
        "a round limit of its own": lambda seen: seen.replay.rounds < 100 and seen.replay.reason == "round_limit",
        "the round limit is won by one": lambda seen: seen.replay.reason == "round_limit" and len(seen.winners) == 1,
        "several at zero win": lambda seen: any(len(e[1]) > 1 for e in seen.of_kind("emptied")),
        "no +4 left for the Lawyer": _stack_is_empty, "a +4 comes from the deck": _special_from_deck,
        "a +4 is played": lambda seen: any(bid[1] == SPECIAL for e in seen.of_kind("revealed") for bid in e[2]),
        "at zero, and takes a die": _die_at_zero,
        "at zero, and declines a die": lambda seen: any(
            e[0] == "declined" and e[1] in set().union(*(f[1] for f in events if f[0] == "emptied"))
            for events in seen.rounds()
            for e in events
        ),
        "the Investigator moves on": lambda seen: any(e[1] is not None for e in seen.of_kind("moved")),
        "a token is taken from another": lambda seen: any(e[3] is not None for e in seen.of_kind("took")),
        "the Streets break a tie": lambda seen: any(e[4] for e in seen.of_kind("won")),
        "one bid heads-up": lambda seen: (
            seen.replay.seats == 2 and any(len(e[2]) == 1 for e in seen.of_kind("revealed"))
        ),
        "one seat wins two tokens": lambda seen: any(
            max(Counter(e[2] for e in events if e[0] == "won").values(), default=0) > 1 for events in seen.rounds()
        ),
        "a colour is named that one lacks": lambda seen: any(
            e[2] is not None and not e[3] for e in seen.of_kind("dumped")
        ),
        "nothing can be dumped": lambda seen: any(e[2] is None for e in seen.of_kind("dumped")),
        "a colour against the same": lambda seen: any(
            given and taken for e in seen.of_kind("exchanged") for given, taken in zip(e[2], e[3], strict=True)
        ),
        "nothing is exchanged": lambda seen: any(not sum(e[2]) for e in seen.of_kind("exchanged")),
        "no die is staked": lambda seen: any(e[2] is None for e in seen.of_kind("staked")),
        "faults of two seats in one stage": lambda seen: _faults_in_one_stage(seen) > 1,
    }  # fmt: skip


SIGHTS = {
    "gang-of-dice": general("gang-of-dice") | _gang_of_dice(),
    "gangster-dice": general("gangster-dice") | _gangster_dice(),
}
