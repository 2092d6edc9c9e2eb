"""Pages are made one after the other in a process, and none waits for long."""

from collections.abc import Callable, Iterable
from contextlib import contextmanager
from threading import Event, Thread
from typing import Any

import pytest
from sqlalchemy import Engine, NullPool, create_engine, text
from tests.kits.postgres_kit import new_database

from gangland_web.models.database import Database
from gangland_web.web.caching import Turns

LONG_S = 30.0


class Pages:
    def __init__(self, patience_s: float = LONG_S, engine: Engine | None = None) -> None:
        self.done: list[str] = []
        self.is_made, self.may_end = Event(), Event()
        self.engine = engine or create_engine("sqlite://", poolclass=NullPool)
        self.turns = Turns(self.answer, self.engine, patience_s)
        self.during_long: Callable[[], object] = int

    def answer(self, environ: dict[str, Any], _start: Callable[..., Any]) -> Iterable[bytes]:
        if environ["PATH_INFO"] == "/slow":
            self.is_made.set()
            assert self.may_end.wait(LONG_S)
        if environ["PATH_INFO"] == "/read":
            self.is_made.set()
            with self.engine.connect() as connection:
                connection.execute(text("SELECT pg_advisory_xact_lock(1)"))
        if environ["PATH_INFO"] == "/long":
            self.during_long()
        self.done.append(environ["PATH_INFO"])
        return []

    def request(self, path: str, method: str = "GET") -> None:
        self.turns({"REQUEST_METHOD": method, "PATH_INFO": path}, lambda *_: lambda _: None)

    @contextmanager
    def slow(self) -> Any:
        thread = Thread(target=self.request, args=("/slow",))
        thread.start()
        assert self.is_made.wait(LONG_S)
        try:
            yield
        finally:
            self.may_end.set()
            thread.join()


def test_a_page_is_made_when_the_one_before_it_is_done_and_what_writes_waits_for_none() -> None:
    pages = Pages()
    other = Thread(target=pages.request, args=("/other",))
    with pages.slow():
        other.start()
        other.join(0.05)
        assert pages.done == []
        pages.request("/form", "POST")
        assert pages.done == ["/form"]
    other.join()
    assert pages.done == ["/form", "/slow", "/other"]


def test_a_page_lets_the_one_that_waits_go_first_at_its_next_statement() -> None:
    pages = Pages()
    other = Thread(target=pages.request, args=("/other",))

    def two_statements() -> None:
        with pages.engine.connect() as connection:
            connection.execute(text("SELECT 1"))
            other.start()
            while not pages.turns.is_awaited:
                Event().wait(0.001)
            assert pages.done == []
            connection.execute(text("SELECT 1"))
            assert pages.done == ["/other"]

    pages.during_long = two_statements
    pages.request("/long")
    other.join()
    assert pages.done == ["/other", "/long"]


def test_a_health_check_waits_for_no_page() -> None:
    pages = Pages()
    with pages.slow():
        pages.request("/healthz")
        assert pages.done == ["/healthz"]


def test_a_page_that_has_waited_long_enough_is_made_beside_the_other() -> None:
    pages = Pages(patience_s=0.01)
    with pages.slow():
        pages.request("/other")
        pages.request("/another")
        assert pages.done == ["/other", "/another"]
    assert pages.done == ["/other", "/another", "/slow"]


def test_a_page_that_fails_gives_its_turn_back() -> None:
    def fail(_environ: dict[str, Any], _start: Any) -> Iterable[bytes]:
        raise LookupError

    turns = Turns(fail, create_engine("sqlite://", poolclass=NullPool), LONG_S)
    with pytest.raises(LookupError):
        turns({"REQUEST_METHOD": "GET"}, lambda *_: lambda _: None)
    assert not turns.is_taken


def test_while_postgresql_carries_out_a_statement_another_page_is_made() -> None:
    database = Database(new_database(Database.close))
    pages = Pages(10 * LONG_S, database.engine)
    reader, other = (Thread(target=pages.request, args=(path,)) for path in ("/read", "/other"))
    with database.engine.connect() as holder:
        holder.execute(text("SELECT pg_advisory_xact_lock(1)"))
        reader.start()
        assert pages.is_made.wait(LONG_S)
        other.start()
        other.join(LONG_S)
        assert pages.done == ["/other"]
    reader.join()
    assert pages.done == ["/other", "/read"]
    assert not pages.turns.is_taken
    database.close()
