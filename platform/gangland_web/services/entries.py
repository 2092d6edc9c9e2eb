"""Tournament entries: entering and withdrawing bots, notes on bots left out at the freeze, and game tables."""

from collections.abc import Sequence
from hashlib import sha256
from hmac import compare_digest
from typing import Any, Final, NamedTuple

from sqlalchemy import false
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, or_, select, update

from gangland_ladder.matches.seeds import schedule_seed
from gangland_ladder.pairing import permitted_tables as pairing
from gangland_ladder.pairing.permitted_tables import Table
from gangland_ladder.pairing.round_robin import round_robin
from gangland_ladder.rating.trueskill import Rating
from gangland_ladder.tournaments.lifecycle import State, may_enter
from gangland_web.base.formats import now_s, state_label
from gangland_web.models.accounts import User
from gangland_web.models.bots import OPEN, Bot, Version, VersionState, has_open_version, owner_numbers
from gangland_web.models.columns import add_row, row_id
from gangland_web.models.matches import Match, MatchSeat
from gangland_web.models.organizing import RECORD_WORKER, log_action
from gangland_web.models.tournaments import Entrant, Entry, Tournament, lock_tournament
from gangland_web.services.matches import void_waiting

# Entering and withdrawing bots.

JOIN_CODE_CHARS = 100  # longer input is truncated


class EntryRefused(ValueError):
    """A bot cannot be entered or withdrawn; the message explains why, and what would help."""


def enter_bot(
    session: Session, tournament: Tournament, bot: Bot, join_code: str | None = None, *, by_organizer: bool = False
) -> None:
    """Enter a bot, in place of any other bot of the same owner.  Raises EntryRefused.

    The version that is active at the freeze will play.  A bot whose first version is still being checked may be
    entered, and plays if a version passes before the freeze.  An organizer needs no code, and may enter house bots.
    """
    lock_tournament(session, tournament)
    if tournament.kind != "tournament" or not may_enter(State(tournament.state)):
        raise EntryRefused(f"{tournament.name} does not accept entries now ({state_label(tournament.state)})")
    if tournament.closed_at is not None:
        raise EntryRefused(f"the entries of {tournament.name} are closed")
    if bot.game != tournament.game:
        raise EntryRefused(f"{bot.name} plays {bot.game}, but {tournament.name} is a {tournament.game} tournament")
    if bot.active_version_id is None and not has_open_version(session, bot):
        raise EntryRefused(f"{bot.name} has no active version; upload one first")
    if bot.is_house and not (tournament.house_bots or by_organizer):
        raise EntryRefused(f"{tournament.name} does not accept house bots")
    if tournament.browser_only and (files := file_versions(session, [row_id(bot.id)])):
        raise EntryRefused(
            f"{tournament.name} accepts only bots from the editor, and version {files[0][1].number} of {bot.name} came"
            f" from a file. Upload it in the editor (/write/{bot.game}), then enter it"
        )
    code = None if bot.is_house or by_organizer else tournament.join_code_hash
    if code is not None and not is_join_code(join_code or "", code):
        problem = "that is not the join code of" if join_code else "enter the join code of"
        raise EntryRefused(f"{problem} {tournament.name}: ask its organizer for it")
    key = {"tournament_id": tournament.id, "bot_id": bot.id}
    if session.get(Entrant, key) is None:
        for other in _entrants_of(session, tournament, bot.owner_group):
            session.delete(other)
        add_row(session, Entrant(tournament_id=row_id(tournament.id), bot_id=row_id(bot.id), entered_at=now_s()))


def _entrants_of(session: Session, tournament: Tournament, group: str | None) -> Sequence[Entrant]:
    query = select(Entrant).join(Bot, col(Bot.id) == Entrant.bot_id).where(Entrant.tournament_id == tournament.id)
    return session.exec(query.where(col(Bot.owner_group) == group)).all() if group is not None else ()


def withdraw_bot(session: Session, tournament: Tournament, bot: Bot) -> bool:
    """Withdraw a bot; return False if it was not entered.  Raises EntryRefused: entries are not open."""
    lock_tournament(session, tournament)
    if not may_enter(State(tournament.state)):
        raise EntryRefused(f"{bot.name} can no longer leave {tournament.name} ({state_label(tournament.state)})")
    entrant = session.get(Entrant, {"tournament_id": tournament.id, "bot_id": bot.id})
    if entrant is not None:
        session.delete(entrant)
        session.flush()
    return entrant is not None


def join_code_hash(join_code: str) -> str:
    """Return the hash of a join code, ignoring case."""
    return sha256(join_code.strip().casefold().encode()).hexdigest()


def is_join_code(typed: str, stored_hash: str) -> bool:
    """Return whether a typed join code has this hash."""
    return compare_digest(join_code_hash(typed), stored_hash)


# Tournaments that accept only bots written in the browser.

BEFORE_FREEZE: Final = (State.DRAFT.value, State.ANNOUNCED.value, State.OPEN.value)


def browser_only_tournament(session: Session, bot: Bot) -> Tournament | None:
    """Return a browser-only tournament before its freeze that a bot has entered, or None."""
    query = select(Tournament).join(Entrant, col(Entrant.tournament_id) == Tournament.id)
    conditions = (col(Tournament.browser_only).is_(True), col(Tournament.state).in_(BEFORE_FREEZE))
    return session.exec(query.where(Entrant.bot_id == bot.id, *conditions).order_by(col(Tournament.id))).first()


def browser_only_tournaments(session: Session, user_id: int) -> list[Tournament]:
    """Return the browser-only tournaments before their freeze that concern a user, by id.

    These are the tournaments of the user's class, and those that the user's own bots have entered.
    """
    entered = select(Entrant.tournament_id).join(Bot, col(Bot.id) == Entrant.bot_id).where(Bot.owner_id == user_id)
    conditions = (col(Tournament.browser_only).is_(True), col(Tournament.state).in_(BEFORE_FREEZE))
    ids = col(Tournament.id)
    is_relevant = or_(ids.in_(entered), ids.in_([tournament.id for tournament in class_tournaments(session, user_id)]))
    return list(session.exec(select(Tournament).where(is_relevant, *conditions).order_by(ids)).all())


def class_tournaments(session: Session, user_id: int) -> list[Tournament]:
    """Return announced and open tournaments by the organizer who created a user's account, earliest freeze first."""
    made_by = select(User.made_by).where(User.id == user_id).scalar_subquery()
    states = (State.ANNOUNCED.value, State.OPEN.value)
    query = select(Tournament).where(
        Tournament.kind == "tournament",
        col(Tournament.organizer_id) == made_by,
        col(Tournament.state).in_(states),
        col(Tournament.rehearsal_of).is_(None),
    )
    return list(session.exec(query.order_by(col(Tournament.freezes_at), col(Tournament.id))).all())


def file_versions(session: Session, bot_ids: Sequence[int]) -> list[tuple[Bot, Version]]:
    """Return the bots' active and waiting versions that came from files, with their bots, except house bots."""
    is_current = col(Version.state).in_([VersionState.ACTIVE.value, *(state.value for state in OPEN)])
    query = select(Bot, Version).join(Version, col(Version.bot_id) == Bot.id)
    query = query.where(col(Bot.id).in_(bot_ids), col(Bot.is_house).is_(False), is_current)
    return list(session.exec(query.where(col(Version.in_browser).is_(False)).order_by(col(Version.id))).all())


def entered_from_files(session: Session, tournament: Tournament) -> list[tuple[Bot, Version]]:
    """Return the result of `file_versions` for the bots entered in a tournament."""
    entered = select(Entrant.bot_id).where(Entrant.tournament_id == row_id(tournament.id))
    return file_versions(session, session.exec(entered).all())


# Bots that the freeze leaves out, or enters with an older version, because a check is not over.
#
# The console lists these bots before the freeze. Afterward, the entrant and the log get a note with the reason.

NO_VERSION: Final = "it had no active version when the entries froze"


class UnreadyBot(NamedTuple):
    """An entered bot with a version that is still being checked; `plays`: the version that plays instead, or None."""

    bot_id: int
    bot: str
    version: int
    state: str
    plays: int | None

    @property
    def text(self) -> str:
        """The effect that a freeze would have now, as part of a sentence."""
        instead = "left out" if self.plays is None else f"version {self.plays} plays instead"
        return f"version {self.version} is {_state_text(self.state)}: {instead}"


def unready_bots(session: Session, tournament: Tournament, until: float | None = None) -> list[UnreadyBot]:
    """Return, by name, the entered bots with a version received by `until` that is still being checked."""
    query = _entered_versions(tournament).where(col(Version.state).in_([state.value for state in OPEN]))
    if until is not None:
        query = query.where(col(Version.created_at) <= until)
    rows = {bot.id: (bot, version, active) for bot, version, active, _ in session.exec(query).all()}
    return [
        UnreadyBot(row_id(bot.id), bot.name, version.number, version.state, active)
        for bot, version, active in rows.values()
    ]


def record_omissions(session: Session, tournament: Tournament) -> None:
    """Store and log the reasons why the freeze left bots out, or used an older version than the newest."""
    rows: dict[int | None, Any] = {row[0].id: row for row in session.exec(_entered_versions(tournament)).all()}
    for bot, newest, active, entrant in rows.values():
        if active is None:
            note = f"version {newest.number} was {_state_text(newest.state)}" if newest is not None else NO_VERSION
            if newest is not None and newest.state == VersionState.RETIRED.value:
                note = NO_VERSION
            action = "left out a bot at the freeze"
        elif newest.number > active and newest.state in OPEN:
            note = f"version {newest.number} was still {_state_text(newest.state)}, so version {active} plays"
            action = "froze an older version of a bot"
        else:
            continue
        entrant.note = note
        session.add(entrant)
        log_action(session, RECORD_WORKER, action, tournament_id=tournament.id, subject=bot.name, reason=note)
    session.flush()


def omitted_bots(session: Session, tournament: Tournament) -> Sequence[tuple[Bot, str]]:
    """Return the bots with a note from the freeze, and the notes, ordered by name."""
    query = select(Bot, Entrant.note).join(Entrant, col(Entrant.bot_id) == Bot.id)
    query = query.where(Entrant.tournament_id == tournament.id, col(Entrant.note) != "")
    return session.exec(query.order_by(Bot.name_key, col(Bot.id))).all()


def notes_of_bot(session: Session, bot_id: int) -> dict[int, str]:
    """Return a bot's notes from freezes, by tournament id."""
    query = select(Entrant.tournament_id, Entrant.note).where(Entrant.bot_id == bot_id, col(Entrant.note) != "")
    return dict(session.exec(query).all())


def _state_text(state: str) -> str:
    return {VersionState.TRIAL.value: "in its trial", VersionState.REJECTED.value: "rejected"}.get(
        state, "being checked"
    )


def _entered_versions(tournament: Tournament) -> Any:
    """Return a query for entered bots: bot, version (oldest first), number of the active version, and entrant."""
    active = aliased(Version)
    return (
        select(Bot, Version, active.number, Entrant)
        .join(Entrant, col(Entrant.bot_id) == Bot.id)
        .outerjoin(Version, col(Version.bot_id) == Bot.id)
        .outerjoin(active, col(active.id) == Bot.active_version_id)
        .where(Entrant.tournament_id == tournament.id)
        .order_by(Bot.name_key, col(Bot.id), col(Version.number))
    )


# Entries: entering versions in tournaments, and removing them.


def enter(session: Session, tournament: Tournament, version_id: int) -> Entry:
    """Return a version's entry in a tournament, or create it; on a ladder, the entry is for the current period."""
    query = select(Entry).where(Entry.tournament_id == tournament.id, Entry.version_id == version_id)
    entry = session.exec(query.where(Entry.period == tournament.period)).first()
    if entry is None:
        entry = add_row(session, new_entry(tournament, version_id))
    return entry


def new_entry(tournament: Tournament, version_id: int, **columns: Any) -> Entry:
    """Return a new, unsaved entry with the initial rating."""
    start = Rating()
    return Entry(
        tournament_id=row_id(tournament.id),
        version_id=version_id,
        period=tournament.period,
        mu=start.mu,
        sigma=start.sigma,
        rating=start.shown,
        round_mu=start.mu,
        round_sigma=start.sigma,
        created_at=now_s(),
        **columns,
    )


def withdraw_version(session: Session, version_id: int, reason: str, *, everywhere: bool = False) -> None:
    """Deactivate a version's entries and void its waiting matches; with `everywhere`, in tournaments too."""
    tournaments = select(Tournament.id)
    if not everywhere:
        tournaments = tournaments.where(Tournament.kind != "tournament")
    conditions = [col(Entry.version_id) == version_id, col(Entry.tournament_id).in_(tournaments)]
    session.exec(update(Entry).where(*conditions).values(active=False))
    seats = select(MatchSeat.match_id).join(Entry, col(Entry.id) == MatchSeat.entry_id).where(*conditions)
    void_waiting(session, reason, col(Match.id).in_(seats))


# Tables: the entries with their owners, and the resulting tables.


def tournament_tables(session: Session, tournament: Tournament) -> tuple[Table, ...]:
    """Return a frozen tournament's tables, as determined by its entries and public value.  Raises TablesError."""
    entrants = owned_entries(session, tournament)
    seed = schedule_seed(tournament.roster_digest, tournament.public_value)
    sample = tournament.tables if tournament.seats > 2 else None
    return round_robin(entrants, tournament.seats, seed=seed, sample=sample)


def entered_versions(tournament: Tournament) -> Any:
    """Return the query for the active versions of entered bots, and of all house bots if they take part."""
    entered = select(Entrant.bot_id).where(Entrant.tournament_id == tournament.id)
    house = col(Bot.is_house).is_(True) if tournament.house_bots else false()
    query = select(Bot.active_version_id).where(
        Bot.game == tournament.game, col(Bot.active_version_id).is_not(None), or_(col(Bot.id).in_(entered), house)
    )
    return query.order_by(col(Bot.id))


def unranked_entries(session: Session, tournament: Tournament) -> frozenset[int]:
    """Return the entries that are not ranked: house bots, including imported ones, unless house bots are ranked."""
    if tournament.house_ranked:
        return frozenset()
    query = select(Entry.id).join(Version, col(Version.id) == Entry.version_id)
    query = query.join(Bot, col(Bot.id) == Version.bot_id)
    imported = col(Bot.import_id).is_not(None) & (col(Bot.foreign_owner) == "")
    query = query.where(Entry.tournament_id == tournament.id, col(Bot.is_house).is_(True) | imported)
    return frozenset(map(row_id, session.exec(query).all()))


def owned_entries(session: Session, tournament: Tournament) -> list[pairing.Entrant]:
    """Return the active entries with their owners at the freeze, by id."""
    query = (
        select(Entry.id, Entry.owner_group)
        .where(Entry.tournament_id == tournament.id, col(Entry.active).is_(True))
        .order_by(col(Entry.id))
    )
    rows = session.exec(query).all()
    owners = owner_numbers([group for _, group in rows])
    return [pairing.Entrant(row_id(entry), owner) for (entry, _), owner in zip(rows, owners, strict=True)]
