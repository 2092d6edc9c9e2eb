"""Tournaments: drafts with their rules, entries, and the moves of their lifecycle."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from hashlib import sha256
from hmac import compare_digest
from typing import Any, Final, NamedTuple

import msgspec
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, func, or_, select, update

from gangland.games import game_named
from gangland_ladder.local.matches import options_of
from gangland_ladder.matches.seeds import commitment, entries_digest, promise
from gangland_ladder.pairing.permitted_tables import NoTables
from gangland_ladder.proof.randomness import Randomness
from gangland_ladder.tournaments.final_table import FinalTerms
from gangland_ladder.tournaments.lifecycle import NEVER, Deadlines, State, due_moves, may_enter, may_reveal, move
from gangland_ladder.tournaments.settling_rounds import Terms
from gangland_sandbox.limits import Limits
from gangland_web.base.formats import now_s
from gangland_web.models.accounts import User
from gangland_web.models.bots import OPEN, Bot, Version, VersionState, on_its_way
from gangland_web.models.columns import stored
from gangland_web.models.matches import PENDING, Match, MatchState, Purpose
from gangland_web.models.organising import HOUSE, note_act
from gangland_web.models.tournaments import Entrant, Entry, Tournament, hold_tournament, hold_versions
from gangland_web.services import ladder_days, matches
from gangland_web.services.entries import enter, entered_versions, tournament_tables
from gangland_web.services.ratings import update_ratings

# Rules and drafts.


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules that an organizer chooses before a tournament is announced.

    Attributes:
        tables: the number of tables in a balanced sample, at three and four seats; None for all tables.
        house_ranked: whether house bots have ranks, see `Tournament.house_ranked`.
        browser_only: whether bots of authors must come from the editor on the site.
        join_code: needed by authors to enter; None if any may.
        final: whether all its results are audited, not only the site's share.
        randomness: the public value that goes into the dice, or None.
        settle: how its first places are settled, or None.
        has_premiere: whether all results are under embargo until the final table is premiered.
    """

    name: str
    game: str
    seats: int
    blocks: int
    limits: Limits
    options: dict[str, Any] = field(default_factory=dict)
    tables: int | None = None
    house_bots: bool = True
    house_ranked: bool = False
    browser_only: bool = False
    join_code: str | None = None
    final: bool = False
    settle: Terms | None = None
    final_table: FinalTerms | None = None
    has_premiere: bool = False
    deadlines: Deadlines = field(default_factory=Deadlines)
    randomness: Randomness | None = None

    def __post_init__(self) -> None:
        game = game_named(self.game)
        if self.seats not in game.table_sizes:
            raise ValueError(f"{game.title} is played at {game.table_sizes} seats, not {self.seats}")
        if self.blocks < 1:
            raise ValueError(f"a match has at least one block, not {self.blocks}")
        if self.settle is not None and not self.settle.rounds(self.blocks):
            raise ValueError(f"settling takes at least one match more, of {self.blocks} blocks")
        if self.final_table is not None:
            options_of(self.game, self.final_table.seats, self.options)
        elif self.has_premiere:
            raise ValueError("a premiere shows a final table, and none is announced")
        if self.has_premiere and (self.deadlines.embargo_until, self.deadlines.reveals_at) != (None, None):
            raise ValueError(
                "a premiere ends the embargo, and the secret is published after it: neither has a time of its own"
            )
        if self.tables is not None and self.tables < 1:
            raise ValueError(f"at least one table is played, not {self.tables}")
        if not 1 <= len(self.name.strip()) <= 80:
            raise ValueError("a tournament's name has 1 to 80 characters")
        game.options(self.options)
        if self.randomness is not None:
            ladder_days.need_freeze_first(self.deadlines, self.randomness)


def make_tournament(session: Session, rules: Rules, *, organiser_id: int | None = None) -> Tournament:
    """Write a draft.  Its secret is drawn now; the commitment to it is published when it is announced."""
    secret = secrets.token_bytes(32)
    tournament = Tournament(
        kind="tournament",
        state=State.DRAFT.value,
        secret=secret,
        organiser_id=organiser_id,
        created_at=now_s(),
        **columns_of(rules, secret),
    )
    session.add(tournament)
    session.flush()
    return tournament


def columns_of(rules: Rules, secret: bytes) -> dict[str, Any]:
    """Return the columns of a draft for its rules and the commitment to them; no join code keeps the one it has."""
    code = rules.join_code
    return {
        "name": rules.name.strip(),
        "game": rules.game,
        "seats": rules.seats,
        "blocks": rules.blocks,
        "limits": dict(rules.limits.to_dict()),
        "options": rules.options,
        "tables": rules.tables,
        "house_bots": rules.house_bots,
        "house_ranked": rules.house_ranked,
        "browser_only": rules.browser_only,
        "audit_percent": 100 if rules.final else None,
        "randomness": None if rules.randomness is None else msgspec.to_builtins(rules.randomness),
        **asdict(rules.deadlines),
        **({"embargo_until": NEVER} if rules.has_premiere else {}),
        "has_premiere": rules.has_premiere,
        **ending_columns(secret, rules.randomness, rules.settle, rules.final_table),
        **(
            {} if code is None else {"entry_rule": "code", "join_code": code.strip(), "join_code_hash": code_hash(code)}
        ),
    }


def ending_columns(
    secret: bytes, randomness: Randomness | None, settle: Terms | None, final: FinalTerms | None
) -> dict[str, Any]:
    """Return the columns of settling and final table, and the commitment to them, the secret and the public value."""
    promised = {"randomness": randomness, "settling": settle, "final_table": final}
    return {
        "settle_first": settle and settle.first,
        "settle_percent": settle and settle.percent,
        "settle_blocks": settle and settle.blocks,
        "final_seats": final and final.seats,
        "final_blocks": final and final.blocks,
        "commitment": commitment(secret, promise({name: one for name, one in promised.items() if one is not None})),
    }


def terms_of(tournament: Tournament) -> Terms | None:
    """Return how a tournament's first places are settled, None if they are not."""
    first, percent, blocks = tournament.settle_first, tournament.settle_percent, tournament.settle_blocks
    return None if first is None or percent is None or blocks is None else Terms(first, percent, blocks)


def deadlines_of(tournament: Tournament) -> Deadlines:
    """Return a tournament's deadlines."""
    return Deadlines(**{name: getattr(tournament, name) for name in Deadlines.__dataclass_fields__})


def announced_deadlines(tournament: Tournament) -> Deadlines:
    """Return a tournament's deadlines as its organizer set them: an embargo that a premiere ends has no time."""
    deadlines = deadlines_of(tournament)
    return replace(deadlines, embargo_until=None) if tournament.has_premiere else deadlines


def code_hash(join_code: str) -> str:
    """Return the hash of a join code, in which case does not matter."""
    return sha256(join_code.strip().casefold().encode()).hexdigest()


def is_code(typed: str, stored_hash: str) -> bool:
    """Return whether a typed join code has this hash."""
    return compare_digest(code_hash(typed), stored_hash)


# Entering bots and withdrawing them.


JOIN_CODE_CHARS = 100
"""A typed join code is cut at this length."""


class EntryRefused(ValueError):
    """A bot cannot be entered; the message says why and what would help."""


def enter_bot(
    session: Session, tournament: Tournament, bot: Bot, join_code: str | None = None, *, by_organizer: bool = False
) -> None:
    """Enter a bot, in place of another one of its owner's; the freeze decides which version plays.

    A bot whose first version waits for its verdict may be entered: it plays if one has passed its trials by then.

    Args:
        by_organizer: an organizer needs no code, and may enter house bots.

    Raises:
        EntryRefused: the tournament is not open, the bot cannot play in it, or the join code is wrong.
    """
    hold_tournament(session, tournament)
    if tournament.kind != "tournament" or not may_enter(State(tournament.state)):
        raise EntryRefused(f"bots are entered while a tournament is open; {tournament.name} is {tournament.state}")
    if tournament.closed_at is not None:
        raise EntryRefused(f"the entries of {tournament.name} are closed: they freeze when the last checks are over")
    if bot.game != tournament.game:
        raise EntryRefused(f"{bot.name} plays {bot.game}, and {tournament.name} is one of {tournament.game}")
    if bot.active_version_id is None and not on_its_way(session, bot):
        raise EntryRefused(f"{bot.name} has no version that is active or being checked; upload one first")
    if bot.is_house and not (tournament.house_bots or by_organizer):
        raise EntryRefused(f"{tournament.name} has no house bots")
    if tournament.browser_only and (files := from_files(session, [stored(bot.id)])):
        raise EntryRefused(
            f"{tournament.name} takes only bots uploaded from the editor, and version {files[0][1].number} of"
            f" {bot.name} was uploaded from a file; upload it from the editor, /write/{bot.game}, and enter it then"
        )
    code = None if bot.is_house or by_organizer else tournament.join_code_hash
    if code is not None and not is_code(join_code or "", code):
        wrong = "that is not the join code of" if join_code else "enter the join code of"
        raise EntryRefused(f"{wrong} {tournament.name}; ask its organiser for it")
    key = {"tournament_id": tournament.id, "bot_id": bot.id}
    if session.get(Entrant, key) is None:
        for other in _entered_by(session, tournament, bot.owner_group):
            session.delete(other)
        session.add(Entrant(tournament_id=stored(tournament.id), bot_id=stored(bot.id), entered_at=now_s()))
        session.flush()


def _entered_by(session: Session, tournament: Tournament, group: str | None) -> Sequence[Entrant]:
    """Return the entrants of an owner group, of which one bot plays: the one that is entered last."""
    query = select(Entrant).join(Bot, col(Bot.id) == Entrant.bot_id).where(Entrant.tournament_id == tournament.id)
    return session.exec(query.where(col(Bot.owner_group) == group)).all() if group is not None else ()


def withdraw_bot(session: Session, tournament: Tournament, bot: Bot) -> bool:
    """Withdraw a bot while the tournament is open; False if it was not entered.

    Raises:
        EntryRefused: the tournament is not open.
    """
    hold_tournament(session, tournament)
    if not may_enter(State(tournament.state)):
        raise EntryRefused(f"bots leave while a tournament is open; {tournament.name} is {tournament.state}")
    entrant = session.get(Entrant, {"tournament_id": tournament.id, "bot_id": bot.id})
    if entrant is not None:
        session.delete(entrant)
        session.flush()
    return entrant is not None


# Tournaments for bots written only in the browser.


BEFORE_FREEZE: Final = (State.DRAFT.value, State.ANNOUNCED.value, State.OPEN.value)


def closed_to_files(session: Session, bot: Bot) -> Tournament | None:
    """Return a tournament because of which a bot, which is entered there, may not be uploaded from a file now."""
    query = select(Tournament).join(Entrant, col(Entrant.tournament_id) == Tournament.id)
    open_ones = (col(Tournament.browser_only).is_(True), col(Tournament.state).in_(BEFORE_FREEZE))
    return session.exec(query.where(Entrant.bot_id == bot.id, *open_ones).order_by(col(Tournament.id))).first()


def closed_tournaments_of(session: Session, user_id: int) -> list[Tournament]:
    """Return the browser-only tournaments of a person, by id: those of their class and those that their bots are in."""
    entered = select(Entrant.tournament_id).join(Bot, col(Bot.id) == Entrant.bot_id).where(Bot.owner_id == user_id)
    open_ones = (col(Tournament.browser_only).is_(True), col(Tournament.state).in_(BEFORE_FREEZE))
    ids = col(Tournament.id)
    theirs = or_(ids.in_(entered), ids.in_([each.id for each in class_of(session, user_id)]))
    return list(session.exec(select(Tournament).where(theirs, *open_ones).order_by(ids)).all())


def class_of(session: Session, user_id: int) -> list[Tournament]:
    """Return the tournaments not frozen yet of the organizer who made a person's account, the next to freeze first."""
    made_by = select(User.made_by).where(User.id == user_id).scalar_subquery()
    coming = (State.ANNOUNCED.value, State.OPEN.value)
    query = select(Tournament).where(
        Tournament.kind == "tournament",
        col(Tournament.organiser_id) == made_by,
        col(Tournament.state).in_(coming),
        col(Tournament.rehearsal_of).is_(None),
    )
    return list(session.exec(query.order_by(col(Tournament.freezes_at), col(Tournament.id))).all())


def from_files(session: Session, bot_ids: Sequence[int]) -> list[tuple[Bot, Version]]:
    """Return the bots, except house bots, with a version from a file that plays or waits for its verdict."""
    plays = col(Version.state).in_([VersionState.ACTIVE.value, *(state.value for state in OPEN)])
    query = select(Bot, Version).join(Version, col(Version.bot_id) == Bot.id)
    query = query.where(col(Bot.id).in_(bot_ids), col(Bot.is_house).is_(False), plays)
    return list(session.exec(query.where(col(Version.in_browser).is_(False)).order_by(col(Version.id))).all())


def entered_from_files(session: Session, tournament: Tournament) -> list[tuple[Bot, Version]]:
    """Return `from_files` for the bots that are entered in a tournament."""
    entered = select(Entrant.bot_id).where(Entrant.tournament_id == stored(tournament.id))
    return from_files(session, session.exec(entered).all())


# Moves of the lifecycle.
#
# The record worker makes the moves that are due, an organizer's directives the others. Both lock the tournament's row,
# so that no move is made twice.


log = logging.getLogger("gangland_web.tournaments")

TOO_LATE = "the public value for the dice was published before the entries were fixed"
FREEZE_PAST = "the freeze is in the past, so nobody could enter: postpone it first"
TOO_FEW = "fewer bots were entered than one table needs"
CANCELLED = "the tournament was cancelled"
MOST_WAIT_S = 15 * 60.0
"""A freeze waits for checks at most this long."""


def run_tournaments(session: Session) -> int:
    """Make every move that is due by the clock or because all matches are played; return how many."""
    going = [state.value for state in State if state not in (State.DRAFT, State.REVEALED, State.CANCELLED)]
    query = select(Tournament.id).where(Tournament.kind == "tournament", col(Tournament.state).in_(going))
    ids = session.exec(query.order_by(col(Tournament.id))).all()
    return sum(_run(session, stored(tournament_id)) for tournament_id in ids)


def _run(session: Session, tournament_id: int) -> int:
    tournament = session.get_one(Tournament, tournament_id)
    hold_tournament(session, tournament)
    moves = 0
    if tournament.state == State.OPEN.value and tournament.closed_at is not None:
        if _waits_for_checks(session, tournament, tournament.closed_at):
            return moves
        moves += _freeze_closed(session, tournament)
    for due in due_moves(State(tournament.state), deadlines_of(tournament), now_s()):
        if due.after is State.FROZEN and _waits_for_checks(session, tournament, due.due_at):
            return moves
        if due.after is State.FROZEN and (impossible := _never_to_freeze(session, tournament)):
            move_tournament(session, tournament, State.CANCELLED, note=impossible)
            return moves + 1
        if due.after is State.PLAYING and ladder_days.awaits_value(tournament):
            return moves
        try:
            with session.begin_nested():
                move_tournament(session, tournament, due.after)
        except (EntryRefused, NoTables, ladder_days.ValueRefused) as refused:
            tournament.note = str(refused)
            return moves
        moves += 1
    over = tournament.state == State.PLAYING.value and is_played(session, tournament)
    ends_otherwise = tournament.settle_round is not None or tournament.final_seats is not None
    if over and not ends_otherwise and matches.is_audited(session, tournament_id):
        move_tournament(session, tournament, State.FINISHED)
        moves += 1
    return moves


def _waits_for_checks(session: Session, tournament: Tournament, closed: float) -> bool:
    """Return whether the freeze waits for versions received in time, and if so close the entries.

    It ends before a public value is published: after that, the tournament could not freeze.
    """
    announced = ladder_days.announced_for(tournament)
    end = closed + MOST_WAIT_S
    if announced is not None:
        end = min(end, announced.published_s - 60)
    if now_s() >= end or not unready(session, tournament, closed):
        return False
    tournament.closed_at = closed
    session.add(tournament)
    return True


def _freeze_closed(session: Session, tournament: Tournament) -> int:
    """Freeze a tournament whose entries the organizer closed; where it cannot, open the entries again and say why."""
    try:
        with session.begin_nested():
            move_tournament(session, tournament, State.FROZEN)
    except (EntryRefused, NoTables, ladder_days.ValueRefused) as refused:
        tournament.note, tournament.closed_at = str(refused), None
        session.add(tournament)
        return 0
    return 1


def _never_to_freeze(session: Session, tournament: Tournament) -> str:
    """Return why a tournament that is to freeze now can only be cancelled; empty if it can freeze."""
    if len(_to_pin(session, tournament)) < tournament.seats:
        return TOO_FEW
    return TOO_LATE if ladder_days.is_published(tournament) else ""


def move_tournament(
    session: Session, tournament: Tournament, after: State, *, note: str | None = None, by_itself: bool = False
) -> None:
    """Carry out one move with all its consequences.

    Args:
        by_itself: whether settling and final table are over as announced; until then it cannot be finished.

    Raises:
        MoveRefused: it is not allowed from the state that the tournament is in.
        EntryRefused: announced or opened after its freeze, frozen with fewer bots than sit at a table, finished or
            revealed too early, or cancelled once its end has begun.
        ValueRefused: announced or frozen after its public value was published, or played without it.
        NoTables: its entries allow no tables, or too many.
    """
    hold_versions(session)  # first, in the order of recording a result, so that the two cannot deadlock
    hold_tournament(session, tournament)
    before = State(tournament.state)
    state = move(before, after)
    if after in (State.ANNOUNCED, State.OPEN) and (tournament.freezes_at or now_s() + 1) <= now_s():
        raise EntryRefused(FREEZE_PAST)
    if after is State.OPEN and tournament.note == FREEZE_PAST:
        tournament.note = ""
    if after is State.ANNOUNCED:
        ladder_days.need_unpublished(tournament)
        tournament.announced_at = now_s()
    elif after is State.FROZEN:
        ladder_days.need_unpublished(tournament)
        tournament.closed_at = tournament.closed_at or now_s()
        _pin(session, tournament)
        note_left_out(session, tournament)
        if tournament.randomness is None:
            _plan_round_robin(session, tournament)
        else:
            tournament_tables(session, tournament)  # refused now, where the entries allow no tables
    elif after is State.PLAYING and before is State.FROZEN and tournament.randomness is not None:
        if ladder_days.awaits_value(tournament):
            raise ladder_days.ValueRefused(f"the dice of {tournament.name} wait for its public value: enter it first")
        _plan_round_robin(session, tournament)
    elif after is State.CANCELLED:
        if not may_cancel(session, tournament):
            why = "is being settled" if tournament.settle_round is not None else "has its final table scheduled"
            raise EntryRefused(f"{tournament.name} {why}: its results do not vanish")
        _call_off(session, tournament)
        update_ratings(session, tournament)
        if tournament.has_premiere:
            tournament.embargo_until = now_s()  # there will be none
    elif after is State.FINISHED:
        if tournament.final_seats is not None and not by_itself:
            raise EntryRefused(f"{tournament.name} is finished by itself when its final table is over")
        if tournament.settle_round is not None and not by_itself:
            raise EntryRefused(f"{tournament.name} is finished by itself when its first places are settled")
        _need_all_over(session, tournament)
        update_ratings(session, tournament)  # the last matches may have become void, and no result came after that
        tournament.finished_at = now_s()
    elif after is State.REVEALED:
        if not may_reveal(before, deadlines_of(tournament), now_s()):
            end = "its premiere is over" if tournament.has_premiere else "the end of its embargo"
            raise EntryRefused(f"the secret of {tournament.name} stays where it is until {end}")
        tournament.revealed_at = now_s()
    tournament.state, tournament.note = state.value, tournament.note if note is None else note
    session.add(tournament)
    session.flush()
    log.info("%s is %s now", tournament.name, after)


def close_entries(session: Session, tournament: Tournament) -> list[Unready]:
    """Close the entries, and freeze now unless versions are still being checked; return those.

    Raises:
        MoveRefused: the tournament is not open.
        EntryRefused: no version is being checked, and it cannot freeze.
    """
    hold_versions(session)
    hold_tournament(session, tournament)
    move(State(tournament.state), State.FROZEN)
    tournament.closed_at = now_s()
    waited = unready(session, tournament, tournament.closed_at)
    if not waited:
        move_tournament(session, tournament, State.FROZEN)
    session.add(tournament)
    session.flush()
    return waited


def may_cancel(session: Session, tournament: Tournament) -> bool:
    """Return whether a tournament that plays may be cancelled: not once settling or the final table has begun."""
    return tournament.settle_round is None and matches.final_match(session, tournament) is None


def is_played(session: Session, tournament: Tournament) -> bool:
    """Return whether no match of a tournament is still to be played or recorded."""
    query = select(Match.id).where(Match.tournament_id == tournament.id, col(Match.state).in_(PENDING))
    return session.exec(query.limit(1)).first() is None


def _to_pin(session: Session, tournament: Tournament) -> Sequence[int]:
    return [stored(version) for version in session.exec(entered_versions(tournament)).all()]


def _pin(session: Session, tournament: Tournament) -> None:
    """Make entries of the versions that are active now; the dice follow from their code."""
    versions = _to_pin(session, tournament)
    if len(versions) < tournament.seats:
        raise EntryRefused(f"{TOO_FEW}: {len(versions)} of at least {tournament.seats}")
    for version in versions:
        entry = enter(session, tournament, version)
        bot = session.get_one(Bot, session.get_one(Version, version).bot_id)
        entry.owner_group = bot.owner_group
        session.add(entry)
    session.flush()
    query = select(Version.code_sha256).join(Entry, col(Entry.version_id) == Version.id)
    codes = session.exec(query.where(Entry.tournament_id == tournament.id).order_by(col(Entry.id))).all()
    tournament.roster_digest = entries_digest(list(codes)).hex()


def _plan_round_robin(session: Session, tournament: Tournament) -> None:
    """Write all matches of the round robin at once."""
    tables = tournament_tables(session, tournament)
    planned = matches.plan_tables(session, tournament, tables, purpose=Purpose.TOURNAMENT)
    log.info("%s: %d matches scheduled", tournament.name, len(planned))


def _call_off(session: Session, tournament: Tournament) -> None:
    """Void the matches that were not played; a result that is under way comes too late."""
    session.exec(
        update(Match)
        .where(col(Match.tournament_id) == tournament.id, col(Match.state).in_(PENDING))
        .values(state=MatchState.VOID.value, void_reason=CANCELLED, done_at=now_s(), **matches.NO_LEASE)
        .execution_options(synchronize_session=False)
    )


def _need_all_over(session: Session, tournament: Tournament) -> None:
    counted = select(func.count()).select_from(Match).where(Match.tournament_id == tournament.id)
    waiting = session.exec(counted.where(col(Match.state).in_(PENDING))).one()
    if waiting:
        raise EntryRefused(f"{waiting} matches are still to be played")
    if not matches.is_audited(session, stored(tournament.id)):
        raise EntryRefused("audits of its matches are still to be played")


# Bots that the freeze leaves out, or takes in an older version, because a check is not over.
#
# The console lists them before the freeze; afterwards each entrant has a note with the reason, and so has the log.


NO_VERSION: Final = "it had no active version when the entries froze"


class Unready(NamedTuple):
    """An entered bot with a version that is still being checked; `plays` is the version that plays without it."""

    bot_id: int
    bot: str
    version: int
    state: str
    plays: int | None

    @property
    def words(self) -> str:
        """What happens to the bot if the entries freeze now."""
        instead = "left out" if self.plays is None else f"version {self.plays} plays instead"
        return f"version {self.version} is {_state_words(self.state)}: {instead}"


def unready(session: Session, tournament: Tournament, until: float | None = None) -> list[Unready]:
    """Return the entered bots whose newest version is still being checked, by name.

    Args:
        until: count only versions that were received by then.
    """
    query = _entered_versions(tournament).where(col(Version.state).in_([state.value for state in OPEN]))
    if until is not None:
        query = query.where(col(Version.created_at) <= until)
    newest = {bot.id: (bot, version, active) for bot, version, active, _ in session.exec(query).all()}
    return [
        Unready(stored(bot.id), bot.name, version.number, version.state, active)
        for bot, version, active in newest.values()
    ]


def note_left_out(session: Session, tournament: Tournament) -> None:
    """Note with an entrant why the freeze left it out, or took an older version than its newest."""
    rows: dict[int | None, Any] = {row[0].id: row for row in session.exec(_entered_versions(tournament)).all()}
    for bot, newest, active, entrant in rows.values():
        if active is None:
            note = f"version {newest.number} was {_state_words(newest.state)}" if newest is not None else NO_VERSION
            if newest is not None and newest.state == VersionState.RETIRED.value:
                note = NO_VERSION
            act = "left out a bot at the freeze"
        elif newest.number > active and newest.state in OPEN:
            note = f"version {newest.number} was still {_state_words(newest.state)}, so version {active} plays"
            act = "froze an older version of a bot"
        else:
            continue
        entrant.note = note
        session.add(entrant)
        note_act(session, HOUSE, act, tournament_id=tournament.id, subject=bot.name, reason=note)
    session.flush()


def left_out_of(session: Session, tournament: Tournament) -> Sequence[tuple[Bot, str]]:
    """Return the bots with such a note, by name."""
    query = select(Bot, Entrant.note).join(Entrant, col(Entrant.bot_id) == Bot.id)
    query = query.where(Entrant.tournament_id == tournament.id, col(Entrant.note) != "")
    return session.exec(query.order_by(Bot.name_key, col(Bot.id))).all()


def notes_of_bot(session: Session, bot_id: int) -> dict[int, str]:
    """Return a bot's notes by tournament."""
    query = select(Entrant.tournament_id, Entrant.note).where(Entrant.bot_id == bot_id, col(Entrant.note) != "")
    return dict(session.exec(query).all())


def _state_words(state: str) -> str:
    return {VersionState.TRIAL.value: "in its trial", VersionState.REJECTED.value: "rejected"}.get(
        state, "being checked"
    )


def _entered_versions(tournament: Tournament) -> Any:
    """Return the query for entered bots with each version, oldest first, the active one's number and the entrant."""
    active = aliased(Version)
    return (
        select(Bot, Version, active.number, Entrant)
        .join(Entrant, col(Entrant.bot_id) == Bot.id)
        .outerjoin(Version, col(Version.bot_id) == Bot.id)
        .outerjoin(active, col(active.id) == Bot.active_version_id)
        .where(Entrant.tournament_id == tournament.id)
        .order_by(Bot.name_key, col(Bot.id), col(Version.number))
    )
