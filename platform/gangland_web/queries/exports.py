"""Export tables and archives of tournaments and ladders, and list the files that the site offers."""

import hashlib
import io
import re
import stat
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final

import msgspec
from sqlalchemy import select as select_columns
from sqlmodel import Session, col, func, select

import gangland_web
from gangland_ladder.local.bots import create_bot, starter_games
from gangland_ladder.proof import archives as archive
from gangland_ladder.proof.archives import Content
from gangland_ladder.rating.trueskill import MU, SIGMA
from gangland_web.base.formats import Format, Row, day_text, encode_table, read_day
from gangland_web.base.text import shown
from gangland_web.models.columns import row_id
from gangland_web.models.database import Database
from gangland_web.models.matches import Match, MatchSeat
from gangland_web.models.tournaments import LadderDay, Tournament
from gangland_web.queries.ladders import DayDetail, days_of
from gangland_web.queries.match_lists import GameRow, MatchRow, read_games, read_matches
from gangland_web.queries.standings import EntryRating, StandingRow, read_ratings, standings_of
from gangland_web.queries.tables import Model
from gangland_web.queries.tournaments import shown_tournament
from gangland_web.queries.visibility import CurrentUser, NotVisible
from gangland_web.services.archives import NotExportable, archived_entries, archived_matches, content_of, shared_fields
from gangland_web.services.retention import lacks_replays
from gangland_web.services.settling import final_standings

# Rows, read in small pieces so that a slow client does not block the database.
#
# Each generator opens a session for one window of match numbers at a time. Later windows may include matches that ended
# in the meantime; the last match number of a table is fixed at its start.

MATCH_WINDOW: Final = 500
GAME_WINDOW: Final = 25  # the number of matches read at once


class TableKind(StrEnum):
    """The tables that can be exported."""

    MATCHES = "matches"
    GAMES = "games"
    STANDINGS = "standings"
    RATINGS = "ratings"
    DAYS = "days"


# The model of each table's rows: the members are the columns, in order.
ROWS: Final[dict[TableKind, Any]] = {
    TableKind.MATCHES: MatchRow,
    TableKind.GAMES: GameRow,
    TableKind.STANDINGS: StandingRow,
    TableKind.RATINGS: EntryRating,
    TableKind.DAYS: DayDetail,
}


def table_model(kind: TableKind) -> Any:
    """Return the model of a table's JSON document, which has no members other than its rows."""
    row = ROWS[kind]
    namespace = {"__doc__": f"The table {kind}, as in an export of a tournament or a ladder."}
    return msgspec.defstruct(kind.title(), [("rows", list[row])], bases=(Model,), namespace=namespace, kw_only=True)  # type: ignore[valid-type]


@dataclass(frozen=True, slots=True)
class Span:
    """A range of match numbers, both ends included, or one day of a ladder; by default all matches."""

    first: int | None = None
    last: int | None = None
    day: int | None = None  # days since 1970-01-01


def numbers(session: Session, tournament_id: int, span: Span) -> range:
    """Return the range of the numbers of existing matches in a span."""
    query = select_columns(func.min(Match.number), func.max(Match.number)).where(
        col(Match.tournament_id) == tournament_id
    )
    if span.day is not None:
        ladder_days = select_columns(col(LadderDay.id)).where(
            col(LadderDay.tournament_id) == tournament_id, col(LadderDay.day) == span.day
        )
        query = query.where(col(Match.ladder_day_id).in_(ladder_days))
    low, high = session.connection().execute(query).one()
    if low is None:
        return range(0)
    return range(max(low, span.first or low), min(high, high if span.last is None else span.last) + 1)


def matches(database: Database, tournament_id: int, span: range) -> Iterator[Row]:
    """Yield a row for each match and entry, by number and entry; `span`: the numbers of the matches."""
    return _by_windows(database, tournament_id, span, MATCH_WINDOW, read_matches)


def games(database: Database, tournament_id: int, span: range) -> Iterator[Row]:
    """Yield a row for each game and seat, by match, block, rotation and seat; `span`: the numbers of the matches."""
    return _by_windows(database, tournament_id, span, GAME_WINDOW, read_games)


def _by_windows(
    database: Database, tournament_id: int, span: range, size: int, read: Callable[[Session, int, range], list[Row]]
) -> Iterator[Row]:
    for at in range(span.start, span.stop, size):
        with database.read() as session:
            rows = read(session, tournament_id, range(at, min(at + size, span.stop)))
        yield from rows


# Tables of a tournament or a ladder.

# The maximum number of a ladder's matches in a response; commands on the server have no such limit.
MAX_MATCHES: Final = 10_000


class NoTable(ValueError):
    """There is no such table, or not yet; the message says why."""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows that are read while they are consumed."""

    kind: TableKind
    rows: Iterator[Row]
    matches: int = 0  # the number of matches that they cover
    head: Mapping[str, Any] = field(default_factory=dict)  # the members of the JSON document other than the rows

    def pieces(self, form: Format, *, spreadsheet: bool = False) -> Iterator[bytes]:
        """Yield the table in a format, piece by piece; `spreadsheet` as in `encode_table`."""
        name = "tournament-standings" if self.kind is TableKind.STANDINGS else self.kind.value
        columns = ROWS[self.kind].__struct_fields__
        return encode_table(form, name, columns, self.rows, self.head, spreadsheet=spreadsheet)


def open_table(database: Database, tournament: Tournament, kind: TableKind, span: Span | None = None) -> Table:
    """Return a table of a tournament or a ladder.  Raises NoTable: there is none, or not yet."""
    tournament_id = row_id(tournament.id)
    if kind in (TableKind.MATCHES, TableKind.GAMES):
        with database.read() as session:
            match_numbers = numbers(session, tournament_id, span or Span())
        read = matches if kind is TableKind.MATCHES else games
        return Table(kind, read(database, tournament_id, match_numbers), len(match_numbers))
    with database.read() as session:
        if kind is TableKind.RATINGS:
            return Table(kind, iter(read_ratings(session, tournament_id)))
        if kind is TableKind.DAYS:
            return Table(kind, iter(_days(session, tournament)))
        return _standings(session, tournament)


def _days(session: Session, tournament: Tournament) -> list[Row]:
    if tournament.kind != "ladder":
        raise NoTable("only a ladder has days; a tournament has matches, games, standings and ratings")
    return [msgspec.to_builtins(day) for day in days_of(session, tournament)]


def _standings(session: Session, tournament: Tournament) -> Table:
    if tournament.kind != "tournament":
        raise NoTable("a ladder never ends, so it has ratings and no final standings")
    stored_rows = final_standings(session, tournament)
    if stored_rows is None:
        raise NoTable(f"{tournament.name} is {tournament.state} and has no standings until all matches are played")
    head = msgspec.to_builtins(standings_of(session, tournament, stored_rows))
    return Table(TableKind.STANDINGS, iter(head.pop("rows")), head=head)


# Archives of tournaments whose results are visible.


def tournament_content(db: Session, tournament_id: int, who: CurrentUser | None) -> Content:
    """Return the content of a tournament's archive.  Raises NotVisible, also before the entries are frozen."""
    try:
        return content_of(db, shown_tournament(db, tournament_id, who))
    except NotExportable as early:
        raise NotVisible(str(early)) from early


def day_number(text: str) -> int:
    """Return the number of a day written as 2027-03-01.  Raises NotVisible for other text."""
    day = read_day(text)
    if day is None:
        raise NotVisible(f"expected a day such as 2027-03-01, not {shown(text, limit=20)!r}")
    return day


# Archives of a ladder's days: the secret, the matches, and the ratings at the beginning of the day.


class NoDayArchive(NotVisible):
    """There is no archive of the day yet, or there never will be; the message says why."""


def day_content(session: Session, ladder: Tournament, day: int) -> archive.Content:
    """Return the archive of a ladder's day; its matches are read while they are consumed.  Raises NoDayArchive."""
    query = select(LadderDay).where(LadderDay.tournament_id == ladder.id, LadderDay.day == day)
    ladder_day = session.exec(query).first()
    if ladder_day is None:
        raise NoDayArchive(f"{ladder.name} has no day {day_text(day)}")
    if ladder_day.revealed_at is None:
        raise NoDayArchive(
            f"the secret of {day_text(day)} is published when the day is over and all its matches are played"
        )
    span = select(func.min(Match.number), func.max(Match.number), func.count()).where(
        Match.ladder_day_id == ladder_day.id
    )
    first, last, count = session.exec(span).one()
    if not count:
        raise NoDayArchive(f"no match of {ladder.name} was scheduled on {day_text(day)}")
    unrated = select(func.count()).where(Match.ladder_day_id == ladder_day.id, col(Match.rating_order) >= ladder.cursor)
    if session.exec(unrated).one():
        raise NoDayArchive(f"not all matches of {day_text(day)} are rated yet: an earlier match is not over")
    if lacks_replays(session, row_id(ladder.id), first, last):
        raise NoDayArchive(
            f"the replays of {day_text(day)} are no longer stored, and an archive needs them as its proof"
        )
    if last - first + 1 != count:
        raise ValueError(f"the matches {first} to {last} of {ladder.name} are not all from {day_text(day)}")
    return archive.Content(
        tournament=_header(ladder, ladder_day, first, count),
        entries=tuple(_entries(session, ladder, first, last)),
        matches=archived_matches(session, ladder, ladder_day.secret, first, last, ordered=True),
    )


def _header(ladder: Tournament, ladder_day: LadderDay, first: int, count: int) -> archive.Tournament:
    return archive.Tournament(
        **shared_fields(ladder),
        kind="ladder",
        dice="seated",
        schedule=None,
        first=first,
        matches=count,
        commitment=ladder_day.commitment,
        secret=ladder_day.secret.hex(),
        about={"day": day_text(ladder_day.day)},
    )


def _entries(session: Session, ladder: Tournament, first: int, last: int) -> Iterator[archive.Entry]:
    is_in_span = (col(Match.tournament_id) == ladder.id, col(Match.number).between(first, last))
    entry_ids = select(MatchSeat.entry_id).join(Match, col(Match.id) == MatchSeat.match_id).where(*is_in_span)
    before = _ratings(session, ladder, first, last)
    for entry in archived_entries(session, ladder, entry_ids=entry_ids):
        yield archive.Entry(
            entry.id, entry.name, entry.owner, entry.version, entry.file, entry.code, before.get(entry.id, (MU, SIGMA))
        )


def _ratings(session: Session, ladder: Tournament, first: int, last: int) -> dict[int, archive.Skill]:
    """Return each entry's rating before its first rated match of the day or, without one, after its previous match."""
    is_in_span = (col(Match.tournament_id) == ladder.id, col(Match.number).between(first, last))
    seats = select(MatchSeat.entry_id, MatchSeat.mu_before, MatchSeat.sigma_before)
    seats = seats.join(Match, col(Match.id) == MatchSeat.match_id).where(*is_in_span)
    ratings: dict[int, archive.Skill] = {}
    unrated = set()
    for entry, mu, sigma in session.exec(seats.order_by(col(Match.rating_order))):
        if mu is None or sigma is None:
            unrated.add(entry)
        else:
            ratings.setdefault(entry, (mu, sigma))
    for entry in unrated.difference(ratings):
        if (last_rating := _previous_rating(session, ladder, first, entry)) is not None:
            ratings[entry] = last_rating
    return ratings


def _previous_rating(session: Session, ladder: Tournament, number: int, entry: int) -> archive.Skill | None:
    query = (
        select(MatchSeat.mu_after, MatchSeat.sigma_after)
        .join(Match, col(Match.id) == MatchSeat.match_id)
        .where(MatchSeat.entry_id == entry, Match.tournament_id == ladder.id, col(Match.number) < number)
        .where(col(MatchSeat.mu_after).is_not(None))
        .order_by(col(Match.rating_order).desc())
    )
    mu, sigma = session.exec(query).first() or (None, None)
    return None if mu is None or sigma is None else (mu, sigma)


# Files that the site offers, each with its size and SHA-256.

# `make up` and the Docker image put the project's wheel here, next to the Python that runs the site.
WHEELS_FOLDER: Final = Path(sys.prefix) / "share" / "gangland" / "download"
FETCHED_FOLDER: Final = "download"  # in the data folder, for the packages of `gangland up --with-wheels`
LOCK_FILE: Final = "base.txt"
REQUIREMENTS: Final = "requirements.txt"
STARTER: Final = "my_gang"
_WHEEL: Final = re.compile(r"[A-Za-z0-9_.]+-[A-Za-z0-9_.+!]+(-[A-Za-z0-9_.]+){3}\.whl")


@dataclass(frozen=True, slots=True)
class Offer:
    """A file that the site offers, with either its path or its content."""

    name: str
    size_bytes: int
    sha256: str
    path: Path | None = None
    body: bytes = b""

    @property
    def project(self) -> str:
        """The name of the wheel's project, as in requirements."""
        return re.sub(r"[-_.]+", "-", self.name.split("-")[0]).lower()


def lock_text() -> str:
    """Return the lock of the base install, from the installed package or the source tree."""
    package = Path(str(gangland_web.__file__)).resolve().parent
    for folder in (package / "_locks", package.parents[1] / "requirements"):
        if (folder / LOCK_FILE).is_file():
            return (folder / LOCK_FILE).read_text(encoding="utf-8")
    raise FileNotFoundError(f"no {LOCK_FILE} in {package} or next to it")


def wheels(data: Path) -> list[Offer]:
    """Return the site's wheels, the project's own first."""
    offers: dict[str, Offer] = {}
    for folder in (WHEELS_FOLDER, data / FETCHED_FOLDER):
        for path in sorted(folder.glob("*.whl")) if folder.is_dir() else ():
            status = path.lstat()
            if stat.S_ISREG(status.st_mode) and _WHEEL.fullmatch(path.name):
                sha256 = _sha256_of(path, status.st_size, status.st_mtime_ns)
                offers.setdefault(path.name, Offer(path.name, status.st_size, sha256, path))
    return sorted(offers.values(), key=lambda offer: (offer.project != "gangland", offer.name.lower()))


def own_wheel(offers: Sequence[Offer]) -> Offer | None:
    """Return the project's own wheel, or None."""
    return next((offer for offer in offers if offer.project == "gangland"), None)


def is_complete(offers: Sequence[Offer]) -> bool:
    """Return whether these wheels suffice for the base install with at least one Python version."""
    required = set(re.findall(r"^([a-z0-9][\w.-]*)==", lock_text(), re.MULTILINE)) | {"gangland"}
    return required <= {offer.project for offer in offers}


def requirements_file(offers: Sequence[Offer]) -> Offer:
    """Return requirements with hashes, to install only these wheels."""
    lines: dict[str, list[str]] = {}
    for offer in offers:
        version = offer.name.split("-")[1]
        lines.setdefault(f"{offer.project}=={version}", []).append(f" \\\n    --hash=sha256:{offer.sha256}")
    return _offer_of(REQUIREMENTS, "".join(f"{pin}{''.join(hashes)}\n" for pin, hashes in lines.items()).encode())


@cache
def common_files() -> tuple[Offer, ...]:
    """Return the files that every site has: the lock, and a starter for each game that has one."""
    return (
        _offer_of(LOCK_FILE, lock_text().encode()),
        *(_offer_of(f"starter-{game}.zip", _starter(game)) for game in starter_games()),
    )


def _starter(game: str) -> bytes:
    zip_file = io.BytesIO()
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(zip_file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in create_bot(STARTER, game, Path(folder) / STARTER):
            text = (Path(folder) / STARTER / name).read_bytes()
            archive.writestr(zipfile.ZipInfo(f"{STARTER}/{name}", (1980, 1, 1, 0, 0, 0)), text)
    return zip_file.getvalue()


def _offer_of(name: str, body: bytes) -> Offer:
    return Offer(name, len(body), hashlib.sha256(body).hexdigest(), body=body)


@lru_cache(maxsize=256)
def _sha256_of(path: Path, _size: int, _changed_ns: int) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
