"""The whole of it: people, bots, a ladder's matches with their ratings, and the games of the newest ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice

from sqlalchemy import Connection, bindparam, select, update
from sqlmodel import Session, col, func

from benchmarks.fill import games as played_games
from benchmarks.fill.people import First, Roster, version_count, write_people
from benchmarks.fill.results import Played, Results, Tally
from benchmarks.fill.writing import Row, settle, table_of, write_rows
from gangland_ladder.matches.seeds import commitment, entries_digest
from gangland_ladder.rating.folding import Folding
from gangland_ladder.rating.trueskill import shown
from gangland_web.league.setup import tournaments_of
from gangland_web.league.tournaments.epochs import DAY_S, epoch_secret, today
from gangland_web.ops.prepare import prepare
from gangland_web.store.columns import stored
from gangland_web.store.database import Database
from gangland_web.store.lifecycles.matches import ATTEMPTS, MatchState, Purpose
from gangland_web.store.models.accounts import User
from gangland_web.store.models.bots import Bot, Code, Version, VersionStep
from gangland_web.store.models.matches import Match, MatchSeat, PlayedGame
from gangland_web.store.models.tournaments import Entry, Epoch, LadderRound, LadderTurns, Tournament

DAYS = 30
"""Over so many days, today the last, the matches are spread."""
STEP = 20_000
"""Matches that are drawn and written at a time."""


class NotEmpty(ValueError):
    """The database has matches of its own."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """How large the site shall be.

    Attributes:
        matches: on the ladder of `game` at `seats`; on the game's other ladders the bots wait for their first.
        waiting: how many of them, the last ones, are still to be played.
        with_games: how many of the newest have their games.
    """

    bots: int
    matches: int
    game: str = "gang-of-dice"
    seats: int = 2
    waiting: int = 100
    with_games: int = 300
    seed: int = 1


def fill(database: Database, wanted: Wanted) -> None:
    """Make an empty database a site of that size, in one transaction.

    Raises:
        NotEmpty: there are matches in it.
    """
    prepare(database)
    with database.write() as session:
        if session.connection().execute(select(func.count()).select_from(Match)).scalar_one():
            raise NotEmpty("this database has matches already; give an empty one")
        _Filling(session, wanted).run()
        models = (
            User,
            Code,
            Bot,
            Version,
            VersionStep,
            Entry,
            Epoch,
            LadderRound,
            LadderTurns,
            Match,
            MatchSeat,
            PlayedGame,
        )
        settle(session.connection(), models)


class _Filling:
    def __init__(self, session: Session, wanted: Wanted) -> None:
        self.session = session
        self.wanted = wanted
        self.ladders = tournaments_of(session, "ladder", wanted.game)
        self.ladder = next(ladder for ladder in self.ladders if ladder.seats == wanted.seats)
        self.settled = wanted.matches - min(wanted.waiting, wanted.matches)
        self.day = today() - DAYS + 1

    @property
    def connection(self) -> Connection:
        return self.session.connection()

    def run(self) -> None:
        first = First(*(self._next_id(model) for model in (User, Bot, Version, Entry)))
        ids = tuple(stored(ladder.id) for ladder in self.ladders)
        began = self.day * DAY_S
        rosters = write_people(self.connection, self.wanted.game, self.wanted.bots, ids, first, began)
        roster = rosters[stored(self.ladder.id)]
        epochs = self._write_epochs()
        folding = Folding(self.wanted.game, self.wanted.seats, self.ladder.blocks)
        results = Results(
            folding,
            roster.entries,
            retired=version_count(self.wanted.bots) - self.wanted.bots,
            games=self.ladder.blocks * self.wanted.seats,
            settled=self.settled,
            seed=self.wanted.seed,
        )
        codes = dict(zip(roster.entries, self._codes(roster), strict=True))
        self._write_matches(results, codes, epochs)
        self._write_rounds()
        self._write_entries(results)

    def _next_id(self, model: type[User | Bot | Version | Entry]) -> int:
        return int(self.connection.execute(select(func.max(table_of(model).c.id))).scalar_one() or 0) + 1

    def _codes(self, roster: Roster) -> list[str]:
        chosen = select(col(Version.code_sha256)).where(col(Version.id) >= roster.versions.start)
        return list(self.connection.execute(chosen.order_by(col(Version.id))).scalars())

    def _write_epochs(self) -> list[int]:
        """Write the days, all but today's revealed, and return their ids."""
        made = []
        for day in range(self.day, self.day + DAYS):
            secret = epoch_secret(self.ladder.secret, day)
            epoch = Epoch(
                tournament_id=stored(self.ladder.id),
                day=day,
                secret=secret,
                commitment=commitment(secret),
                committed_at=(day - 1) * DAY_S,
                revealed_at=(day + 1) * DAY_S if day < self.day + DAYS - 1 else None,
            )
            self.session.add(epoch)
            made.append(epoch)
        self.session.flush()
        return [stored(epoch.id) for epoch in made]

    def _write_matches(self, results: Results, codes: dict[int, str], epochs: Sequence[int]) -> None:
        first = int(self.connection.execute(select(func.max(col(Match.id)))).scalar_one() or 0) + 1
        last = self.wanted.matches
        for low in range(1, last + 1, STEP):
            played = list(results.played(range(low, min(low + STEP, last + 1))))
            rows = (self._match(first, match, codes, epochs) for match in played)
            write_rows(self.connection, Match, _MATCH, rows)
            write_rows(self.connection, MatchSeat, _SEAT, (row for match in played for row in _seats(first, match)))
            write_rows(self.connection, PlayedGame, played_games.COLUMNS, self._games(first, played))

    def _match(self, first: int, match: Played, codes: dict[int, str], epochs: Sequence[int]) -> Row:
        number, entries, places = match.result
        at = number * DAYS / (self.wanted.matches + 1)
        created_at = (self.day + at) * DAY_S
        digest = entries_digest([codes[int(entry)] for entry in entries]).hex()
        order = number if number <= self.settled else None
        names = (first + number - 1, self.ladder.id, number, order, Purpose.LADDER.value)
        row = (*names, epochs[int(at)], digest, created_at)
        if number > self.settled:
            return *row, MatchState.SCHEDULED.value, 0, None, None, None, None, None
        if not places:
            return *row, MatchState.VOID.value, ATTEMPTS, None, created_at + 60, None, "begun 3 times", None
        played = sha256(f"{number}".encode()).hexdigest()
        return *row, MatchState.DONE.value, 1, created_at + 1, created_at + 2, 0.5, None, played

    def _games(self, first: int, played: Sequence[Played]) -> Iterator[Row]:
        since = self.settled - self.wanted.with_games
        for match in played:
            if match.moves and match.result.number > since:
                yield from played_games.games_of_match(
                    self.wanted.game,
                    self.wanted.seats,
                    self.ladder.blocks,
                    first + match.result.number - 1,
                    match.faults,
                )

    def _write_rounds(self) -> None:
        """Write the ladder's rounds, each of as many tables as seat every bot once; all that are over are taken in."""
        size = max(1, self.wanted.bots // self.wanted.seats)
        bounds = [(low, min(low + size - 1, self.wanted.matches)) for low in range(1, self.wanted.matches + 1, size)]
        rows = ((self.ladder.id, number, False, low, high) for number, (low, high) in enumerate(bounds, 1))
        write_rows(self.connection, LadderRound, ("tournament_id", "number", "placement", "first", "last"), rows)
        taken = sum(high <= self.settled for _, high in bounds)
        there = update(table_of(Tournament)).where(table_of(Tournament).c.id == self.ladder.id)
        self.connection.execute(there.values(cursor=self.settled + 1, rounds=1, rounds_taken=taken))
        write_rows(
            self.connection, LadderTurns, ("tournament_id", "sent", "spent_s"), [(self.ladder.id, self.settled, 0.0)]
        )

    def _write_entries(self, results: Results) -> None:
        entries = table_of(Entry)
        values = ("games", "wins", "faults", "mu", "sigma", "rating", "round_mu", "round_sigma", "appearances")
        change = entries.update().where(entries.c.id == bindparam("its_id"))
        change = change.values({name: bindparam(f"its_{name}") for name in (*values, "last_round")})
        rows = iter(results.tallies.items())
        while some := list(islice(rows, STEP)):
            self.connection.execute(change, [_entry(entry, tally, self._round_of(tally)) for entry, tally in some])

    def _round_of(self, tally: Tally) -> int | None:
        size = max(1, self.wanted.bots // self.wanted.seats)
        return (tally.last_number - 1) // size + 1 if tally.last_number else None


def _seats(first: int, match: Played) -> Iterator[Row]:
    number, entries, places = match.result
    for at, entry in enumerate(entries):
        place, move = (places[at], match.moves[at]) if match.moves else ((None, None), (None, None, None, None))
        luck = (None, None) if place[1] is None else (0.0, place[0] / place[1])
        yield first + number - 1, at, entry, *place, *luck, match.wins[at], match.faults[at], *move


def _entry(entry: int, tally: Tally, last_round: int | None) -> dict[str, object]:
    return {
        "its_id": entry,
        "its_games": tally.games,
        "its_wins": tally.wins,
        "its_faults": tally.faults,
        "its_mu": tally.mu,
        "its_sigma": tally.sigma,
        "its_rating": shown(tally.mu, tally.sigma),
        "its_round_mu": tally.mu,
        "its_round_sigma": tally.sigma,
        "its_appearances": tally.appearances,
        "its_last_round": last_round,
    }


_MATCH = (
    *("id", "tournament_id", "number", "rating_order", "purpose", "epoch_id", "seed_digest", "created_at"),
    *("state", "attempt", "leased_at", "done_at", "seconds", "void_reason", "digest"),
)
_SEAT = (
    *("match_id", "position", "entry_id", "mean_place_num", "mean_place_den", "luck", "adjusted", "wins", "faults"),
    *("mu_before", "sigma_before", "mu_after", "sigma_after"),
)
