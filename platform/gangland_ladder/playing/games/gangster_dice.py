"""How people enter decisions in Gangster Dice: as a choice of tokens, favors and dice.

The ids of parts are `token:1` and `favor:2` for a bid; `give:0` and `take:2` for an exchange with the Speakeasy;
`die:0` for a die of the stash or on the Investigator; `all:0` for all dice of a color; and `rolled:0:3` for a die by
its color and symbol.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, cast

from gangland.gangster_dice.cards import COLOUR_NAMES, SPECIAL, SYMBOL_NAMES, TOKEN_NAMES
from gangland.gangster_dice.views import View
from gangland.view import View as AnyView
from gangland_ladder.playing.questions import Enumerated, Part, Spelling

_KEYS: Final = ("l", "sp", "st", "i")


def spelling(view: AnyView, kind: str) -> Spelling:
    """Return the `Spelling` of a question, which defines how its decisions are entered."""
    spell, sections, size = _SPELLINGS[kind]
    legal = cast(View, view).legal()
    return Enumerated(legal, spell, _parts(), size=size, sections=sections)


def _parts() -> Iterator[Part]:
    for token, name in enumerate(TOKEN_NAMES):
        yield Part(f"token:{token}", f"the {name}", (_KEYS[token], name.lower()))
    for favor in range(SPECIAL):
        yield Part(f"favor:{favor}", f"the favor {favor}", (str(favor),))
    yield Part(f"favor:{SPECIAL}", f"the favor +{SPECIAL}", (str(SPECIAL), f"+{SPECIAL}"))
    for kind, text in (("give", "give a {} die"), ("take", "take a {} die"), ("die", "a {} die")):
        for color, name in enumerate(COLOUR_NAMES):
            yield Part(f"{kind}:{color}", text.format(name), (name[0], name))
    for color, name in enumerate(COLOUR_NAMES):
        yield Part(f"all:{color}", f"all {name} dice", (f"all{name[0]}", f"all{name}"))
        for token, symbol in enumerate(SYMBOL_NAMES):
            yield Part(f"rolled:{color}:{token}", f"the {name} {symbol}", (f"{name[0]}-{symbol}", f"{name}-{symbol}"))


def _bids(bids: Sequence[tuple[int, int]]) -> list[str]:
    return [part for token, favor in bids for part in (f"favor:{favor}", f"token:{token}")]


def _counts(kind: str, counts: Sequence[int]) -> list[str]:
    return [f"{kind}:{color}" for color, count in enumerate(counts) for _ in range(count)]


def _dump(dice: int | Sequence[int] | None) -> list[str]:
    if dice is None:
        return []
    return [f"all:{dice}"] if isinstance(dice, int) else _counts("die", dice)


def _single_part(kind: str) -> Callable[[Any], list[str]]:
    return lambda value: [] if value is None else [f"{kind}:{value}"]


_SPELLINGS: Final[dict[str, tuple[Callable[[Any], list[str]], tuple[str, ...], int | None]]] = {
    "bids": (_bids, (), 2),
    "exchange": (lambda sides: [*_counts("give", sides[0]), *_counts("take", sides[1])], ("give", "take"), None),
    "stake": (_single_part("die"), (), None),
    "dump": (_dump, (), None),
    "take": (_single_part("die"), (), None),
    "reroll": (lambda die: [f"rolled:{die[0]}:{die[1]}"] if die else [], (), None),
    "swap": (lambda dice: [f"give:{dice[0]}", f"take:{dice[1]}"] if dice else [], ("give", "take"), None),
    "keep": (_single_part("favor"), (), None),
    "discard": (_single_part("favor"), (), None),
}
"""For each kind of question: the function for a decision's parts, the sections, and the number of parts in a group."""
