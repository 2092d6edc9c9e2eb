"""Making what was asked for: a picture of a decision, or a clip of a round or of the game."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Final

from gangland_ladder.viewer.drawing.colours import Scheme
from gangland_ladder.viewer.film import Film, NoSuchStop
from gangland_ladder.viewer.pictures.clips import ClipFormat, clip
from gangland_ladder.viewer.pictures.moments import moment_at
from gangland_ladder.viewer.pictures.picture import PREVIEW, picture

GAME: Final = "game"
"""The part of a game that is all of it."""
_ROUND: Final = re.compile(r"r([0-9]{1,9})")


class Form(StrEnum):
    """The kinds of files; the value is how their names end."""

    PNG = "png"
    WEBP = "webp"
    GIF = "gif"

    @property
    def mimetype(self) -> str:
        """Return what it is called on the web."""
        return f"image/{self.value}"


def made(film: Film, part: str, form: Form, scheme: Scheme, *, of: str = "") -> bytes:
    """Return a picture or a clip.

    Args:
        part: of a picture the address of a decision, a round's (its first decision) or the end's; of a clip that of a
            round, or "game".
        of: where the game is from, such as "Match 12".

    Raises:
        NoSuchStop: the game has no such part, or one that is no clip or no picture; the message says what there is.
    """
    if form is Form.PNG:
        if part == GAME:
            raise NoSuchStop("a picture is of a decision: r7.s2.d1, r7 or end; the whole game is a clip, .webp or .gif")
        return picture(film, moment_at(film, film.index_of(part)), PREVIEW, scheme, of=of)
    return clip(film, clip_round(film, part), ClipFormat(form.value), scheme, of=of)


def clip_round(film: Film, part: str) -> int | None:
    """Return the number of the round that a clip is of, None for the whole game.

    Raises:
        NoSuchStop: the game has no such round, or the part is no clip.
    """
    if part == GAME:
        return None
    if (found := _ROUND.fullmatch(part)) is None:
        raise NoSuchStop(f"a clip is of a round or of the game: r7 or game, not {part[:40]!r}; a decision is a .png")
    film.round_index(int(found[1]))
    return int(found[1])
