"""`/api/v1`: its calls as routes."""

from __future__ import annotations

from typing import Final

from flask import Blueprint

from gangland_web.api.calls import (
    about,
    acts,
    bots,
    drafts,
    events,
    ladders,
    matches,
    orders,
    organised,
    own,
    streams,
    teams,
    tournaments,
    uploads,
)
from gangland_web.api.framework.declared import CALLS
from gangland_web.api.framework.serving import view_of
from gangland_web.http.problems import Problem, on_problem
from gangland_web.resources.fields import BASE

SUBJECTS: Final = (
    *(about, acts, bots, drafts, events, ladders, matches, orders, organised, own),
    *(streams, teams, tournaments, uploads),
)
"""The modules whose calls there are."""

pages = Blueprint("api", __name__, url_prefix=BASE)
pages.register_error_handler(Problem, on_problem)
for _call in CALLS.values():
    pages.add_url_rule(
        _call.rule,
        _call.name,
        view_of(_call),
        methods=[_call.method],
        strict_slashes=False,
        provide_automatic_options=False,
    )
