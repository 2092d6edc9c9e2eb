"""Files of a recorded game: a picture of a decision, or a round or the game as an animated WebP or GIF."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from io import BytesIO
from math import fsum
from typing import TYPE_CHECKING, Any, Final

from gangland_ladder.viewer.drawing.canvas import Scheme
from gangland_ladder.viewer.pictures import CLIP, PREVIEW, Still, moment_at, opening, picture
from gangland_ladder.viewer.presentation import presentation_of
from gangland_ladder.viewer.timeline import NoSuchFrame, Timeline

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


def render(timeline: Timeline, part: str, form: FileFormat, scheme: Scheme, *, of: str = "") -> bytes:
    """Return a picture or a clip.

    Args:
        part: of a picture the address of a decision, a round's (its first decision) or the end's; of a clip that of a
            round, or "game".

    Raises NoSuchFrame: the game has no such part, or one that is no clip or no picture; the message says what there is.
    """
    if form is FileFormat.PNG:
        if part == GAME:
            raise NoSuchFrame(
                "a picture is of a decision: r7.s2.d1, r7 or end; the whole game is a clip, .webp or .gif"
            )
        return picture(timeline, moment_at(timeline, timeline.index_of(part)), PREVIEW, scheme, of=of)
    return clip(timeline, clip_round(timeline, part), form, scheme, of=of)


def clip_round(timeline: Timeline, part: str) -> int | None:
    """Return the number of the round of a clip, None for the whole game.  Raises NoSuchFrame: no such round or clip."""
    if part == GAME:
        return None
    if (found := _ROUND.fullmatch(part)) is None:
        raise NoSuchFrame(f"a clip is of a round or of the game: r7 or game, not {part[:40]!r}; a decision is a .png")
    timeline.round_index(int(found[1]))
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


def clip(timeline: Timeline, number: int | None, form: FileFormat, scheme: Scheme, *, of: str = "") -> bytes:
    """Return a round as a clip, or the whole game if `number` is None.

    Raises NoSuchFrame: the game has no such round; TooHeavy: it cannot be made light enough.
    """
    moments = moments_of(timeline, number)
    last = len(moments) - 1
    frames = [
        _image(picture(timeline, moment, CLIP, scheme, of=of, share=index / last if last else 1.0))
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


def moments_of(timeline: Timeline, number: int | None) -> list[Still]:
    """Return the moments of a round's clip, of the whole game's if None; `MOST_FRAMES` at most.  Raises NoSuchFrame."""
    first = timeline.round_index(1 if number is None else number)
    if not timeline.frames:  # all at fault from the beginning
        return [moment_at(timeline, timeline.last)]
    indexes = [
        index for index in range(first, timeline.last) if number is None or timeline.frames[index].round == number
    ]
    ends = number is None or number == timeline.rounds
    room = MOST_FRAMES - 1 - ends
    kept = _thinned(timeline, indexes, room) if len(indexes) > room else indexes
    begin = opening(timeline, 1 if number is None else number)
    return [
        begin,
        *(moment_at(timeline, index) for index in kept),
        *([moment_at(timeline, timeline.last)] if ends else []),
    ]


def _thinned(timeline: Timeline, indexes: Sequence[int], room: int) -> list[int]:
    """Return as many frames as there is room for: the weightier first, of equal ones every so many."""
    by_weight: dict[int, list[int]] = {}
    for index in indexes:
        by_weight.setdefault(_weight(timeline, index), []).append(index)
    kept: list[int] = []
    for weight in sorted(by_weight, reverse=True):
        frames, free = by_weight[weight], room - len(kept)
        if len(frames) > free:
            frames = [frames[each * len(frames) // free] for each in range(free)]
        kept += frames
    return sorted(kept)


def _weight(timeline: Timeline, index: int) -> int:
    """Return how much a frame matters.

    The last one comes first, then what somebody won or lost in the last round, faults and lead changes, what somebody
    won or lost before, ends of rounds, what something followed, and any change.
    """
    frame, owned = timeline.frames[index], presentation_of(timeline.game).owned
    if index + 1 == timeline.last:
        return 7
    moved = owned(frame.before) != owned(frame.table)
    if moved and frame.round == timeline.rounds:
        return 6
    if index in timeline.marks:
        return 5
    if moved:
        return 4
    if timeline.frames[index + 1].round != frame.round:
        return 3
    if frame.sentences:
        return 2
    return int(frame.table != frame.before)


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
