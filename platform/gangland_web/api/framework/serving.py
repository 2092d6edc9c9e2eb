"""A call from its request to its answer: who may, what was sent, what is done, and what is said of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from flask import g, request
from sqlalchemy.exc import IntegrityError
from werkzeug.wrappers import Response

from gangland_web.api.framework.answering import document, respond
from gangland_web.api.framework.declared import ANY_TOKEN, Call
from gangland_web.api.framework.reading import read_body, read_form, read_nothing, read_parts, read_query
from gangland_web.api.framework.refusals import REFUSALS, refused
from gangland_web.api.idempotency import Answer, fingerprint, keep, kept, key_of_request
from gangland_web.api.idempotency import Call as Sent
from gangland_web.models.accounts import organises
from gangland_web.queries.tables import serialize
from gangland_web.services.tokens import Bearer, Scope
from gangland_web.web.requests import Problem, as_problem, problem_document
from gangland_web.web.sessions import admitted, database, reading

AT_ONCE = "Another call arrived at the same moment; send this one again."


def view_of(call: Call) -> Callable[..., Response]:
    """Return the view that answers a call."""

    def view(**path: str) -> Response:
        """Answer the call, or say why not."""
        who = _who(call)
        g.current_user = who if who is not None and Scope.READ in who.scopes else None
        given = {**read_parts(call, path), "query": read_query(call), "who": who}
        if call.writes:
            if who is None:
                raise LookupError("a call that writes has to need a token")
            return _written(call, given, who)
        wanted = {name: given[name] for name in call.wants - {"db"}}
        if "db" not in call.wants:
            return respond(call, call.handler(**wanted))
        with reading() as db:
            answer = call.handler(db=db, **wanted)
        return respond(call, answer)

    view.__module__, view.__qualname__, view.__doc__ = call.handler.__module__, call.name, call.summary
    return view


def _who(call: Call) -> Bearer | None:
    """Return who calls; a token that is bad is told so even where none is needed."""
    if call.needs is None:
        return admitted(None) if "Authorization" in request.headers else None
    who = admitted(None if call.needs == ANY_TOKEN else Scope(call.needs))
    if call.needs is Scope.ORGANISE and not organises(who.role):
        raise Problem(403, "E311", "This call needs the role of an organiser, which the token's owner does not have.")
    return who


def _written(call: Call, given: dict[str, Any], who: Bearer) -> Response:
    key = key_of_request()
    given |= _sent(call)
    sent = Sent(who.owner_id, key, fingerprint(call.name.encode(), request.full_path.encode(), *_parts(given)))
    answer = _done_once(call, given, sent)
    if answer.status >= 400:
        response = as_problem(answer.document)
    else:
        response = document(answer.document, answer.status)
    if answer.again:
        response.headers["Idempotent-Replayed"] = "true"
    return response


def _sent(call: Call) -> dict[str, Any]:
    if call.form is not None:
        return {"form": read_form(call)}
    if call.body is not None:
        return {"body": read_body(call)}
    read_nothing()
    return {}


def _parts(given: dict[str, Any]) -> list[bytes]:
    """Return what was sent as bytes that are equal for equal calls."""
    if "body" in given:
        return [request.get_data()]
    if "form" not in given:
        return []
    file = request.files.get("file")
    if file is not None:
        file.stream.seek(0)
    fields = [f"{name}={value}".encode("utf-8", "replace") for name, value in sorted(request.form.items())]
    return [*fields, (file.filename or "").encode("utf-8", "replace"), file.read()] if file else fields


def _done_once(call: Call, given: dict[str, Any], sent: Sent) -> Answer:
    """Carry a call out, or give again what it was answered with before.

    Raises:
        Problem: it was refused for a reason that may pass, or another call came at the same moment.
    """
    wanted = {name: given[name] for name in call.wants - {"db"}}
    try:
        with database().write() as db:
            if (before := kept(db, sent)) is not None:
                return before
            if "db" in call.wants:
                wanted["db"] = db
            answer = Answer(call.status, serialize(call.handler(**wanted), call.answer))
            keep(db, sent, answer)
            return answer
    except REFUSALS as refusal:
        problem = refused(refusal)
        if problem.status != 422:
            raise problem from refusal
        return _refused(sent, problem)
    except IntegrityError as error:
        # The same key came twice at the same moment, and the other call was first to keep its answer: this one's
        # transaction is undone, so nothing is done twice, and its sender gets what the first one was answered with.
        with database().read() as db:
            if (before := kept(db, sent)) is not None:
                return before
        raise Problem(409, "E313", AT_ONCE) from error


def _refused(sent: Sent, problem: Problem) -> Answer:
    """Keep a refusal that the same call would meet again, and return it."""
    if problem.code == "E306":
        raise problem
    problem_json = problem_document(problem.status, problem.code, problem.detail, **problem.more)
    answer = Answer(problem.status, json.loads(json.dumps(problem_json)))
    try:
        with database().write() as db:
            if (before := kept(db, sent)) is not None:
                return before
            keep(db, sent, answer)
    except IntegrityError as error:
        raise Problem(409, "E313", AT_ONCE) from error
    return answer
