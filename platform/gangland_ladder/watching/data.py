"""A film as plain values for a viewer that runs in a browser."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from gangland.gangster_dice.cards import COLOUR_NAMES, SYMBOL_NAMES, TOKEN_NAMES
from gangland_ladder.watching.film import Film
from gangland_ladder.watching.keys import keys_for
from gangland_ladder.watching.scenes import Scene, delta
from gangland_sandbox.wire import clean

SCHEMA: Final = "gangland/film/1"


def film_data(film: Film, start: str | None = None, game_logs: Mapping[int, str] | None = None) -> dict[str, Any]:
    """Return what `viewer.js` walks through, as plain JSON values of the schema gangland/film/1.

    Each stop has its table as what differs from the stop before, and what its seat was sent as what differs from what
    this seat was sent before.  What followed a decision stands in the page's story, under the decision's address.
    """
    table: Scene = {}
    seen: list[Scene] = [{} for _ in film.names]
    stops = []
    for index, stop in enumerate(film.stops):
        told: dict[str, Any] = {"at": stop.at, "round": stop.round, "seat": stop.seat, "ply": stop.ply, "did": stop.did}
        told |= {"table": delta(table, stop.table), "seen": delta(seen[stop.seat], stop.seen)}
        told |= {"fault": True} if stop.fault else {}
        told |= {"mark": film.marks[index]} if index in film.marks else {}
        told |= {"log": clean(stop.log)} if stop.log else {}
        table, seen[stop.seat] = stop.table, stop.seen
        stops.append(told)
    return {
        "schema": SCHEMA,
        "game": film.game,
        "names": [clean(name) for name in film.names],
        "rounds": film.rounds,
        "words": {"tokens": TOKEN_NAMES, "colours": COLOUR_NAMES, "symbols": SYMBOL_NAMES},
        "start": start,
        "logs": {str(seat): clean(text) for seat, text in (game_logs or {}).items()},
        "ending": clean(film.ending),
        "stops": stops,
        "end": delta(table, film.table),
        "keys": [
            {"action": key.action, "browser": list(key.browser), "shown": key.shown, "words": key.words}
            for key in keys_for("browser", len(film.names))
        ],
    }


def inline_json(data: dict[str, Any]) -> str:
    """Return JSON that no tag or comment can end or begin in."""
    text = json.dumps(data, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
