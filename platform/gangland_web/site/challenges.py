"""The page of challenges: ask for one, and see those in which one's bots sit."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from flask import Blueprint, make_response, redirect, render_template, request, url_for
from sqlmodel import Session
from werkzeug.wrappers import Response

from gangland.games import game_named
from gangland_web.base.text import shown, whole_number
from gangland_web.models.bots import Bot
from gangland_web.queries.challenges import challenges_of, challenges_table, names_to_pick, own_active_bots
from gangland_web.queries.tables import TableData
from gangland_web.services.challenges import OPPONENTS, ChallengeRefused, TooMany, challenge
from gangland_web.site.responses import as_file
from gangland_web.web.requests import allowance
from gangland_web.web.sessions import database, reading, sign_in_first, signed_in

pages = Blueprint("challenges", __name__)

_LISTED = 30
_NAME_CHARS = 80


@dataclass(frozen=True, slots=True)
class ChallengeForm:
    """What was picked; `problem` says why it cannot be."""

    bot: str = ""
    opponents: tuple[str, ...] = ("",) * OPPONENTS
    problem: str = ""


@pages.route("/challenges", methods=["GET", "POST"])
@sign_in_first
def mine() -> str | Response:
    """Take a challenge, and list those in which the visitor's bots sit."""
    if request.method == "GET":
        return _page(_prefilled(whole_number(request.args.get("opponent")) or 0, signed_in().id))
    given = [request.form.get(f"opponent{number + 1}", "")[:_NAME_CHARS].strip() for number in range(OPPONENTS)]
    bot = request.form.get("bot", "")
    try:
        with database().write() as db:
            match_id = challenge(
                db, signed_in().id, whole_number(bot) or 0, [name for name in given if name], allowance()
            )
    except ChallengeRefused as refused:
        answer = make_response(_page(ChallengeForm(bot, tuple(given), str(refused))))
        answer.status_code = 429 if isinstance(refused, TooMany) else 422
        if isinstance(refused, TooMany) and refused.wait_s is not None:
            answer.headers["Retry-After"] = str(ceil(refused.wait_s))
        return answer
    return redirect(url_for("matches.match", match_id=match_id), 303)


@pages.get("/challenges.<any(csv,json):form>")
@sign_in_first
@as_file("challenges")
def listed(db: Session) -> TableData:
    """Hand out the challenges in which the visitor's bots sit, a row for each bot in each."""
    return challenges_table(challenges_of(db, signed_in().id, _LISTED))


def _page(form: ChallengeForm) -> str:
    who = signed_in().id
    with reading() as db:
        bots = own_active_bots(db, who)
        names = names_to_pick(db, {bot.game for bot in bots})
        rows = challenges_of(db, who, _LISTED)
    return render_template(
        "challenges.html", form=form, bots=bots, names=names, rows=rows, allowance=allowance(), me=who
    )


def _prefilled(opponent_id: int, owner_id: int) -> ChallengeForm:
    """Return the form as the link on a bot's page asks for it: with that bot, and one of the visitor's own of its game.

    A bot of the other game may have the same name, so without one of this game nothing is filled in.
    """
    with reading() as db:
        opponent = db.get(Bot, opponent_id) if opponent_id else None
        own = own_active_bots(db, owner_id)
    if opponent is None:
        return ChallengeForm()
    fit = next((bot for bot in own if bot.game == opponent.game), None)
    if fit is None:
        title = game_named(opponent.game).title
        return ChallengeForm(problem=f"{shown(opponent.name)} plays {title}, and no bot of yours is on its ladders.")
    return ChallengeForm(str(fit.id), (opponent.name, "", ""))
