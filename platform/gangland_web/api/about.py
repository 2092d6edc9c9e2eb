"""Calls about the site, its games and its API."""

from __future__ import annotations

import json

from flask import current_app

from gangland.games import GAME_NAMES, game_named
from gangland_ladder.errors import entries
from gangland_web.api.declared import CALLS, Stored, call
from gangland_web.api.openapi import openapi
from gangland_web.queries.status import health_now
from gangland_web.queries.tables import BASE, Code, Count, Game, Model, Moment, Path, model_from
from gangland_web.services.tokens import Scope
from gangland_web.web.requests import settings
from gangland_web.web.sessions import database


class CallResponse(Model):
    """A call."""

    name: str
    method: str
    path: str
    token: bool
    scope: str | None
    what: str


class Index(Model):
    """All calls."""

    name: str
    version: str
    docs: Path
    openapi: Path
    calls: list[CallResponse]


class Queue(Model):
    """Matches of one purpose: how many wait, how many are given out, and since when the first waits."""

    purpose: str
    waiting: Count
    playing: Count
    since: Moment | None


class AnalysisQueue(Model):
    """Games that are to be analyzed, that are being analyzed, and whose latest analysis ended without a result."""

    waiting: Count
    leased: Count
    failed: Count


class Status(Model):
    """Whether the site can do all its work, and what waits; null where it could not be asked."""

    ok: bool
    database: bool
    broker: bool
    slots: Count | None
    queues: list[Queue] | None
    analyses: AnalysisQueue | None


class Option(Model):
    """An option of a game: one of some words, or a number or a list where there are none."""

    name: str
    label: str
    values: list[str]
    default: str


class GameRules(Model):
    """A game."""

    name: Game
    title: str
    seats: list[int]
    options: list[Option]
    rules: Path


class GameKinds(Model):
    """The games of the house."""

    games: list[GameRules]


class ErrorResponse(Model):
    """A code: what happened, why it is so, and what to do about it."""

    code: Code
    title: str
    what: str
    why: str
    mend: str
    example: str
    page: str


class Errors(Model):
    """The catalogue of errors and warnings."""

    errors: list[ErrorResponse]


@call("GET", "", subject="about")
def index() -> Index:
    """List the calls."""
    rows = [
        model_from(
            CallResponse,
            each,
            path=BASE + each.path,
            token=each.needs is not None,
            scope=each.needs.value if isinstance(each.needs, Scope) else None,
            what=each.summary,
        )
        for each in CALLS.values()
    ]
    rows.sort(key=lambda each: (each.path, each.method))
    return Index(name="Gangland", version="v1", docs="/docs/api.html", openapi=f"{BASE}/openapi.json", calls=rows)


@call("GET", "/openapi.json", subject="about")
def document() -> Stored:
    """Return the whole API as an OpenAPI 3.1 document."""
    if "gangland_openapi" not in current_app.extensions:
        current_app.extensions["gangland_openapi"] = json.dumps(openapi())
    return Stored(current_app.extensions["gangland_openapi"], "openapi")


@call("GET", "/status", subject="about")
def status() -> Status:
    """Tell whether the site can do its work, and what waits."""
    found = health_now(database(), settings().redis_url)
    queues = None if found.queues is None else [model_from(Queue, each) for each in found.queues]
    analyses = None if found.analyses is None else model_from(AnalysisQueue, found.analyses)
    return model_from(Status, found, queues=queues, analyses=analyses)


@call("GET", "/games", subject="about")
def games() -> GameKinds:
    """List the games with their table sizes and options."""
    return GameKinds(games=[_game(name) for name in GAME_NAMES])


def _game(name: str) -> GameRules:
    game = game_named(name)
    options = [model_from(Option, each) for each in game.choices_of_options]
    seats = list(game.table_sizes)
    return GameRules(name=name, title=game.title, seats=seats, options=options, rules=f"/docs/rules-{name}.html")


@call("GET", "/errors", subject="about")
def errors() -> Errors:
    """List all codes of errors and warnings, with what to do about each."""
    return Errors(errors=[model_from(ErrorResponse, each) for each in entries().values()])
