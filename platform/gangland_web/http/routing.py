"""Converters for addresses."""

from __future__ import annotations

from typing import Any

from flask import Flask
from werkzeug.routing import IntegerConverter, Map

_MOST = 2**31 - 1


class NumberConverter(IntegerConverter):
    """A whole number that both databases can look up; a larger one is no page."""

    def __init__(self, url_map: Map, *args: Any, **kwargs: Any) -> None:
        super().__init__(url_map, *args, **{"max": _MOST, **kwargs})


def init_routing(app: Flask) -> None:
    """Make the converters known to the application's addresses; call it before any address is added."""
    app.url_map.converters["number"] = NumberConverter
