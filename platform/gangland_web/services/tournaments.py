"""Tournaments: creating drafts, making lifecycle moves, and creating the ladders and trials of an installation."""

import logging
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import msgspec
from sqlmodel import Session, col, func, select, update

from gangland.games import GAME_NAMES, game_named
from gangland_ladder.common.texts import counted
from gangland_ladder.local.matches import options_of
from gangland_ladder.matches.seeds import commitment, entries_digest, promise
from gangland_ladder.pairing.permitted_tables import TablesError
from gangland_ladder.proof.randomness import Randomness
from gangland_ladder.tournaments.final_table import FinalTerms
from gangland_ladder.tournaments.lifecycle import NO_END, Deadlines, State, due_moves, may_reveal, move
from gangland_ladder.tournaments.settling_rounds import Terms
from gangland_sandbox.limits import Limits, Profile
from gangland_web.base.formats import now_s
from gangland_web.models.bots import Bot, Version
from gangland_web.models.columns import add_row, row_id
from gangland_web.models.matches import PENDING, Match, MatchState, Purpose
from gangland_web.models.tournaments import Entry, Tournament, lock_tournament, lock_versions
from gangland_web.services import entries, ladder_days, matches
from gangland_web.services.ratings import update_ratings

# Rules and drafts.


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules that an organizer sets before a tournament is announced."""

    name: str
    game: str
    seats: int
    blocks: int
    limits: Limits
    options: dict[str, Any] = field(default_factory=dict)
    tables: int | None = None  # with three or four seats, the size of a balanced sample; None for all tables
    house_bots: bool = True
    house_ranked: bool = False
    browser_only: bool = False  # whether authors' bots must be written in the site's editor
    join_code: str | None = None
    final: bool = False  # whether every match is audited, instead of the site's percentage
    settle: Terms | None = None
    final_table: FinalTerms | None = None
    has_premiere: bool = False  # whether all results are hidden until the premiere of the final table
    deadlines: Deadlines = field(default_factory=Deadlines)
    randomness: Randomness | None = None

    def __post_init__(self) -> None:
        game = game_named(self.game)
        if self.seats not in game.table_sizes:
            sizes = " or ".join(map(str, game.table_sizes))
            raise ValueError(f"{game.title} is played with {sizes} seats, not {self.seats}")
        if self.blocks < 1:
            raise ValueError(f"expected at least one block, not {self.blocks}")
        if self.settle is not None and not self.settle.rounds(self.blocks):
            raise ValueError(f"settling needs at least one more match of {self.blocks} blocks")
        if self.final_table is not None:
            options_of(self.game, self.final_table.seats, self.options)
        elif self.has_premiere:
            raise ValueError("a premiere needs a final table")
        if self.has_premiere and (self.deadlines.embargo_until, self.deadlines.reveals_at) != (None, None):
            raise ValueError("with a premiere, leave the embargo and reveal times empty: the premiere sets both")
        if self.tables is not None and self.tables < 1:
            raise ValueError(f"expected at least one table, not {self.tables}")
        if not 1 <= len(self.name.strip()) <= 80:
            raise ValueError("a tournament's name must have 1 to 80 characters")
        game.options(self.options)
        if self.randomness is not None:
            ladder_days.check_freeze_first(self.deadlines, self.randomness)


def make_tournament(session: Session, rules: Rules, *, organizer_id: int | None = None) -> Tournament:
    """Create a draft and generate its secret, whose commitment is published when the tournament is announced."""
    secret = secrets.token_bytes(32)
    tournament = Tournament(
        kind="tournament",
        state=State.DRAFT.value,
        secret=secret,
        organizer_id=organizer_id,
        created_at=now_s(),
        **columns_of(rules, secret),
    )
    return add_row(session, tournament)


def columns_of(rules: Rules, secret: bytes) -> dict[str, Any]:
    """Return a draft's columns, including its commitment; if the rules have no join code, the current one is kept."""
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
        **({"embargo_until": NO_END} if rules.has_premiere else {}),
        "has_premiere": rules.has_premiere,
        **ending_columns(secret, rules.randomness, rules.settle, rules.final_table),
        **(
            {}
            if code is None
            else {"entry_rule": "code", "join_code": code.strip(), "join_code_hash": entries.join_code_hash(code)}
        ),
    }


def ending_columns(
    secret: bytes, randomness: Randomness | None, settle: Terms | None, final: FinalTerms | None
) -> dict[str, Any]:
    """Return the columns for settling and the final table, and the commitment.

    The commitment covers these terms, the secret and the announcement of the public value.
    """
    terms = {"randomness": randomness, "settling": settle, "final_table": final}
    return {
        "settle_first": settle and settle.first,
        "settle_percent": settle and settle.percent,
        "settle_blocks": settle and settle.blocks,
        "final_seats": final and final.seats,
        "final_blocks": final and final.blocks,
        "commitment": commitment(secret, promise({name: term for name, term in terms.items() if term is not None})),
    }


def terms_of(tournament: Tournament) -> Terms | None:
    """Return the terms for settling a tournament's first places, or None."""
    first, percent, blocks = tournament.settle_first, tournament.settle_percent, tournament.settle_blocks
    return None if first is None or percent is None or blocks is None else Terms(first, percent, blocks)


def deadlines_of(tournament: Tournament) -> Deadlines:
    """Return a tournament's deadlines."""
    return Deadlines(**{name: getattr(tournament, name) for name in Deadlines.__dataclass_fields__})


def announced_deadlines(tournament: Tournament) -> Deadlines:
    """Return a tournament's deadlines as its organizer set them, without the embargo's end if there is a premiere."""
    deadlines = deadlines_of(tournament)
    return replace(deadlines, embargo_until=None) if tournament.has_premiere else deadlines


# Lifecycle moves.
#
# The record worker makes moves that are due, and carries out those that organizers request. Both lock the tournament's
# row, so that no move is made twice.

log = logging.getLogger("gangland_web.tournaments")

VALUE_PUBLISHED = "the public value was published before entries closed"
FREEZE_PAST = "the freeze time has passed, so no one could enter: postpone it first"
TOO_FEW_BOTS = "not enough bots entered for one table"
CANCELED_REASON = "the tournament was canceled"
MAX_CHECK_WAIT_S = 15 * 60.0  # a freeze waits at most this long for checks


def run_tournaments(session: Session) -> int:
    """Make all moves that are due, and return how many were made."""
    active_states = [state.value for state in State if state not in (State.DRAFT, State.REVEALED, State.CANCELED)]
    query = select(Tournament.id).where(Tournament.kind == "tournament", col(Tournament.state).in_(active_states))
    ids = session.exec(query.order_by(col(Tournament.id))).all()
    return sum(_run(session, row_id(tournament_id)) for tournament_id in ids)


def _run(session: Session, tournament_id: int) -> int:
    tournament = session.get_one(Tournament, tournament_id)
    lock_tournament(session, tournament)
    moves = 0
    if tournament.state == State.OPEN.value and tournament.closed_at is not None:
        if _waits_for_checks(session, tournament, tournament.closed_at):
            return moves
        moves += _freeze_closed(session, tournament)
    for due in due_moves(State(tournament.state), deadlines_of(tournament), now_s()):
        if due.after is State.FROZEN and _waits_for_checks(session, tournament, due.due_at):
            return moves
        if due.after is State.FROZEN and (obstacle := _freeze_obstacle(session, tournament)):
            move_tournament(session, tournament, State.CANCELED, note=obstacle)
            return moves + 1
        if due.after is State.PLAYING and ladder_days.awaits_value(tournament):
            return moves
        try:
            with session.begin_nested():
                move_tournament(session, tournament, due.after)
        except (entries.EntryRefused, TablesError, ladder_days.ValueRefused) as error:
            tournament.note = str(error)
            return moves
        moves += 1
    is_over = tournament.state == State.PLAYING.value and is_played(session, tournament)
    has_ending = tournament.settle_round is not None or tournament.final_seats is not None
    if is_over and not has_ending and matches.is_audited(session, tournament_id):
        move_tournament(session, tournament, State.FINISHED)
        moves += 1
    return moves


def _waits_for_checks(session: Session, tournament: Tournament, closed_at: float) -> bool:
    """Return whether the freeze has to wait for versions received in time, and if so, close the entries."""
    announced = ladder_days.announcement_of(tournament)
    deadline = closed_at + MAX_CHECK_WAIT_S
    if announced is not None:  # a tournament cannot freeze after its public value is published
        deadline = min(deadline, announced.published_s - 60)
    if now_s() >= deadline or not entries.unready_bots(session, tournament, closed_at):
        return False
    tournament.closed_at = closed_at
    session.add(tournament)
    return True


def _freeze_closed(session: Session, tournament: Tournament) -> int:
    """Freeze a tournament whose entries are closed; if that is refused, reopen them and store the reason."""
    try:
        with session.begin_nested():
            move_tournament(session, tournament, State.FROZEN)
    except (entries.EntryRefused, TablesError, ladder_days.ValueRefused) as error:
        tournament.note, tournament.closed_at = str(error), None
        session.add(tournament)
        return 0
    return 1


def _freeze_obstacle(session: Session, tournament: Tournament) -> str:
    if len(_active_versions(session, tournament)) < tournament.seats:
        return TOO_FEW_BOTS
    return VALUE_PUBLISHED if ladder_days.is_published(tournament) else ""


def move_tournament(
    session: Session, tournament: Tournament, after: State, *, note: str | None = None, automatic: bool = False
) -> None:
    """Make one move with all its consequences.

    `automatic`: the site itself finishes a tournament after settling or a final table; organizers cannot.
    Raises MoveRefused (the state does not allow the move), EntryRefused, ValueRefused (the public value was published
    too early or is missing) or TablesError (the entries allow no tables, or too many).
    """
    lock_versions(session)  # first, as when results are recorded: the same lock order everywhere prevents deadlocks
    lock_tournament(session, tournament)
    before = State(tournament.state)
    state = move(before, after)
    if after in (State.ANNOUNCED, State.OPEN) and (tournament.freezes_at or now_s() + 1) <= now_s():
        raise entries.EntryRefused(FREEZE_PAST)
    if after is State.OPEN and tournament.note == FREEZE_PAST:
        tournament.note = ""
    if after is State.ANNOUNCED:
        ladder_days.check_unpublished(tournament)
        tournament.announced_at = now_s()
    elif after is State.FROZEN:
        ladder_days.check_unpublished(tournament)
        tournament.closed_at = tournament.closed_at or now_s()
        _pin_entries(session, tournament)
        entries.record_omissions(session, tournament)
        if tournament.randomness is None:
            _plan_round_robin(session, tournament)
        else:
            entries.tournament_tables(session, tournament)  # raises TablesError now instead of after the public value
    elif after is State.PLAYING and before is State.FROZEN and tournament.randomness is not None:
        if ladder_days.awaits_value(tournament):
            raise ladder_days.ValueRefused(f"enter the public value of {tournament.name} first")
        _plan_round_robin(session, tournament)
    elif after is State.CANCELED:
        if not may_cancel(session, tournament):
            is_settling = tournament.settle_round is not None
            obstacle = "is being settled" if is_settling else "already has a scheduled final table"
            raise entries.EntryRefused(f"{tournament.name} {obstacle}: it can no longer be canceled")
        _void_pending(session, tournament)
        update_ratings(session, tournament)
        if tournament.has_premiere:
            tournament.embargo_until = now_s()  # because there will be no premiere
    elif after is State.FINISHED:
        if tournament.final_seats is not None and not automatic:
            raise entries.EntryRefused(f"{tournament.name} finishes automatically after its final table")
        if tournament.settle_round is not None and not automatic:
            raise entries.EntryRefused(f"{tournament.name} finishes automatically when its first places are settled")
        _check_finished(session, tournament)
        update_ratings(session, tournament)  # because a match may have become void after the last result
        tournament.finished_at = now_s()
    elif after is State.REVEALED:
        if not may_reveal(before, deadlines_of(tournament), now_s()):
            event = "its premiere" if tournament.has_premiere else "its embargo"
            raise entries.EntryRefused(f"the secret of {tournament.name} can only be published after {event}")
        tournament.revealed_at = now_s()
    tournament.state, tournament.note = state.value, tournament.note if note is None else note
    add_row(session, tournament)
    log.info("%s is now %s", tournament.name, after)


def close_entries(session: Session, tournament: Tournament) -> list[entries.UnreadyBot]:
    """Close the entries, and freeze unless versions are still being checked; return these versions.

    Raises MoveRefused (the state forbids a freeze), EntryRefused, ValueRefused or TablesError (it cannot freeze).
    """
    lock_versions(session)
    lock_tournament(session, tournament)
    move(State(tournament.state), State.FROZEN)
    tournament.closed_at = now_s()
    unchecked = entries.unready_bots(session, tournament, tournament.closed_at)
    if not unchecked:
        move_tournament(session, tournament, State.FROZEN)
    add_row(session, tournament)
    return unchecked


def may_cancel(session: Session, tournament: Tournament) -> bool:
    """Return whether a tournament may be canceled, which is impossible once settling or the final table has begun."""
    return tournament.settle_round is None and matches.final_match(session, tournament) is None


def is_played(session: Session, tournament: Tournament) -> bool:
    """Return whether all scheduled matches of a tournament are over; void matches count, too."""
    query = select(Match.id).where(Match.tournament_id == tournament.id, col(Match.state).in_(PENDING))
    return session.exec(query.limit(1)).first() is None


def _active_versions(session: Session, tournament: Tournament) -> Sequence[int]:
    return [row_id(version) for version in session.exec(entries.entered_versions(tournament)).all()]


def _pin_entries(session: Session, tournament: Tournament) -> None:
    """Create entries for the currently active versions; the dice depend on their code."""
    versions = _active_versions(session, tournament)
    if len(versions) < tournament.seats:
        raise entries.EntryRefused(f"{TOO_FEW_BOTS}: {len(versions)} entered, at least {tournament.seats} are needed")
    for version in versions:
        entry = entries.enter(session, tournament, version)
        bot = session.get_one(Bot, session.get_one(Version, version).bot_id)
        entry.owner_group = bot.owner_group
        session.add(entry)
    session.flush()
    query = select(Version.code_sha256).join(Entry, col(Entry.version_id) == Version.id)
    codes = session.exec(query.where(Entry.tournament_id == tournament.id).order_by(col(Entry.id))).all()
    tournament.roster_digest = entries_digest(list(codes)).hex()


def _plan_round_robin(session: Session, tournament: Tournament) -> None:
    tables = entries.tournament_tables(session, tournament)
    planned = matches.plan_tables(session, tournament, tables, purpose=Purpose.TOURNAMENT)
    log.info("%s: %d matches scheduled", tournament.name, len(planned))


def _void_pending(session: Session, tournament: Tournament) -> None:
    """Void all pending matches; results that arrive later are refused."""
    session.exec(
        update(Match)
        .where(col(Match.tournament_id) == tournament.id, col(Match.state).in_(PENDING))
        .values(state=MatchState.VOID.value, void_reason=CANCELED_REASON, done_at=now_s(), sent_at=None)
        .execution_options(synchronize_session=False)
    )


def _check_finished(session: Session, tournament: Tournament) -> None:
    query = select(func.count()).select_from(Match).where(Match.tournament_id == tournament.id)
    waiting = session.exec(query.where(col(Match.state).in_(PENDING))).one()
    if waiting:
        raise entries.EntryRefused(f"{counted(waiting, 'match')} still to be played")
    if not matches.is_audited(session, row_id(tournament.id)):
        raise entries.EntryRefused("some audits are not finished yet")


# The tournaments that every site has: trials, ladders, challenges and private ones, for each game and table size.

LADDER_BLOCKS = 12
TRIAL_BLOCKS = 2


def ensure_tournaments(
    session: Session,
    *,
    ladder_blocks: int = LADDER_BLOCKS,
    draw_secret: Callable[[], bytes] = lambda: secrets.token_bytes(32),
    profiles: Mapping[str, Profile] | None = None,
) -> None:
    """Create the trials, ladders, challenges and private tournaments that are missing.

    `ladder_blocks`: the blocks per match in new ladders and challenges, which cannot be changed later.  `draw_secret`:
    generates a secret; it is called in a fixed order.
    """
    existing = {(t.kind, t.game, t.seats) for t in session.exec(select(Tournament)).all()}
    for game in GAME_NAMES:
        profile = (profiles or {}).get(game, Profile.PLAIN)
        for seats in game_named(game).table_sizes:
            for kind, blocks in (("trials", TRIAL_BLOCKS), ("ladder", ladder_blocks), ("challenges", ladder_blocks)):
                if (kind, game, seats) not in existing:
                    # A trial has few games, but they may be long, so it gets the limits of a whole match, like the
                    # check.
                    limits = Limits.of(profile, max(blocks, ladder_blocks))
                    session.add(_tournament(kind, game, seats, blocks, draw_secret(), limits))
    session.flush()
    for game in GAME_NAMES:
        for seats in game_named(game).table_sizes:
            if ("private", game, seats) not in existing:
                session.add(_tournament("private", game, seats, 1, draw_secret(), Limits.of(Profile.PLAIN, 1)))
    session.flush()


def tournaments_of(session: Session, kind: str, game: str) -> list[Tournament]:
    """Return a game's tournaments of one kind, smallest tables first."""
    query = select(Tournament).where(Tournament.kind == kind, Tournament.game == game)
    return list(session.exec(query.order_by(Tournament.seats)).all())  # type: ignore[arg-type]


def profile_of(session: Session, game: str) -> Profile:
    """Return the profile of a game's checks and matches."""
    return Limits.from_dict(tournaments_of(session, "trials", game)[0].limits).profile


def _tournament(kind: str, game: str, seats: int, blocks: int, secret: bytes, limits: Limits) -> Tournament:
    return Tournament(
        kind=kind,
        game=game,
        seats=seats,
        name=f"{game_named(game).title}, {kind} at {seats} seats",
        options={},
        blocks=blocks,
        limits=dict(limits.to_dict()),
        secret=secret,
        commitment=commitment(secret),
        created_at=now_s(),
    )
