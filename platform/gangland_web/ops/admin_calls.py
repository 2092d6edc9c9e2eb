"""`gangland admin call` and `calls`: everything that the API can do, from a shell on the server."""

import json
import secrets
import sys
from dataclasses import replace
from importlib import import_module
from typing import Annotated, Any

import typer
from sqlmodel import Session, col, select

from gangland_web.base.formats import now_s
from gangland_web.base.text import name_key
from gangland_web.models.accounts import Membership, Role, User, is_in
from gangland_web.models.columns import stored
from gangland_web.models.organising import COMMAND_LINE
from gangland_web.ops.admin_shell import SERVER, USAGE, Data, Refused, open_database, refuse
from gangland_web.services.tokens import Bearer, Scope
from gangland_web.settings import read_settings


def calls(
    word: Annotated[str, typer.Argument(help="List only calls with this in their line, and their fields.")] = "",
) -> None:
    """List the calls of the API.

    Example: gangland admin calls "POST /organise/tournaments"
    """
    sys.stdout.writelines(f"{line}\n" for line in _shell().listed(" ".join(word.split())))


def call(
    method: Annotated[str, typer.Argument(help="GET, POST, PUT or DELETE.")],
    path: Annotated[str, typer.Argument(help="The call's path, without /api/v1.")],
    fields: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[NAME=VALUE]...", help="What is sent; OUTER.NAME=VALUE for a part, NAME=@FILE in a form."
        ),
    ] = None,
    body: Annotated[str | None, typer.Option(metavar="JSON", help="The body, in place of fields.")] = None,
    account: Annotated[
        str | None,
        typer.Option("--as", metavar="NAME", help="The account that acts; by default the first administrator's."),
    ] = None,
    data: Data = None,
) -> None:
    """Make a call of the API, on the database itself, as an account, and print its answer; the log says who acted.

    Example: gangland admin call POST /organise/tournaments/7/orders kind=move state=announced
    """
    database = open_database(data)
    with database.read() as session:
        who = _bearer(session, account)
    settings = replace(read_settings(), redis_url=None, secret_key=secrets.token_hex(), database_url=database.url)
    app = import_module("gangland_web.app").create_app(settings, database=database)
    try:
        with _shell().answered(app, who, method, path, fields or [], body) as answer:
            _print(answer)
    except (ValueError, OSError) as mistake:
        raise Refused(str(mistake)) from mistake


def _shell() -> Any:
    """The calls as they are declared: what nothing else in `ops` needs, and costs time to import."""
    return import_module("gangland_web.api.shell")


def _bearer(session: Session, name: str | None) -> Bearer:
    query = select(User, Membership.team_id).outerjoin(Membership, is_in(User.id))
    query = query.where(User.role == Role.ADMIN.value if name is None else User.name_key == name_key(name))
    query = query.where(col(User.deleted_at).is_(None), col(User.suspended_for).is_(None))
    found = session.exec(query.order_by(col(User.id)).limit(1)).first()
    if found is None:
        none = "there is no administrator yet: /setup makes one, by the code that `gangland up` prints"
        raise Refused(none if name is None else f"there is no account {name!r} that may act")
    user, team = found
    return Bearer(None, stored(user.id), user.name, COMMAND_LINE, frozenset(Scope), now_s(), user.role, team)


def _print(answer: Any) -> None:
    """Print an answer: JSON for people to read, and files as they are."""
    if answer.status_code >= 400:
        problem = answer.get_json(force=True)
        reasons = [each["message"] for each in problem.get("findings", ())]
        refuse(problem["detail"], SERVER if answer.status_code >= 500 else USAGE, *reasons)
    if answer.mimetype == "application/json" and "Content-Disposition" not in answer.headers:
        sys.stdout.write(json.dumps(answer.get_json(), indent=2) + "\n")
    else:
        sys.stdout.flush()
        sys.stdout.buffer.writelines(answer.iter_encoded())
        sys.stdout.buffer.flush()
