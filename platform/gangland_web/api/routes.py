"""`/api/v1`: the calls as routes."""

from __future__ import annotations

from flask import Blueprint

from gangland_web.api import accounts, bots, matches, organising, tournaments  # noqa: F401  # they declare their calls
from gangland_web.api.declared import CALLS
from gangland_web.api.serving import view_of
from gangland_web.queries.tables import BASE
from gangland_web.web.requests import Problem, on_problem

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
