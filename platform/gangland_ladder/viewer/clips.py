"""Files of a recorded game: a picture of a decision, or a round or the game as an animated WebP or GIF."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from io import BytesIO
from math import fsum
from typing import TYPE_CHECKING, Any, Final

from gangland_ladder.viewer.drawing.canvas import Scheme
from gangland_ladder.viewer.film import Film, NoSuchStop
from gangland_ladder.viewer.pictures import CLIP, PREVIEW, Still, moment_at, opening, picture
from gangland_ladder.viewer.presentation import presentation_of

if TYPE_CHECKING:
    from PIL import Image


# Files, by the part of the game that is asked for.


GAME: Final = "game"
_ROUND: Final = re.compile(r"r([0-9]{1,9})")


class FileFormat(StrEnum):
    """The kinds of files; the value is how their names end."""

    PNG = "png"
    WEBP = "webp"
    GIF = "gif"

    @property
    def mimetype(self) -> str:
        """Return what it is called on the web."""
        return f"image/{self.value}"


def render(film: Film, part: str, form: FileFormat, scheme: Scheme, *, of: str = "") -> bytes:
    """Return a picture or a clip.

    Args:
        part: of a picture the address of a decision, a round's (its first decision) or the end's; of a clip that of a
            round, or "game".

    Raises NoSuchStop: the game has no such part, or one that is no clip or no picture; the message says what there is.
    """
    if form is FileFormat.PNG:
        if part == GAME:
            raise NoSuchStop("a picture is of a decision: r7.s2.d1, r7 or end; the whole game is a clip, .webp or .gif")
        return picture(film, moment_at(film, film.index_of(part)), PREVIEW, scheme, of=of)
    return clip(film, clip_round(film, part), form, scheme, of=of)


def clip_round(film: Film, part: str) -> int | None:
    """Return the number of the round of a clip, None for the whole game.  Raises NoSuchStop: no such round or clip."""
    if part == GAME:
        return None
    if (found := _ROUND.fullmatch(part)) is None:
        raise NoSuchStop(f"a clip is of a round or of the game: r7 or game, not {part[:40]!r}; a decision is a .png")
    film.round_index(int(found[1]))
    return int(found[1])


# Clips: moments one after the other.
#
# A clip has at most `MOST_FRAMES` pictures of `CLIP` pixels, lasts 2 to 40 seconds and weighs at most 3 MB, whatever
# the game is like: of a long one the decisions that changed nothing are left out first, then those whose outcome the
# round's end shows too.


MOST_FRAMES: Final = 16
"""More of them in 40 seconds would be too fast to read; drawing them is most of the work."""
MOST_S: Final = 40.0
MOST_BYTES: Final = 3_000_000
_EVERY: Final = (1, 2, 4)
"""How many frames one is kept of, tried in turn until a clip is light enough."""
_FRAME_S: Final = (1.1, 3.2)
_CHAR_S: Final = 0.03
_LAST_S: Final = 1.6


class TooHeavy(ValueError):
    """A clip weighs more than it may with a quarter of its frames; no game that is known comes near that."""


def clip(film: Film, number: int | None, form: FileFormat, scheme: Scheme, *, of: str = "") -> bytes:
    """Return a round as a clip, or the whole game if `number` is None.

    Raises NoSuchStop: the game has no such round; TooHeavy: it cannot be made light enough.
    """
    moments = moments_of(film, number)
    last = len(moments) - 1
    frames = [
        _image(picture(film, moment, CLIP, scheme, of=of, share=index / last if last else 1.0))
        for index, moment in enumerate(moments)
    ]
    times, written = seconds_of(moments), b""
    for every in _EVERY:
        kept = [*range(0, last, every), last]
        until = [*kept[1:], last + 1]
        shown = [fsum(times[begin:end]) for begin, end in zip(kept, until, strict=True)]
        written = _written([frames[index] for index in kept], shown, form)
        if len(written) <= MOST_BYTES:
            return written
    raise TooHeavy(f"the clip has {len(written)} bytes, over {MOST_BYTES}")


def moments_of(film: Film, number: int | None) -> list[Still]:
    """Return the moments of a round's clip, of the whole game's if None; `MOST_FRAMES` at most.  Raises NoSuchStop."""
    first = film.round_index(1 if number is None else number)
    if not film.stops:  # all at fault from the beginning
        return [moment_at(film, film.last)]
    indexes = [index for index in range(first, film.last) if number is None or film.stops[index].round == number]
    ends = number is None or number == film.rounds
    room = MOST_FRAMES - 1 - ends
    kept = _thinned(film, indexes, room) if len(indexes) > room else indexes
    begin = opening(film, 1 if number is None else number)
    return [begin, *(moment_at(film, index) for index in kept), *([moment_at(film, film.last)] if ends else [])]


def _thinned(film: Film, indexes: Sequence[int], room: int) -> list[int]:
    """Return as many stops as there is room for: the weightier first, of equal ones every so many."""
    by_weight: dict[int, list[int]] = {}
    for index in indexes:
        by_weight.setdefault(_weight(film, index), []).append(index)
    kept: list[int] = []
    for weight in sorted(by_weight, reverse=True):
        stops, free = by_weight[weight], room - len(kept)
        if len(stops) > free:
            stops = [stops[each * len(stops) // free] for each in range(free)]
        kept += stops
    return sorted(kept)


def _weight(film: Film, index: int) -> int:
    """Return how much a stop matters.

    The last one comes first, then what somebody won or lost in the last round, faults and lead changes, what somebody
    won or lost before, ends of rounds, what something followed, and any change.
    """
    stop, owned = film.stops[index], presentation_of(film.game).owned
    if index + 1 == film.last:
        return 7
    moved = owned(stop.before) != owned(stop.table)
    if moved and stop.round == film.rounds:
        return 6
    if index in film.marks:
        return 5
    if moved:
        return 4
    if film.stops[index + 1].round != stop.round:
        return 3
    if stop.sentences:
        return 2
    return int(stop.table != stop.before)


def seconds_of(moments: Sequence[Still]) -> list[float]:
    """Return how long each moment is shown, together 2 to 40 seconds: long enough to read, the last one in any case."""
    least, most = _FRAME_S
    times = [min(most, least + _CHAR_S * sum(map(len, (each.head, *each.lines)))) for each in moments]
    last = times.pop() + _LAST_S
    most = MOST_S - last
    factor = min(1.0, most / fsum(times)) if times else 1.0
    return [*(each * factor for each in times), last]


def _image(png: bytes) -> Image.Image:
    from PIL import Image

    with Image.open(BytesIO(png)) as opened:
        return opened.convert("RGB")


def _written(images: Sequence[Image.Image], times: Sequence[float], form: FileFormat) -> bytes:
    out = BytesIO()
    # A GIF counts in hundredths of a second; rounded down, so never more than all together.
    options: dict[str, Any] = {"save_all": True, "loop": 0, "duration": [int(each * 100) * 10 for each in times]}
    if form is FileFormat.WEBP:
        options |= {"lossless": True, "quality": 20, "method": 1}
        images[0].save(out, "WEBP", append_images=images[1:], **options)
    else:
        from PIL import Image

        montage = Image.new("RGB", (images[0].width, images[0].height // 2 * len(images)))
        for row, image in enumerate(images):
            half = image.resize((image.width, image.height // 2), Image.Resampling.NEAREST)
            montage.paste(half, (0, row * half.height))
        palette = montage.quantize(method=Image.Quantize.FASTOCTREE)  # keeps colours of which there is little
        flat = [image.quantize(palette=palette, dither=Image.Dither.NONE) for image in images]
        flat[0].save(out, "GIF", append_images=flat[1:], **options)
    return out.getvalue()
