"""What workers send back, as JSON: input from strangers."""

from __future__ import annotations

from typing import TypeVar

import msgspec

FormT = TypeVar("FormT")


def decoded(text: str, form: type[FormT], *, most_chars: int, refused: type[ValueError]) -> FormT:
    """Read a message.

    Raises:
        ValueError: one of `refused`: it is too long, or has not that form.
    """
    if len(text) > most_chars:
        raise refused(f"it has {len(text)} characters, over {most_chars}")
    try:
        return msgspec.json.decode(text, type=form)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise refused(f"it has not the form of {form.__name__}: {error}") from error
