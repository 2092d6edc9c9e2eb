"""A film as plain values: for the viewer in a browser, and step by step for a channel."""

import json
from bisect import bisect_right
from collections.abc import Container, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import Any, Final

from gangland.games import game_named
from gangland.replay import load
from gangland_ladder.viewer.commentary import result, turning_points
from gangland_ladder.viewer.felt import Felt, Html
from gangland_ladder.viewer.film import Film, Stop, film_of
from gangland_ladder.viewer.navigation import keys_for
from gangland_ladder.viewer.presentation import presentation_of
from gangland_ladder.viewer.scenes import Scene, delta
from gangland_sandbox.wire import clean

# The viewer in a browser.
#
# What a person reads stands in the story, under each decision's address, and the viewer reads it there; the data holds
# what is drawn. A scene is told as what differs from another one, names down to the values that changed.


SCHEMA: Final = "gangland/film/3"


def film_data(film: Film, start: str | None = None, game_logs: Mapping[int, str] | None = None) -> dict[str, Any]:
    """Return what the viewer walks through, as plain JSON values of the schema gangland/film/3.

    Of each stop: `at`, its address; `with`, if it is decided at the same time as the stop before; `kind`, the question;
    `before`, what differs on the table when it is asked from the table of the stop before; `table`, what its outcome
    changes of that; `seen`, what of the observation that the seat was sent differs from the table when it was asked;
    `plans` and what else stands beside the table (`scenes.Aside`); `luck_before` and `luck`, each seat's when it is
    asked and after it; what the game adds to a decision (`Presentation.decision_data`); `fault` and `mark`;
    `leader`, the seat that is alone in the lead from then on, if another one was before; where it is analysed
    `values_before` and `values`, what the game is worth to each seat then, and `verdict`, the mark of a decision that
    is an inaccuracy or worse.  What is empty, or as at the stop before, is left out.

    Args:
        start: the address at which the viewer opens.
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
            if (now := [round(each, 2) for each in getattr(stop, name)]) != luck:
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
            "luck": [round(each, 2) for each in film.luck],
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


# A channel: the same data cut into steps with a time each, sent no earlier than shown.
#
# What is sent of a game that is on ends a few seconds ahead of the schedule's clock, so no answer names a result
# earlier than that before screens show it.


INTRO_S: Final = 8.0
"""How long it is announced who plays."""
PACE: Final = ((16, 2.0), (48, 1.2))
"""Up to how many usual steps each takes how long: what is sent of a game must not tell how much is left of it."""
STEP_S: Final = 0.8
"""How long each takes after these."""
HOLD_S: Final = 16.0
AHEAD_S: Final = 12.0
"""How far ahead of the clock a screen is sent steps: more than a few requests that fail."""
LINES: Final = 3
_WITHIN_PLY, _MARKED, _NEW_ROUND = 0.45, 0.8, 0.4


@dataclass(frozen=True, slots=True)
class Reel:
    """A game that is played by itself.

    Attributes:
        says: of each step its captions; at_s: when it is shown, in seconds from the beginning; best: the seats that
            hold the best count then, none where all hold the same.
    """

    film: Film
    data: dict[str, Any]
    says: tuple[tuple[str, ...], ...]
    at_s: tuple[float, ...]
    best: tuple[tuple[int, ...], ...]
    points: tuple[str, ...]

    @property
    def end_s(self) -> float:
        """When the result is shown."""
        return self.at_s[-1]

    @property
    def seconds(self) -> float:
        """How long all of it takes."""
        return self.end_s + HOLD_S

    def step(self, elapsed_s: float) -> int:
        """Return how many steps are shown so long after the beginning; `len(self.says)` and above: the result is."""
        return bisect_right(self.at_s, elapsed_s)

    def piece(self, after: int, elapsed_s: float) -> dict[str, Any]:
        """Return the steps behind the first `after` that may be known so long after the beginning.

        `end` is None until the result may be known; it then has what the film keeps for its end, when it is shown, and
        how long all takes, which says how long the game is.
        """
        ready = self.step(elapsed_s + AHEAD_S)
        stops = [
            {"stop": stop, "says": says, "at_s": round(at, 2), "best": best}
            for stop, says, at, best in zip(self.data["stops"], self.says, self.at_s, self.best, strict=False)
        ]
        over = ready > len(self.says)
        nobody = self.film.reason == "all_at_fault"
        winners = [] if nobody else [seat for seat, place in enumerate(self.film.places) if place == 1]
        times = {"at_s": round(self.end_s, 2), "seconds": round(self.seconds, 2)}
        kept = {name: self.data[name] for name in ("places", "rounds", "ending", "end")}
        return {
            "steps": stops[after:ready],
            "end": {**kept, **times, "points": self.points, "winners": winners} if over else None,
        }

    def caption(self, elapsed_s: float) -> tuple[str, ...]:
        """Return what is said so long after the beginning; nothing before the first step."""
        step = self.step(elapsed_s)
        return self.points[:1] if step > len(self.says) else self.says[step - 1] if step else ()

    def still(self, elapsed_s: float, sprite: str) -> Html:
        """Return the table as it lies so long after the beginning, as HTML."""
        film, step = self.film, self.step(elapsed_s)
        stop = film.stops[step - 1] if 0 < step <= film.last else None
        over = step > film.last or not film.stops  # of a game without a decision there is but the end
        scene = film.table if over else film.stops[0].before if stop is None else stop.table
        return presentation_of(film.game).felt(Felt(scene, -1, film.names, sprite))


@lru_cache(maxsize=8)
def reel_of(replay: str, names: tuple[str, ...]) -> Reel:
    """Return a recorded game as a channel plays it.  Raises ReplayError: its rules are not known any more."""
    film = film_of(load(replay), names)
    weights = [_weight(film, index) for index in range(film.last)]
    game, kinds = game_named(film.game), presentation_of(film.game).minor
    events = (event for events in film.events.values() for event in events if event[0] in kinds)
    sentences = (game.sentence(event, film.in_sentences) for event in events)
    minor = frozenset(filter(None, sentences))
    at_s = [INTRO_S]
    for weight, steps in zip(weights, accumulate(weights, initial=0.0), strict=False):
        at_s.append(at_s[-1] + weight * next((step_s for limit, step_s in PACE if steps < limit), STEP_S))
    return Reel(
        film=film,
        data=film_data(film),
        says=tuple(_says(film, index, minor) for index in range(film.last)),
        at_s=tuple(at_s),
        best=tuple(_best(film, stop.table) for stop in film.stops),
        points=tuple(clean(point.text) for point in turning_points(film)),
    )


def _best(film: Film, scene: Scene) -> tuple[int, ...]:
    """Return the seats that hold the best count in a scene, those at fault left out; none where all hold the same."""
    more, held = game_named(film.game).unit.more, presentation_of(film.game).owned(scene)
    counts = {seat: count for seat, count in enumerate(held) if not scene["seats"][str(seat)]["fault"]}
    if len(set(held)) < 2 or not counts:
        return ()
    best = (max if more else min)(counts.values())
    return tuple(seat for seat, count in counts.items() if count == best)


def _weight(film: Film, index: int) -> float:
    here, then = film.stops[index], film.stops[index + 1] if index + 1 < film.last else None
    if then is not None and then.ply == here.ply:
        return _WITHIN_PLY
    new_round = then is not None and then.round != here.round
    return 1.0 + (_MARKED if index in film.marks else 0.0) + (_NEW_ROUND if new_round else 0.0)


def _says(film: Film, index: int, minor: Container[str]) -> tuple[str, ...]:
    """Return what is said at a step: the decision, and the last of what came of it in its round."""
    stop = film.stops[index]
    followed = [line for line in stop.sentences if line not in minor]
    first = [f"{film.names[stop.seat]} {stop.did}."] if film.sentence_of(stop) is None else []
    return tuple(clean(line) for line in first + followed[len(first) - LINES :])
