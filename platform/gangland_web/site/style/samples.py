"""Samples for the style page: charts of invented figures, and a recorded game of each kind."""

from __future__ import annotations

from functools import cache

from gangland_ladder.viewer.film import Film, film_of
from gangland_web.base.charts import Bar, Picture, Rated, columns, history, places, progress
from gangland_web.site.games import recorded_game

_BEGIN_S = 1_795_000_000.0
_HOUR_S = 3600.0


@cache
def film(game: str) -> Film:
    """Return the recorded game of a kind.

    Raises:
        ReplayError: the rules have changed since; record another one.
    """
    replay = recorded_game(game, "table.json")
    return film_of(replay, names=("Ace", "Brass", "Cutter", "Duke")[: replay.seats])


def pictures() -> list[Picture]:
    """Return one chart of each kind."""
    climb = [
        Rated(_BEGIN_S + hour * _HOUR_S, 1 + hour // 12, 100 + hour, 20 + hour / 3 - (hour % 12 == 0), 8 - hour / 5)
        for hour in range(24)
    ]
    bars = [
        Bar(str(seat), value, f"{value:.0%}", f"seat {seat}", seat == 2) for seat, value in enumerate((0.31, 0.4), 1)
    ]
    made = (
        history("sample-history", "a bot", climb),
        columns("sample-columns", "Wins by seat", "Seat 2 wins most.", bars, "seat", "games won"),
        places(
            "sample-places",
            "Places by table",
            "Mostly first and second.",
            [("2 seats", (30, 18)), ("3 seats", (21, 19, 8))],
        ),
        progress("sample-progress", "Matches over", [(_BEGIN_S + 600 * done, done) for done in range(0, 30, 3)], 45),
    )
    return [picture for picture in made if picture is not None]
