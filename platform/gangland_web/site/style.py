"""The style page: every part of the design in every state, alive, in the reader's own theme."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from flask import Blueprint, Response, abort, make_response, render_template

import gangland_web
from gangland_ladder.viewer.film import Film, film_of
from gangland_web.base.charts import Bar, Picture, Rated, columns, history, places, progress
from gangland_web.services.uploads import UploadForm
from gangland_web.site.games import pages_of, recorded_game
from gangland_web.site.viewer import film_markup

pages = Blueprint("style", __name__)

_FACES = (1, 2, 3, 4, 5, "gangster", "gavel", "cocktail", "gun", "finger")
_STEPS = (
    ("done", "✓", "Received", "21 Nov 2026 18:45:56 UTC", ""),
    ("done", "✓", "Scanned: size, encoding, file name", "21 Nov 2026 18:45:56 UTC, after 8 ms", ""),
    ("failed", "✕", "Legal: its sample decisions follow the rules", "", "E203 choose_reroll() returned [3]"),
    ("waiting now", "○", "Trial matches against house bots", "", ""),
    ("waiting", "○", "Active on the ladders", "", ""),
)


@pages.get("/style")
def page() -> Response:
    """Show the design; search engines need not know it."""
    wrong = UploadForm(name="Big Al", errors={"name": "That name is taken: choose another name."})
    given = {"faces": _FACES, "steps": _STEPS, "pictures": pictures()}
    return _unlisted(
        render_template("style/style.html", colours=colours(), grounds=GROUNDS, form=UploadForm(), wrong=wrong, **given)
    )


@pages.get("/style/<game>")
def table(game: str) -> Response:
    """Show the table of a game with its dice, tokens and cards: a recorded game in the viewer."""
    if pages_of(game) is None:
        abort(404)
    return _unlisted(render_template("style/table.html", game=game, **film_markup(film(game))))


def _unlisted(text: str) -> Response:
    answer = make_response(text)
    answer.headers["X-Robots-Tag"] = "noindex"
    return answer


# Samples: charts of invented figures, and a recorded game of each kind.

_BEGIN_S = 1_795_000_000.0
_HOUR_S = 3600.0


@cache
def film(game: str) -> Film:
    """Return the recorded game of a kind.  Raises ReplayError: the rules have changed since; record another one."""
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


# The design's colors as static/site.css has them, and how well one is seen on another (WCAG 2.2: 1.4.3, 1.4.11).

GROUNDS: Final = ("paper", "sheet", "sunk")
TEXT: Final = 4.5
"""The least contrast of words."""
_LINES: Final = 3.0  # the least contrast of what is drawn: borders of fields, lines of charts
_USES: Final = {
    "ink": ("words", TEXT),
    "soft": ("words beside the matter", TEXT),
    "link": ("links", TEXT),
    "brass": ("rules, focus, eyebrows", TEXT),
    "blood": ("errors, refusals", TEXT),
    "felt": ("what went well", TEXT),
    "seat1": ("seat 1", TEXT),
    "seat2": ("seat 2", TEXT),
    "seat3": ("seat 3", TEXT),
    "seat4": ("seat 4", TEXT),
    "edge": ("borders of fields", _LINES),
}
"""What each colour is for, and the contrast that it needs on every ground."""
_TOKEN: Final = re.compile(r"--(\w+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)")


@dataclass(frozen=True, slots=True)
class Colour:
    """A token in light and in dark, with the least of its contrasts on the grounds; `needed` is what it must reach."""

    name: str
    use: str
    light: str
    dark: str
    on_light: float
    on_dark: float
    needed: float


@cache
def tokens() -> dict[str, tuple[str, str]]:
    """Return the colours by name, each in light and in dark as `#rrggbb`."""
    text = (Path(gangland_web.__file__).parent / "site" / "static" / "site.css").read_text(encoding="utf-8")
    return {name: (light, dark) for name, light, dark in _TOKEN.findall(text)}


def colours() -> list[Colour]:
    """Return the colours that stand on a ground, with their contrasts."""
    return [_colour(name, *use) for name, use in _USES.items()]


def _colour(name: str, use: str, needed: float) -> Colour:
    light, dark = tokens()[name]
    least = [min(contrast(tokens()[name][theme], tokens()[ground][theme]) for ground in GROUNDS) for theme in (0, 1)]
    return Colour(name, use, light, dark, least[0], least[1], needed)


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours, 1 to 21."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def linear(colour: str) -> tuple[float, float, float]:
    """Return the red, green and blue light of a colour `#rrggbb`, 0 to 1 each."""
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return _light(red), _light(green), _light(blue)


def _light(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def _luminance(colour: str) -> float:
    red, green, blue = linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
