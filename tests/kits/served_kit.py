"""A site behind a real HTTP server on this machine, and tokens of its users."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Any

from sqlalchemy import update
from tests.kits.models import Token, User, row_id
from tests.kits.pages_kit import Site
from werkzeug.serving import WSGIRequestHandler, make_server

from gangland_web.base import formats, text
from gangland_web.services import tokens

TOKEN = re.compile(r"gangland_[1-9][0-9]*_[0-9a-f]{64}")
Wsgi = Callable[[dict[str, Any], Any], Any]


class _Quiet(WSGIRequestHandler):
    def log(self, type: str, message: str, *args: Any) -> None:
        """Do not log requests."""


@contextmanager
def served(app: Wsgi) -> Iterator[str]:
    server = make_server("127.0.0.1", 0, app, threaded=True, request_handler=_Quiet)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def author(site: Site, name: str) -> int:
    with site.database.write() as db:
        user = User(name=name, name_key=text.name_key(name), password_hash="-", created_at=formats.now_s())
        db.add(user)
        db.flush()
        return row_id(user.id)


def new_token(site: Site, owner: int, *scopes: str, name: str = "laptop", days: int = 90) -> str:
    wanted = frozenset(map(tokens.Scope, scopes)) or tokens.DEFAULT_SCOPES
    return tokens.create_token(
        site.database, owner, name, wanted, min(days, tokens.ORGANIZE_DAYS) if tokens.Scope.ORGANIZE in wanted else days
    )


def change(site: Site, token: str, **values: Any) -> None:
    with site.database.write() as db:
        db.exec(update(Token).where(Token.id == int(token.split("_")[1])).values(**values))  # type: ignore[arg-type]


def expire(site: Site, token: str, ago_s: float = 1.0) -> None:
    end = formats.now_s() - ago_s
    change(site, token, created_at=end - 100_000, expires_at=end, last_used_at=None)


def revoke(site: Site, owner: int, token: str) -> None:
    assert tokens.revoke_token(site.database, owner, int(token.split("_")[1]))
