"""The table of Gang of Dice as HTML: the warning, the dice to be won, and each seat's roll and stash."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from gangland_ladder.viewer.felt import Felt, Html, badge, count, die, element, new_ones, picture, pile, seat_place

_MOST_SHOWN: Final = 12


def table(felt: Felt) -> list[Html]:
    """Return what lies on the table."""
    seats = [_seat(felt, seat) for seat in range(len(felt.names))]
    return [element("div", "v-centre", _warning(felt), _pot(felt)), *seats]


def _warning(felt: Felt) -> Html:
    card = felt.scene["card"]
    when = "after any roll" if card["colour"] == "yellow" else "in the final roll"
    return element(
        "section",
        f"v-card {card['colour']}",
        element("p", "v-card-head", element("b", "", card["id"]), f" {card['colour']} warning"),
        element("p", "v-card-words", card["words"]),
        element("p", "v-card-foot", f"bust if so {when}"),
    )


def _pot(felt: Felt) -> Html:
    scene = felt.scene
    besides = [f"{scene['left']} left from before"] if scene["left"] else []
    besides += [f"{scene['bonus']} bonus dice"] if scene["bonus"] else []
    return element(
        "section",
        "v-pot",
        count(scene["table"], "die on the table", "dice on the table"),
        pile(scene["table"]),
        element("p", "v-besides", ", ".join(besides)),
    )


def _seat(felt: Felt, seat: int) -> Html:
    scene, each = felt.scene, felt.scene["seats"][str(seat)]
    states = [
        badge("best", "good") if scene["best"] == seat else None,
        badge("starts") if scene["order"][0] == seat else None,
        badge("bust", "bad") if each["bust"] else None,
        badge(each["state"]) if each["state"] not in ("", "bust") else None,
    ]
    return seat_place(
        felt,
        seat,
        states,
        element("div", "v-stash", count(each["dice"]), pile(each["dice"])),
        element("div", "v-roll", *_roll(felt, seat)),
    )


def _roll(felt: Felt, seat: int) -> list[Html]:
    faces: list[int] = [*reversed(felt.scene["seats"][str(seat)]["roll"])]
    if not faces:
        return []
    before = felt.rolled(seat)
    fresh = [False] * len(faces) if before is None else new_ones(faces, before["roll"])
    words = ", ".join(str(face or "gangster") for face in faces)
    label = f"{len(faces)} {'die' if len(faces) == 1 else 'dice'}: {words}"
    shown = (
        [_die(felt, seat, face, "fresh" if new else "") for face, new in zip(faces, fresh, strict=True)]
        if len(faces) <= _MOST_SHOWN
        else _grouped(felt, seat, faces)
    )
    is_bust = felt.scene["seats"][str(seat)]["bust"]
    heading = element("span", "vh", "bust, total " if is_bust else "total ")
    total = element("p", "v-total", heading, element("s", "", str(sum(faces))) if is_bust else str(sum(faces)))
    return [picture("v-dice", label, *shown), total]


def _grouped(felt: Felt, seat: int, faces: Sequence[int]) -> list[Html]:
    return [
        element("span", "v-many", _die(felt, seat, face), f"×{times}", **felt.part(seat, f"face:{face}"))
        for face, times in Counter(faces).items()
    ]


def _die(felt: Felt, seat: int, face: int, name: str = "") -> Html:
    return die(felt, "white", str(face or "gangster"), name, **felt.part(seat, f"face:{face}"))
