"""Hints at practice tables: asked for by the person, worked out by whoever analyses games, kept with the table."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, Protocol

import msgspec
from sqlalchemy import delete, update
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, select

from gangland_ladder.analysis.games import has_reference
from gangland_ladder.common.release import this_release
from gangland_ladder.playing.hints import (
    HintAnswer,
    HintOption,
    HintOrder,
    HintRefused,
    checked_options,
    decode_answer,
    hint_order,
)
from gangland_ladder.playing.standing import NotOpen, Standing
from gangland_web.base.clock import now_s
from gangland_web.base.text import shown
from gangland_web.league.leases import has_ended
from gangland_web.league.playing.recording import REASON_CHARS, RecordedTable
from gangland_web.league.playing.standings import setup_of, standings
from gangland_web.models.columns import stored, table_of
from gangland_web.models.database import Database
from gangland_web.models.jobs import (
    HINT_LEASE_S,
    TABLE_ATTEMPTS,
    HintState,
    PlayHint,
    PlayTable,
    TableState,
    TableVerdict,
)
from gangland_web.models.site import maintenance

TOKEN_BYTES: Final = 16


class NoHints(ValueError):
    """No hint is given at this table; the message is for the person."""


class HintPost(Protocol):
    """What sending hints needs of the broker."""

    def send_hint(self, order: HintOrder) -> None:
        """Send an order to those who analyse games."""


def check_hint(session: Session, table: PlayTable, number: int) -> None:
    """See that a hint can be asked for at a question; before anything is locked.

    Args:
        number: of the question.

    Raises:
        NoHints: it is no practice table, or there is no reference of its game.
        NotOpen: that question is not open.
    """
    setup = setup_of(table)
    if not table.practice or not has_reference(setup.game):
        raise NoHints("There are hints at practice tables alone.")
    if table.state != TableState.PERSON:
        raise NotOpen("no question is open")
    with standings.lend(session, table) as standing:
        open_question = standing.open_question(*setup.persons)
    if open_question.number != number:
        raise NotOpen(f"question {number} is not open, question {open_question.number} is")


def ask_hint(session: Session, table: PlayTable, number: int) -> None:
    """Have the reference asked for a question that was checked; nothing happens if it is or was already.

    A question that was answered meanwhile is not open any more, and `send_hints` forgets its hint.
    """
    hint = find_hint(session, table, number)
    if hint is None:
        try:
            with session.begin_nested():
                session.add(PlayHint(table_id=table.id, number=number, token=secrets.token_hex(TOKEN_BYTES)))
                session.flush()
        except IntegrityError:  # asked twice at the same moment
            session.expire_all()
    elif hint.state == HintState.FAILED:
        hint.state, hint.attempt = HintState.WAITING.value, 0
        session.add(hint)
        session.flush()


def find_hint(session: Session, table: PlayTable, number: int) -> PlayHint | None:
    """Return the hint that was asked for at a question of a table's person, None for none."""
    return session.get(PlayHint, (table.id, number))


def options_of(hint: PlayHint) -> list[HintOption]:
    """Return what a hint says, best first; nothing while it is not there."""
    return msgspec.convert(hint.options or [], list[HintOption])


def send_hints(database: Database, post: HintPost) -> int:
    """Send what the reference is to be asked; return how many.

    What was asked for at a question that is not open any more is forgotten.
    """
    with database.read() as session:
        if session.exec(_waiting().limit(1)).first() is None:
            return 0
    with database.write() as session:
        if maintenance(session) is not None:
            return 0
        leased = [_lease(session, hint) for hint in session.exec(_waiting()).all()]
    sent = [order for order in leased if order is not None]
    for order in sent:
        post.send_hint(order)
    return len(sent)


def sweep_hints(database: Database) -> int:
    """Take back leases that fell silent, so that the reference is asked again, or not; return how many."""
    ended = has_ended(col(PlayHint.lease_until), now_s(), HINT_LEASE_S)
    silent = select(PlayHint).where(PlayHint.state == HintState.LEASED.value, ended)
    with database.read() as session:
        if session.exec(silent.limit(1)).first() is None:
            return 0
    with database.write() as session:
        taken = session.exec(silent).all()
        for hint in taken:
            _end(session, hint, HintState.WAITING if hint.attempt < TABLE_ATTEMPTS else HintState.FAILED)
    return len(taken)


def record_hint(database: Database, text: str) -> RecordedTable:
    """Take in an answer: decoded strictly, its decisions checked, and kept while its question is open.

    One that comes after its lease counts, too: the worker stands back for everybody, and is at times kept waiting.
    """
    try:
        answer = decode_answer(text)
    except HintRefused as refused:
        return RecordedTable(TableVerdict.REFUSED, None, str(refused))
    if answer.release != this_release():
        return RecordedTable(TableVerdict.REFUSED, answer.id, f"it is of release {answer.release[:40]!r}")
    with database.read() as session:
        table = session.get(PlayTable, answer.id)
        kind, why, options = _checked(session, table, answer) if table is not None else (TableVerdict.STALE, "", None)
    with database.write() as session:
        its = (PlayHint.table_id == answer.id, PlayHint.number == answer.number, PlayHint.token == answer.token)
        hint = session.exec(select(PlayHint).where(*its, PlayHint.state != HintState.DONE.value)).first()
        if hint is None:
            return RecordedTable(TableVerdict.STALE, answer.id)
        if kind is TableVerdict.STALE:
            session.delete(hint)
        else:
            _end(session, hint, HintState.FAILED if options is None else HintState.DONE, options)
    return RecordedTable(kind, answer.id, why)


def _checked(
    session: Session, table: PlayTable, answer: HintAnswer
) -> tuple[TableVerdict, str, Sequence[HintOption] | None]:
    """Return what becomes of an answer, why, and the options that it gives; before anything is locked."""
    with _standing_at(session, table, answer.number) as standing:
        if standing is None:
            return TableVerdict.STALE, "", None
        if answer.failed:
            return TableVerdict.FAILED, shown(answer.failed, limit=REASON_CHARS), None
        try:
            return TableVerdict.TAKEN, "", checked_options(standing, standing.setup.persons[0], answer)
        except HintRefused as refused:
            return TableVerdict.REFUSED, shown(str(refused), limit=REASON_CHARS), None


def _end(session: Session, hint: PlayHint, state: HintState, options: Sequence[HintOption] | None = None) -> None:
    hint.state, hint.lease_until = state.value, None
    hint.options = None if options is None else msgspec.to_builtins(options)
    session.add(hint)
    session.flush()


@contextmanager
def _standing_at(session: Session, table: PlayTable, number: int) -> Iterator[Standing | None]:
    """Lend where a table stands if this question of its person is open, else None."""
    if table.state != TableState.PERSON:
        yield None
        return
    with standings.lend(session, table) as standing:
        question = standing.find_question(standing.setup.persons[0])
        yield standing if question is not None and question.number == number else None


def _waiting() -> Any:
    waiting = select(PlayHint).where(PlayHint.state == HintState.WAITING.value)
    return waiting.order_by(col(PlayHint.table_id), col(PlayHint.number))


def _lease(session: Session, hint: PlayHint) -> HintOrder | None:
    """Lease a hint by a conditional update; None if somebody was faster, or its question is not open any more."""
    number = stored(hint.number)
    its = (col(PlayHint.table_id) == hint.table_id, col(PlayHint.number) == number)
    until = now_s() + HINT_LEASE_S
    with _standing_at(session, session.get_one(PlayTable, hint.table_id), number) as standing:
        if standing is None:
            session.connection().execute(delete(table_of(PlayHint)).where(*its))
            return None
        seat = standing.setup.persons[0]
        order = hint_order(standing, seat, id=stored(hint.table_id), token=hint.token, until=until)
    values: dict[str, Any] = {"state": HintState.LEASED.value, "lease_until": until}
    values["attempt"] = col(PlayHint.attempt) + 1
    waiting = col(PlayHint.state) == HintState.WAITING.value
    leased = session.connection().execute(update(table_of(PlayHint)).where(*its, waiting).values(**values))
    return order if leased.rowcount == 1 else None
