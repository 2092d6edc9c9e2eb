"""`/api/v1`: its calls as routes."""

from __future__ import annotations

from flask import Blueprint
from werkzeug.utils import find_modules, import_string

from gangland_web.api.framework.declared import CALLS
from gangland_web.api.framework.serving import view_of
from gangland_web.queries.tables import BASE
from gangland_web.web.requests import Problem, on_problem

for _module in find_modules("gangland_web.api.calls"):
    import_string(_module)  # which declares its calls

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
