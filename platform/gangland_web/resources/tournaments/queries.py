"""What the pages of tournaments ask, each in a fixed number of statements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Integer, bindparam
from sqlmodel import Session, col, or_, select

from gangland_ladder.tournaments.lifecycle import State
from gangland_web.models.accounts import organises
from gangland_web.models.bots import Bot, Version
from gangland_web.models.columns import stored
from gangland_web.models.matches import Match, MatchSeat
from gangland_web.models.owners import HOUSE, may_come, owner_shown, party_of
from gangland_web.models.tournaments import Directive, DirectiveKind, DirectiveState, Entrant, Entry, Event, Tournament
from gangland_web.resources.matches.queries import SeatRow, seats_of
from gangland_web.resources.visibility import CurrentUser, results_visible

_AMENDED = {
    DirectiveKind.RERUN: "played again",
    DirectiveKind.VOID: "taken out",
    DirectiveKind.DISQUALIFY: "disqualified",
}


@dataclass(frozen=True, slots=True)
class Part:
    """A bot that takes part: entered, and after the freeze with the version that was pinned."""

    bot_id: int
    bot: str
    owner_id: int | None
    team_id: int | None
    owner: str | None
    version: int | None = None
    code: str | None = None
    entry: Entry | None = None
    is_house: bool = False

    @property
    def owner_or_house(self) -> str:
        """The name of its owner, "house" for a house bot's."""
        return self.owner or HOUSE


@dataclass(frozen=True, slots=True)
class Table:
    """One match of a tournament's schedule; `seats` best first once it is played."""

    id: int
    number: int
    state: str
    void_reason: str | None
    done_at: float | None
    seats: tuple[SeatRow, ...]


@dataclass(frozen=True, slots=True)
class Amendment:
    """What an organiser did to results, with the reason that everybody reads; of a match or of a bot."""

    what: DirectiveKind
    at: float
    reason: str
    bot: str | None
    match_id: int | None
    number: int | None

    @property
    def words(self) -> str:
        """What was done."""
        return _AMENDED[self.what]


def listed(db: Session, who: CurrentUser | None, limit: int, *, before: int | None = None) -> list[Tournament]:
    """Return the newest tournaments that whoever looks may know of."""
    chosen = select(Tournament).where(Tournament.kind == "tournament", *known_to(who))
    if before is not None:
        chosen = chosen.where(col(Tournament.id) < before)
    return list(db.exec(chosen.order_by(col(Tournament.id).desc()).limit(limit)).all())


def listed_events(db: Session, who: CurrentUser | None, limit: int, *, before: int | None = None) -> list[Event]:
    """Return the newest events in which there is a tournament that whoever looks may know of."""
    known = select(Tournament.event_id).where(col(Tournament.event_id).is_not(None), *known_to(who))
    chosen = select(Event).where(col(Event.id).in_(known))
    if before is not None:
        chosen = chosen.where(col(Event.id) < before)
    return list(db.exec(chosen.order_by(col(Event.id).desc()).limit(limit)).all())


def known_to(who: CurrentUser | None) -> list[Any]:
    """Return the conditions on tournaments that whoever looks may know of: `is_visible` as a query."""
    if who is not None and who.is_admin:
        return []
    announced = (col(Tournament.state) != State.DRAFT.value) & col(Tournament.announced_at).is_not(None)
    announced &= col(Tournament.rehearsal_of).is_(None)
    if who is None or not organises(who.role):
        return [announced]
    return [or_(announced, col(Tournament.organiser_id) == who.id)]


def tournaments_in(db: Session, event_id: int) -> list[Tournament]:
    """Return the tournaments of an event in the order in which they were made."""
    return list(db.exec(select(Tournament).where(Tournament.event_id == event_id).order_by(col(Tournament.id))).all())


def entrants_of(db: Session, tournament: Tournament) -> list[Part]:
    """Return the bots that people have entered, in order of game and name."""
    chosen = (
        select(Bot, owner_shown())
        .join(Entrant, col(Entrant.bot_id) == Bot.id)
        .where(Entrant.tournament_id == tournament.id)
        .order_by(Bot.name_key, col(Bot.id))
    )
    return [
        Part(stored(bot.id), bot.name, bot.owner_id, bot.team_id, owner, is_house=bot.is_house)
        for bot, owner in db.exec(chosen).all()
    ]


def pinned_of(db: Session, tournament: Tournament) -> list[Part]:
    """Return the frozen entries with their versions, in order of their id."""
    chosen = (
        select(Entry, Version, Bot, owner_shown())
        .join(Version, col(Version.id) == Entry.version_id)
        .join(Bot, col(Bot.id) == Version.bot_id)
        .where(Entry.tournament_id == tournament.id)
        .order_by(col(Entry.id))
    )
    return [
        Part(
            *(stored(bot.id), bot.name, bot.owner_id, bot.team_id, owner),
            *(version.number, version.code_sha256, entry, bot.is_house),
        )
        for entry, version, bot, owner in db.exec(chosen).all()
    ]


def parts_of(db: Session, tournament: Tournament) -> list[Part]:
    """Return the frozen entries; before the freeze the bots that people have entered."""
    return pinned_of(db, tournament) or entrants_of(db, tournament)


def amendments_of(db: Session, tournament: Tournament) -> list[Amendment]:
    """Return what organisers have done to results, the newest first: played again, taken out, disqualified."""
    chosen = (
        select(Directive, Match, Bot.name)
        .outerjoin(Match, col(Match.id) == Directive.match_id)
        .outerjoin(Entry, col(Entry.id) == Directive.entry_id)
        .outerjoin(Version, col(Version.id) == Entry.version_id)
        .outerjoin(Bot, col(Bot.id) == Version.bot_id)
        .where(Directive.tournament_id == tournament.id, Directive.state == DirectiveState.DONE.value)
        .where(col(Directive.kind).in_([kind.value for kind in _AMENDED]))
        .order_by(col(Directive.id).desc())
    )
    rows: Any = db.exec(chosen).all()
    return [
        Amendment(
            what=DirectiveKind(order.kind),
            at=order.done_at or order.ordered_at,
            reason=order.reason,
            bot=bot,
            match_id=match.id if match is not None else None,
            number=match.number if match is not None else None,
        )
        for order, match, bot in rows
    ]


def bots_to_enter(db: Session, tournament: Tournament, person_id: int) -> list[tuple[Bot, bool]]:
    """Return a person's bots of the game that are active, on their way or entered, and whether each is entered."""
    theirs = party_of(db, person_id).theirs()
    entered = select(Entrant.bot_id).where(Entrant.tournament_id == tournament.id)
    ids = set(db.exec(entered.join(Bot, col(Bot.id) == Entrant.bot_id).where(theirs)).all())
    chosen = select(Bot).where(theirs, Bot.game == tournament.game)
    chosen = chosen.where(or_(col(Bot.active_version_id).is_not(None), may_come(), col(Bot.id).in_(ids)))
    return [(bot, bot.id in ids) for bot in db.exec(chosen.order_by(Bot.name_key, col(Bot.id))).all()]


def tables_of(
    db: Session,
    tournament: Tournament,
    who: CurrentUser | None,
    limit: int,
    *,
    after: int = 0,
    entry: int | None = None,
) -> list[Table]:
    """Return matches in order of their numbers, those of one entry if asked for.

    Who meets in settling and at the final table follows from results: who may not see those sees the schedule alone.
    """
    chosen = select(Match).where(Match.tournament_id == tournament.id, col(Match.number) > after)
    if not results_visible(tournament, who):
        first = select(Match.created_at).where(Match.tournament_id == tournament.id, Match.number == 1)
        chosen = chosen.where(Match.created_at == first.scalar_subquery())  # all of a schedule are written at once
        chosen = chosen.where(col(Match.is_final).is_(False))
    if entry is not None:
        chosen = chosen.where(col(Match.id).in_(select(MatchSeat.match_id).where(MatchSeat.entry_id == entry)))
    matches = db.exec(chosen.order_by(col(Match.number)).limit(limit)).all()
    seats = seats_of(db, [stored(match.id) for match in matches])
    return [_table(match, seats[stored(match.id)]) for match in matches]


def _table(match: Match, seats: tuple[SeatRow, ...]) -> Table:
    best_first = tuple(sorted(seats, key=lambda seat: (seat.mean_place or 0.0, seat.position)))
    return Table(stored(match.id), match.number, match.state, match.void_reason, match.done_at, best_first)


def tournaments_of(db: Session, bots: Sequence[int], limit: int = 20) -> list[Tournament]:
    """Return the announced tournaments that some bots were entered in or pinned for, the newest first."""
    return list(db.execute(_TOURNAMENTS, {"bots": list(bots), "limit": limit}).scalars())


_bots: Any = bindparam("bots", expanding=True)
_pinned = select(Entry.tournament_id).join(Version, col(Version.id) == Entry.version_id)
_pinned = _pinned.where(col(Version.bot_id).in_(_bots))
_entered = select(Entrant.tournament_id).where(col(Entrant.bot_id).in_(_bots))
_TOURNAMENTS: Any = (
    select(Tournament)
    .where(Tournament.kind == "tournament", Tournament.state != State.DRAFT.value)
    .where(col(Tournament.announced_at).is_not(None), col(Tournament.rehearsal_of).is_(None))
    .where(or_(col(Tournament.id).in_(_pinned), col(Tournament.id).in_(_entered)))
    .order_by(col(Tournament.id).desc())
    .limit(bindparam("limit", type_=Integer, literal_execute=True))
)
