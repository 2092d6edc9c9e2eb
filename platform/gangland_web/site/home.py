"""The home page, and a summary of each game's rules."""

from collections.abc import Sequence
from itertools import chain

from flask import Blueprint, abort, render_template, url_for
from sqlmodel import Session
from werkzeug.wrappers import Response as Answer

from gangland.games import package_of
from gangland_ladder.viewer.sample_rounds import sample_of, sample_round
from gangland_web.base.formats import GAME_TITLES
from gangland_web.queries.channels import ladders_channel
from gangland_web.queries.ladders import BOARD, HIDDEN_AT_HOME, LadderRow, ladder_page, ladder_state
from gangland_web.queries.match_lists import upsets
from gangland_web.queries.status import Climber, climbers, current_events, latest_results, recent_matches
from gangland_web.queries.tables import TableData
from gangland_web.queries.visibility import finished_matches
from gangland_web.services.accounts import has_unused_setup_code
from gangland_web.site.serving import page_or_part
from gangland_web.site.tv import playing_values
from gangland_web.web.sessions import reading

pages = Blueprint("home", __name__)

_LIVE_S = 2  # seconds between two updates of an open page
_TOP_ROWS = 5
_CLIMBER_POOL = 20  # number of top bots of each ladder that may be shown as climbers
_MAX_CLIMBERS = 4


@pages.get("/")
@pages.get("/live", endpoint="live")
def index() -> Answer:
    """Show how to start, a running game, events, leaders, climbers, upsets and the latest results."""
    with reading() as db:
        channel = ladders_channel(db)
    with reading() as db:
        ladders = {game: _ladder(db, game) for game in GAME_TITLES}
        latest = recent_matches(db)
        now, following = current_events(db)
        results = latest_results(db)
        has_code = has_unused_setup_code(db)
    climbed = sorted(chain(*(climbers for _, climbers in ladders.values())), key=lambda climber: -climber.places)
    markup = render_template(
        "home/home.html",
        live_s=_LIVE_S,
        live_for_all=True,
        tops={game: _top(game, rows) for game, (rows, _) in ladders.items()},
        hidden=HIDDEN_AT_HOME,
        mine_ids=(),
        climbers=climbed[:_MAX_CLIMBERS],
        upsets=upsets(latest),
        **playing_values(channel),
        now=now,
        over=0 if now is None else finished_matches(now, None),
        following=following,
        results=results,
        has_setup_code=has_code,
    )
    return page_or_part(markup, for_all=True)


def _top(game: str, rows: Sequence[LadderRow]) -> TableData:
    files = {form: url_for(f"ladders.ladder_{form}", game=game, seats=2) for form in ("csv", "json")}
    return BOARD.of(rows[:_TOP_ROWS], "2 seats", **files)


def _ladder(db: Session, game: str) -> tuple[list[LadderRow], list[Climber]]:
    state = ladder_state(db, game, 2)
    if state is None:
        return [], []
    rows = [row for row in ladder_page(db, state, size=_CLIMBER_POOL).rows if row.games]
    return rows, climbers(db, game, state, rows)


@pages.get("/<game:game>/rules")
def rules(game: str) -> str:
    """Show a summary of a game's rules."""
    if sample_of(game) is None:
        abort(404)
    return render_template(f"home/rules_{package_of(game)}.html", game=game, round=sample_round(game))
