"""What is read as JSON values: each through its model, so that none can be other than the schemas say."""

from __future__ import annotations

from math import isfinite
from typing import Any

import msgspec

from gangland_web.base.text import shown


def serialize(value: Any, model: Any = None) -> Any:
    """Return a value as JSON values, its text made safe to show, after its model has let it pass.

    Args:
        model: its type if it is no instance of a model.

    Raises:
        msgspec.ValidationError: it is none of the model: our mistake, and nobody sees such an answer.
    """
    return msgspec.to_builtins(msgspec.convert(_clean(msgspec.to_builtins(value)), model or type(value)))


def _clean(value: Any) -> Any:
    if isinstance(value, str):
        return shown(value)
    if isinstance(value, dict):
        return {shown(name): _clean(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_clean(each) for each in value]
    if isinstance(value, float) and not isfinite(value):
        raise ValueError(f"{value} is no number of JSON")
    return value
