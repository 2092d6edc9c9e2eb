"""Tournaments: what is announced, who takes part, what is played when, and what came of it."""

from __future__ import annotations

from typing import Annotated, Any

from flask import url_for
from msgspec import Meta
from sqlmodel import Session

from gangland_ladder.tournaments.deadlines import LINE
from gangland_ladder.tournaments.lifecycle import State
from gangland_web.api.framework.declared import call
from gangland_web.api.framework.fields import MOST, Count, Game, Hex64, Limit, Model, Moment, NewestFirst, Number, Path
from gangland_web.api.framework.openapi import BASE
from gangland_web.api.framework.paging import next_page
from gangland_web.api.framework.sheets import table, table_model
from gangland_web.http.problems import Problem
from gangland_web.http.sessions import database, looker
from gangland_web.league.tournaments.final import kept_standings
from gangland_web.league.tournaments.public_values import announced_for
from gangland_web.resources.documented import DOCUMENTED
from gangland_web.resources.exports.rows import moment, standings
from gangland_web.resources.tournaments.figures import TABLES, schedule_sheet
from gangland_web.resources.tournaments.files import sheet_of
from gangland_web.resources.tournaments.queries import listed, tables_of
from gangland_web.resources.tournaments.seen import found_tournament, shown_tournament
from gangland_web.resources.visibility import over_told, results_seen, shown_secret
from gangland_web.store.columns import stored
from gangland_web.store.models.tournaments import Tournament
from gangland_web.store.roles import organises


class TournamentTold(Model):
    """A tournament in short; `planned` and `over` count its matches, `event` is the one that it is in."""

    id: Number
    url: Path
    page: Path
    name: str
    event: Number | None
    state: State
    note: str
    game: Game
    seats: int
    planned: Count
    over: Count


class Tournaments(Model):
    """Tournaments, the newest first."""

    tournaments: list[TournamentTold]
    next: Path | None


class DeadlinesTold(Model):
    """When what happens by itself; null where the organiser does it."""

    opens_at: Moment | None
    freezes_at: Moment | None
    starts_at: Moment | None
    reveals_at: Moment | None
    embargo_until: Moment | None


class RandomnessTold(Model):
    """The public value that goes into the dice; `value` is null until it was entered."""

    source: str
    address: str
    published_at: Moment
    form: str
    value: str | None
    entered_at: Moment | None


class TournamentWhole(Model):
    """A tournament with its rules; `results_shown` tells whether its results are shown to whoever asks."""

    tournament: TournamentTold
    options: dict[str, Any]
    blocks: Count
    limits: dict[str, Any]
    tables: Count | None
    entry_rule: str
    house_bots: bool
    deadlines: DeadlinesTold
    randomness: RandomnessTold | None
    results_shown: bool


class StandingLine(Model):
    """An entry's line of final standings.  docs/standings.md says what each figure is."""

    rank: int
    rank_low: int
    rank_high: int
    holds: float
    best: float | None
    next_below: Number | None
    next_above: Number | None
    entry: Number
    bot: str
    version: int
    owner: str
    blocks: int
    won: int
    tied: int
    lost: int
    block_score: float | None
    against_all: float | None
    against_all_low: float | None
    against_all_high: float | None
    strength: float
    error: float


class Top(Model):
    """What is known of the first k: who is surely among them, and who may be; all are entries."""

    k: int
    settled: bool
    inside: list[int]
    open: list[int]
    games_needed: int | None


class Standings(Model):
    """Final standings, the best first; `podium` is the entries of the first three ranks."""

    level: float
    holds: float | None
    enough_blocks: int
    enough: bool
    podium: list[int]
    blocks: int
    games: int
    rows: list[StandingLine]
    top: list[Top]


class Proof(Model):
    """What `gangland verify` examines the archive by; without a public value the holder of the secret is trusted."""

    commitment: Hex64 | None
    roster_digest: Hex64 | None
    secret: Hex64 | None
    randomness: RandomnessTold | None
    archive: Path | None
    command: str | None


class SchedulePage(Model):
    """Which matches, in order of their numbers: those of one entry, if one is named."""

    after: Annotated[int, Meta(ge=0, le=MOST, description="Matches with higher numbers.")] = 0
    entry: Number | None = None
    limit: Limit = 50


def _model(what: str, *, paged: bool = False) -> Any:
    about = DOCUMENTED[f"tournament-{what}"].about.replace(" (`?after=`, `?entry=`)", "")
    return table_model(f"Tournament{what.title()}", about, TABLES[what], paged=paged)


@call("GET", "/tournaments", subject="tournaments")
def tournaments(db: Session, query: NewestFirst) -> Tournaments:
    """List tournaments that were announced, the newest first, and those of one's own."""
    who = looker()
    organiser = who.id if who is not None and organises(who.role) else None
    admin = who is not None and who.is_admin
    found = listed(db, organiser, query.limit + 1, admin=admin, before=query.before)
    more = stored(found[query.limit - 1].id) if len(found) > query.limit else None
    return Tournaments(tournaments=[told(each) for each in found[: query.limit]], next=next_page(before=more))


def told(tournament: Tournament) -> TournamentTold:
    """Return a tournament in short."""
    return TournamentTold(
        id=stored(tournament.id),
        url=f"{BASE}/tournaments/{tournament.id}",
        page=url_for("tournaments.tournament", tournament_id=tournament.id),
        name=tournament.name,
        event=tournament.event_id,
        state=State(tournament.state),
        note=tournament.note,
        game=tournament.game,
        seats=tournament.seats,
        planned=tournament.matches_planned,
        over=over_told(tournament, looker()),
    )


@call("GET", "/tournaments/{tournament_id}", subject="tournaments")
def tournament(db: Session, tournament_id: Number) -> TournamentWhole:
    """Tell of a tournament, its rules and its deadlines."""
    return told_whole(found_tournament(db, tournament_id, looker()))


def told_whole(found: Tournament) -> TournamentWhole:
    """Return a tournament with its rules."""
    times = {name: moment(getattr(found, name)) for name in (*LINE, "embargo_until")}
    return TournamentWhole(
        tournament=told(found),
        options=found.options,
        blocks=found.blocks,
        limits=found.limits,
        tables=found.tables_asked,
        entry_rule=found.entry_rule,
        house_bots=found.house_bots,
        deadlines=DeadlinesTold(**times),
        randomness=_randomness(found),
        results_shown=results_seen(found, looker()),
    )


def _randomness(found: Tournament) -> RandomnessTold | None:
    announced = announced_for(found)
    if announced is None:
        return None
    return RandomnessTold(
        source=announced.source,
        address=announced.address,
        published_at=announced.published_at,
        form=announced.form,
        value=found.public_value,
        entered_at=moment(found.public_value_at),
    )


def _declare_table(what: str) -> None:
    def rows(db: Session, tournament_id: Number) -> Any:
        who = looker()
        return table(sheet_of(db, found_tournament(db, tournament_id, who), what, who))

    model = _model(what)
    rows.__doc__ = DOCUMENTED[f"tournament-{what}"].about
    path = f"/tournaments/{{tournament_id}}/{what}"
    call("GET", path, subject="tournaments", name=f"tournament_{what}", answer=model)(rows)


for _what in ("entries", "cross", "progress", "amendments"):
    _declare_table(_what)


@call("GET", "/tournaments/{tournament_id}/schedule", subject="tournaments", answer=_model("schedule", paged=True))
def schedule(db: Session, tournament_id: Number, query: SchedulePage) -> Any:
    """List a tournament's matches in order of their numbers, a row for each bot in each."""
    found = found_tournament(db, tournament_id, looker())
    tables = tables_of(db, found, query.limit + 1, after=query.after, entry=query.entry)
    more = tables[query.limit - 1].number if len(tables) > query.limit else None
    sheet = schedule_sheet(found, tables[: query.limit], results=results_seen(found, looker()))
    return table(sheet, next=next_page(after=more))


@call("GET", "/tournaments/{tournament_id}/standings", subject="tournaments")
def final_standings(db: Session, tournament_id: Number) -> Standings:
    """Tell the final standings, once all is played and they are shown."""
    found = shown_tournament(db, tournament_id, looker())
    kept = kept_standings(db, tournament_id)
    if kept is None:
        words = f"{found.name} is {found.state}; its standings come when all is played."
        raise Problem(404, "E310", words)
    rows = [StandingLine(**row) for row in standings(database(), tournament_id, kept)]  # type: ignore[arg-type]
    top = [Top(**each) for each in kept["top"]]
    same = {name: kept[name] for name in ("level", "holds", "blocks", "games", "enough_blocks", "enough", "podium")}
    return Standings(**same, rows=rows, top=top)


@call("GET", "/tournaments/{tournament_id}/proof", subject="tournaments")
def proof(db: Session, tournament_id: Number) -> Proof:
    """Tell the commitment to the dice, the secret once it is public, and how to examine both."""
    found = found_tournament(db, tournament_id, looker())
    ready = bool(found.roster_digest) and results_seen(found, looker())
    name = f"gangland-tournament-{tournament_id}.tar"
    return Proof(
        commitment=found.commitment if found.announced_at is not None else None,
        roster_digest=found.roster_digest or None,
        secret=shown_secret(found),
        randomness=_randomness(found),
        archive=f"{BASE}/tournaments/{tournament_id}/archive.tar" if ready else None,
        command=f"gangland verify {name}" if ready else None,
    )
