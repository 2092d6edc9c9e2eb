"""Checks and trials: a new version is checked, then plays house bots at every table size, then joins the ladders."""

from collections.abc import Sequence

from sqlmodel import Session, col, func, select
from sqlmodel.sql.expression import SelectOfScalar

from gangland_ladder.errors.catalogue import fault_title, titled
from gangland_ladder.matches.judging import Judged
from gangland_ladder.matches.orders import CheckReport
from gangland_web.base.text import with_line
from gangland_web.league.entries import enter
from gangland_web.league.matches.ending import void_waiting
from gangland_web.league.matches.plan import plan_check, plan_tables
from gangland_web.league.setup import tournaments_of
from gangland_web.league.versions.activate import activate
from gangland_web.league.versions.quarantine import is_held, plan_solo_trials, quarantine, solo_ended_void, solo_played
from gangland_web.league.versions.steps import advance, reject, retire
from gangland_web.models.bots import OPEN, Bot, Version, VersionState
from gangland_web.models.columns import stored
from gangland_web.models.database import Database
from gangland_web.models.locks import hold_versions
from gangland_web.models.matches import ATTEMPTS, Match, MatchSeat, MatchState, Purpose
from gangland_web.models.tournaments import Entry, Tournament

CHECK_STAGES = (VersionState.IMPORTED.value, VersionState.LEGAL.value, VersionState.TIMED.value)
"""The states that a version reaches by passing its check; a worker cannot move it any further."""

TRIES = 3
"""A trial that is void so often for a platform fault is given up: the author is told and may upload again."""


def plan_next(session: Session, version: Version) -> int:
    """Write what the version needs next and return how many matches that are: its check, then its trials.

    No trial is planned before the check has passed.
    """
    if version.state not in OPEN:
        return 0
    checks = _matches(version, Purpose.CHECK)
    if session.exec(checks.where(Match.state == MatchState.DONE.value)).first() is not None:
        return _plan_trials(session, version)
    if session.exec(checks.where(Match.state != MatchState.VOID.value)).first() is not None:
        return 0
    bot = session.get_one(Bot, version.bot_id)
    tournament = tournaments_of(session, "trials", bot.game)[0]
    plan_check(session, tournament, enter(session, tournament, stored(version.id)), version.code_sha256)
    return 1


def _matches(version: Version, purpose: Purpose) -> SelectOfScalar[Match]:
    return select(Match).where(Match.trial_version_id == version.id, Match.purpose == purpose.value)


def _plan_trials(session: Session, version: Version) -> int:
    """Write the trial matches that the version still needs; none while there are no house bots to play.

    A void match is no trial: one whose opponent was renewed is planned again with its successor.
    """
    bot = session.get_one(Bot, version.bot_id)
    planned = 0
    for tournament in tournaments_of(session, "trials", bot.game):
        opponents = _house_versions(session, bot, tournament.seats - 1, turn=stored(version.id))
        if len(opponents) == tournament.seats - 1 and not _has_trial(session, tournament, version):
            entries = [stored(enter(session, tournament, each).id) for each in (stored(version.id), *opponents)]
            plan_tables(session, tournament, [entries], purpose=Purpose.TRIAL, trial_version_id=version.id)
            planned += 1
    return planned


def plan_missing_trials(session: Session) -> int:
    """Plan the trials that open versions lack (house bots were missing or renewed) and solo trials."""
    hold_versions(session)
    versions = session.exec(select(Version).where(col(Version.state).in_([s.value for s in OPEN]))).all()
    return sum(plan_next(session, version) for version in versions) + plan_solo_trials(session)


def trial_checked(session: Session, match: Match, report: CheckReport) -> bool:
    """Take in what the intake check found; False if the version was rejected or retired for it."""
    version = session.get_one(Version, match.trial_version_id)
    for stage in report.stages:
        _pass_stage(session, version, stage)
    if not report.problems:
        return True
    if match.purpose == Purpose.CHECK.value and version.state not in OPEN:
        return True
    first = report.problems[0]
    problem = f"{titled(first.code)}: {with_line(first.message, first.line)}"
    if is_held(session, version):
        solo_played(session, version, problem)
    elif version.state in OPEN:
        _reject(session, version, problem)
    else:
        return True
    return False


def trial_progressed(database: Database, match_id: int, token: str, stage: str) -> bool:
    """Show a stage of the check as passed while the match is still played.  False if its lease has ended."""
    with database.write() as session:
        hold_versions(session)
        chosen = select(Match).where(Match.id == match_id, Match.state == MatchState.LEASED.value)
        match = session.exec(chosen.where(Match.lease_token == token)).first()
        if match is None or match.trial_version_id is None:
            return False
        _pass_stage(session, session.get_one(Version, match.trial_version_id), stage)
    return True


def _pass_stage(session: Session, version: Version, stage: str) -> None:
    if stage in CHECK_STAGES and version.state in OPEN:
        advance(session, version, VersionState(stage))
        if version.state == VersionState.TIMED.value:
            withdraw_earlier(session, version)


def withdraw_earlier(session: Session, version: Version) -> None:
    """Withdraw what its owner sent in before it in the game and is still on its way: it passed its check, and is newer.

    Not sooner: a bot that is refused takes nobody's place.
    """
    bot = session.get_one(Bot, version.bot_id)
    same = col(Bot.id) == bot.id if bot.owner_group is None else col(Bot.owner_group) == bot.owner_group
    chosen = select(Version).join(Bot, col(Bot.id) == Version.bot_id).where(Bot.game == bot.game, same)
    chosen = chosen.where(col(Version.state).in_([s.value for s in OPEN]), col(Version.id) < stored(version.id))
    for earlier in session.exec(chosen).all():
        retire(session, earlier, f"withdrawn for {bot.name} v{version.number}")
        drop_trials(session, earlier, f"withdrawn for {bot.name} v{version.number}")


def trial_played(session: Session, match: Match, judged: Judged) -> None:
    """Take in a played trial: any fault of the new bot rejects it, the last one passed makes it active."""
    version = session.get_one(Version, match.trial_version_id)
    fault = _first_fault(session, match, judged)
    if is_held(session, version):
        solo_played(session, version, fault)
    if version.state not in OPEN:
        return
    if fault is not None:
        _reject(session, version, fault)
        return
    if version.state == VersionState.TIMED.value:
        advance(session, version, VersionState.TRIAL)
    if version.state == VersionState.TRIAL.value and _passed_everywhere(session, version):
        activate(session, version)


def match_ended_void(session: Session, match: Match) -> None:
    """Try a void trial again, up to a bound; those who sat in a void match of a ladder get a solo trial."""
    if match.trial_version_id is None:
        if match.audit_of is None:  # a bot that cannot be played is suspected for its own matches alone
            quarantine(session, match)
        return
    version = session.get_one(Version, match.trial_version_id)
    if is_held(session, version):
        solo_ended_void(session, match, version)
    if version.state not in OPEN:
        return
    if _platform_faults(session, match) >= TRIES:
        _reject(session, version, f"platform fault: {match.void_reason}; no fault of the bot, so upload it again")
        return
    plan_next(session, version)


def _platform_faults(session: Session, match: Match) -> int:
    """How often this trial was begun as often as may be and is void; a withdrawn opponent does not count."""
    chosen = select(func.count()).select_from(Match).where(Match.trial_version_id == match.trial_version_id)
    void = (Match.state == MatchState.VOID.value, Match.attempt == ATTEMPTS, Match.purpose == match.purpose)
    return session.exec(chosen.where(Match.tournament_id == match.tournament_id, *void)).one()


def drop_trials(session: Session, version: Version, reason: str) -> None:
    """Make the waiting check and trials of a version void: nobody needs them any more."""
    void_waiting(session, reason, col(Match.trial_version_id) == version.id)


def _reject(session: Session, version: Version, message: str) -> None:
    reject(session, version, message)
    drop_trials(session, version, "the version was rejected")


def _first_fault(session: Session, match: Match, judged: Judged) -> str | None:
    """The first fault of the bot on trial, in words; None if it has none."""
    positions = _positions(session, match)
    for game in judged.games:
        for fault in game.record.faults:
            if game.record.seating[fault.seat] in positions:
                where = f"at {len(game.record.seating)} seats, block {game.record.block + 1}"
                return f"{fault_title(fault.kind, fault.message)}: {fault.message} ({where}, round {fault.round})"
    return None


def _positions(session: Session, match: Match) -> Sequence[int]:
    chosen = select(MatchSeat.position).join(Entry, col(Entry.id) == MatchSeat.entry_id)
    return session.exec(chosen.where(MatchSeat.match_id == match.id, Entry.version_id == match.trial_version_id)).all()


def _passed_everywhere(session: Session, version: Version) -> bool:
    """Whether the version has played a trial at each table size of its game."""
    bot = session.get_one(Bot, version.bot_id)
    played = select(Match.tournament_id).where(
        Match.trial_version_id == version.id, Match.purpose == Purpose.TRIAL.value, Match.state == MatchState.DONE.value
    )
    needed = {tournament.id for tournament in tournaments_of(session, "trials", bot.game)}
    return needed <= set(session.exec(played).all())


def _has_trial(session: Session, tournament: Tournament, version: Version) -> bool:
    """Whether the version has a trial there that was played or will be."""
    chosen = _matches(version, Purpose.TRIAL).where(Match.tournament_id == tournament.id)
    return session.exec(chosen.where(Match.state != MatchState.VOID.value)).first() is not None


def _house_versions(session: Session, bot: Bot, count: int, *, turn: int) -> list[int]:
    """Active house versions of the bot's game to play against, going round with every trial."""
    chosen = select(Bot.active_version_id).where(
        Bot.game == bot.game, col(Bot.is_house).is_(True), col(Bot.active_version_id).is_not(None), Bot.id != bot.id
    )
    house = session.exec(chosen.order_by(col(Bot.id))).all()
    turned = [house[(turn + i) % len(house)] for i in range(min(count, len(house)))]
    return [stored(version) for version in turned]
