"""`/learn/GAME`: a lesson that teaches a game by playing its first rounds.

Nothing is kept: the address has the person's decisions so far, each as it is typed at a table in a terminal.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from flask import Blueprint, abort, make_response, redirect, render_template, request, url_for
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response

from gangland_ladder.playing.lessons import lesson_of
from gangland_ladder.playing.lessons.lesson import MOST_DECISIONS, NAMES, Form, Lesson, Place, WrongDecision
from gangland_ladder.playing.parts import NoSuchPart
from gangland_web.base.text import shown

pages = Blueprint("learn", __name__)

MOST_PARTS: Final = 200
ANSWERED: Final = "answered"
"""The field of a form whose decision is put together of parts."""


@pages.get("/learn/<game>")
def lesson(game: str) -> Response:
    """Show where the decisions in the address lead, and ask the next one."""
    found = lesson_of(game)
    if found is None:
        abort(404)
    place, problem = _followed(found, request.args.getlist("d"))
    answered = False
    if not problem and ANSWERED in request.args:
        try:
            decided = place.typed(_parts(place))
        except NoSuchPart as refused:
            answered, why = True, _shown(refused)
            problem = why[:1].upper() + why[1:]
        else:
            return redirect(url_for("learn.lesson", game=game, d=[*place.decisions, decided]), 303)
    page = render_template(
        "lesson.html",
        game=game,
        lesson=found,
        place=place,
        names=NAMES,
        problem=problem,
        chosen=request.args if answered else MultiDict(),
    )
    response = make_response(page, 422 if problem else 200)
    if request.args:
        response.headers["X-Robots-Tag"] = "noindex"
    return response


def _followed(lesson: Lesson, decisions: Sequence[str]) -> tuple[Place, str]:
    """Return where decisions lead, as far as they are possible; and what is wrong with the next one, "" for nothing."""
    given = decisions[: MOST_DECISIONS + 1]
    try:
        return Place(lesson, given), ""
    except WrongDecision as wrong:
        place = Place(lesson, given[: wrong.number - 1])
        return place, f"Decision {wrong.number} is not possible: {_shown(wrong)}"


def _parts(place: Place) -> list[str]:
    """Return the parts that a form names, a part and what was chosen for it one after the other in a form of pairs."""
    if place.form is not Form.PAIRS:
        return request.args.getlist("part")[:MOST_PARTS]
    rows = (each.id for _, things in place.groups()[:1] for each in things)
    return [part for each in rows if (chosen := request.args.get(each)) for part in (chosen, each)]


def _shown(why: Exception) -> str:
    text = shown(str(why), limit=300)
    return text if text.endswith(".") else f"{text}."
