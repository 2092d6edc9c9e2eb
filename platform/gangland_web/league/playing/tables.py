"""What a person does at a table: open one, answer, share it, leave it."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec
from sqlalchemy import update
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, select

from gangland.games import game_named
from gangland_ladder.common.names import distinct
from gangland_ladder.playing.records import Row, Setup, TableSeat
from gangland_ladder.playing.standing import NotOpen, Standing
from gangland_sandbox.limits import Limits
from gangland_web.base.clock import now_s
from gangland_web.base.text import normal_name, problem_with_name
from gangland_web.league.held import publicly_held
from gangland_web.league.playing.standings import setup_of
from gangland_web.league.setup import profile_of
from gangland_web.models.bots import Bot, Version
from gangland_web.models.columns import stored, table_of
from gangland_web.models.jobs import (
    AWAY_S,
    MOST_OF_VISITORS,
    MOST_TABLES,
    OPEN_TABLES,
    HintState,
    PlayHint,
    PlayRow,
    PlayTable,
    TableState,
)
from gangland_web.models.locks import hold_versions
from gangland_web.models.site import maintenance

PERSON: Final = "Person"
"""What the person is called at the table."""
TOKEN_BYTES: Final = 16
SHARED_NAME_CHARS: Final = 40
LEFT: Final = "You left this table."
AWAY: Final = "You were away for 3 minutes, and somebody else needed the table."
ROUND_LIMIT: Final = 100
"""Anybody may play, and a longer game costs more to show."""


class TableRefused(ValueError):
    """No such table can be opened, or not now; the message is for the person."""


class Person(NamedTuple):
    """Whose a table is: an account's, or a browser's (SHA-256 of what its cookie holds)."""

    owner_id: int | None
    visitor: str | None

    def owns(self, table: PlayTable) -> bool:
        """Whether it is this person's table."""
        if table.owner_id is not None:
            return table.owner_id == self.owner_id
        return self.visitor is not None and table.visitor == self.visitor


def opponents_of(session: Session, game: str) -> list[tuple[Bot, Version]]:
    """Return the bots of a game that persons may choose, the house's first, then by name."""
    chosen = (
        select(Bot, Version)
        .join(Version, col(Version.id) == Bot.active_version_id)
        .where(Bot.game == game, col(Bot.plays_persons).is_(True), col(Version.id).not_in(publicly_held(session)))
        .order_by(col(Bot.is_house).desc(), col(Bot.name_key), col(Bot.id))
    )
    return list(session.exec(chosen).all())


def _make_place(session: Session, person: Person) -> None:
    """See that one more table can be opened; one whose person is away is ended for it.

    Raises:
        TableRefused: all are taken, and nobody is away.
    """
    open_now = session.exec(select(PlayTable).where(is_open()).order_by(col(PlayTable.active_at))).all()
    of_visitors = [table for table in open_now if table.owner_id is None]
    if person.owner_id is None and len(of_visitors) >= MOST_OF_VISITORS:
        taken, words = of_visitors, f"All {MOST_OF_VISITORS} tables for people without an account are taken."
    elif len(open_now) >= MOST_TABLES:
        taken, words = list(open_now), f"All {MOST_TABLES} tables are taken."
    else:
        return
    if taken[0].active_at >= now_s() - AWAY_S:
        raise TableRefused(
            f"{words} Try again soon: a table becomes free when its game ends, or 3 minutes after its page was closed."
        )
    end_table(session, taken[0], AWAY)


def see_person(session: Session, table: PlayTable) -> None:
    """Note a sign of life of a table's person: their page is open."""
    its = (col(PlayTable.id) == table.id, is_open())
    session.connection().execute(update(table_of(PlayTable)).where(*its).values(active_at=now_s()))


def open_table(
    session: Session,
    person: Person,
    game: str,
    bot_ids: Sequence[int],
    *,
    slots: int,
    seat: int | None = None,
    options: Mapping[str, object] | None = None,
    practice: bool = False,
) -> PlayTable:
    """Open a table and return it; one that this person had open is left.

    Args:
        bot_ids: of the opponents, in order; slots: how many matches can be played at a time now.
        seat: of the person, from 0; by lot if None.
        options: those that differ from the game's defaults; practice: whether the person may ask for hints.

    Raises:
        TableRefused: there is no such table, or no place for it now.
    """
    sizes = game_named(game).table_sizes
    if len(bot_ids) + 1 not in sizes:
        raise TableRefused(f"Choose {min(sizes) - 1} to {max(sizes) - 1} opponents, not {len(bot_ids)}.")
    rounds = (options or {}).get("round_limit", 0)
    if not isinstance(rounds, int) or rounds > ROUND_LIMIT:
        raise TableRefused(f"A game at /play ends after at most {ROUND_LIMIT} rounds, not {rounds}.")
    hold_versions(session)  # so that no bot leaves meanwhile, and two who come at once are counted
    if maintenance(session) is not None:
        raise TableRefused("The site is in maintenance: no table is opened now.")
    known = {stored(bot.id): (bot, version) for bot, version in opponents_of(session, game)}
    if missing := [each for each in bot_ids if each not in known]:
        raise TableRefused(f"Bot {missing[0]} does not play persons, or is not active now.")
    for table in session.exec(select(PlayTable).where(is_open(), _whose(person))).all():
        end_table(session, table, LEFT)
    if not slots:
        raise TableRefused("Nothing can be played now: no match worker is there.")
    _make_place(session, person)
    seats = [TableSeat(known[each][0].name, known[each][1].code_sha256) for each in bot_ids]
    seats.insert(secrets.randbelow(len(seats) + 1) if seat is None else seat, TableSeat(PERSON))
    setup = Setup(game, dict(options or {}), secrets.token_hex(32), secrets.token_hex(32), tuple(seats))
    now = now_s()
    table = PlayTable(
        token=secrets.token_urlsafe(TOKEN_BYTES),
        owner_id=person.owner_id,
        visitor=None if person.owner_id is not None else person.visitor,
        setup=msgspec.to_builtins(setup),
        limits=Limits.of(profile_of(session, game), 1).to_dict(),
        practice=practice,
        opened_at=now,
        active_at=now,
    )
    session.add(table)
    session.flush()
    return table


def rematch(session: Session, person: Person, table: PlayTable, *, slots: int) -> PlayTable:
    """Open a table with the same bots and options, everybody one seat further.

    Raises:
        TableRefused: as `open_table`, or a bot has another version now or plays persons no more.
    """
    setup = setup_of(table)
    by_code = {version.code_sha256: stored(bot.id) for bot, version in opponents_of(session, setup.game)}
    turned = [setup.seats[-1], *setup.seats[:-1]]
    bots = [by_code.get(seat.code or "") for seat in turned if seat.code is not None]
    if any(bot is None for bot in bots):
        raise TableRefused("A bot of this table does not play any more as it did; choose the opponents anew.")
    seat = next(index for index, each in enumerate(turned) if each.code is None)
    opponents = [bot for bot in bots if bot is not None]
    same: dict[str, Any] = {"options": setup.options, "practice": table.practice}
    return open_table(session, person, setup.game, opponents, slots=slots, seat=seat, **same)


def names_as_shared(table: PlayTable, setup: Setup) -> tuple[str, ...]:
    """Return what the seats are called where everybody may see the game: the person as they want to be called."""
    name = table.shared_name or PERSON
    return tuple(distinct([name if seat.code is None else seat.name for seat in setup.seats]))


def add_rows(session: Session, table: PlayTable, first: int, rows: Sequence[Row]) -> None:
    """Add rows; IntegrityError if there are such rows already."""
    now = now_s()
    for number, row in enumerate(rows, first):
        session.add(PlayRow(table_id=table.id, number=number, record=msgspec.to_builtins(row), at=now))
    session.flush()


class Answer(NamedTuple):
    """A person's answer that the rules allow.

    Attributes:
        question: its number among the person's; row: the number that its row has if nothing comes between.
    """

    seat: int
    question: int
    decision: Any
    row: int


def checked_answer(table: PlayTable, standing: Standing, number: int, chosen: Any) -> Answer:
    """Return the person's answer to its open question; before anything is locked, since a long game is looked through.

    Args:
        number: of the question; chosen: the decision, as JSON has it.

    Raises:
        NotOpen: that question is not open.
        IllegalDecision: the rules refuse the answer.
    """
    if table.state != TableState.PERSON:
        raise NotOpen("no question is open")
    (seat,) = standing.setup.persons
    return Answer(seat, number, standing.check_person(seat, number, chosen), len(standing.rows))


def answer(session: Session, table: PlayTable, given: Answer) -> None:
    """Take the person's answer.

    Raises:
        NotOpen: its question was answered a moment ago.
    """
    values = {"state": TableState.BOTS.value, "active_at": now_s(), "attempt": 0}
    its = (col(PlayTable.id) == table.id, col(PlayTable.state) == TableState.PERSON.value)
    taken = session.connection().execute(update(table_of(PlayTable)).where(*its).values(**values))
    if taken.rowcount != 1:
        raise NotOpen(f"question {given.question} is answered")
    had_hint = session.get(PlayHint, (table.id, given.question))
    hint = had_hint is not None and had_hint.state == HintState.DONE
    try:
        add_rows(session, table, given.row, [Row(given.seat, given.decision, hint=hint)])
    except IntegrityError as twice:
        raise NotOpen(f"question {given.question} is answered") from twice


def end_table(session: Session, table: PlayTable, why: str) -> None:
    """End a table before its game is over; nothing happens to one that has ended."""
    values = {"state": TableState.ENDED.value, "lease_token": None, "lease_until": None, "ended_for": why}
    session.connection().execute(
        update(table_of(PlayTable)).where(col(PlayTable.id) == table.id, is_open()).values(**values)
    )
    session.expire(table)


def share(session: Session, table: PlayTable, *, shared: bool, name: str = "") -> None:
    """Let everybody who knows the address see a game that is over, or nobody else any more.

    Args:
        name: what the person wants to be called there; "" for "Person".

    Raises:
        TableRefused: it cannot be a name.
    """
    name = normal_name(name)
    if len(name) > SHARED_NAME_CHARS:
        raise TableRefused(f"The name has {len(name)} characters, over {SHARED_NAME_CHARS}.")
    if problem := problem_with_name(name):
        raise TableRefused(f"The name {problem}.")
    if table.state == TableState.OVER:
        table.shared_at = now_s() if shared else None
        table.shared_name = name or None if shared else None
        session.add(table)
        session.flush()


def is_open() -> Any:
    """Return the condition under which a table takes a place."""
    return col(PlayTable.state).in_([state.value for state in OPEN_TABLES])


def _whose(person: Person) -> Any:
    if person.owner_id is not None:
        return col(PlayTable.owner_id) == person.owner_id
    return col(PlayTable.visitor) == person.visitor
