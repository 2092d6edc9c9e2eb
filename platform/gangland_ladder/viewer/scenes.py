"""What a view shows, as plain values that a viewer draws: in a terminal, on a page, on the site.

A scene has a part for each seat, under the seat's number from 0 as a text, so that two scenes of a game have the
same names all the way down and the later one can be told as a difference (`delta`).  A seat's scene is its view and
nothing else; the table's scene, for people who see all, has every seat's hand besides.  A seat's part has at least
`dice`, what it has of the game's unit, as a number or a list of numbers to be added up, and `fault`.
"""

from __future__ import annotations

from typing import Any

Scene = dict[str, Any]


def copied(scene: Scene) -> Scene:
    """Return a scene of its own, all the way down; `deepcopy` takes several times as long."""
    copy: Scene = _copied(scene)
    return copy


def _copied(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _copied(each) for name, each in value.items()}
    return [_copied(each) for each in value] if isinstance(value, list) else value


def delta(before: Scene, now: Scene) -> Scene:
    """Return what of a scene differs from the one before: names with their new values, the same all the way down."""
    return {
        name: delta(before[name], value) if isinstance(value, dict) and isinstance(before.get(name), dict) else value
        for name, value in now.items()
        if name not in before or before[name] != value
    }
