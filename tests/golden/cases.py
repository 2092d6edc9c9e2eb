"""The golden games: who sits there, by which options, who fails when, and what the game has to show."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

from tests.golden.players import AT_START

from gangland.games import GAME_NAMES
from gangland.gangster_dice.characters import BY_KEY


@dataclass(frozen=True)
class Case:
    """One golden game; seeds are tried until it shows all `shows`, and `fails` says when a seat fails."""

    name: str
    players: tuple[str, ...]
    options: Mapping[str, object] = field(default_factory=dict)
    fails: Mapping[int, str] = field(default_factory=dict)
    shows: tuple[str, ...] = ()


def _mixed(bots: str, seats: int, turn: int) -> tuple[str, ...]:
    names = bots.split()
    return tuple(names[(turn + seat) % len(names)] for seat in range(seats))


EXAMPLE = "the example of the documentation"  # a game of Gang of Dice, short and with a fault in it

# Gang of Dice ------------------------------------------------------------------------------------

_GANG_BOTS = "closing_gang cautious_gang bold_gang random_gang sensible_gang"


def _gang_of_dice() -> list[Case]:
    cases: list[Case] = []
    options = [
        {name: value for name, value in (("deck", deck), ("first_player", first)) if value}
        for deck, first in product((None, "box18"), (None, "winner"))
    ]
    for turn, (seats, chosen) in enumerate(product((2, 3, 4), options)):
        output = " ".join(["house bots", *chosen.values()])
        cases.append(Case(f"{output} {seats}", _mixed(_GANG_BOTS, seats, turn), chosen))
        cases.append(Case(f"{' '.join(['few dice', *chosen.values()])} {seats}", ("few",) * seats, chosen))
    for seats in (2, 3, 4):
        cases.append(Case(f"anything goes {seats}", ("random",) * seats))
        cases.append(Case(f"all in {seats}", ("all-in",) * seats, shows=("the last go out together",)))
        cases.append(Case(f"one die each {seats}", ("one",) * seats))
    cases += [
        Case("all bust in round 12", ("half", "few", "half"), shows=("all bust in round 12",)),
        Case("carried pot and bonus dice", ("half", "half"), shows=("a carried pot with bonus dice on it",)),
        Case("out of the carried pot", ("all-in", "few", "few"), shows=("out with one's dice in the carried pot",)),
        Case("one left", ("all-in", "few"), shows=("one left before round 12",)),
        Case("won by nothing", ("one", "one", "one"), shows=("won by a total of 0",)),
        Case("more dice break the tie", ("few",) * 4, shows=("tie break 'dice'",)),
        Case("the earlier turn breaks the tie", ("one",) * 4, shows=("tie break 'turn'",)),
        Case("last die", ("random", "random", "few"), shows=("the last die is staked unasked",)),
        Case("shared win at the end", ("one", "one", "one"), shows=("a win that is shared",)),
        Case("bust late", ("few", "few"), shows=("bust by a first reroll", "bust by a second reroll")),
        Case("out together below", ("all-in", "all-in", "few", "few"), shows=("a place below is shared",)),
        *_gang_faults(),
    ]
    return cases


def _gang_faults() -> list[Case]:
    return [
        Case(EXAMPLE, ("few", "few"), fails={1: "reroll 1"}, shows=("some rolled again",)),
        Case("fault at once 2", ("few", "few"), fails={0: "any 1"}, shows=("a fault at the first decision",)),
        Case("fault at once 4", ("few",) * 4, fails={1: "any 1"}),
        Case("one cannot start 2", ("few", "few"), fails={1: AT_START}),
        Case("one cannot start 3", _mixed(_GANG_BOTS, 3, 4), fails={2: AT_START}),
        Case("two cannot start 3", ("few",) * 3, fails={0: AT_START, 2: AT_START}),
        Case("two cannot start 4", ("few",) * 4, fails={0: AT_START, 3: AT_START}),
        Case("nobody can start 2", ("one", "one"), fails={0: AT_START, 1: AT_START}),
        Case("nobody can start 4", ("one",) * 4, fails=dict.fromkeys(range(4), AT_START)),
        Case("fault in mid-turn", ("few",) * 3, fails={1: "reroll 3"}),
        Case("fault in the last round", ("sensible_gang",) * 3, fails={0: "dice 12"}),
        Case("three faults one by one", ("few",) * 4, fails={0: "dice 2", 2: "reroll 4", 3: "dice 7"}),
        Case("a seat at fault wins a round", ("few",) * 3, fails={1: "any 1"}, shows=("a seat at fault wins a round",)),
        Case("the faultless go out", ("all-in", "one", "all-in"), fails={1: "any 1"}, shows=("end faultless_out",)),
        Case("two fail in turn", ("few",) * 3, fails={0: "dice 2", 2: "dice 3"}, shows=("end last_faultless",)),
    ]


# Gangster Dice -----------------------------------------------------------------------------------

_GANGSTER_BOTS = "sensible_gang hoarding_gang bold_gang random_gang cautious_gang"
CHARACTERS = tuple(BY_KEY)
_OTHER_RULINGS = {"investigator_colour": "held", "spent_favor": "out", "win_check": "win_first"}


def _gangster_dice() -> list[Case]:
    cases = []
    for seats in (2, 3, 4):
        cases.append(Case(f"anything goes {seats}", ("random",) * seats))
        cases.append(Case(f"house bots {seats}", _mixed(_GANGSTER_BOTS, seats, seats)))
        cases.append(Case(f"sensible house bots {seats}", ("sensible_gang",) * seats))
        cases.append(Case(f"other rulings {seats}", _mixed(_GANGSTER_BOTS, seats, 3), _OTHER_RULINGS))
        for option, value in _OTHER_RULINGS.items():
            cases.append(Case(f"{option} {value} {seats}", ("random",) * seats, {option: value}))
    cases += [
        Case("round limit 100", ("stalling",) * 2, shows=("the round limit of 100",)),
        Case("round limit 25", ("stalling",) * 4, {"round_limit": 25}, shows=("a round limit of its own",)),
        Case("round limit 1", ("random",) * 3, {"round_limit": 1}),
        Case("round limit, win first", ("random",) * 3, {"round_limit": 4, "win_check": "win_first"},
             shows=("the round limit is won by one",)),
        Case("several at zero", ("random",) * 4, shows=("several at zero win",)),
        Case("at zero, and takes a die", ("random",) * 3, shows=("at zero, and takes a die",)),
        Case("at zero, and declines a die", ("random",) * 3, shows=("at zero, and declines a die",)),
        Case("no +4 left", ("lawyer", "stalling", "stalling"), {"spent_favor": "out", "round_limit": 40},
             shows=("no +4 left for the Lawyer",)),
        Case("one bid heads-up", ("random",) * 2, shows=("one bid heads-up",)),
        Case("nothing to dump", ("random",) * 2, {"investigator_colour": "held"}, shows=("nothing can be dumped",)),
        Case("reshuffled twice", ("stalling",) * 4, {"round_limit": 30}, shows=("event reshuffled",)),
        *_gangster_faults(),
        *_casts(),
        *(Case(f"spent_favor discards {seats}", ("random",) * seats, {"spent_favor": "discards"},
               shows=("a +4 comes from the deck",)) for seats in (2, 3, 4)),
        Case("Timmy and Roberts and +4s in the deck", ("random",) * 3,
             {"spent_favor": "discards", "characters": "chosen", "cast": ["timmy", "roberts", "eddie"]},
             shows=("a +4 comes from the deck",)),
    ]  # fmt: skip
    return cases


def _gangster_faults() -> list[Case]:
    cases = [
        Case(f"fault at {kind}", ("random",) * 3, fails={1: f"{kind} 1"})
        for kind in ("bids", "exchange", "stake", "dump", "take")
    ]
    cases += [
        Case("fault at once 2", ("random",) * 2, fails={0: "any 1"}, shows=("a fault at the first decision",)),
        Case("fault heads-up in mid-effects", ("random",) * 2, fails={1: "exchange 1"}),
        Case("one cannot start 2", ("random",) * 2, fails={0: AT_START}),
        Case("one cannot start 4", _mixed(_GANGSTER_BOTS, 4, 0), fails={3: AT_START}),
        Case("two cannot start 4", ("random",) * 4, fails={0: AT_START, 1: AT_START}),
        Case("nobody can start 2", ("random",) * 2, fails={0: AT_START, 1: AT_START}),
        Case("nobody can start 3", ("random",) * 3, fails=dict.fromkeys(range(3), AT_START)),
        Case("two fail in one stage", ("random",) * 4, fails={0: "bids 2", 2: "bids 2"},
             shows=("faults of two seats in one stage",)),
        Case("all fail in one stage", ("random",) * 3, fails=dict.fromkeys(range(3), "bids 1"),
             shows=("end all_at_fault",)),
        Case("three faults one by one", ("random",) * 4, fails={0: "bids 2", 1: "any 6", 3: "bids 6"},
             shows=("end last_faultless",)),
        Case("a seat at fault empties its stash", ("random",) * 3, fails={2: "bids 8"}, shows=("end default_empty",)),
        Case("round limit with a seat at fault", ("stalling",) * 3, {"round_limit": 6}, fails={1: "bids 3"},
             shows=("end round_limit",)),
    ]  # fmt: skip
    return cases


def _casts() -> list[Case]:
    cases = []
    square = [CHARACTERS[row : row + 3] for row in (0, 3, 6)]
    lines = [*square, *zip(*square, strict=True)]
    lines += [tuple(square[at][(at * slope + start) % 3] for at in range(3)) for slope in (1, 2) for start in range(3)]
    for turn, line in enumerate(lines):
        players = ("random",) * 3 if turn % 2 else ("random", "sensible_gang", "random")
        cases.append(_chosen(line, players))
    pairs = [[CHARACTERS[(turn + step) % 9] for step in (0, 2)] for turn in range(9)]
    fours = [[CHARACTERS[(turn + step) % 9] for step in (0, 1, 3, 6)] for turn in range(0, 9, 2)]
    cases += [_chosen(cast, ("random",) * len(cast)) for cast in pairs + fours]
    cases += [
        Case(f"{key} dealt", ("random",) * (2 + turn % 3), {"characters": "dealt"}, shows=(f"{key} dealt",))
        for turn, key in enumerate(CHARACTERS)
    ]
    return cases + _character_cases()


def _chosen(
    cast: Sequence[str],
    players: tuple[str, ...],
    name: str = "",
    options: Mapping[str, object] | None = None,
    fails: Mapping[int, str] | None = None,
    shows: tuple[str, ...] = (),
) -> Case:
    chosen = {**(options or {}), "characters": "chosen", "cast": list(cast)}
    return Case(name or f"cast {' '.join(cast)}", players, chosen, fails or {}, shows)


def _character_cases() -> list[Case]:
    two, three = ("random",) * 2, ("random",) * 3
    sights = [
        ("nancy", "a die is swapped for one of its colour"), ("nancy", "no die is swapped"),
        ("liza", "two of one colour are placed"), ("liza", "two of different colours are placed"),
        ("liza", "liza names a colour"), ("timmy", "a pair of equal favors"), ("roberts", "no favor is dropped"),
        ("roberts", "a +4 is dropped"), ("eddie", "eddie takes a +4 as he takes the Lawyer"),
        ("silvio", "silvio wins a tie"), ("franky", "nobody rerolls"),
    ]  # fmt: skip
    others = ("bobby", "don")
    cases = [_chosen((key, *others), three, sight, shows=(sight,)) for key, sight in sights]
    for key, kind in (("franky", "reroll"), ("nancy", "swap"), ("timmy", "keep"), ("roberts", "discard")):
        cases.append(_chosen((*others, key), three, f"fault at {kind}", fails={2: f"{kind} 1"}))
    return [
        *cases,
        _chosen(("timmy", "silvio"), two, "two pairs in one round", shows=("two pairs in one round",)),
        _chosen(("timmy", "roberts"), two, "fault at the second pair", fails={0: "keep 2"}),
        _chosen(("liza", "nancy", "roberts", "franky"), ("random",) * 4, "characters by other rulings", _OTHER_RULINGS),
        _chosen(("eddie", "don", "bobby"), ("lawyer", "stalling", "stalling"), "round limit with characters",
                {"round_limit": 30}, shows=("end round_limit",)),
        Case("house bots dealt characters", _mixed(_GANGSTER_BOTS, 4, 0), {"characters": "dealt"}),
        Case("house bots heads-up dealt characters", _mixed(_GANGSTER_BOTS, 2, 0), {"characters": "dealt"}),
    ]  # fmt: skip


CASES: dict[str, list[Case]] = {"gangster-dice": _gangster_dice(), "gang-of-dice": _gang_of_dice()}

assert set(CASES) == set(GAME_NAMES)
