"""Open a replay file that a visitor uploads: parse it, replay it and make a timeline.  The file is not stored."""

from dataclasses import dataclass
from typing import Final

from gangland.replay import Replay, ReplayError
from gangland_ladder.cli.replay_files import entries_of
from gangland_ladder.viewer.timeline import Timeline, timeline_of
from gangland_web.base.text import sentence, shown
from gangland_web.queries.match_lists import REASONS

MAX_BYTES: Final = 256 * 1024
MAX_DECISIONS: Final = 5_000  # more than in any game of house bots
_MAX_REPLAYS: Final = 200  # per file
_NAME_CHARS: Final = 80
_MESSAGE_CHARS: Final = 400


class InvalidReplay(ValueError):
    """The file cannot be shown; the message says why."""


@dataclass(frozen=True, slots=True)
class OpenedReplay:
    """A game in a file of `replay_count` games; `number` is its position, from 1."""

    number: int
    replay_count: int
    replay: Replay
    timeline: Timeline

    @property
    def reason(self) -> str:
        """Why the game ended, as pages show it."""
        return REASONS.get(self.replay.reason, "ended")


def open_replay(data: bytes, number: int) -> OpenedReplay:
    """Replay the game at a position in a file, from 1.  Raises InvalidReplay."""
    if not data.strip():
        raise InvalidReplay("Choose a replay file, or paste one.")
    if len(data) > MAX_BYTES:
        raise InvalidReplay(f"This file is too large: at most {MAX_BYTES // 1024} KiB can be opened here.")
    entries = entries_of(data, _MAX_REPLAYS)
    if not entries:
        raise InvalidReplay(
            "This file has no replay. Expected a replay, a file from `gangland play --out`, or a replay on each line."
        )
    if not 1 <= number <= len(entries):
        raise InvalidReplay(f"This file has no replay {number}; it has {len(entries)}.")
    entry = entries[number - 1]
    names = [shown(name, limit=_NAME_CHARS).replace("\n", " ") for name in entry.names or ()] or None
    try:
        replay = entry.replay
        if len(replay.decisions) > MAX_DECISIONS:
            raise InvalidReplay(
                f"This game has {len(replay.decisions)} decisions; at most {MAX_DECISIONS} are shown here. "
                "`gangland replay` on your own machine shows them all."
            )
        timeline = timeline_of(replay, names, views=entry.views, logs=entry.logs, notes=entry.notes)
    except ReplayError as error:
        raise InvalidReplay(sentence(shown(str(error), limit=_MESSAGE_CHARS))) from error
    return OpenedReplay(number, len(entries), replay, timeline)
