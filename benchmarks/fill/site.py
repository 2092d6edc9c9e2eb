"""The content of the site: people, bots, matches of a ladder with ratings, and the games of the newest matches."""

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256

from sqlalchemy import Connection, bindparam, select, update
from sqlmodel import Session, func

from benchmarks.fill.results import GAME_COLUMNS, Played, Results, Tally, games_of_match
from benchmarks.fill.writing import Row, settle, table_of, write_rows
from gangland_ladder.matches.seeds import commitment, entries_digest
from gangland_ladder.rating.trueskill import Rating, shown
from gangland_ladder.rating.updater import RatingUpdater
from gangland_web.base.formats import DAY_S
from gangland_web.models.accounts import User
from gangland_web.models.bots import PATH, Bot, Code, Version, VersionState, VersionStep, person_group
from gangland_web.models.columns import row_id
from gangland_web.models.database import Database
from gangland_web.models.matches import ATTEMPTS, Match, MatchSeat, MatchState, PlayedGame, Purpose
from gangland_web.models.tournaments import Entry, LadderDay, LadderRound, LadderTurns, Tournament
from gangland_web.ops.prepare import prepare
from gangland_web.services.ladder_days import day_secret, today
from gangland_web.services.tournaments import tournaments_of

DAYS = 30
"""The number of days of the matches; the last one is today."""
STEP = 20_000
"""The number of matches that are drawn and written at a time."""
SECOND_VERSIONS = 10
"""One bot in this number is in its second version; the first one is retired and keeps its entries."""
UNKNOWN = "-"
"""Not a hash of any password, so no author can sign in."""
MODELS = (
    *(User, Code, Bot, Version, VersionStep, Entry, LadderDay, LadderRound, LadderTurns, Match, MatchSeat, PlayedGame),
)
_USER = ("id", "name", "name_key", "search_key", "password_hash", "created_at")
_BOT = ("id", "owner_id", "owner_group", "game", "name", "name_key", "search_key", "is_house", "created_at")
_VERSION = ("id", "bot_id", "number", "code_sha256", "filename", "state", "created_at")
_MATCH = (
    *("id", "tournament_id", "number", "rating_order", "purpose", "ladder_day_id", "seed_digest", "created_at"),
    *("state", "attempt", "sent_at", "done_at", "seconds", "void_reason", "digest"),
)
_SEAT = (
    *("match_id", "position", "entry_id", "mean_place_num", "mean_place_den", "luck", "adjusted", "wins", "faults"),
    *("mu_before", "sigma_before", "mu_after", "sigma_after"),
)
_ENTRY = (
    *("id", "tournament_id", "version_id", "active"),
    *("mu", "sigma", "rating", "round_mu", "round_sigma", "created_at"),
)
_TALLIED = ("games", "wins", "faults", "mu", "sigma", "rating", "round_mu", "round_sigma", "appearances", "last_round")


class NotEmpty(ValueError):
    """The database already has matches."""


@dataclass(frozen=True, slots=True)
class SiteSize:
    """The size of the site.

    Attributes:
        matches: on the ladder of `game` at `seats`; on the game's other ladders the bots wait for their first match.
        waiting: the number of last matches that are not played yet.
        with_games: the number of the newest matches that have games.
    """

    bots: int
    matches: int
    game: str = "gang-of-dice"
    seats: int = 2
    waiting: int = 100
    with_games: int = 300
    seed: int = 1


def fill(database: Database, size: SiteSize) -> None:
    """Fill an empty database with a site of this size, in one transaction.  Raises NotEmpty: it has matches."""
    prepare(database)
    with database.write() as session:
        if session.connection().execute(select(func.count()).select_from(Match)).scalar_one():
            raise NotEmpty("this database has matches already; give an empty one")
        _Filling(session, size).run()
        settle(session.connection(), MODELS)


class _Filling:
    """One run of filling.

    Attributes:
        second: the number of bots with a second version; their first ones come first in `versions`, followed by each
            bot's active one.
        settled: matches up to this number are played.
        day: the first day.
    """

    def __init__(self, session: Session, size: SiteSize) -> None:
        self.session, self.size = session, size
        self.ladders = tournaments_of(session, "ladder", size.game)
        self.ladder = next(ladder for ladder in self.ladders if ladder.seats == size.seats)
        self.settled = size.matches - min(size.waiting, size.matches)
        self.day = today() - DAYS + 1
        self.second = size.bots // SECOND_VERSIONS
        self.users, self.bots = self._free(User, size.bots), self._free(Bot, size.bots)
        self.versions = self._free(Version, size.bots + self.second)
        self.entries = {
            row_id(ladder.id): self._free(Entry, len(self.versions), at * len(self.versions))
            for at, ladder in enumerate(self.ladders)
        }
        self.codes = [_code(version)[0] for version in self.versions]

    @property
    def connection(self) -> Connection:
        return self.session.connection()

    def _free(self, model: type[User | Bot | Version | Entry | Match], count: int, after: int = 0) -> range:
        last = self.connection.execute(select(func.max(table_of(model).c.id))).scalar_one() or 0
        return range(last + after + 1, last + after + 1 + count)

    def run(self) -> None:
        self._write_people(self.day * DAY_S)
        ladder_days = self._write_days()
        mine = self.entries[row_id(self.ladder.id)]
        results = Results(
            RatingUpdater(self.size.game, self.size.seats, self.ladder.blocks),
            mine,
            retired=self.second,
            games=self.ladder.blocks * self.size.seats,
            settled=self.settled,
            seed=self.size.seed,
        )
        self._write_matches(results, dict(zip(mine, self.codes, strict=True)), ladder_days)
        self._write_rounds()
        self._write_tallies(results)

    def _write_people(self, created_at: float) -> None:
        """Write bots with their authors, code and versions, entered in all ladders of the game."""
        second, game = self.second, self.size.game
        people = ((user, *[f"author {user}"] * 3, UNKNOWN, created_at) for user in self.users)
        write_rows(self.connection, User, _USER, people)
        write_rows(self.connection, Code, ("sha256", "source", "size"), map(_code, self.versions))
        bots = (
            (bot, user, person_group(user), game, *[f"bot {bot}"] * 3, False, created_at)
            for bot, user in zip(self.bots, self.users, strict=True)
        )
        write_rows(self.connection, Bot, _BOT, bots)
        write_rows(self.connection, Version, _VERSION, self._version_rows(created_at))
        steps = (
            (version, state.value, True, created_at)
            for at, version in enumerate(self.versions)
            for state in ((*PATH, VersionState.RETIRED) if at < second else PATH)
        )
        write_rows(self.connection, VersionStep, ("version_id", "state", "ok", "at"), steps)
        table = table_of(Bot)
        theirs = table.update().where(table.c.id >= self.bots.start)
        active = table.c.id + (self.versions.start + second - self.bots.start)
        self.connection.execute(theirs.values(active_version_id=active))
        start = Rating()
        fixed = (start.mu, start.sigma, start.shown, start.mu, start.sigma, created_at)
        entries = (
            (entries[at], ladder, version, at >= second, *fixed)
            for ladder, entries in self.entries.items()
            for at, version in enumerate(self.versions)
        )
        write_rows(self.connection, Entry, _ENTRY, entries)

    def _version_rows(self, created_at: float) -> Iterator[Row]:
        for at, bot in enumerate([*self.bots[: self.second], *self.bots]):
            state = VersionState.RETIRED if at < self.second else VersionState.ACTIVE
            number = 2 if self.second <= at < 2 * self.second else 1
            yield self.versions[at], bot, number, self.codes[at], "mine.py", state.value, created_at

    def _write_days(self) -> list[int]:
        """Write the days, all revealed except today, and return their ids."""
        rows = []
        for day in range(self.day, self.day + DAYS):
            secret = day_secret(self.ladder.secret, day)
            ladder_day = LadderDay(
                tournament_id=row_id(self.ladder.id),
                day=day,
                secret=secret,
                commitment=commitment(secret),
                committed_at=(day - 1) * DAY_S,
                revealed_at=(day + 1) * DAY_S if day < self.day + DAYS - 1 else None,
            )
            self.session.add(ladder_day)
            rows.append(ladder_day)
        self.session.flush()
        return [row_id(ladder_day.id) for ladder_day in rows]

    def _write_matches(self, results: Results, codes: dict[int, str], ladder_days: list[int]) -> None:
        first = self._free(Match, 0).start
        last = self.size.matches
        for low in range(1, last + 1, STEP):
            played = list(results.played(range(low, min(low + STEP, last + 1))))
            rows = (self._match(first, match, codes, ladder_days) for match in played)
            write_rows(self.connection, Match, _MATCH, rows)
            write_rows(self.connection, MatchSeat, _SEAT, (row for match in played for row in _seats(first, match)))
            games = (
                row
                for match in played
                if match.moves and match.result.number > self.settled - self.size.with_games
                for row in games_of_match(
                    self.size.game,
                    self.size.seats,
                    self.ladder.blocks,
                    first + match.result.number - 1,
                    match.faults,
                )
            )
            write_rows(self.connection, PlayedGame, GAME_COLUMNS, games)

    def _match(self, first: int, match: Played, codes: dict[int, str], ladder_days: list[int]) -> Row:
        number, entries, places = match.result
        at = number * DAYS / (self.size.matches + 1)
        created_at = (self.day + at) * DAY_S
        digest = entries_digest([codes[int(entry)] for entry in entries]).hex()
        order = number if number <= self.settled else None
        names = (first + number - 1, self.ladder.id, number, order, Purpose.LADDER.value)
        row = (*names, ladder_days[int(at)], digest, created_at)
        if number > self.settled:
            return *row, MatchState.SCHEDULED.value, 0, None, None, None, None, None
        if not places:
            return *row, MatchState.VOID.value, ATTEMPTS, None, created_at + 60, None, "begun 3 times", None
        played = sha256(f"{number}".encode()).hexdigest()
        return *row, MatchState.DONE.value, 1, created_at + 1, created_at + 2, 0.5, None, played

    @property
    def _round_size(self) -> int:
        """The number of tables of a round, in which every bot plays once."""
        return max(1, self.size.bots // self.size.seats)

    def _write_rounds(self) -> None:
        """Write the ladder's rounds; all finished ones are rated."""
        size, last = self._round_size, self.size.matches
        bounds = [(low, min(low + size - 1, last)) for low in range(1, last + 1, size)]
        rows = ((self.ladder.id, number, False, low, high) for number, (low, high) in enumerate(bounds, 1))
        write_rows(self.connection, LadderRound, ("tournament_id", "number", "placement", "first", "last"), rows)
        rated = sum(high <= self.settled for _, high in bounds)
        there = update(table_of(Tournament)).where(table_of(Tournament).c.id == self.ladder.id)
        self.connection.execute(there.values(cursor=self.settled + 1, rounds=1, rounds_taken=rated))
        turns = [(self.ladder.id, self.settled, 0.0)]
        write_rows(self.connection, LadderTurns, ("tournament_id", "sent", "spent_s"), turns)

    def _write_tallies(self, results: Results) -> None:
        entries = table_of(Entry)
        change = entries.update().where(entries.c.id == bindparam("entry_id"))
        change = change.values({name: bindparam(f"new_{name}") for name in _TALLIED})
        rows = [self._tallied(entry, tally) for entry, tally in results.tallies.items()]
        for low in range(0, len(rows), STEP):
            self.connection.execute(change, rows[low : low + STEP])

    def _tallied(self, entry: int, tally: Tally) -> dict[str, object]:
        mu, sigma = tally.mu, tally.sigma
        last_round = (tally.last_number - 1) // self._round_size + 1 if tally.last_number else None
        rating = (mu, sigma, shown(mu, sigma), mu, sigma)
        values = (tally.games, tally.wins, tally.faults, *rating, tally.appearances, last_round)
        return {"entry_id": entry} | {f"new_{name}": value for name, value in zip(_TALLIED, values, strict=True)}


def _code(number: int) -> Row:
    source = f"from gangland import gang_of_dice\n\n\nclass Mine(gang_of_dice.Bot):\n    number = {number}\n".encode()
    return sha256(source).hexdigest(), source, len(source)


def _seats(first: int, match: Played) -> Iterator[Row]:
    number, entries, places = match.result
    for at, entry in enumerate(entries):
        place, move = (places[at], match.moves[at]) if match.moves else ((None, None), (None, None, None, None))
        luck = (None, None) if place[1] is None else (0.0, place[0] / place[1])
        yield first + number - 1, at, entry, *place, *luck, match.wins[at], match.faults[at], *move
