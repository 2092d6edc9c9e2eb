"""Drafts of bots, and their runs, which authors request in the editor and workers carry out."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import Raw, Struct
from sqlmodel import Session, col, delete, func, select, update

from gangland.games import game_named
from gangland_ladder.matches import match_jobs
from gangland_ladder.matches.judging import JudgedMatch, judge
from gangland_ladder.matches.judging import ResultRefused as Unjudged
from gangland_sandbox.limits import Limits
from gangland_web.base.formats import now_s
from gangland_web.base.text import name_key
from gangland_web.broker.names import QUEUE_DRAFT_CHECKS, QUEUE_TRIALS
from gangland_web.models.accounts import User
from gangland_web.models.bots import DRAFT_BYTES, Bot, BotDraft, Code, Version, party_of
from gangland_web.models.columns import row_id, table_of
from gangland_web.models.jobs import RUN_RETENTION_S, DraftRun, Job, JobState, RunKind, RunState
from gangland_web.models.matches import PrivatePurpose
from gangland_web.services import play, tournaments, trials, uploads
from gangland_web.services.jobs import ATTEMPTS, JobFailed, JobGone, Kind, ResultRefused, add_job, drop_jobs, register
from gangland_web.services.match_jobs import seat_name, sources_of
from gangland_web.services.matches import drop_private_matches, store_private

# Requesting and finding runs.


# The number of blocks in a run's match. A check has one block, but does not play it.
BLOCKS: Final[Mapping[RunKind, int]] = {RunKind.CHECK: 1, RunKind.PLAY: 2, RunKind.DUEL: 6}
MAX_RUNS: Final = 20  # number of runs stored for a user, the latest ones


class Opponent(Struct, frozen=True):
    """A bot that a draft plays against, with the version that was active when the run was requested."""

    bot: int
    name: str
    version: int
    filename: str
    code: str


class RunSetup(Struct, frozen=True):
    """The setup of a run, which is chosen before it begins; `blocks` and `rng_key` are as in a match job."""

    game: str
    name: str
    filename: str  # name of the file with the draft's text in the jail
    blocks: list[str]
    rng_key: str
    opponents: list[Opponent]
    address: str = ""  # the client's IP address; the number of runs in progress is limited per address

    @property
    def names(self) -> list[str]:
        """The players' names, the draft's first."""
        return [self.name, *(f"{opponent.name} v{opponent.version}" for opponent in self.opponents)]


OWN_POSITION: Final = 0  # the draft's position in the match of a run; the opponents follow


class RunRefused(ValueError):
    """A run is not possible; the message explains why, for the draft's author."""


def start_run(
    session: Session, draft: BotDraft, kind: RunKind, bot_ids: Sequence[int] = (), *, address: str = ""
) -> DraftRun:
    """Queue a run of a draft and return it; the author's waiting run, if any, is dropped.  Raises RunRefused."""
    opponents = _opponents(session, draft, kind, bot_ids)
    _drop_waiting(session, draft.user_id)
    _drop_oldest(session, draft.user_id)
    setup = RunSetup(
        game=draft.game,
        name=draft.name,
        filename=uploads.source_filename(draft.name),
        blocks=[secrets.token_hex(32) for _ in range(BLOCKS[kind])],
        rng_key=secrets.token_hex(32),
        opponents=opponents,
        address=address,
    )
    run = DraftRun(
        draft_id=row_id(draft.id),
        user_id=draft.user_id,
        kind=kind.value,
        text=draft.text,
        setup=msgspec.to_builtins(setup),
        limits=dict(Limits.of(tournaments.profile_of(session, draft.game), BLOCKS[kind]).to_dict()),
        created_at=now_s(),
    )
    session.add(run)
    session.flush()
    add_job(session, kind_of(run), row_id(run.id))
    return run


def _drop_waiting(session: Session, user_id: int) -> None:
    waiting = select(DraftRun.id).join(Job, (col(Job.subject) == DraftRun.id) & col(Job.kind).in_(_KIND_NAMES))
    filters = (DraftRun.user_id == user_id, DraftRun.state == RunState.OPEN.value, Job.state == JobState.WAITING.value)
    drop_runs(session, session.exec(waiting.where(*filters)).all())


def _drop_oldest(session: Session, user_id: int) -> None:
    # This makes room for another run. A run's games take about 100 KB.
    ids = select(DraftRun.id).where(DraftRun.user_id == user_id).order_by(col(DraftRun.id).desc()).offset(MAX_RUNS - 1)
    drop_runs(session, session.exec(ids).all())


def drop_old_runs(session: Session) -> None:
    """Delete runs that are older than `RUN_RETENTION_S`."""
    drop_runs(session, session.exec(select(DraftRun.id).where(DraftRun.created_at < now_s() - RUN_RETENTION_S)).all())


def drop_runs(session: Session, ids: Sequence[int | None]) -> None:
    """Delete runs with their jobs and matches."""
    if not ids:
        return
    for name in _KIND_NAMES:
        drop_jobs(session, name, ids)
    matches = session.exec(select(DraftRun.match_id).where(col(DraftRun.id).in_(ids))).all()
    session.exec(delete(DraftRun).where(col(DraftRun.id).in_(ids)))
    drop_private_matches(session, matches)


def _opponents(session: Session, draft: BotDraft, kind: RunKind, bot_ids: Sequence[int]) -> list[Opponent]:
    if kind is RunKind.CHECK:
        return []
    if kind is RunKind.DUEL:
        return [_opponent(*_own_active_version(session, draft))]
    sizes = game_named(draft.game).table_sizes
    if len(bot_ids) + 1 not in sizes:
        raise RunRefused(f"Choose {min(sizes) - 1} to {max(sizes) - 1} opponents, not {len(bot_ids)}.")
    bots = {row_id(bot.id): (bot, version) for bot, version in play.opponents_of(session, draft.game, bot_ids=bot_ids)}
    if missing := [bot_id for bot_id in bot_ids if bot_id not in bots]:
        raise RunRefused(f"Bot {missing[0]} is not available as an opponent now. Choose another one.")
    return [_opponent(*bots[bot_id]) for bot_id in bot_ids]


def _opponent(bot: Bot, version: Version) -> Opponent:
    return Opponent(row_id(bot.id), bot.name, version.number, version.filename, version.code_sha256)


def _own_active_version(session: Session, draft: BotDraft) -> tuple[Bot, Version]:
    query = (
        select(Bot, Version)
        .join(Version, col(Version.id) == Bot.active_version_id)
        .where(Bot.game == draft.game, Bot.name_key == name_key(draft.name))
        .where(party_of(session, draft.user_id).own_bots())
    )
    own = session.exec(query).first()
    if own is None:
        raise RunRefused(f"Upload {draft.name} first: it has no active version to play against.")
    return own


def run_for(session: Session, user_id: int, game: str, run_id: int) -> DraftRun | None:
    """Return a run if its draft is for this game and belongs to this user, or None."""
    query = select(DraftRun).join(BotDraft, col(BotDraft.id) == DraftRun.draft_id)
    query = query.where(DraftRun.id == run_id, DraftRun.user_id == user_id, BotDraft.game == game)
    return session.exec(query).first()


def latest_run(session: Session, draft_id: int) -> DraftRun | None:
    """Return the latest run of a draft, or None."""
    query = select(DraftRun).where(DraftRun.draft_id == draft_id).order_by(col(DraftRun.id).desc())
    return session.exec(query.limit(1)).first()


def setup_of(run: DraftRun) -> RunSetup:
    """Return the setup of a run."""
    return msgspec.convert(run.setup, RunSetup)


# Match jobs.


FAILURE_TEXT: Final = (
    f"It was started {ATTEMPTS} times and never finished. It may not be your bot's fault. Try again later."
)
RUN_LEASE_S: Final = 3600.0  # longer than the match, which the worker limits, and the wait for other matches


def _run_of(session: Session, job: Job) -> DraftRun:
    run = session.get(DraftRun, job.subject)
    if run is None:
        raise JobGone
    return run


def _match_job_of(run: DraftRun) -> match_jobs.MatchJob:
    setup = setup_of(run)
    own, _ = code_of(run)
    files: list[tuple[str, str, int | None]] = [(setup.filename, own, None)]
    files += [(opponent.filename, opponent.code, opponent.bot) for opponent in setup.opponents]
    common: dict[str, Any] = {"options": {}, "limits": run.limits, "check": 0}
    return match_jobs.MatchJob(
        id=row_id(run.id),
        game=setup.game,
        blocks=setup.blocks,
        rng_key=setup.rng_key,
        seats=[match_jobs.Seat(index, seat_name(file), code, bot) for index, (file, code, bot) in enumerate(files)],
        check_only=run.kind == RunKind.CHECK.value,
        **common,
    )


def _codes(session: Session, match_job: match_jobs.MatchJob) -> Mapping[str, bytes]:
    run = session.get_one(DraftRun, match_job.id)
    return sources_of(session, {opponent.code for opponent in setup_of(run).opponents}) | dict([code_of(run)])


def code_of(run: DraftRun) -> tuple[str, bytes]:
    """Return the SHA-256 of a run's text, and the text as it is sent to workers."""
    source = run.text.encode("utf-8", "replace")
    return sha256(source).hexdigest(), source


# Recording the results of runs. Only this code writes them.


class RunResult(NamedTuple):
    """The result of a run: its check, and its judged match, or None if no match was played."""

    check: match_jobs.CheckReport
    match_job: match_jobs.MatchJob
    judged: JudgedMatch | None


def check_of(run: DraftRun) -> match_jobs.CheckReport | None:
    """Return the report of a run's check, or None if there is no result yet."""
    return None if run.result is None else msgspec.convert(run.result, match_jobs.CheckReport)


def _check(session: Session, job: Job, body: Raw, is_result: bool) -> RunResult | None:
    # A message about a stage of the check contains no result to store.
    if not is_result:
        return None
    run = _run_of(session, job)
    try:
        result = match_jobs.decode_result(bytes(body))
        if result.void is not None:
            raise JobFailed(result.void)
        return _checked_result(_match_job_of(run), result)
    except JobFailed:
        raise
    except (Unjudged, ValueError, RecursionError) as error:
        raise ResultRefused(FAILURE_TEXT, str(error)) from error


def _checked_result(match_job: match_jobs.MatchJob, result: match_jobs.Result) -> RunResult:
    if result.check is None:
        raise Unjudged("the result has no check")
    if not result.check.problems:
        needed = trials.CHECK_STAGES[:1] if match_job.check_only else trials.CHECK_STAGES
        if not set(result.check.stages).issuperset(needed):
            raise Unjudged(f"its check has only the stages {result.check.stages}")
    if result.check.problems or match_job.check_only:
        if result.games:
            raise Unjudged(f"it has {len(result.games)} games after a check without a match")
        return RunResult(result.check, match_job, None)
    return RunResult(result.check, match_job, judge(match_job, result))


def _store(session: Session, job: Job, result: RunResult | None) -> None:
    if result is None:
        return
    run = session.get_one(DraftRun, job.subject)
    draft = session.get_one(BotDraft, run.draft_id)
    draft.passed_at = None if result.check.problems else now_s()
    session.add(draft)
    run.result = msgspec.to_builtins(result.check)
    run.state, run.done_at = RunState.DONE.value, now_s()
    if result.judged is not None:
        judged = _without_foreign_logs(result.judged)
        run.match_id = store_private(session, PrivatePurpose.DRAFT, result.match_job, setup_of(run).names, judged)
    session.add(run)


def _without_foreign_logs(judged: JudgedMatch) -> JudgedMatch:
    # Only an opponent's author may read the opponent's logs and messages of faults.
    games = []
    for game in judged.games:
        record, own = game.record, game.record.seating.index(OWN_POSITION)
        faults = [fault if fault.seat == own else msgspec.structs.replace(fault, message="") for fault in record.faults]
        logs = [log if seat == own else "" for seat, log in enumerate(record.logs)]
        marks = [each if seat == own else [] for seat, each in enumerate(record.log_marks)]
        games.append(replace(game, record=msgspec.structs.replace(record, faults=faults, logs=logs, log_marks=marks)))
    return JudgedMatch(judged.scores, tuple(games))


def _give_up(session: Session, job: Job, _reason: str) -> None:
    run = _run_of(session, job)
    run.state, run.failed_for, run.done_at = RunState.FAILED.value, FAILURE_TEXT, now_s()
    session.add(run)
    session.flush()


def _kind(name: str, queue: str) -> Kind:
    return register(
        Kind(
            name=name,
            queue=queue,
            payload=lambda session, job: _match_job_of(_run_of(session, job)),
            check=_check,
            store=_store,
            give_up=_give_up,
            lease_s=lambda _session, _job: RUN_LEASE_S,
            has_parts=True,
            codes=_codes,
        )
    )


DRAFT_CHECK: Final = _kind("draft-check", QUEUE_DRAFT_CHECKS)
DRAFT: Final = _kind("draft", QUEUE_TRIALS)
_KIND_NAMES: Final = (DRAFT_CHECK.name, DRAFT.name)


def kind_of(run: DraftRun) -> Kind:
    """Return the kind of a run's job."""
    return DRAFT_CHECK if run.kind == RunKind.CHECK.value else DRAFT


# Drafts of bots, which are written in the browser, stored with an account, and visible only to their owner.


MAX_DRAFTS: Final = 30  # maximum per account, in all games together


@dataclass(frozen=True, slots=True)
class DraftRef:
    """The id and version of a draft when it was opened."""

    id: int
    version: int


class DraftRefused(ValueError):
    """A draft cannot be saved; the message is for the author, and `field` names the form's invalid field."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


class DraftChanged(ValueError):
    """Another tab or browser has saved the draft since it was opened; `current` has the saved version."""

    def __init__(self, current: DraftRef) -> None:
        super().__init__(f"version {current.version} is saved")
        self.current = current


def drafts_of(session: Session, user_id: int, game: str) -> Sequence[BotDraft]:
    """Return a user's drafts for a game, most recently saved first."""
    query = select(BotDraft).where(BotDraft.user_id == user_id, BotDraft.game == game)
    return session.exec(query.order_by(col(BotDraft.saved_at).desc(), col(BotDraft.id).desc())).all()


def draft_of(session: Session, user_id: int, game: str, draft_id: int) -> BotDraft | None:
    """Return a draft if it is for this game and belongs to this user, or None."""
    query = select(BotDraft).where(BotDraft.id == draft_id, BotDraft.user_id == user_id, BotDraft.game == game)
    return session.exec(query).first()


def newest_text(session: Session, bot_id: int) -> str | None:
    """Return the source of a bot's newest version from the editor, or None."""
    query = select(Code.source).join(Version, col(Version.code_sha256) == Code.sha256)
    query = query.where(Version.bot_id == bot_id, col(Version.in_browser).is_(True))
    source = session.exec(query.order_by(col(Version.number).desc())).first()
    return None if source is None else source.decode(errors="replace")


def save_draft(session: Session, user_id: int, game: str, name: str, text: str, *, opened: DraftRef | None) -> BotDraft:
    """Save a text as a new draft, or in the user's `opened` draft.  Raises DraftRefused or DraftChanged."""
    session.get_one(User, user_id, with_for_update=True)  # simultaneous requests from this user wait
    _check_name(session, user_id, game, name, text, opened)
    if opened is None:
        draft = BotDraft(user_id=user_id, game=game, name=name, text=text, saved_at=now_s())
        session.add(draft)
        session.flush()
        return draft
    filters = (col(BotDraft.id) == opened.id, col(BotDraft.user_id) == user_id, col(BotDraft.version) == opened.version)
    values = {"name": name, "text": text, "version": opened.version + 1, "saved_at": now_s()}
    updated = session.connection().execute(update(table_of(BotDraft)).where(*filters).values(**values))
    draft = session.get_one(BotDraft, opened.id, populate_existing=True)
    if updated.rowcount != 1:
        raise DraftChanged(DraftRef(opened.id, draft.version))
    return draft


def _check_name(session: Session, user_id: int, game: str, name: str, text: str, opened: DraftRef | None) -> None:
    if (problem := uploads.bot_name_problem(name)) is not None:
        raise DraftRefused("name", problem)
    if "\0" in text or len(text.encode("utf-8", "replace")) > DRAFT_BYTES:
        raise DraftRefused("source", f"A draft must be text of at most {DRAFT_BYTES // 1024} KiB.")
    query = select(BotDraft.id).where(BotDraft.user_id == user_id, BotDraft.game == game, BotDraft.name == name)
    holder_id = session.exec(query).first()
    if holder_id is not None and (opened is None or holder_id != opened.id):
        raise DraftRefused("name", f"You already have a draft called {name}. Open it, or choose another name.")
    count = session.exec(select(func.count()).select_from(BotDraft).where(BotDraft.user_id == user_id)).one()
    if opened is None and count >= MAX_DRAFTS:
        raise DraftRefused("name", f"You already have {count} drafts. Delete one first.")


def delete_draft(session: Session, user_id: int, game: str, draft_id: int) -> bool:
    """Delete a user's draft with its runs; return False if the user has no such draft."""
    if draft_of(session, user_id, game, draft_id) is None:
        return False
    drop_drafts(session, [draft_id])
    return True


def drop_drafts(session: Session, ids: Sequence[int | None]) -> None:
    """Delete drafts with their runs."""
    drop_runs(session, session.exec(select(DraftRun.id).where(col(DraftRun.draft_id).in_(ids))).all())
    session.exec(delete(BotDraft).where(col(BotDraft.id).in_(ids)))
