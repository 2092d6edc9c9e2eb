"""Image files of a recorded game: a decision as a PNG, or a round or the whole game as an animated WebP or GIF."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from io import BytesIO
from math import fsum
from typing import TYPE_CHECKING, Any, Final

from gangland_ladder.viewer.drawing.canvas import Scheme
from gangland_ladder.viewer.pictures import CLIP, PREVIEW, Snapshot, picture, round_start, snapshot_at
from gangland_ladder.viewer.presentation import presentation_of
from gangland_ladder.viewer.timeline import NoSuchFrame, Timeline

if TYPE_CHECKING:
    from PIL import Image


GAME: Final = "game"
_ROUND: Final = re.compile(r"r([0-9]{1,9})")


class FileFormat(StrEnum):
    """A file format; the value is the file extension."""

    PNG = "png"
    WEBP = "webp"
    GIF = "gif"

    @property
    def mimetype(self) -> str:
        """The media type."""
        return f"image/{self.value}"


def render(timeline: Timeline, part: str, form: FileFormat, scheme: Scheme, *, label: str = "") -> bytes:
    """Return a picture or a clip.

    Args:
        part: for a picture, the address of a decision, a round or the end; for a clip, a round or "game".
        label: text about the game, drawn in the corner.

    Raises NoSuchFrame: the game has no such part, or the part needs another format; the message lists the parts.
    """
    if form is FileFormat.PNG:
        if part == GAME:
            raise NoSuchFrame(
                "a .png file shows one decision, such as r7.s2.d1, r7 or end; the whole game needs .webp or .gif"
            )
        return picture(timeline, snapshot_at(timeline, timeline.index_of(part)), PREVIEW, scheme, label=label)
    return clip(timeline, clip_round(timeline, part), form, scheme, label=label)


def clip_round(timeline: Timeline, part: str) -> int | None:
    """Return the round number of a clip, or None for the whole game.  Raises NoSuchFrame: there is no such clip."""
    if part == GAME:
        return None
    if (match := _ROUND.fullmatch(part)) is None:
        raise NoSuchFrame(f"expected a round or game, such as r7 or game, not {part[:40]!r}; a decision needs .png")
    timeline.round_index(int(match[1]))
    return int(match[1])


# Clips: snapshots as an animation.
#
# A clip has at most `MAX_IMAGES` images of `CLIP` pixels, lasts 2 to 40 seconds and is at most 3 MB. A long game
# first loses the decisions that changed nothing, then those whose results are also visible at the end of the round.

MAX_IMAGES: Final = 16  # More images in 40 seconds would change too fast to read.
MAX_S: Final = 40.0
MAX_BYTES: Final = 3_000_000
_STEPS: Final = (1, 2, 4)  # Use every image, every second or every fourth, until the clip is small enough.
_IMAGE_S: Final = (1.1, 3.2)
_CHAR_S: Final = 0.03
_LAST_S: Final = 1.6


class ClipTooLarge(ValueError):
    """The clip is too large even with a quarter of its images; no known game comes close to this limit."""


def clip(timeline: Timeline, number: int | None, form: FileFormat, scheme: Scheme, *, label: str = "") -> bytes:
    """Return a round as a clip, or the whole game if `number` is None.

    Raises NoSuchFrame: the game has no such round; ClipTooLarge: the file is too large.
    """
    snapshots = snapshots_of(timeline, number)
    last_index = len(snapshots) - 1
    images = [
        _image(picture(timeline, snapshot, CLIP, scheme, label=label, share=index / last_index if last_index else 1.0))
        for index, snapshot in enumerate(snapshots)
    ]
    durations_s, encoded = seconds_of(snapshots), b""
    for step in _STEPS:
        starts = [*range(0, last_index, step), last_index]
        ends = [*starts[1:], last_index + 1]
        spans_s = [fsum(durations_s[start:end]) for start, end in zip(starts, ends, strict=True)]
        encoded = _encode([images[index] for index in starts], spans_s, form)
        if len(encoded) <= MAX_BYTES:
            return encoded
    raise ClipTooLarge(f"a clip of {len(encoded)} bytes exceeds {MAX_BYTES}")


def snapshots_of(timeline: Timeline, number: int | None) -> list[Snapshot]:
    """Return at most `MAX_IMAGES` snapshots of a round, or of the game if None.  Raises NoSuchFrame: no such round."""
    first_index = timeline.round_index(1 if number is None else number)
    if not timeline.frames:  # all seats at fault from the start
        return [snapshot_at(timeline, timeline.last)]
    indexes = [
        index for index in range(first_index, timeline.last) if number is None or timeline.frames[index].round == number
    ]
    ends = number is None or number == timeline.rounds
    limit = MAX_IMAGES - 1 - ends
    if len(indexes) > limit:
        indexes = _thinned(timeline, indexes, limit)
    begin = round_start(timeline, 1 if number is None else number)
    return [
        begin,
        *(snapshot_at(timeline, index) for index in indexes),
        *([snapshot_at(timeline, timeline.last)] if ends else []),
    ]


def _thinned(timeline: Timeline, indexes: Sequence[int], limit: int) -> list[int]:
    """Return at most `limit` frames: the most important ones first, evenly spaced among equally important ones."""
    by_weight: dict[int, list[int]] = {}
    for index in indexes:
        by_weight.setdefault(_weight(timeline, index), []).append(index)
    thinned: list[int] = []
    for weight in sorted(by_weight, reverse=True):
        frames, free = by_weight[weight], limit - len(thinned)
        if len(frames) > free:
            frames = [frames[number * len(frames) // free] for number in range(free)]
        thinned += frames
    return sorted(thinned)


def _weight(timeline: Timeline, index: int) -> int:
    frame, owned_by = timeline.frames[index], presentation_of(timeline.game).owned
    if index + 1 == timeline.last:
        return 7
    moved = owned_by(frame.before) != owned_by(frame.table)
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


def seconds_of(snapshots: Sequence[Snapshot]) -> list[float]:
    """Return each snapshot's duration in seconds, which depends on the length of its text.

    The sum is 2 to 40.  The last duration is never shortened.
    """
    shortest, longest = _IMAGE_S
    durations = [
        min(longest, shortest + _CHAR_S * sum(map(len, (snapshot.head, *snapshot.lines)))) for snapshot in snapshots
    ]
    last_s = durations.pop() + _LAST_S
    factor = min(1.0, (MAX_S - last_s) / fsum(durations)) if durations else 1.0
    return [*(duration * factor for duration in durations), last_s]


def _image(png: bytes) -> Image.Image:
    from PIL import Image

    with Image.open(BytesIO(png)) as opened:
        return opened.convert("RGB")


def _encode(images: Sequence[Image.Image], durations_s: Sequence[float], form: FileFormat) -> bytes:
    out = BytesIO()
    # GIF durations are in hundredths of a second; rounding down keeps the clip within its limit.
    durations_ms = [int(duration * 100) * 10 for duration in durations_s]
    options: dict[str, Any] = {"save_all": True, "loop": 0, "duration": durations_ms}
    if form is FileFormat.WEBP:
        options |= {"lossless": True, "quality": 20, "method": 1}
        images[0].save(out, "WEBP", append_images=images[1:], **options)
    else:
        from PIL import Image

        montage = Image.new("RGB", (images[0].width, images[0].height // 2 * len(images)))
        for row, image in enumerate(images):
            half = image.resize((image.width, image.height // 2), Image.Resampling.NEAREST)
            montage.paste(half, (0, row * half.height))
        palette = montage.quantize(method=Image.Quantize.FASTOCTREE)  # keeps rare colors
        flat = [image.quantize(palette=palette, dither=Image.Dither.NONE) for image in images]
        flat[0].save(out, "GIF", append_images=flat[1:], **options)
    return out.getvalue()
