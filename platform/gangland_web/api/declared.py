"""Declarations of API calls: the source of routes, checks, responses and the OpenAPI document."""

import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Generic, Literal, TypeVar, get_args, get_origin, get_type_hints

from gangland_web.queries.tables import Nothing
from gangland_web.services.tokens import Scope

Row = TypeVar("Row")
Handler = TypeVar("Handler", bound=Callable[..., Any])
ANY_TOKEN: Final = "token"  # noqa: S105 (any valid token)
Needs = Scope | Literal["token"] | None
# The parameters that a handler may have in addition to the parts of its path.
HANDLER_PARAMETERS: Final = frozenset({"db", "who", "query", "body", "form"})
_PART: Final = re.compile(r"\{(\w+)\}")


class Lines(Generic[Row]):
    """A response that is sent line by line, with one JSON value per line (application/x-ndjson)."""

    def __init__(self, rows: Iterator[Mapping[str, Any]], name: str) -> None:
        self.rows, self.name = rows, name


class Stored:
    """A response that is a stored JSON document, sent byte for byte."""

    def __init__(self, text: str, name: str) -> None:
        self.text, self.name = text, name


class Archive:
    """A response that is a file in another format, sent in chunks."""

    def __init__(self, response: Any) -> None:
        self.response = response


@dataclass(frozen=True, slots=True)
class Example:
    """An example call for the reference, which the tests run too; `$NAME` is a variable for the reader's value."""

    path: Mapping[str, str] = field(default_factory=dict)  # parts of the path that differ from the defaults
    query: str = ""
    body: str = ""
    form: tuple[str, ...] = ()  # fields in the format of curl's -F


@dataclass(frozen=True, slots=True)
class Call:
    """The declaration of an API call."""

    name: str
    method: str
    path: str
    subject: str
    summary: str
    description: str
    needs: Needs  # the required scope; "token" for any valid token, None for no token
    status: int  # on success
    answer: Any  # its model, or `Lines`, `Stored` or `Archive`
    parts: Mapping[str, Any]  # the types of the path's parts
    query: Any
    body: Any
    form: Any
    problems: tuple[int, ...]  # additional statuses of problems; see `refusals`
    kinds: tuple[str, ...]  # media types of a file that is not JSON
    example: Example
    handler: Callable[..., Any]
    parameters: frozenset[str]  # of the handler

    @property
    def writes(self) -> bool:
        """Whether the call changes anything; such a call can be repeated with an Idempotency-Key."""
        return self.method != "GET"

    @property
    def line_model(self) -> Any:
        """The model of a line, if the response has lines."""
        return get_args(self.answer)[0] if get_origin(self.answer) is Lines else None

    @property
    def rule(self) -> str:
        """The path in Flask's notation."""
        return _PART.sub(r"<\1>", self.path)

    @property
    def refusals(self) -> tuple[int, ...]:
        """The statuses of problems that the call can return."""
        statuses = {400, 401, 413, 429, 500, 503, *self.problems}
        if isinstance(self.needs, Scope):
            statuses.add(403)
        if self.parts:
            statuses.add(404)
        if self.writes:
            statuses |= {409, 422}
        if self.body is not None or self.form is not None:
            statuses.add(415)
        return tuple(sorted(statuses))


CALLS: dict[str, Call] = {}  # by name


def call(
    method: str,
    path: str,
    *,
    subject: str,
    needs: Needs = None,
    status: int = 200,
    problems: tuple[int, ...] = (),
    kinds: tuple[str, ...] = ("application/x-tar",),
    name: str = "",
    answer: Any = None,
    example: Example | None = None,
) -> Callable[[Handler], Handler]:
    """Declare a call from its handler's name, docstring, parameters and return type.

    The first sentence of the docstring is the summary.  The handler's parameters are the parts of the path; `query`,
    `body` or `form` (models); `db` (a session; for a write, its transaction's session); and `who` (the bearer).  `name`
    and `answer` are for handlers of several calls; the other arguments are as in `Call`.
    """

    def declare(handler: Handler) -> Handler:
        call_name = name or handler.__name__
        hints = get_type_hints(handler, include_extras=True)
        parameters = inspect.signature(handler).parameters
        parts = {name: hints[name] for name in _PART.findall(path)}
        if set(parameters) - set(parts) - HANDLER_PARAMETERS:
            raise TypeError(f"{call_name} has parameters that are not in {path}: {sorted(parameters)}")
        text = inspect.getdoc(handler) or ""
        first, _, rest = text.partition("\n")
        CALLS[call_name] = Call(
            name=call_name,
            method=method,
            path=path,
            subject=subject,
            summary=first.rstrip("."),
            description=" ".join(rest.split()),
            needs=needs,
            status=status,
            answer=answer or hints["return"],
            parts=parts,
            query=hints.get("query", Nothing),
            body=hints.get("body"),
            form=hints.get("form"),
            problems=problems,
            kinds=kinds,
            example=example or Example(),
            handler=handler,
            parameters=frozenset(parameters),
        )
        return handler

    return declare
