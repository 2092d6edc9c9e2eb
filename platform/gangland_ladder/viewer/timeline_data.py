"""A timeline as plain values: for the viewer in a browser, and step by step for a channel."""

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
from gangland_ladder.viewer.navigation import keys_for
from gangland_ladder.viewer.presentation import presentation_of
from gangland_ladder.viewer.scenes import Scene, delta
from gangland_ladder.viewer.timeline import Frame, Timeline, timeline_of
from gangland_sandbox.wire import clean

# The viewer in a browser.
#
# What a person reads stands in the story, under each decision's address, and the viewer reads it there; the data holds
# what is drawn. A scene is told as what differs from another one, names down to the values that changed.


SCHEMA: Final = "gangland/timeline/1"


def timeline_data(
    timeline: Timeline, start: str | None = None, game_logs: Mapping[int, str] | None = None
) -> dict[str, Any]:
    """Return what the viewer walks through, as plain JSON values of the schema gangland/timeline/1.

    Each frame has `at`, its address; `with`, 1 if it is simultaneous with the frame before; and `kind`, the question.
    Scenes are differences: `before` from the table of the frame before to the table at the question, `table` from that
    to the table after the decision, `seen` from the table at the question to the seat's observation.

    It also has the parts of `scenes.Aside` and of `Presentation.decision_data`; `fault` and `mark`; `leader`, the new
    sole leader; `luck_before` and `luck`, by seat.  Analyzed frames have `values_before` and `values`, what the game is
    worth to each seat, and `verdict` for an inaccuracy or worse.  Empty and unchanged members are omitted.

    Args:
        start: the address at which the viewer opens.
    """
    table: Scene = {}
    luck: list[float] = []
    worth: list[float] = []
    frames = []
    for index, frame in enumerate(timeline.frames):
        values: dict[str, Any] = {"at": frame.at, "kind": frame.kind}
        if index and timeline.frames[index - 1].ply == frame.ply:
            values["with"] = 1
        shown = (delta(table, frame.before), delta(frame.before, frame.table), delta(frame.before, frame.observation))
        values |= _filled(before=shown[0], table=shown[1], seen=shown[2])
        for name in ("luck_before", "luck"):
            if (now := [round(each, 2) for each in getattr(frame, name)]) != luck:
                values[name] = luck = now
        for name in ("values_before", "values"):
            if (then := [round(each, 3) for each in getattr(frame, name)]) != worth:
                values[name] = worth = then
        values |= _more_of(timeline, index, frame)
        table = frame.table
        frames.append(values)
    return {
        "schema": SCHEMA,
        "game": timeline.game,
        "names": [clean(name) for name in timeline.names],
        "places": list(timeline.places),
        "rounds": timeline.rounds,
        "words": presentation_of(timeline.game).words(),
        "start": start,
        "ending": clean(result(timeline)),
        "frames": frames,
        "end": {
            "table": delta(table, timeline.table),
            "luck": [round(each, 2) for each in timeline.luck],
            "values": []
            if timeline.analysis is None or not timeline.analysis.complete
            else list(timeline.analysis.scores),
            **timeline.aside,
        },
        "logs": {str(seat): clean(text) for seat, text in (game_logs or {}).items()},
        "keys": {name: key.action for key in keys_for("browser", timeline) for name in key.browser},
    }


def inline_json(data: dict[str, Any]) -> str:
    """Return JSON that no tag or comment can end or begin in."""
    text = json.dumps(data, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _more_of(timeline: Timeline, index: int, frame: Frame) -> dict[str, Any]:
    own = {} if frame.fault else presentation_of(timeline.game).decision_data(frame.kind, frame.decision)
    marks = {"mark": timeline.marks.get(index), "verdict": timeline.mistakes.get(index)}
    lead = {} if frame.leader is None else {"leader": frame.leader}
    return _filled(**own, **frame.aside, fault=int(frame.fault), **marks) | lead


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

    timeline: Timeline
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
        """Return the steps after the first `after` that may be public at this time.

        `end` is None until the result may be public, because it reveals the length of the game.
        """
        ready = self.step(elapsed_s + AHEAD_S)
        frames = [
            {"frame": frame, "says": says, "at_s": round(at, 2), "best": best}
            for frame, says, at, best in zip(self.data["frames"], self.says, self.at_s, self.best, strict=False)
        ]
        over = ready > len(self.says)
        nobody = self.timeline.reason == "all_at_fault"
        winners = [] if nobody else [seat for seat, place in enumerate(self.timeline.places) if place == 1]
        times = {"at_s": round(self.end_s, 2), "seconds": round(self.seconds, 2)}
        kept = {name: self.data[name] for name in ("places", "rounds", "ending", "end")}
        return {
            "steps": frames[after:ready],
            "end": {**kept, **times, "points": self.points, "winners": winners} if over else None,
        }

    def caption(self, elapsed_s: float) -> tuple[str, ...]:
        """Return what is said so long after the beginning; nothing before the first step."""
        step = self.step(elapsed_s)
        return self.points[:1] if step > len(self.says) else self.says[step - 1] if step else ()

    def still(self, elapsed_s: float, sprite: str) -> Html:
        """Return the table as it lies so long after the beginning, as HTML."""
        timeline, step = self.timeline, self.step(elapsed_s)
        frame = timeline.frames[step - 1] if 0 < step <= timeline.last else None
        over = step > timeline.last or not timeline.frames  # of a game without a decision there is but the end
        scene = timeline.table if over else timeline.frames[0].before if frame is None else frame.table
        return presentation_of(timeline.game).felt(Felt(scene, -1, timeline.names, sprite))


@lru_cache(maxsize=8)
def reel_of(replay: str, names: tuple[str, ...]) -> Reel:
    """Return a recorded game as a channel plays it.  Raises ReplayError: its rules are not known any more."""
    timeline = timeline_of(load(replay), names)
    weights = [_weight(timeline, index) for index in range(timeline.last)]
    game, kinds = game_named(timeline.game), presentation_of(timeline.game).minor
    events = (event for events in timeline.events.values() for event in events if event[0] in kinds)
    sentences = (game.sentence(event, timeline.in_sentences) for event in events)
    minor = frozenset(filter(None, sentences))
    at_s = [INTRO_S]
    for weight, steps in zip(weights, accumulate(weights, initial=0.0), strict=False):
        at_s.append(at_s[-1] + weight * next((step_s for limit, step_s in PACE if steps < limit), STEP_S))
    return Reel(
        timeline=timeline,
        data=timeline_data(timeline),
        says=tuple(_says(timeline, index, minor) for index in range(timeline.last)),
        at_s=tuple(at_s),
        best=tuple(_best(timeline, frame.table) for frame in timeline.frames),
        points=tuple(clean(point.text) for point in turning_points(timeline)),
    )


def _best(timeline: Timeline, scene: Scene) -> tuple[int, ...]:
    """Return the seats that hold the best count in a scene, those at fault left out; none where all hold the same."""
    more, held = game_named(timeline.game).unit.more, presentation_of(timeline.game).owned(scene)
    counts = {seat: count for seat, count in enumerate(held) if not scene["seats"][str(seat)]["fault"]}
    if len(set(held)) < 2 or not counts:
        return ()
    best = (max if more else min)(counts.values())
    return tuple(seat for seat, count in counts.items() if count == best)


def _weight(timeline: Timeline, index: int) -> float:
    here, then = timeline.frames[index], timeline.frames[index + 1] if index + 1 < timeline.last else None
    if then is not None and then.ply == here.ply:
        return _WITHIN_PLY
    new_round = then is not None and then.round != here.round
    return 1.0 + (_MARKED if index in timeline.marks else 0.0) + (_NEW_ROUND if new_round else 0.0)


def _says(timeline: Timeline, index: int, minor: Container[str]) -> tuple[str, ...]:
    """Return what is said at a step: the decision, and the last of what came of it in its round."""
    frame = timeline.frames[index]
    followed = [line for line in frame.sentences if line not in minor]
    first = [f"{timeline.names[frame.seat]} {frame.did}."] if timeline.sentence_of(frame) is None else []
    return tuple(clean(line) for line in first + followed[len(first) - LINES :])
