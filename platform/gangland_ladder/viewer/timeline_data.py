"""A timeline as JSON: complete for the viewer in a browser, or in timed steps for a channel that broadcasts games."""

import json
from bisect import bisect_right
from collections.abc import Container, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import Any, Final

from gangland.games import game_named
from gangland.replay import load
from gangland_ladder.viewer.commentary import result_sentence, turning_points
from gangland_ladder.viewer.navigation import keys_for
from gangland_ladder.viewer.presentation import presentation_of
from gangland_ladder.viewer.scenes import Scene, delta
from gangland_ladder.viewer.table_view import Html, TableView
from gangland_ladder.viewer.timeline import Frame, Timeline, timeline_of
from gangland_sandbox.wire import clean

# The viewer in a browser.
#
# The viewer takes texts from the page's story, by the address of each decision; this data has only what is drawn.
# Scenes are stored as differences.

SCHEMA: Final = "gangland/timeline/1"


def timeline_data(
    timeline: Timeline, start: str | None = None, game_logs: Mapping[int, str] | None = None
) -> dict[str, Any]:
    """Return the viewer's data as JSON values of the schema gangland/timeline/1; the viewer opens at `start`.

    Each frame has `at`, its address; `with`, 1 if the frame is simultaneous with the previous one; and `kind`, the kind
    of question.  Scenes are differences: `before` from the table of the previous frame to the table at the question,
    `table` from the table at the question to the table after the decision, and `seen` from the table at the question to
    the seat's observation.

    A frame also has the parts of `scenes.Aside` and of `Presentation.decision_data`; `fault` and `mark`; `leader`, the
    new sole leader; `luck_before` and `luck`, by seat.  Analyzed frames have `values_before` and `values`, the value of
    the game to each seat, and `verdict` for an inaccuracy or worse.  Empty and unchanged members are omitted.
    """
    table: Scene = {}
    luck: list[float] = []
    values: list[float] = []
    frames = []
    for index, frame in enumerate(timeline.frames):
        data: dict[str, Any] = {"at": frame.at, "kind": frame.kind}
        if index and timeline.frames[index - 1].ply == frame.ply:
            data["with"] = 1
        data |= _without_empty(
            before=delta(table, frame.before),
            table=delta(frame.before, frame.table),
            seen=delta(frame.before, frame.observation),
        )
        for name in ("luck_before", "luck"):
            if (rounded := [round(number, 2) for number in getattr(frame, name)]) != luck:
                data[name] = luck = rounded
        for name in ("values_before", "values"):
            if (rounded := [round(number, 3) for number in getattr(frame, name)]) != values:
                data[name] = values = rounded
        frames.append(data | _details(timeline, index, frame))
        table = frame.table
    return {
        "schema": SCHEMA,
        "game": timeline.game,
        "names": [clean(name) for name in timeline.names],
        "places": list(timeline.places),
        "rounds": timeline.rounds,
        "words": presentation_of(timeline.game).script_texts(),
        "start": start,
        "ending": clean(result_sentence(timeline)),
        "frames": frames,
        "end": {
            "table": delta(table, timeline.table),
            "luck": [round(seat_luck, 2) for seat_luck in timeline.luck],
            "values": []
            if timeline.analysis is None or not timeline.analysis.complete
            else list(timeline.analysis.scores),
            **timeline.aside,
        },
        "logs": {str(seat): clean(text) for seat, text in (game_logs or {}).items()},
        "keys": {name: key.action for key in keys_for("browser", timeline) for name in key.browser},
    }


def inline_json(data: dict[str, Any]) -> str:
    """Return JSON that is safe inside a `<script>`: no HTML tag or comment can begin or end in it."""
    text = json.dumps(data, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _details(timeline: Timeline, index: int, frame: Frame) -> dict[str, Any]:
    game_data = {} if frame.fault else presentation_of(timeline.game).decision_data(frame.kind, frame.decision)
    marks = {"mark": timeline.marks.get(index), "verdict": timeline.mistakes.get(index)}
    lead = {} if frame.leader is None else {"leader": frame.leader}
    return _without_empty(**game_data, **frame.aside, fault=int(frame.fault), **marks) | lead


def _without_empty(**values: Any) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value}


# A channel: the same data in timed steps.
#
# A channel sends the steps of a running game at most a few seconds ahead, so no response reveals the result early.

INTRO_S: Final = 8.0  # The time at the start during which the players are shown.
# Each pair is a number of steps, and the seconds per step up to that number. The pace depends only on steps that were
# already shown, so it does not reveal how much of the game is left.
PACE: Final = ((16, 2.0), (48, 1.2))
STEP_S: Final = 0.8  # Seconds per step after those.
HOLD_S: Final = 16.0  # The time at the end during which the result is shown.
AHEAD_S: Final = 12.0  # Steps are sent this far ahead, so that a screen can miss a few requests.
LINES: Final = 3
_WITHIN_PLY, _MARKED, _NEW_ROUND = 0.45, 0.8, 0.4  # Weights of steps; other steps have the weight 1.


@dataclass(frozen=True, slots=True)
class Broadcast:
    """A recorded game as a channel shows it."""

    timeline: Timeline
    data: dict[str, Any]
    captions: tuple[tuple[str, ...], ...]  # the captions of each step
    at_s: tuple[float, ...]  # the time of each step, and of the result, in seconds from the start
    best: tuple[tuple[int, ...], ...]  # by step, the seats with the best count; empty if all seats are equal
    points: tuple[str, ...]  # the turning points, the result first

    @property
    def end_s(self) -> float:
        """The time of the result, in seconds from the start."""
        return self.at_s[-1]

    @property
    def seconds(self) -> float:
        """The duration in seconds, including the display of the result."""
        return self.end_s + HOLD_S

    def step(self, elapsed_s: float) -> int:
        """Return the number of steps visible at this time; above `len(self.captions)` if the result is visible too."""
        return bisect_right(self.at_s, elapsed_s)

    def piece(self, after: int, elapsed_s: float) -> dict[str, Any]:
        """Return the steps that may be public at this time, without the first `after` steps.

        `end` is None until the result may be public, because it reveals the length of the game.
        """
        ready = self.step(elapsed_s + AHEAD_S)
        steps = [
            {"frame": frame, "says": captions, "at_s": round(at, 2), "best": best}
            for frame, captions, at, best in zip(self.data["frames"], self.captions, self.at_s, self.best, strict=False)
        ]
        return {"steps": steps[after:ready], "end": self._end() if ready > len(self.captions) else None}

    def _end(self) -> dict[str, Any]:
        all_at_fault = self.timeline.reason == "all_at_fault"
        return {
            **{name: self.data[name] for name in ("places", "rounds", "ending", "end")},
            "at_s": round(self.end_s, 2),
            "seconds": round(self.seconds, 2),
            "points": self.points,
            "winners": [] if all_at_fault else [seat for seat, place in enumerate(self.timeline.places) if place == 1],
        }

    def caption(self, elapsed_s: float) -> tuple[str, ...]:
        """Return the captions at this time, which are empty before the first step."""
        step = self.step(elapsed_s)
        return self.points[:1] if step > len(self.captions) else self.captions[step - 1] if step else ()

    def table_html(self, elapsed_s: float, sprite: str) -> Html:
        """Return the table at this time as HTML."""
        timeline, step = self.timeline, self.step(elapsed_s)
        frame = timeline.frames[step - 1] if 0 < step <= timeline.last else None
        over = step > timeline.last or not timeline.frames  # a game without a decision has only the end
        scene = timeline.table if over else timeline.frames[0].before if frame is None else frame.table
        return presentation_of(timeline.game).table_html(TableView(scene, -1, timeline.names, sprite))


@lru_cache(maxsize=8)
def broadcast_of(replay: str, names: tuple[str, ...]) -> Broadcast:
    """Return a recorded game as a channel shows it.  Raises ReplayError: its rules version is unknown."""
    timeline = timeline_of(load(replay), names)
    weights = [_weight(timeline, index) for index in range(timeline.last)]
    game, kinds = game_named(timeline.game), presentation_of(timeline.game).minor_events
    events = (event for events in timeline.events.values() for event in events if event[0] in kinds)
    sentences = (game.sentence(event, timeline.sentence_names) for event in events)
    minor = frozenset(filter(None, sentences))
    at_s = [INTRO_S]
    for weight, steps in zip(weights, accumulate(weights, initial=0.0), strict=False):
        at_s.append(at_s[-1] + weight * next((step_s for limit, step_s in PACE if steps < limit), STEP_S))
    return Broadcast(
        timeline=timeline,
        data=timeline_data(timeline),
        captions=tuple(_captions(timeline, index, minor) for index in range(timeline.last)),
        at_s=tuple(at_s),
        best=tuple(_best(timeline, frame.table) for frame in timeline.frames),
        points=tuple(clean(point.text) for point in turning_points(timeline)),
    )


def _best(timeline: Timeline, scene: Scene) -> tuple[int, ...]:
    best_of = max if game_named(timeline.game).unit.more_is_better else min
    owned_counts = presentation_of(timeline.game).owned(scene)
    counts = {seat: count for seat, count in enumerate(owned_counts) if not scene["seats"][str(seat)]["fault"]}
    if len(set(owned_counts)) < 2 or not counts:
        return ()
    best_count = best_of(counts.values())
    return tuple(seat for seat, count in counts.items() if count == best_count)


def _weight(timeline: Timeline, index: int) -> float:
    frame, next_frame = timeline.frames[index], timeline.frames[index + 1] if index + 1 < timeline.last else None
    if next_frame is not None and next_frame.ply == frame.ply:
        return _WITHIN_PLY
    new_round = next_frame is not None and next_frame.round != frame.round
    return 1.0 + (_MARKED if index in timeline.marks else 0.0) + (_NEW_ROUND if new_round else 0.0)


def _captions(timeline: Timeline, index: int, minor: Container[str]) -> tuple[str, ...]:
    frame = timeline.frames[index]
    results = [line for line in frame.sentences if line not in minor]
    decision = [f"{timeline.names[frame.seat]} {frame.did}."] if timeline.sentence_of(frame) is None else []
    return tuple(clean(line) for line in decision + results[len(decision) - LINES :])
