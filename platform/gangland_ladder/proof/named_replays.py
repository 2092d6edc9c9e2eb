"""Add bots' names to a replay: one line of JSON, in schema gangland/game/1."""

import json
from collections.abc import Sequence

from gangland_sandbox.wire import clean


def named_replay(replay: str, names: Sequence[str]) -> str:
    """Return a replay and its bots' names as one line of JSON, for any game; the replay is unchanged."""
    game = json.loads(replay)
    description = {
        "schema": "gangland/game/1",
        "game": game["game"],
        "options": game["options"],
        "seats": [
            {"bot": clean(name).replace("\n", " "), "place": place}
            for name, place in zip(names, game["places"], strict=True)
        ],
        "rounds": game["rounds"],
        "decisions": len(game["decisions"]),
    }
    return f'{json.dumps(description, separators=(",", ":"))[:-1]},"replay":{replay}}}'
