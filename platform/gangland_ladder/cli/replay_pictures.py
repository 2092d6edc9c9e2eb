"""`gangland replay --clip`: a picture or a clip of a recorded game, written to a file."""

from __future__ import annotations

from pathlib import Path

from gangland_ladder.cli import report
from gangland_ladder.common.runtime import ExtraMissing
from gangland_ladder.local.bots import NoSuchBot
from gangland_ladder.viewer.drawing.canvas import Scheme, need_pictures
from gangland_ladder.viewer.film import Film, NoSuchStop


def write_clip(film: Film, part: str, out: Path | None, scheme: Scheme) -> None:
    """Write a part of a game as the kind of file that its name says; NoSuchBot if that is not possible."""
    if out is None:
        raise NoSuchBot("--clip needs --out FILE, which ends in .png, .webp or .gif")
    try:
        need_pictures()
    except ExtraMissing as mistake:
        raise NoSuchBot(str(mistake)) from mistake
    from gangland_ladder.viewer.clips import Form, render

    ending = out.suffix.lower().removeprefix(".")
    if ending not in set(Form):
        raise NoSuchBot(f"--out {out}: a clip ends in .webp or .gif, a picture of a decision in .png")
    try:
        out.write_bytes(render(film, part, Form(ending), scheme))
    except NoSuchStop as mistake:
        raise NoSuchBot(f"--clip {part[:40]}: {mistake}") from mistake
    except OSError as error:
        raise NoSuchBot(f"cannot write {out}: {error.strerror}") from error
    report.say(f"written: {out}")
