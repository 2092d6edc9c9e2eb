"""The table of Gangster Dice as HTML: the four tokens, the cards, and each seat's dice, favors and bids."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from gangland.gangster_dice.cards import COLOUR_NAMES, INVESTIGATOR, SPEAKEASY, SPECIAL, SYMBOL_NAMES, TOKEN_NAMES
from gangland_ladder.viewer.felt import Felt, Html, count, die, element, new_ones, picture, seat_place, short, symbol
from gangland_ladder.viewer.games.gangster_dice.words import discards_in_words, favor_name
from gangland_ladder.viewer.scenes import Scene

_MOST_ROLLED: Final = 12


def table(felt: Felt) -> list[Html]:
    """Return what lies on the table."""
    seats = [_seat(felt, seat) for seat in range(len(felt.names))]
    tokens = [_token(felt, int(number)) for number in felt.scene["tokens"]]
    return [element("div", "v-centre", element("div", "v-tokens", *tokens), _cards(felt.scene)), *seats]


def _in_words(counts: Sequence[int]) -> str:
    parts = [f"{number} {COLOUR_NAMES[colour]}" for colour, number in enumerate(counts) if number]
    return ", ".join(parts) or "no dice"


def _counted(felt: Felt, counts: Sequence[int], kind: str = "") -> Html:
    """Return counts by colour, drawn; those of a kind of parts may be chosen."""
    shown = [
        element(
            "span",
            "v-many",
            die(felt, COLOUR_NAMES[colour], "", "small"),
            str(number),
            **felt.part(felt.seat, f"{kind}:{colour}"),
        )
        for colour, number in enumerate(counts)
        if number
    ]
    return picture("v-counts", _in_words(counts), *shown)


def _token(felt: Felt, number: int) -> Html:
    each = felt.scene["tokens"][str(number)]
    holder = each["holder"]
    moved = felt.before is not None and felt.before["tokens"][str(number)]["holder"] != holder
    held = (
        element("p", "v-holder", "nobody's")
        if holder is None
        else element(
            "p",
            f"v-holder seat{holder + 1}",
            element("span", "chip", str(holder + 1)),
            short("bdi", "v-name", felt.names[holder]),
        )
    )
    kind = {SPEAKEASY: "take", INVESTIGATOR: "die" if felt.kind == "take" else ""}.get(number, "")
    return element(
        "section",
        f"v-token{' moved' if moved else ''}",
        symbol(felt, "v-medal", f"mark-{SYMBOL_NAMES[number]}"),
        short("p", "v-token-name", TOKEN_NAMES[number]),
        held,
        element("p", "v-token-foot", _counted(felt, each["dice"], kind)),
        **felt.part(felt.seat, f"token:{number}"),
    )


def _cards(scene: Scene) -> Html:
    gone = discards_in_words(scene["discards"])
    shown = (("Deck ", scene["deck"]), ("+4 stack ", scene["specials"]), ("Discards ", gone))
    return element("p", "v-cards", *(element("span", "", words, element("b", "", str(each))) for words, each in shown))


def _seat(felt: Felt, seat: int) -> Html:
    each, own = felt.scene["seats"][str(seat)], felt.scene.get("own")
    character = each["character"] and short("span", "v-role", each["character"])
    return seat_place(
        felt,
        seat,
        [_held_tokens(felt, seat)],
        element("div", "v-stash", count(sum(each["dice"])), _counted(felt, each["dice"]), _hand(felt, seat, each)),
        element("div", "v-roll", _rolled(felt, seat)),
        element("div", "v-hand", character, _bids(felt, seat)),
        element("p", "v-own", _own_words(own)) if own and each["hand"] is not None else None,
    )


def _rolled(felt: Felt, seat: int) -> Html:
    """Return a seat's dice as they lie: by colour, each with its symbol."""
    faces: list[list[int]] = felt.scene["seats"][str(seat)]["faces"]
    before = felt.rolled(seat)
    grouped = sum(map(len, faces)) > _MOST_ROLLED
    words, shown = [], []
    for colour, each in enumerate(faces):
        name = COLOUR_NAMES[colour]
        words += [f"{name} {', '.join(SYMBOL_NAMES[face] for face in each)}"] if each else []
        fresh = [False] * len(each) if before is None else new_ones(each, before["faces"][colour])
        if grouped:
            shown += [
                element(
                    "span", "v-many", _die(felt, seat, colour, face), f"×{times}", **_part(felt, seat, colour, face)
                )
                for face, times in Counter(each).items()
            ]
        else:
            pairs = zip(each, fresh, strict=True)
            shown += [_die(felt, seat, colour, face, "fresh" if new else "") for face, new in pairs]
    return picture("v-dice", "; ".join(words) or "no dice", *shown)


def _die(felt: Felt, seat: int, colour: int, face: int, name: str = "") -> Html:
    return die(felt, COLOUR_NAMES[colour], SYMBOL_NAMES[face], name, **_part(felt, seat, colour, face))


def _part(felt: Felt, seat: int, colour: int, face: int) -> dict[str, str]:
    """Return which part a die before a seat is: one that is rolled again, given, or put down."""
    own = [] if felt.kind == "take" else [f"die:{colour}"]  # `die` is then one on the Investigator
    return felt.part(seat, f"rolled:{colour}:{face}", f"give:{colour}", *own)


def _hand(felt: Felt, seat: int, each: Scene) -> Html:
    """Return a hand of favors: one's own with their value, others as backs."""
    if (hand := each["hand"]) is not None:
        cards = [
            _card(favor_name(card), "special" if card == SPECIAL else "", **felt.part(seat, f"favor:{card}"))
            for card in hand
        ]
        return picture("v-favors", f"favors {', '.join(map(favor_name, hand)) or 'none'}", *cards)
    favors, specials = each["favors"], each["specials"]
    label = f"{favors} favors, hidden" + (f"; {specials} of them +4" if specials else "")
    backs = [_card("", "back")] * max(0, favors - specials)
    return picture("v-favors", label, *backs, *[_card("+4", "special")] * specials)


def _card(shown: str, name: str, **attributes: str) -> Html:
    return element("span", f"v-favor {name}", shown, **attributes)


def _held_tokens(felt: Felt, seat: int) -> Html | None:
    own = [int(number) for number, each in felt.scene["tokens"].items() if each["holder"] == seat]
    if not own:
        return None
    medals = [symbol(felt, "v-medal small", f"mark-{SYMBOL_NAMES[token]}") for token in own]
    return picture("v-held-tokens", f"has {', '.join(TOKEN_NAMES[token] for token in own)}", *medals)


def _bids(felt: Felt, seat: int) -> Html | None:
    bids = felt.scene["seats"][str(seat)]["bids"]
    return element("span", "v-bids", *(_bid(felt, seat, *bid) for bid in bids)) if bids else None


def _bid(felt: Felt, seat: int, token: int, favor: int, score: int) -> Html:
    wins = felt.scene["tokens"][str(token)]["winner"] == seat
    return picture(
        f"v-bid{' wins' if wins else ''}",
        f"bids {favor_name(favor)} on the {TOKEN_NAMES[token]}, {score} in all{', and wins it' if wins else ''}",
        symbol(felt, "v-medal small", f"mark-{SYMBOL_NAMES[token]}"),
        _card(favor_name(favor), "special" if favor == SPECIAL else ""),
        f"{score}{' ✓' if wins else ''}",
    )


def _own_words(own: Scene) -> str:
    """Return in words what a seat alone knows of its own decisions."""
    parts = [f"locked: {_in_words(own['locked'])}"] if any(own["locked"]) else []
    if own["exchanged"]:
        given, taken = own["exchanged"]
        parts.append(f"exchange: {_in_words(given)} for {_in_words(taken)}")
    parts += [] if own["staked"] is None else [f"stakes a {COLOUR_NAMES[own['staked']]} die"]
    parts += [f"keeps one of {' and '.join(map(favor_name, own['pair']))}"] if own["pair"] else []
    return "; ".join(parts)
