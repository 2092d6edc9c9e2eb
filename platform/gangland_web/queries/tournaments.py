"""Read tournaments and events: who may see them, their contents, and the model of a tournament."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from flask import url_for
from sqlalchemy import bindparam
from sqlmodel import Session, col, or_, select

from gangland_ladder.tournaments.lifecycle import State
from gangland_web.base.formats import timestamp
from gangland_web.models.accounts import may_organize
from gangland_web.models.bots import Bot, Version, open_version_exists, party_of, shown_owner
from gangland_web.models.columns import literal_number, row_id
from gangland_web.models.matches import Match, MatchSeat
from gangland_web.models.organizing import ActionKind, ActionState, OrganizerAction
from gangland_web.models.tournaments import Entrant, Entry, Event, Tournament
from gangland_web.queries import visibility
from gangland_web.queries.matches import SeatRow, seats_of
from gangland_web.queries.tables import BASE, Count, Game, Hex64, Model, Moment, Number, Path, model_from
from gangland_web.services.entries import omitted_bots
from gangland_web.services.ladder_days import announcement_of
from gangland_web.services.matches import final_terms_of

# Tournaments and events that a visitor may see.


def get_tournament(db: Session, tournament_id: int, who: visibility.CurrentUser | None) -> Tournament:
    """Return a tournament if the visitor may see that it exists.  Raises NotVisible."""
    tournament = db.get(Tournament, tournament_id)
    if tournament is None or tournament.kind != "tournament" or not visibility.is_visible(tournament, who):
        raise visibility.NotVisible
    return tournament


def shown_tournament(db: Session, tournament_id: int, who: visibility.CurrentUser | None) -> Tournament:
    """Return a tournament if the visitor may see its results.  Raises NotVisible."""
    tournament = get_tournament(db, tournament_id, who)
    if not visibility.results_visible(tournament, who):
        raise visibility.NotVisible
    return tournament


def visible_event(db: Session, event_id: int, who: visibility.CurrentUser | None) -> tuple[Event, list[Tournament]]:
    """Return an event with the tournaments that the visitor may see.  Raises NotVisible."""
    event = db.get(Event, event_id)
    tournaments = visible_tournaments(db, event_id, who)
    if event is None or not tournaments:
        raise visibility.NotVisible
    return event, tournaments


def visible_tournaments(db: Session, event_id: int, who: visibility.CurrentUser | None) -> list[Tournament]:
    """Return the tournaments of an event that the visitor may see."""
    return [tournament for tournament in tournaments_in(db, event_id) if visibility.is_visible(tournament, who)]


def listed_tournaments(
    db: Session, who: visibility.CurrentUser | None, limit: int, *, before: int | None = None
) -> list[Tournament]:
    """Return the newest tournaments that the visitor may see; `before`: only those with lower numbers."""
    query = select(Tournament).where(Tournament.kind == "tournament", *visible_conditions(who))
    if before is not None:
        query = query.where(col(Tournament.id) < before)
    return list(db.exec(query.order_by(col(Tournament.id).desc()).limit(limit)).all())


def listed_events(
    db: Session, who: visibility.CurrentUser | None, limit: int, *, before: int | None = None
) -> list[Event]:
    """Return the newest events with a tournament that the visitor may see; `before`: only those with lower numbers."""
    ids = select(Tournament.event_id).where(col(Tournament.event_id).is_not(None), *visible_conditions(who))
    query = select(Event).where(col(Event.id).in_(ids))
    if before is not None:
        query = query.where(col(Event.id) < before)
    return list(db.exec(query.order_by(col(Event.id).desc()).limit(limit)).all())


def visible_conditions(who: visibility.CurrentUser | None) -> list[Any]:
    """Return the conditions of `is_visible` for a query."""
    if who is not None and who.is_admin:
        return []
    announced = (col(Tournament.state) != State.DRAFT.value) & col(Tournament.announced_at).is_not(None)
    announced &= col(Tournament.rehearsal_of).is_(None)
    if who is None or not may_organize(who.role):
        return [announced]
    return [or_(announced, col(Tournament.organizer_id) == who.id)]


def tournaments_in(db: Session, event_id: int) -> list[Tournament]:
    """Return the tournaments of an event in the order of their creation."""
    return list(db.exec(select(Tournament).where(Tournament.event_id == event_id).order_by(col(Tournament.id))).all())


# The contents of a tournament: bots, amendments and matches, each read with a fixed number of SQL statements.

_AMENDMENT_TEXTS = {
    ActionKind.RERUN: "played again",
    ActionKind.VOID: "taken out",
    ActionKind.DISQUALIFY: "disqualified",
}


@dataclass(frozen=True, slots=True)
class Part:
    """A bot entered in a tournament; after the freeze with its pinned version."""

    bot_id: int
    bot: str
    owner_id: int | None
    team_id: int | None
    owner: str | None
    version: int | None = None
    code: str | None = None
    entry: Entry | None = None
    is_house: bool = False


@dataclass(frozen=True, slots=True)
class ScheduledMatch:
    """A match in the schedule of a tournament."""

    id: int
    number: int
    state: str
    void_reason: str | None
    done_at: float | None
    seats: tuple[SeatRow, ...]  # best first once it is played


@dataclass(frozen=True, slots=True)
class Amendment:
    """An organizer's change to the results of a match or a bot, with the public reason."""

    what: ActionKind
    at: float
    reason: str
    bot: str | None
    match_id: int | None
    number: int | None

    @property
    def description(self) -> str:
        """A description of the change."""
        return _AMENDMENT_TEXTS[self.what]


def entrants_of(db: Session, tournament: Tournament) -> list[Part]:
    """Return the bots that users have entered, by name."""
    query = (
        select(Bot, shown_owner())
        .join(Entrant, col(Entrant.bot_id) == Bot.id)
        .where(Entrant.tournament_id == tournament.id)
        .order_by(Bot.name_key, col(Bot.id))
    )
    return [
        Part(row_id(bot.id), bot.name, bot.owner_id, bot.team_id, owner, is_house=bot.is_house)
        for bot, owner in db.exec(query).all()
    ]


def frozen_parts(db: Session, tournament: Tournament) -> list[Part]:
    """Return the frozen entries with their versions, sorted by id."""
    query = (
        select(Entry, Version, Bot, shown_owner())
        .join(Version, col(Version.id) == Entry.version_id)
        .join(Bot, col(Bot.id) == Version.bot_id)
        .where(Entry.tournament_id == tournament.id)
        .order_by(col(Entry.id))
    )
    return [
        Part(
            *(row_id(bot.id), bot.name, bot.owner_id, bot.team_id, owner),
            *(version.number, version.code_sha256, entry, bot.is_house),
        )
        for entry, version, bot, owner in db.exec(query).all()
    ]


def parts_of(db: Session, tournament: Tournament) -> list[Part]:
    """Return the frozen entries; before the freeze, the bots that users have entered."""
    return frozen_parts(db, tournament) or entrants_of(db, tournament)


def amendments_of(db: Session, tournament: Tournament) -> list[Amendment]:
    """Return the organizers' changes to results, newest first."""
    query = (
        select(OrganizerAction, Match, Bot.name)
        .outerjoin(Match, col(Match.id) == OrganizerAction.match_id)
        .outerjoin(Entry, col(Entry.id) == OrganizerAction.entry_id)
        .outerjoin(Version, col(Version.id) == Entry.version_id)
        .outerjoin(Bot, col(Bot.id) == Version.bot_id)
        .where(OrganizerAction.tournament_id == tournament.id, OrganizerAction.state == ActionState.DONE.value)
        .where(col(OrganizerAction.kind).in_([kind.value for kind in _AMENDMENT_TEXTS]))
        .order_by(col(OrganizerAction.id).desc())
    )
    rows: Any = db.exec(query).all()
    return [
        Amendment(
            what=ActionKind(order.kind),
            at=order.done_at or order.ordered_at,
            reason=order.reason,
            bot=bot,
            match_id=match.id if match is not None else None,
            number=match.number if match is not None else None,
        )
        for order, match, bot in rows
    ]


def bots_to_enter(db: Session, tournament: Tournament, person_id: int) -> list[tuple[Bot, bool]]:
    """Return a user's bots that are active, being checked or entered, and whether each is entered."""
    is_own = party_of(db, person_id).own_bots()
    entered = select(Entrant.bot_id).where(Entrant.tournament_id == tournament.id)
    ids = set(db.exec(entered.join(Bot, col(Bot.id) == Entrant.bot_id).where(is_own)).all())
    query = select(Bot).where(is_own, Bot.game == tournament.game)
    query = query.where(or_(col(Bot.active_version_id).is_not(None), open_version_exists(), col(Bot.id).in_(ids)))
    return [(bot, bot.id in ids) for bot in db.exec(query.order_by(Bot.name_key, col(Bot.id))).all()]


def schedule(
    db: Session,
    tournament: Tournament,
    who: visibility.CurrentUser | None,
    limit: int,
    *,
    after: int = 0,
    entry: int | None = None,
) -> list[ScheduledMatch]:
    """Return scheduled matches by number, without later rounds if the visitor may not see results; `entry`: its own."""
    query = select(Match).where(Match.tournament_id == tournament.id, col(Match.number) > after)
    if not visibility.results_visible(tournament, who):
        # Settling rounds and the final table reveal who is ahead, so only the first schedule is shown.
        first = select(Match.created_at).where(Match.tournament_id == tournament.id, Match.number == 1)
        query = query.where(Match.created_at == first.scalar_subquery())  # a schedule is written at once
        query = query.where(col(Match.is_final).is_(False))
    if entry is not None:
        query = query.where(col(Match.id).in_(select(MatchSeat.match_id).where(MatchSeat.entry_id == entry)))
    matches = db.exec(query.order_by(col(Match.number)).limit(limit)).all()
    seats = seats_of(db, [row_id(match.id) for match in matches])
    return [
        ScheduledMatch(
            *(row_id(match.id), match.number, match.state, match.void_reason, match.done_at),
            tuple(sorted(seats[row_id(match.id)], key=lambda seat: (seat.mean_place or 0.0, seat.position))),
        )
        for match in matches
    ]


def tournaments_of(db: Session, bots: Sequence[int], limit: int = 20) -> list[Tournament]:
    """Return the announced tournaments that these bots have entered, newest first."""
    return list(db.execute(_TOURNAMENTS, {"bots": list(bots), "limit": limit}).scalars())


_bots: Any = bindparam("bots", expanding=True)
_pinned = (
    select(Entry.tournament_id).join(Version, col(Version.id) == Entry.version_id).where(col(Version.bot_id).in_(_bots))
)
_entered = select(Entrant.tournament_id).where(col(Entrant.bot_id).in_(_bots))
_TOURNAMENTS: Any = (
    select(Tournament)
    .where(Tournament.kind == "tournament", *visible_conditions(None))
    .where(or_(col(Tournament.id).in_(_pinned), col(Tournament.id).in_(_entered)))
    .order_by(col(Tournament.id).desc())
    .limit(literal_number("limit"))
)


# The model of a tournament, for page, JSON, API, tables and exports.

DEADLINES: Final = ("opens_at", "freezes_at", "starts_at", "reveals_at", "embargo_until")


class TournamentSummary(Model):
    """A tournament in short; a time is null if the organizer acts without a deadline."""

    id: Number
    url: Path
    page: Path
    name: str
    event: Number | None
    state: State
    note: str
    game: Game
    seats: int
    matches_planned: Count
    matches_over: Count
    opens_at: Moment | None
    freezes_at: Moment | None
    starts_at: Moment | None
    reveals_at: Moment | None
    embargo_until: Moment | None


class Tournaments(Model):
    """Tournaments, newest first."""

    tournaments: list[TournamentSummary]
    next: Path | None


class Randomness(Model):
    """The public value for the dice; `value` is null until it is entered."""

    source: str
    address: str
    published_at: Moment
    form: str
    value: str | None
    entered_at: Moment | None


class FinalTableRules(Model):
    """The announced final table; with a premiere, all results are hidden until its last step."""

    seats: int
    blocks: Count
    effect: str
    weight: str
    has_premiere: bool
    premiered: Count


class LeftOut(Model):
    """A bot that the freeze left out, or entered with an older version than its newest."""

    bot_id: Number
    bot: str
    reason: str


class TournamentDetail(TournamentSummary):
    """A tournament with its rules and its proof; `results_shown`: whether you may see results.

    `command` checks the file `archive`.
    """

    blocks: Count
    options: dict[str, Any]
    limits: dict[str, Any]
    tables: Count | None
    entry_rule: str
    house_bots: bool
    house_ranked: bool
    browser_only: bool
    commitment: Hex64 | None
    roster_digest: Hex64 | None
    secret: Hex64 | None
    randomness: Randomness | None
    final_table: FinalTableRules | None
    archive: Path | None
    command: str | None
    results_shown: bool
    left_out: list[LeftOut]


def tournament_summary(tournament: Tournament, who: visibility.CurrentUser | None) -> TournamentSummary:
    """Return the summary of a tournament, as the visitor may see it."""
    return model_from(
        TournamentSummary,
        tournament,
        url=f"{BASE}/tournaments/{tournament.id}",
        page=url_for("tournaments.tournament", tournament_id=tournament.id),
        event=tournament.event_id,
        state=State(tournament.state),
        matches_over=visibility.finished_matches(tournament, who),
    )


def tournament_list(
    tournaments: Sequence[Tournament], who: visibility.CurrentUser | None, after: str | None
) -> Tournaments:
    """Return a page of tournaments; `after` is the URL of the next page."""
    return Tournaments(tournaments=[tournament_summary(tournament, who) for tournament in tournaments], next=after)


def events_of(db: Session, tournaments: Sequence[TournamentSummary]) -> list[tuple[Event, list[TournamentSummary]]]:
    """Return the events of these tournaments, newest first, each with its tournaments."""
    groups: dict[int, list[TournamentSummary]] = {}
    for tournament in tournaments:
        if tournament.event is not None:
            groups.setdefault(tournament.event, []).insert(0, tournament)
    events = db.exec(select(Event).where(col(Event.id).in_(groups)).order_by(col(Event.id).desc())).all()
    return [(event, groups[row_id(event.id)]) for event in events]


def tournament_detail(db: Session, tournament: Tournament, who: visibility.CurrentUser | None) -> TournamentDetail:
    """Return a tournament with its rules and its proof, as the visitor may see it."""
    results = visibility.results_visible(tournament, who)
    proven = results and bool(tournament.roster_digest)
    return model_from(
        TournamentDetail,
        tournament_summary(tournament, who),
        **tournament_rules(tournament),
        limits=tournament.limits,
        secret=visibility.shown_secret(tournament),
        archive=f"{BASE}/tournaments/{tournament.id}/archive.tar" if proven else None,
        command=f"gangland verify gangland-tournament-{tournament.id}.tar" if proven else None,
        results_shown=results,
        left_out=left_out(db, tournament),
    )


def left_out(db: Session, tournament: Tournament) -> list[LeftOut]:
    """Return the bots that the freeze left out or entered with an older version, by name."""
    return [LeftOut(row_id(bot.id), bot.name, reason) for bot, reason in omitted_bots(db, tournament)]


def tournament_rules(tournament: Tournament) -> dict[str, Any]:
    """Return the members that the command line also shows: the rules, and the values published before any match."""
    return {
        "blocks": tournament.blocks,
        "options": tournament.options,
        "tables": tournament.tables,
        "entry_rule": tournament.entry_rule,
        "house_bots": tournament.house_bots,
        "house_ranked": tournament.house_ranked,
        "browser_only": tournament.browser_only,
        "commitment": tournament.commitment if tournament.announced_at is not None else None,
        "roster_digest": tournament.roster_digest or None,
        "randomness": _randomness(tournament),
        "final_table": _final_table(tournament),
    }


def deadlines_of(tournament: Tournament) -> dict[str, str | None]:
    """Return the deadlines of a tournament by name; None if the organizer acts instead."""
    return {name: timestamp(getattr(tournament, name)) for name in DEADLINES}


def _final_table(tournament: Tournament) -> FinalTableRules | None:
    final = final_terms_of(tournament)
    if final is None:
        return None
    return FinalTableRules(
        final.seats, final.blocks, final.effect, final.weight, tournament.has_premiere, tournament.premiered
    )


def _randomness(tournament: Tournament) -> Randomness | None:
    announced = announcement_of(tournament)
    if announced is None:
        return None
    return model_from(
        Randomness, announced, value=tournament.public_value, entered_at=timestamp(tournament.public_value_at)
    )
