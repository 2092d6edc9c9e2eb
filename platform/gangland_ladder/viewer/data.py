"""A film as plain values for a viewer that runs in a browser.

What a person reads stands in the story, under each decision's address, and the viewer reads it there; the data holds
what is drawn.  A scene is told as what differs from another one, names down to the values that changed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from gangland_ladder.viewer.film import Film, Stop
from gangland_ladder.viewer.games import presentation_of
from gangland_ladder.viewer.keys import keys_for
from gangland_ladder.viewer.scenes import Scene, delta
from gangland_ladder.viewer.turning import result
from gangland_sandbox.wire import clean

SCHEMA: Final = "gangland/film/3"


def film_data(film: Film, start: str | None = None, game_logs: Mapping[int, str] | None = None) -> dict[str, Any]:
    """Return what the viewer walks through, as plain JSON values of the schema gangland/film/3.

    Of each stop: `at`, its address; `with`, if it is decided at the same time as the stop before; `kind`, the question;
    `before`, what differs on the table when it is asked from the table of the stop before; `table`, what its outcome
    changes of that; `seen`, what of the observation that the seat was sent differs from the table when it was asked;
    `plans` and what else stands beside the table (`running.Aside`); `luck_before` and `luck`, each seat's when it is
    asked and after it; what the game adds to a decision (`Presentation.decision_data`); `fault` and `mark`;
    `leader`, the seat that is alone in the lead from then on, if another one was before; where it is analysed
    `values_before` and `values`, what the game is worth to each seat then, and `verdict`, the mark of a decision that
    is an inaccuracy or worse.  What is empty, or as at the stop before, is left out.

    Args:
        start: the address at which the viewer opens.
        game_logs: what a bot logged in the whole game, by seat.
    """
    table: Scene = {}
    luck: list[float] = []
    worth: list[float] = []
    stops = []
    for index, stop in enumerate(film.stops):
        values: dict[str, Any] = {"at": stop.at, "kind": stop.kind}
        if index and film.stops[index - 1].ply == stop.ply:
            values["with"] = 1
        shown = (delta(table, stop.before), delta(stop.before, stop.table), delta(stop.before, stop.observation))
        values |= _filled(before=shown[0], table=shown[1], seen=shown[2])
        for name in ("luck_before", "luck"):
            if (now := _rounded(getattr(stop, name))) != luck:
                values[name] = luck = now
        for name in ("values_before", "values"):
            if (then := [round(each, 3) for each in getattr(stop, name)]) != worth:
                values[name] = worth = then
        values |= _more_of(film, index, stop)
        table = stop.table
        stops.append(values)
    return {
        "schema": SCHEMA,
        "game": film.game,
        "names": [clean(name) for name in film.names],
        "places": list(film.places),
        "rounds": film.rounds,
        "words": presentation_of(film.game).words(),
        "start": start,
        "ending": clean(result(film)),
        "stops": stops,
        "end": {
            "table": delta(table, film.table),
            "luck": _rounded(film.luck),
            "values": [] if film.analysis is None or not film.analysis.complete else list(film.analysis.scores),
            **film.aside,
        },
        "logs": {str(seat): clean(text) for seat, text in (game_logs or {}).items()},
        "keys": {name: key.action for key in keys_for("browser", film) for name in key.browser},
    }


def inline_json(data: dict[str, Any]) -> str:
    """Return JSON that no tag or comment can end or begin in."""
    text = json.dumps(data, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _more_of(film: Film, index: int, stop: Stop) -> dict[str, Any]:
    own = {} if stop.fault else presentation_of(film.game).decision_data(stop.kind, stop.decision)
    marks = {"mark": film.marks.get(index), "verdict": film.mistakes.get(index)}
    lead = {} if stop.leader is None else {"leader": stop.leader}
    return _filled(**own, **stop.aside, fault=int(stop.fault), **marks) | lead


def _filled(**values: Any) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value}


def _rounded(luck: tuple[float, ...]) -> list[float]:
    return [round(each, 2) for each in luck]
