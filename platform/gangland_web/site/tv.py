"""Wall screens with a running game: for all ladders, one game's ladders, a tournament or an event.

All visitors see the same public data.
"""

from collections.abc import Callable
from typing import Any, Final

from flask import Blueprint, abort, jsonify, render_template, request, url_for
from sqlmodel import Session
from werkzeug.wrappers import Response

from gangland.games import FIRST_GAME
from gangland.words import join_and
from gangland_web.base.formats import GAME_TITLES, now_s
from gangland_web.models.tournaments import Tournament
from gangland_web.queries import channels, screens, status, tables
from gangland_web.services.channels import add_item, bring_forward, last_number
from gangland_web.site.serving import known_game, page_or_part, requested_number
from gangland_web.site.viewer import SPRITE, viewer_file
from gangland_web.web.middleware import maintenance_reason
from gangland_web.web.sessions import database, reading

pages = Blueprint("tv", __name__)


# Screens.

LIVE_S: Final = 5  # seconds between two updates of standings and progress
_RELOAD_S: Final = 30  # seconds between two reloads of a screen without scripts


@pages.get("/tv")
@pages.get("/tv/live", endpoint="ladders_live")
def ladders() -> Response:
    """Show all ladders: a game of any ladder, and that ladder's standings."""
    address = url_for("editor.page", game=FIRST_GAME, _external=True)
    return _page(channels.ladders_channel, address, "Write a bot and join")


@pages.get("/tv/<game>")
@pages.get("/tv/<game>/live", endpoint="game_live")
def game(game: str) -> Response:
    """Show the ladders of one game."""
    address = url_for("editor.page", game=known_game(game), _external=True)
    return _page(lambda db: channels.ladders_channel(db, game), address, "Write a bot and join")


@pages.get("/tournaments/<number:tournament_id>/tv")
@pages.get("/tournaments/<number:tournament_id>/tv/live", endpoint="tournament_live")
def tournament(tournament_id: int) -> Response:
    """Show a tournament."""
    address = url_for("tournaments.tournament", tournament_id=tournament_id, _external=True)
    return _page(lambda db: channels.tournament_channel(db, tournament_id), address, "Follow on your phone")


@pages.get("/events/<number:event_id>/tv")
@pages.get("/events/<number:event_id>/tv/live", endpoint="event_live")
def event(event_id: int) -> Response:
    """Show an event: a game of any of its tournaments, and that tournament's standings."""
    address = url_for("tournaments.event", event_id=event_id, _external=True)
    return _page(lambda db: channels.event_channel(db, event_id), address, "Follow on your phone")


def _page(find: Callable[[Session], channels.Channel], join: str, why_join: str) -> Response:
    with reading() as db:
        channel = find(db)
        running, coming = status.current_events(db)
        premiere = channels.running_premiere(db, channel, now_s())
    planned = on_air(channel) if premiere is None else channels.Schedule(premiere.item, None)
    with reading() as db:
        screen = screens.screen(db, channel, planned, premiere)
    now = screen.now
    is_open = any(tournament.state == "open" for tournament in channel.tournaments)
    markup = render_template(
        "tv/tv.html",
        screen=screen,
        title_of=screens.title_of,
        about="" if now is None else screens.introduction(now, premiere),
        rules=() if now is None else screens.course_of(now),
        still="" if now is None else now.broadcast.table_html(now_s() - now.item.starts_at, viewer_file(SPRITE)),
        live=f"{request.path.removesuffix('/live')}/live",
        live_s=LIVE_S,
        reload_s=_RELOAD_S,
        channels=_channels(channel, running),
        running=running if running not in channel.tournaments else None,
        coming=coming if coming not in channel.tournaments else None,
        join=join,
        why_join="Enter your bot" if is_open else why_join,
        sprite=viewer_file(SPRITE),
    )
    return page_or_part(markup, for_all=True)


def playing_values(channel: channels.Channel) -> dict[str, Any]:
    """Return the values of `tv/playing.html` for the current game of a channel; `on` is None without one."""
    planned = on_air(channel)
    with reading() as db:
        on = screens.current_slot(db, planned)
    if on is None:
        return {"on": None}
    elapsed_s = now_s() - on.item.starts_at
    return {
        "on": on,
        "still": on.broadcast.table_html(elapsed_s, viewer_file(SPRITE)),
        "caption": on.broadcast.caption(elapsed_s) or (f"{join_and(on.names)} begin.",),
        "is_over": on.broadcast.step(elapsed_s) > on.broadcast.timeline.last,
        "title_of": screens.title_of,
    }


def _channels(channel: channels.Channel, running: Tournament | None) -> list[tuple[str, str]]:
    titles = {url_for("tv.ladders"): "All ladders"}
    titles |= {url_for("tv.game", game=game): title for game, title in GAME_TITLES.items()}
    if running is not None:
        titles[url_for("tv.tournament", tournament_id=running.id)] = running.name
    titles.setdefault(request.path.removesuffix("/live"), channel.title)
    return [(title, address) for address, title in titles.items()]


@pages.get("/tv/items/<number:item_id>")
def item(item_id: int) -> Response:
    """Return the part of a channel's game that may be public now, as JSON for the screen's script."""
    # `?after=N` leaves out the first N steps.  `?own=1` returns the whole game to a screen whose viewer has skipped
    # ahead, which is not possible in a premiere.
    after, at = requested_number("after") or 0, now_s()
    with reading() as db:
        row = channels.get_item(db, item_id)
        if channels.is_premiered(row) and "own" in request.args:
            abort(403, "a premiere is shown at the same time on all screens")
        channel = channels.channel_of(db, row.channel)
        slot, plan = screens.slot_of_item(db, row), channels.screen_schedule(db, channel, at)
        premiere = channels.running_premiere(db, channel, at) if channels.is_premiered(row) else None
        then = channels.next_item(db, channel, row)
        ranks = screens.ranks_of_item(db, channel, row, premiere) if not after else ()
    elapsed_s = at - row.starts_at
    piece = slot.broadcast.piece(after, slot.broadcast.seconds if "own" in request.args else elapsed_s)
    if piece["end"] is not None:
        piece["end"] |= {"why": row.why, "moved": slot.rating_changes, "match": slot.match_winner}
    items = {"now": plan.now, "next": plan.next, "following": then}
    numbers = {name: planned and planned.id for name, planned in items.items()}
    answer = {"item": item_id, "elapsed_s": round(elapsed_s, 2), **numbers, "ranks": ranks}
    return jsonify(tables.serialize(answer | screens.game_members(slot, premiere) | piece))


# The schedule of a channel: its current and next items, which a request plans if no other request has done so.

_MAX_TRIES: Final = 4  # one for the current item, one for the next one, and two for losing to a faster request


def on_air(channel: channels.Channel) -> channels.Schedule:
    """Return the schedule of a channel, and plan missing items, except during maintenance.

    If the current item is no longer valid, the next one begins now.  Of several processes that plan at the same time,
    the first stores its plan, and the others read it.
    """
    schedule = channels.Schedule(None, None)
    for _ in range(_MAX_TRIES):
        with reading() as db:
            at = now_s()
            schedule = channels.schedule_at(db, channel, at)
            if (schedule.now and schedule.next) or maintenance_reason():
                break
            planned = channels.choose_game(db, channel) if schedule.next is None else None
            number = last_number(db, channel.key) + 1
        if schedule.next is not None:
            bring_forward(database(), schedule.next, at)
        elif planned is None:
            break
        else:
            add_item(database(), channel.key, number, planned, at if schedule.now is None else schedule.now.ends_at)
    return schedule
