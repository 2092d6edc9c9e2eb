"""Authors, their bots and versions, and the entries of those on the ladders."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256

from sqlalchemy import Connection

from benchmarks.fill.writing import Row, table_of, write_rows
from gangland_ladder.rating.trueskill import Rating
from gangland_web.store.lifecycles.versions import PATH, VersionState
from gangland_web.store.models.accounts import User
from gangland_web.store.models.bots import Bot, Code, Version, VersionStep
from gangland_web.store.models.tournaments import Entry
from gangland_web.store.owners import person_group

SECOND_VERSIONS = 10
"""One bot in so many is in its second version; the first is retired and keeps its entries."""
UNKNOWN = "-"
"""No hash of any password: nobody signs in as one of these authors."""


@dataclass(frozen=True, slots=True)
class First:
    """The first free id of each table."""

    user: int
    bot: int
    version: int
    entry: int


@dataclass(frozen=True, slots=True)
class Roster:
    """What was written: the versions and the entries of one ladder, by strength; the last versions are the active."""

    versions: range
    entries: range


def version_count(bots: int) -> int:
    """Return how many versions so many bots have."""
    return bots + bots // SECOND_VERSIONS


def write_people(
    connection: Connection, game: str, bots: int, ladders: tuple[int, ...], first: First, created_at: float
) -> dict[int, Roster]:
    """Write bots with their authors and code, entered in these ladders; return what each ladder has, by its id."""
    second = bots // SECOND_VERSIONS
    users, ids = range(first.user, first.user + bots), range(first.bot, first.bot + bots)
    versions = range(first.version, first.version + version_count(bots))
    write_rows(
        connection,
        User,
        ("id", "name", "name_key", "password_hash", "created_at"),
        ((user, f"author {user}", f"author {user}", UNKNOWN, created_at) for user in users),
    )
    write_rows(connection, Code, ("sha256", "source", "size"), (_code(number) for number in versions))
    write_rows(
        connection,
        Bot,
        ("id", "owner_id", "owner_group", "game", "name", "name_key", "is_house", "created_at"),
        (
            (bot, user, person_group(user), game, f"bot {bot}", f"bot {bot}", False, created_at)
            for bot, user in zip(ids, users, strict=True)
        ),
    )
    owners = [*ids[:second], *ids]  # of the retired versions, then of the active ones
    write_rows(
        connection,
        Version,
        ("id", "bot_id", "number", "code_sha256", "filename", "state", "created_at"),
        (_version(at, bot, at < second, versions, second, created_at) for at, bot in enumerate(owners)),
    )
    write_rows(connection, VersionStep, ("version_id", "state", "ok", "at"), _steps(versions, second, created_at))
    table = table_of(Bot)
    theirs = table.update().where(table.c.id >= ids.start)
    connection.execute(theirs.values(active_version_id=table.c.id + (versions.start + second - ids.start)))
    return _write_entries(connection, ladders, versions, second, first, created_at)


def _code(number: int) -> Row:
    source = f"from gangland import gang_of_dice\n\n\nclass Mine(gang_of_dice.Bot):\n    number = {number}\n".encode()
    return sha256(source).hexdigest(), source, len(source)


def _version(at: int, bot: int, retired: bool, versions: range, second: int, created_at: float) -> Row:
    has_two = retired or at - second < second
    state = VersionState.RETIRED if retired else VersionState.ACTIVE
    number = 2 if has_two and not retired else 1
    return versions[at], bot, number, _code(versions[at])[0], "mine.py", state.value, created_at


def _steps(versions: range, second: int, created_at: float) -> Iterator[Row]:
    for at, version in enumerate(versions):
        for state in (*PATH, VersionState.RETIRED) if at < second else PATH:
            yield version, state.value, True, created_at


def _write_entries(
    connection: Connection, ladders: tuple[int, ...], versions: range, second: int, first: First, created_at: float
) -> dict[int, Roster]:
    start, size = Rating(), len(versions)
    rosters = {
        ladder: Roster(versions, range(first.entry + at * size, first.entry + (at + 1) * size))
        for at, ladder in enumerate(ladders)
    }
    fixed = (start.mu, start.sigma, start.shown, start.mu, start.sigma, created_at)
    write_rows(
        connection,
        Entry,
        (
            *("id", "tournament_id", "version_id", "active"),
            *("mu", "sigma", "rating", "round_mu", "round_sigma", "created_at"),
        ),
        (
            (roster.entries[at], ladder, version, at >= second, *fixed)
            for ladder, roster in rosters.items()
            for at, version in enumerate(versions)
        ),
    )
    return rosters
