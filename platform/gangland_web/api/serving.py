"""Serve API calls: read the request, run the handler, and return the response."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from hashlib import sha256
from math import ceil
from typing import Any, Final, Union, get_args

import msgspec
from flask import Response, request
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, delete, select
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response as AnyResponse

from gangland_ladder.errors import rejection
from gangland_ladder.pairing.permitted_tables import TablesError
from gangland_ladder.tournaments.lifecycle import MoveRefused
from gangland_sandbox.errors import UploadRejected
from gangland_web.api.declared import ANY_TOKEN, Archive, Call, Lines, Stored
from gangland_web.base.formats import now_s
from gangland_web.base.text import shown
from gangland_web.models.accounts import may_organize
from gangland_web.models.columns import add_row
from gangland_web.models.organizing import log_action
from gangland_web.models.site import StoredAnswer
from gangland_web.queries.bots import finding_of
from gangland_web.queries.tables import File, serialize
from gangland_web.services.challenges import ChallengeRefused, TooManyChallenges
from gangland_web.services.corrections import ActionRefused
from gangland_web.services.entries import EntryRefused
from gangland_web.services.ladder_days import ValueRefused
from gangland_web.services.teams import TeamRefused
from gangland_web.services.tokens import Bearer, Scope
from gangland_web.web.caching import attachment, make_conditional
from gangland_web.web.requests import Problem, document_response, problem_document
from gangland_web.web.sessions import actor_of, database, reading, require_caller

# Responses. Each is serialized by its model, so that it cannot differ from the OpenAPI document.

PIECE_BYTES = 1 << 16  # about the size of a chunk of a response that is sent line by line
_ENCODER = msgspec.json.Encoder()


def respond(call: Call, answer: Any) -> AnyResponse:
    """Return a handler's result as a response; 304 if the client already has it."""
    if isinstance(answer, Archive):
        response: AnyResponse = answer.response
        return response
    if isinstance(answer, Lines):
        return attachment(_lines(answer, call.line_model), "application/x-ndjson", f"gangland-{answer.name}.ndjson")
    if isinstance(answer, Stored):
        return _conditional_response(attachment(answer.text + "\n", "application/json", f"gangland-{answer.name}.json"))
    return _conditional_response(document(serialize(answer, call.answer), call.status))


def document(body: Any, status: int) -> Response:
    """Return JSON values as a response; for status 201 or 202, the `Location` header is their `url`."""
    response = Response(_ENCODER.encode(body) + b"\n", status=status, mimetype="application/json")
    if status in (201, 202):
        response.headers["Location"] = body["url"]
    return response


def _conditional_response(response: Response) -> AnyResponse:
    return make_conditional(response) if request.method in ("GET", "HEAD") else response


def _lines(answer: Lines[Any], model: Any) -> Iterator[bytes]:
    piece = bytearray()
    for row in answer.rows:
        piece += _ENCODER.encode(serialize(row, model)) + b"\n"
        if len(piece) >= PIECE_BYTES:
            yield bytes(piece)
            piece.clear()
    yield bytes(piece)


# Requests, parsed into the models that the call declares; unknown or invalid input is refused.

FORM: str = "multipart/form-data"


def read_parts(call: Call, texts: dict[str, str]) -> dict[str, Any]:
    """Return the parsed parts of the path.  Raises Problem."""
    read = {}
    for name, kind in call.parts.items():
        try:
            read[name] = _value_of(texts[name], kind)
        except msgspec.ValidationError as error:
            raise Problem(404, "E310", f"There is no such URL: {name}: {_error_text(error)}.") from error
    return read


def _value_of(text: str, kind: Any) -> Any:
    """Return a text from a URL as a value; "null" is not None, because callers omit the parameter instead."""
    if text.strip().lower() == "null" and type(None) in get_args(kind):
        kind = Union[tuple(part for part in get_args(kind) if part is not type(None))]  # noqa: UP007 (built from a tuple)
    try:
        value = msgspec.convert(text, kind, strict=False)
    except msgspec.ValidationError:
        if text.isascii() and text.isdigit() and len(text) <= 9 and str(int(text)) == text:
            return msgspec.convert(int(text), kind)
        raise
    if isinstance(value, int) and not isinstance(value, bool) and str(value) != text:
        raise msgspec.ValidationError(f"Expected `int` in its usual form, {value}")
    return value


def read_query(call: Call) -> Any:
    """Return the parsed query.  Raises Problem."""
    texts = _single(request.args, "the query string")
    names = {field.name: field for field in msgspec.structs.fields(call.query)}
    for name in texts:
        if name not in names:
            known = ", ".join(names) or "none"
            raise Problem(400, "E309", f"This call has no parameter {_quoted(name)}; it takes {known}.")
    values: dict[str, Any] = {}
    for name, text in texts.items():
        try:
            values[name] = _value_of(text, names[name].type)
        except msgspec.ValidationError as error:
            raise Problem(400, "E309", f"Invalid parameter {name}: {_error_text(error)}.") from error
    try:
        return msgspec.convert(values, call.query)
    except msgspec.ValidationError as error:
        raise Problem(400, "E309", f"Invalid parameters: {_error_text(error)}.") from error


def read_body(call: Call) -> Any:
    """Return the parsed JSON body.  Raises Problem."""
    if request.mimetype != "application/json":
        raise Problem(415, "E309", f"Send the body as application/json, not {_quoted(request.mimetype)}.")
    try:
        read = msgspec.json.decode(request.get_data(), type=call.body)
        json.loads(request.get_data(), object_pairs_hook=_unique_members)
        return read
    except msgspec.ValidationError as error:
        raise Problem(422, "E309", f"Invalid body: {_error_text(error)}.") from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Problem(400, "E309", f"The body is not valid JSON: {_error_text(error)}.") from error


def _unique_members(members: list[tuple[str, Any]]) -> None:
    """Refuse an object with two members of the same name, because parsers disagree about which one counts."""
    names: set[str] = set()
    for name, _ in members:
        if name in names:
            raise Problem(422, "E309", f"The body has {_quoted(name)} more than once in one object.")
        names.add(name)


def read_form(call: Call) -> Any:
    """Return the parsed form with its files.  Raises Problem."""
    if request.mimetype != FORM:
        raise Problem(415, "E309", f"Send {FORM}, not {_quoted(request.mimetype)}.")
    values: dict[str, Any] = _single(request.form, "the form")
    for name, file in request.files.items(multi=True):
        if name in values:
            raise Problem(422, "E309", f"The form has {_quoted(name)} twice.")
        values[name] = File(file.filename or "", file.read())
    try:
        return msgspec.convert(values, call.form)
    except msgspec.ValidationError as error:
        raise Problem(422, "E309", f"Invalid form: {_error_text(error)}.") from error


def check_no_body() -> None:
    """Check that the request has no body.  Raises Problem: it has one."""
    if request.get_data(cache=False):
        raise Problem(422, "E309", "This call takes no body.")


def _single(values: MultiDict[str, str], source: str) -> dict[str, str]:
    for name in values:
        if len(values.getlist(name)) > 1:
            raise Problem(400, "E309", f"{_quoted(name)} appears more than once in {source}.")
    return values.to_dict()


def _quoted(text: str) -> str:
    return repr(shown(text, limit=40))


def _error_text(error: Exception) -> str:
    return shown(str(error).replace("`", "'").removesuffix("."), limit=300)


# Refusals by services, as problems with codes from the catalog.

# The exceptions of handlers that are reported to callers.
REFUSALS: Final = (
    *(UploadRejected, EntryRefused, ActionRefused, ChallengeRefused, MoveRefused, TablesError, TeamRefused),
    *(ValueRefused, Problem),
)


def problem_of(refusal: Exception) -> Problem:
    """Return a refusal as a problem for the caller."""
    if isinstance(refusal, Problem):
        return refusal
    if isinstance(refusal, UploadRejected):
        finding = rejection(refusal)
        return Problem(
            422, finding.code, finding.message, extra={"findings": [msgspec.to_builtins(finding_of(finding))]}
        )
    if isinstance(refusal, TooManyChallenges):
        headers = {} if refusal.wait_s is None else {"Retry-After": str(ceil(refusal.wait_s))}
        return Problem(429, "E307", shown(str(refusal)), headers=headers)
    text = shown(str(refusal))
    return Problem(422, "E312", text[:1].upper() + text[1:] + ("" if text.endswith(".") else "."))


# Idempotency: a repeated call with the same Idempotency-Key gets the first response.

STORED_S = 24 * 3600
MAX_STORED = 100  # per user; the oldest responses are deleted first
SHOWN_ONCE = frozenset({"invite_code"})  # members that are not stored; they are null in a repeated response
_KEY = re.compile(r'"?([!-~]{1,64}?)"?')


@dataclass(frozen=True, slots=True)
class SentCall:
    """A user's call, with the key and the fingerprint that identify repetitions."""

    owner_id: int
    key: str | None  # the Idempotency-Key, if any
    fingerprint: str  # identifies the whole request


@dataclass(frozen=True, slots=True)
class Answer:
    """The response to a call, as it is stored."""

    status: int
    document: dict[str, Any]
    is_repeated: bool = False  # whether it repeats a stored response


def key_of_request() -> str | None:
    """Return the request's Idempotency-Key, or None.  Raises Problem: it is malformed."""
    header = request.headers.get("Idempotency-Key")
    if header is None:
        return None
    match = _KEY.fullmatch(header.strip())
    if match is None:
        raise Problem(400, "E309", "An Idempotency-Key must have 1 to 64 printable ASCII characters and no spaces.")
    return match[1]


def fingerprint(*parts: bytes) -> str:
    """Return the SHA-256 (hex) of these parts, each preceded by its length."""
    digest = sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()


def stored_answer(db: Session, call: SentCall) -> Answer | None:
    """Return the stored response to the call, or None.  Raises Problem: the key was used for another request."""
    if call.key is None:
        return None
    answer = db.get(StoredAnswer, (call.owner_id, call.key))
    if answer is None or answer.created_at < now_s() - STORED_S:
        return None
    if answer.fingerprint != call.fingerprint:
        raise Problem(422, "E306", "Another body was sent with this Idempotency-Key. Create a new key for a new call.")
    return Answer(answer.status, json.loads(answer.answer), is_repeated=True)


def store_answer(db: Session, call: SentCall, answer: Answer) -> None:
    """Store the response to a call with a key, and delete responses that are too old or too many."""
    if call.key is None:
        return
    own = col(StoredAnswer.owner_id) == call.owner_id
    newest = select(StoredAnswer.key).where(own).order_by(col(StoredAnswer.created_at).desc(), col(StoredAnswer.key))
    newest_keys = list(db.exec(newest.limit(MAX_STORED - 1)).all())
    outdated = col(StoredAnswer.key).not_in(newest_keys) | (col(StoredAnswer.created_at) < now_s() - STORED_S)
    db.exec(delete(StoredAnswer).where(own, outdated))
    text = json.dumps(answer.document | dict.fromkeys(SHOWN_ONCE & answer.document.keys()))
    add_row(db, StoredAnswer(**asdict(call), status=answer.status, answer=text, created_at=now_s()))


# Views: check permission, read the request, run the handler, and respond.

CONCURRENT_CALL = "Another call arrived at the same time. Retry this one."


def view_of(call: Call) -> Callable[..., AnyResponse]:
    """Return the view that answers a call."""

    def view(**path: str) -> AnyResponse:
        """Answer the call.  Raises Problem."""
        who = _caller_of(call)
        arguments = {**read_parts(call, path), "query": read_query(call), "who": who}
        if call.writes:
            if who is None:
                raise LookupError("a call that writes must require a token")
            return _serve_write(call, arguments, who)
        parameters = {name: arguments[name] for name in call.parameters - {"db"}}
        if "db" not in call.parameters:
            return respond(call, call.handler(**parameters))
        with reading() as db:
            answer = call.handler(db=db, **parameters)
        return respond(call, answer)

    view.__module__, view.__qualname__, view.__doc__ = call.handler.__module__, call.name, call.summary
    return view


def _caller_of(call: Call) -> Bearer | None:
    if call.needs is None:
        return require_caller(None) if "Authorization" in request.headers else None
    who = require_caller(None if call.needs == ANY_TOKEN else Scope(call.needs))
    if call.needs is Scope.ORGANIZE and not may_organize(who.role):
        raise Problem(403, "E311", "This call requires the organizer role, which the token's owner does not have.")
    return who


def _serve_write(call: Call, arguments: dict[str, Any], who: Bearer) -> AnyResponse:
    key = key_of_request()
    arguments |= _read_input(call)
    sent = SentCall(who.owner_id, key, fingerprint(call.name.encode(), request.full_path.encode(), *_parts(arguments)))
    answer = _carry_out(call, arguments, sent)
    if answer.status >= 400:
        response = document_response(answer.document)
    else:
        response = document(answer.document, answer.status)
    if answer.is_repeated:
        response.headers["Idempotent-Replayed"] = "true"
    return response


def _read_input(call: Call) -> dict[str, Any]:
    if call.form is not None:
        return {"form": read_form(call)}
    if call.body is not None:
        return {"body": read_body(call)}
    check_no_body()
    return {}


def _parts(arguments: dict[str, Any]) -> list[bytes]:
    if "body" in arguments:
        return [request.get_data()]
    if "form" not in arguments:
        return []
    file = request.files.get("file")
    if file is not None:
        file.stream.seek(0)
    fields = [f"{name}={value}".encode("utf-8", "replace") for name, value in sorted(request.form.items())]
    return [*fields, (file.filename or "").encode("utf-8", "replace"), file.read()] if file else fields


def _carry_out(call: Call, arguments: dict[str, Any], sent: SentCall) -> Answer:
    """Carry out a call, or return its stored response.  Raises Problem."""
    parameters = {name: arguments[name] for name in call.parameters - {"db"}}
    try:
        with database().write() as db:
            if (before := stored_answer(db, sent)) is not None:
                return before
            if "db" in call.parameters:
                parameters["db"] = db
            answer = Answer(call.status, serialize(call.handler(**parameters), call.answer))
            if arguments["who"].token_id is None:
                log_action(
                    db, actor_of(arguments["who"]), "called from a shell", subject=f"{call.method} {request.path}"
                )
            store_answer(db, sent, answer)
            return answer
    except REFUSALS as refusal:
        problem = problem_of(refusal)
        if problem.status != 422:
            raise problem from refusal
        return _store_refusal(sent, problem)
    except IntegrityError as error:
        # Another call with the same key has just stored its response.  The transaction of this call is rolled back, so
        # nothing is done twice, and this caller gets the stored response.
        with database().read() as db:
            if (before := stored_answer(db, sent)) is not None:
                return before
        raise Problem(409, "E313", CONCURRENT_CALL) from error


def _store_refusal(sent: SentCall, problem: Problem) -> Answer:
    """Store and return a refusal as the response to the call.  Raises Problem for a reused key (E306)."""
    if problem.code == "E306":
        raise problem
    problem_json = problem_document(problem.status, problem.code, problem.detail, **problem.extra)
    answer = Answer(problem.status, json.loads(json.dumps(problem_json)))
    try:
        with database().write() as db:
            if (before := stored_answer(db, sent)) is not None:
                return before
            store_answer(db, sent, answer)
    except IntegrityError as error:
        raise Problem(409, "E313", CONCURRENT_CALL) from error
    return answer
