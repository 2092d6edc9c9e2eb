"""Trials of new versions (check, trials, activation), and quarantine after matches that could not be played."""

import logging
from typing import Any

from sqlalchemy import ColumnElement
from sqlalchemy.orm.attributes import set_committed_value
from sqlmodel import Session, col, delete, func, select, update
from sqlmodel.sql.expression import SelectOfScalar

from gangland_ladder.errors import code_with_title, fault_title
from gangland_ladder.matches.judging import JudgedMatch
from gangland_ladder.matches.match_jobs import CheckReport
from gangland_web.base.formats import now_s
from gangland_web.base.text import with_line
from gangland_web.models.accounts import Membership
from gangland_web.models.bots import OPEN, PATH, BadTransition, Bot, Version, VersionState, VersionStep, transition
from gangland_web.models.columns import add_row, row_id
from gangland_web.models.matches import ATTEMPTS, PENDING, Match, MatchSeat, MatchState, Purpose
from gangland_web.models.tournaments import Entry, Tournament, lock_versions
from gangland_web.services import matches, tournaments
from gangland_web.services.entries import enter, withdraw_version

# Steps: the states that a version reaches, with their times.


def advance(session: Session, version: Version, target: VersionState, message: str = "") -> None:
    """Move a version forward to a state, one step at a time, unless it has already reached that state."""
    while version.state in PATH and PATH.index(VersionState(version.state)) < PATH.index(target):
        next_state = PATH[PATH.index(VersionState(version.state)) + 1]
        _move_to(session, version, next_state, message if next_state == target else "", ok=True)


def reject(session: Session, version: Version, message: str) -> None:
    """Reject a version that is being checked or on trial; `message` is the reason for the author."""
    _move_to(session, version, VersionState.REJECTED, message, ok=False)
    drop_trials(session, version, "the version was rejected")


def retire(session: Session, version: Version, message: str) -> None:
    """Retire a version that is active, or that is still being checked or on trial."""
    _move_to(session, version, VersionState.RETIRED, message, ok=True)


def reinstate(session: Session, version: Version) -> None:
    """Make a retired version active after the moderation action that retired it was undone."""
    statement = update(Version).where(col(Version.id) == version.id, col(Version.state) == VersionState.RETIRED.value)
    if session.exec(statement.values(state=VersionState.ACTIVE.value)).rowcount != 1:
        raise BadTransition(f"version {version.id} is not retired")
    set_committed_value(version, "state", VersionState.ACTIVE.value)
    retired = (col(VersionStep.version_id) == version.id) & (col(VersionStep.state) == VersionState.RETIRED.value)
    session.exec(delete(VersionStep).where(retired))


def add_first_step(session: Session, version: Version) -> None:
    """Store the first step of a version that was just received."""
    _add_step(session, version, "", ok=True, seconds=0.0)


def _move_to(session: Session, version: Version, state: VersionState, message: str, *, ok: bool) -> None:
    """Move a version from its loaded state.  Raises BadTransition: this is not allowed, or the state has changed."""
    before, after = version.state, transition(VersionState(version.state), state).value
    statement = update(Version).where(col(Version.id) == version.id, col(Version.state) == before)
    updated = session.exec(statement.values(state=after).execution_options(synchronize_session=False))
    if updated.rowcount != 1:
        raise BadTransition(f"version {version.id} is no longer {before!r}, so it cannot become {after!r}")
    set_committed_value(version, "state", after)
    latest = session.exec(select(func.max(VersionStep.at)).where(col(VersionStep.version_id) == version.id)).one()
    _add_step(session, version, message, ok=ok, seconds=max(0.0, now_s() - (latest or version.created_at)))


def _add_step(session: Session, version: Version, message: str, *, ok: bool, seconds: float) -> None:
    step = VersionStep(
        version_id=row_id(version.id), state=version.state, ok=ok, message=message, at=now_s(), seconds=seconds
    )
    add_row(session, step)


# Checks and trials: a new version is checked, plays house bots at each table size, and joins the ladders.

# The states that a version reaches by passing the stages of its check; a worker cannot move it any further.
CHECK_STAGES = (VersionState.IMPORTED.value, VersionState.LEGAL.value, VersionState.TIMED.value)
MAX_VOID_TRIALS = 3  # a version is rejected when the same check or trial was void this often through platform faults


def plan_next(session: Session, version: Version) -> int:
    """Plan the matches that a version needs next, first its check and then its trials; return their number."""
    if version.state not in OPEN:
        return 0
    checks = _matches_of(version, Purpose.CHECK)
    if session.exec(checks.where(Match.state == MatchState.DONE.value)).first() is not None:
        return _plan_trials(session, version)
    if session.exec(checks.where(Match.state != MatchState.VOID.value)).first() is not None:
        return 0
    bot = session.get_one(Bot, version.bot_id)
    tournament = tournaments.tournaments_of(session, "trials", bot.game)[0]
    matches.plan_check(session, tournament, enter(session, tournament, row_id(version.id)), version.code_sha256)
    return 1


def _matches_of(version: Version, purpose: Purpose) -> SelectOfScalar[Match]:
    return select(Match).where(Match.trial_version_id == version.id, Match.purpose == purpose.value)


def _plan_trials(session: Session, version: Version) -> int:
    # A void trial is replaced with a new one, because the opponent may have a new version.
    bot = session.get_one(Bot, version.bot_id)
    planned = 0
    for tournament in tournaments.tournaments_of(session, "trials", bot.game):
        opponents = _house_versions(session, bot, tournament.seats - 1, turn=row_id(version.id))
        if len(opponents) == tournament.seats - 1 and not _has_trial(session, tournament, version):
            entries = [row_id(enter(session, tournament, number).id) for number in (row_id(version.id), *opponents)]
            matches.plan_tables(session, tournament, [entries], purpose=Purpose.TRIAL, trial_version_id=version.id)
            planned += 1
    return planned


def _has_trial(session: Session, tournament: Tournament, version: Version) -> bool:
    query = _matches_of(version, Purpose.TRIAL).where(Match.tournament_id == tournament.id)
    return session.exec(query.where(Match.state != MatchState.VOID.value)).first() is not None


def _house_versions(session: Session, bot: Bot, count: int, *, turn: int) -> list[int]:
    """Return active versions of house bots as opponents in the bot's game; `turn` varies the choice."""
    house = session.exec(select(Bot.active_version_id).where(*_house_opponents(bot)).order_by(col(Bot.id))).all()
    return [row_id(house[(turn + i) % len(house)]) for i in range(min(count, len(house)))]


def _house_opponents(bot: Bot) -> tuple[Any, ...]:
    active = col(Bot.active_version_id).is_not(None)
    return Bot.game == bot.game, col(Bot.is_house).is_(True), active, Bot.id != bot.id


def plan_missing_trials(session: Session) -> int:
    """Plan solo trials, and the checks and trials that open versions lack, such as when house bots were missing."""
    lock_versions(session)
    versions = session.exec(select(Version).where(col(Version.state).in_([s.value for s in OPEN]))).all()
    return sum(plan_next(session, version) for version in versions) + plan_solo_trials(session)


def apply_check(session: Session, match: Match, report: CheckReport) -> bool:
    """Apply the report of a check; return False if the version is rejected, or fails its solo trial."""
    version = session.get_one(Version, match.trial_version_id)
    for stage in report.stages:
        _pass_stage(session, version, stage)
    if not report.problems:
        return True
    if match.purpose == Purpose.CHECK.value and version.state not in OPEN:
        return True
    first = report.problems[0]
    problem = f"{code_with_title(first.code)}: {with_line(first.message, first.line)}"
    if _can_play(session, version):
        apply_solo_trial(session, version, problem)
    elif version.state in OPEN:
        reject(session, version, problem)
    else:
        return True
    return False


def apply_progress(session: Session, match: Match, stage: str) -> None:
    """Record that a version has passed a stage of its check, which is still running."""
    if match.trial_version_id is not None:
        _pass_stage(session, session.get_one(Version, match.trial_version_id), stage)


def _pass_stage(session: Session, version: Version, stage: str) -> None:
    if stage in CHECK_STAGES and version.state in OPEN:
        advance(session, version, VersionState(stage))
        if version.state == VersionState.TIMED.value:
            withdraw_earlier_versions(session, version)


def withdraw_earlier_versions(session: Session, version: Version) -> None:
    """Withdraw the owner's earlier versions in the game that are still being checked or on trial.

    Call this only when the version has passed its check, because a rejected version must not replace another one.
    """
    bot = session.get_one(Bot, version.bot_id)
    query = select(Version).join(Bot, col(Bot.id) == Version.bot_id).where(Bot.game == bot.game, _owner_condition(bot))
    query = query.where(col(Version.state).in_([s.value for s in OPEN]), col(Version.id) < row_id(version.id))
    for earlier in session.exec(query).all():
        retire(session, earlier, f"withdrawn for {bot.name} v{version.number}")
        drop_trials(session, earlier, f"withdrawn for {bot.name} v{version.number}")


def apply_trial(session: Session, match: Match, judged: JudgedMatch) -> None:
    """Apply the result of a trial: a fault rejects the version, and passing the last trial makes it active."""
    version = session.get_one(Version, match.trial_version_id)
    fault = _first_fault(session, match, judged)
    if _can_play(session, version):
        apply_solo_trial(session, version, fault)
    if version.state not in OPEN:
        return
    if fault is not None:
        reject(session, version, fault)
        return
    if version.state == VersionState.TIMED.value:
        advance(session, version, VersionState.TRIAL)
    if version.state == VersionState.TRIAL.value and _passed_all_trials(session, version):
        activate(session, version)


def _first_fault(session: Session, match: Match, judged: JudgedMatch) -> str | None:
    query = select(MatchSeat.position).join(Entry, col(Entry.id) == MatchSeat.entry_id)
    positions = session.exec(
        query.where(MatchSeat.match_id == match.id, Entry.version_id == match.trial_version_id)
    ).all()
    for game in judged.games:
        for fault in game.record.faults:
            if game.record.seating[fault.seat] in positions:
                place = f"at {len(game.record.seating)} seats, block {game.record.block + 1}"
                return f"{fault_title(fault.kind, fault.message)}: {fault.message} ({place}, round {fault.round})"
    return None


def _passed_all_trials(session: Session, version: Version) -> bool:
    bot = session.get_one(Bot, version.bot_id)
    played = select(Match.tournament_id).where(
        Match.trial_version_id == version.id, Match.purpose == Purpose.TRIAL.value, Match.state == MatchState.DONE.value
    )
    required = {tournament.id for tournament in tournaments.tournaments_of(session, "trials", bot.game)}
    return required <= set(session.exec(played).all())


def apply_void(session: Session, match: Match) -> None:
    """Apply a void match: plan a new check or trial, up to `MAX_VOID_TRIALS`, or quarantine another match's bots."""
    if match.trial_version_id is None:
        if match.audit_of is None:  # bots are suspected only because of their own matches, not because of audits
            quarantine(session, match)
        return
    version = session.get_one(Version, match.trial_version_id)
    if _can_play(session, version):
        apply_void_solo_trial(session, match, version)
    if version.state not in OPEN:
        return
    # The number of times that this trial became void after its last attempt. Withdrawn opponents do not count.
    query = select(func.count()).select_from(Match).where(Match.trial_version_id == match.trial_version_id)
    query = query.where(Match.state == MatchState.VOID.value, Match.attempt == ATTEMPTS)
    is_same_trial = Match.purpose == match.purpose, Match.tournament_id == match.tournament_id
    if session.exec(query.where(*is_same_trial)).one() >= MAX_VOID_TRIALS:
        reject(
            session, version, f"platform fault: {match.void_reason}; this was not the bot's fault, so upload it again"
        )
        return
    plan_next(session, version)


def drop_trials(session: Session, version: Version, reason: str) -> None:
    """Void a version's waiting check and trials."""
    matches.void_waiting(session, reason, col(Match.trial_version_id) == version.id)


# Making a version active, and retiring the versions that it replaces.


def activate(session: Session, version: Version, message: str = "") -> None:
    """Make a version active and enter it in the game's ladders; the owner's active bot in the game is retired."""
    bot = session.get_one(Bot, version.bot_id)
    for former in _active_bots(session, bot):
        retire_active(session, former, f"replaced by {bot.name} v{version.number}")
    advance(session, version, VersionState.ACTIVE, message)
    bot.active_version_id = version.id
    add_row(session, bot)
    for ladder in tournaments.tournaments_of(session, "ladder", bot.game):
        enter(session, ladder, row_id(version.id))


def _active_bots(session: Session, bot: Bot) -> list[Bot]:
    """Return the active bots of a bot's owner in the game, which a new version of the bot replaces."""
    query = select(Bot).where(Bot.game == bot.game, col(Bot.active_version_id).is_not(None))
    return list(session.exec(query.where(_owner_condition(bot))).all())


def _owner_condition(bot: Bot) -> Any:
    """Return the condition that a bot has the same owner as `bot`; a house bot counts as its own owner."""
    return col(Bot.id) == bot.id if bot.owner_group is None else col(Bot.owner_group) == bot.owner_group


def retire_active(session: Session, bot: Bot, reason: str) -> None:
    """Retire a bot's active version and void its waiting matches, except in tournaments."""
    version = session.get_one(Version, bot.active_version_id)
    retire(session, version, reason)
    withdraw_version(session, row_id(version.id), reason)
    bot.active_version_id = None
    add_row(session, bot)


# Quarantine: after a match that could not be played, each of its bots plays one solo trial.
#
# A bot that crashes workers would do so at every table. But a failure of the platform ends the matches of all bots, and
# must not empty the ladders. So a bot is retired only for its own fault, or if its solo trial failed while other
# matches could be played. House bots are never retired.

log = logging.getLogger("gangland_web.quarantine")

# States of versions in quarantine. A retired version continues to play in a tournament that pinned it.
_PLAYING_STATES = (VersionState.ACTIVE.value, VersionState.RETIRED.value)


def quarantine(session: Session, match: Match) -> None:
    """Put the entries of a match that could not be played into quarantine, until they have passed a solo trial.

    Their other waiting matches become void, including challenges if the quarantine is public; a tournament's matches
    wait.
    """
    if match.attempt < ATTEMPTS or match.void_reason in (matches.WITHDRAWN, matches.IN_QUARANTINE):
        return
    suspects = _suspects(session, match)
    session.exec(update(Entry).where(col(Entry.id).in_(suspects)).values(quarantined=True))
    in_quarantine: ColumnElement[bool] = col(MatchSeat.entry_id).in_(suspects)
    if matches.quarantine_is_public(session.get_one(Tournament, match.tournament_id)):
        versions = select(Entry.version_id).where(col(Entry.id).in_(suspects))
        challenges = select(Entry.id).join(Tournament, col(Tournament.id) == Entry.tournament_id)
        challenges = challenges.where(Tournament.kind == "challenges", col(Entry.version_id).in_(versions))
        in_quarantine |= col(MatchSeat.entry_id).in_(challenges)
    match_ids = select(MatchSeat.match_id).where(in_quarantine)
    matches.void_waiting(
        session, matches.IN_QUARANTINE, col(Match.id).in_(match_ids), col(Match.purpose) != Purpose.TOURNAMENT.value
    )
    log.warning("match %s could not be played: entries %s are in quarantine", match.id, suspects)


def _suspects(session: Session, match: Match) -> list[int]:
    query = select(MatchSeat.entry_id).where(MatchSeat.match_id == match.id)
    if match.challenger_id is not None:  # otherwise users could send others' bots into quarantine
        query = query.join(Entry, col(Entry.id) == MatchSeat.entry_id)
        query = query.join(Version, col(Version.id) == Entry.version_id).join(Bot, col(Bot.id) == Version.bot_id)
        teams = select(Membership.team_id).where(Membership.user_id == match.challenger_id)  # including former ones
        query = query.where((col(Bot.owner_id) == match.challenger_id) | col(Bot.team_id).in_(teams))
    entry_ids = list(session.exec(query).all())
    versions = select(Entry.version_id).where(col(Entry.id).in_(entry_ids))
    suspects = select(Entry.id).where(Entry.tournament_id == match.tournament_id, col(Entry.version_id).in_(versions))
    return [row_id(entry) for entry in session.exec(suspects.order_by(col(Entry.id))).all()]


def plan_solo_trials(session: Session) -> int:
    """Plan a solo trial for each version in quarantine without a pending one; return their number."""
    pending = select(Match.id).where(Match.trial_version_id == Version.id, col(Match.state).in_(PENDING)).exists()
    quarantined = select(Entry.version_id).where(matches.QUARANTINED, col(Entry.active).is_(True))
    query = select(Version).where(col(Version.state).in_(_PLAYING_STATES), col(Version.id).in_(quarantined), ~pending)
    versions = session.exec(query.order_by(col(Version.id))).all()
    return sum(_plan_solo(session, version) for version in versions)


def _plan_solo(session: Session, version: Version) -> int:
    bot = session.get_one(Bot, version.bot_id)
    opponent = _opponent(session, bot, turn=row_id(version.id))
    if opponent is None:
        _end_quarantine(session, version)
        return 0
    tournament = tournaments.tournaments_of(session, "trials", bot.game)[0]
    entries = [row_id(enter(session, tournament, version_id).id) for version_id in (row_id(version.id), opponent)]
    matches.plan_tables(session, tournament, [entries], purpose=Purpose.TRIAL, trial_version_id=version.id)
    return 1


def _opponent(session: Session, bot: Bot, *, turn: int) -> int | None:
    """Return a house bot's active version as the opponent, preferably one that is not in quarantine."""
    held = select(Entry.id).where(Entry.version_id == Bot.active_version_id, col(Entry.quarantined).is_(True)).exists()
    query = select(Bot.active_version_id, held).where(*_house_opponents(bot))
    house = session.exec(query.order_by(col(Bot.id))).all()
    versions = [version for version, in_quarantine in house if not in_quarantine] or [version for version, _ in house]
    return versions[turn % len(versions)] if versions else None


def _can_play(session: Session, version: Version) -> bool:
    """Return whether a version is active, or is retired and in quarantine but will play on in a tournament."""
    if version.state != VersionState.RETIRED.value:
        return version.state == VersionState.ACTIVE.value
    query = select(Entry.id).where(col(Entry.quarantined).is_(True), col(Entry.active).is_(True))
    return session.exec(query.where(Entry.version_id == version.id)).first() is not None


def apply_solo_trial(session: Session, version: Version, fault: str | None) -> None:
    """Apply a solo trial's result: the quarantine ends, and a fault retires the version unless it is a house bot's."""
    if fault is None:
        _end_quarantine(session, version)
    else:
        _retire_for_fault(session, version, f"its matches could not be played, and its solo trial failed: {fault}")


def apply_void_solo_trial(session: Session, match: Match, version: Version) -> None:
    """Apply a void solo trial; the version is to blame if other matches were played in the meantime."""
    if match.attempt < ATTEMPTS or match.void_reason == matches.WITHDRAWN:
        return
    if _have_others_played(session, match, version):
        _retire_for_fault(
            session, version, f"its matches could not be played, nor could its solo trial: {match.void_reason}"
        )


def _have_others_played(session: Session, match: Match, version: Version) -> bool:
    """Return whether a match without the version was sent and played after the solo trial was planned."""
    own_seats = select(MatchSeat.match_id).join(Entry, col(Entry.id) == MatchSeat.entry_id)
    own_seats = own_seats.where(MatchSeat.match_id == Match.id, Entry.version_id == version.id)
    sent = (
        col(Match.purpose).in_([purpose for purpose in Purpose if purpose is not Purpose.AUDIT]),
        col(Match.sent_at) > match.created_at,
    )  # read from the index ix_matches_sent
    query = select(Match.id).where(Match.state == MatchState.DONE.value, *sent, ~own_seats.exists())
    return session.exec(query.limit(1)).first() is not None


def _retire_for_fault(session: Session, version: Version, reason: str) -> None:
    bot = session.get_one(Bot, version.bot_id)
    if bot.is_house:
        log.error("house bot %s stays on the ladders, though %s", bot.name, reason)
        _end_quarantine(session, version)
        return
    if bot.active_version_id == version.id:
        retire_active(session, bot, reason)
    withdraw_version(session, row_id(version.id), reason, everywhere=True)
    _end_quarantine(session, version)


def _end_quarantine(session: Session, version: Version) -> None:
    session.exec(update(Entry).where(col(Entry.version_id) == version.id).values(quarantined=False))
