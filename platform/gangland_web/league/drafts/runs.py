"""Asking for a run of a draft, and whose runs are whose."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, Final

import msgspec
from msgspec import Struct
from sqlmodel import Session, col, delete, select

from gangland.games import game_named
from gangland_ladder.matches.orders import Order, Seat
from gangland_sandbox.intake import stem_of
from gangland_sandbox.limits import Limits
from gangland_web.base.clock import now_s
from gangland_web.base.text import name_key
from gangland_web.league.playing.tables import opponents_of
from gangland_web.league.setup import profile_of
from gangland_web.league.versions.forms import source_filename
from gangland_web.models.bots import Bot, BotDraft, Version
from gangland_web.models.columns import stored
from gangland_web.models.jobs import DraftRun, RunKind, RunState, order_id
from gangland_web.models.owners import party_of

BLOCKS: Final[Mapping[RunKind, int]] = {RunKind.CHECK: 1, RunKind.PLAY: 2, RunKind.DUEL: 6}
"""Of the match of a run; a check plays none of its one."""
MOST_RUNS: Final = 20
"""So many runs of a person are kept, the latest."""
SEAT_CHARS: Final = 80
"""The most of a bot's file name that stands on an order."""


class Opponent(Struct, frozen=True):
    """A bot that a draft plays against, in the version that was active then."""

    bot: int
    name: str
    version: int
    filename: str
    code: str


class RunSetup(Struct, frozen=True):
    """What was fixed before a run began.

    Attributes:
        name: of the draft; filename: what its text is called in the jail.
        blocks, rng_key: as an order has them.
        address: where it was asked for; runs under way are bounded by it.
    """

    game: str
    name: str
    filename: str
    blocks: list[str]
    rng_key: str
    opponents: list[Opponent]
    address: str = ""

    @property
    def names(self) -> list[str]:
        """What to call those who play, the draft first."""
        return [self.name, *(f"{each.name} v{each.version}" for each in self.opponents)]


class RunRefused(ValueError):
    """There can be no such run; the message is for the draft's author."""


def start_run(
    session: Session, draft: BotDraft, kind: RunKind, bot_ids: Sequence[int] = (), *, address: str = ""
) -> DraftRun:
    """Have a draft run, and return what waits then; what its author had waiting is not run any more.

    Args:
        bot_ids: of the opponents of a match, in order; address: where it is asked for.

    Raises:
        RunRefused: there are no such opponents.
    """
    opponents = _opponents(session, draft, kind, bot_ids)
    waiting = (DraftRun.user_id == draft.user_id, DraftRun.state == RunState.WAITING.value)
    session.exec(delete(DraftRun).where(*waiting))  # type: ignore[arg-type]
    _drop_oldest(session, draft.user_id)
    setup = RunSetup(
        game=draft.game,
        name=draft.name,
        filename=source_filename(draft.name),
        blocks=[secrets.token_hex(32) for _ in range(BLOCKS[kind])],
        rng_key=secrets.token_hex(32),
        opponents=opponents,
        address=address,
    )
    run = DraftRun(
        draft_id=stored(draft.id),
        user_id=draft.user_id,
        kind=kind.value,
        text=draft.text,
        setup=msgspec.to_builtins(setup),
        limits=dict(Limits.of(profile_of(session, draft.game), BLOCKS[kind]).to_dict()),
        created_at=now_s(),
    )
    session.add(run)
    session.flush()
    return run


def _drop_oldest(session: Session, user_id: int) -> None:
    """Make room among the runs of a person for one more: their games take some 100 KB each."""
    its = select(DraftRun.id).where(DraftRun.user_id == user_id).order_by(col(DraftRun.id).desc()).offset(MOST_RUNS - 1)
    session.exec(delete(DraftRun).where(col(DraftRun.id).in_(session.exec(its).all())))


def _opponents(session: Session, draft: BotDraft, kind: RunKind, bot_ids: Sequence[int]) -> list[Opponent]:
    if kind is RunKind.CHECK:
        return []
    if kind is RunKind.DUEL:
        return [_opponent(*_own_active(session, draft))]
    sizes = game_named(draft.game).table_sizes
    if len(bot_ids) + 1 not in sizes:
        raise RunRefused(f"Choose {min(sizes) - 1} to {max(sizes) - 1} opponents, not {len(bot_ids)}.")
    known = {stored(bot.id): (bot, version) for bot, version in opponents_of(session, draft.game)}
    if missing := [each for each in bot_ids if each not in known]:
        raise RunRefused(f"Bot {missing[0]} does not play now; choose another one.")
    return [_opponent(*known[each]) for each in bot_ids]


def _own_active(session: Session, draft: BotDraft) -> tuple[Bot, Version]:
    """Return its author's bot of the draft's name, with its active version."""
    chosen = (
        select(Bot, Version)
        .join(Version, col(Version.id) == Bot.active_version_id)
        .where(Bot.game == draft.game, Bot.name_key == name_key(draft.name), party_of(session, draft.user_id).theirs())
    )
    found = session.exec(chosen).first()
    if found is None:
        raise RunRefused(f"You have no active version of {draft.name} to play against: upload it first.")
    return found


def _opponent(bot: Bot, version: Version) -> Opponent:
    return Opponent(stored(bot.id), bot.name, version.number, version.filename, version.code_sha256)


def run_for(session: Session, user_id: int, game: str, run_id: int) -> DraftRun | None:
    """Return a run if it is of a draft of this person's, and of this game."""
    chosen = select(DraftRun).join(BotDraft, col(BotDraft.id) == DraftRun.draft_id)
    found = session.exec(chosen.where(DraftRun.id == run_id, DraftRun.user_id == user_id, BotDraft.game == game))
    return found.first()


def latest_run(session: Session, draft_id: int) -> DraftRun | None:
    """Return the last run of a draft, None if it has none any more."""
    chosen = select(DraftRun).where(DraftRun.draft_id == draft_id).order_by(col(DraftRun.id).desc())
    return session.exec(chosen.limit(1)).first()


def setup_of(run: DraftRun) -> RunSetup:
    """Return what was fixed before a run began."""
    return msgspec.convert(run.setup, RunSetup)


def code_of(run: DraftRun) -> tuple[str, bytes]:
    """Return the SHA-256 of a run's text, and the text as workers get it."""
    source = run.text.encode("utf-8", "replace")
    return sha256(source).hexdigest(), source


def order_of(run: DraftRun) -> Order:
    """Return what a worker needs to carry out a leased run: made twice, it is the same.

    Raises:
        ValueError: the run is not leased.
    """
    if run.lease_token is None or run.lease_until is None:
        raise ValueError(f"run {run.id} is {run.state}, not leased")
    setup = setup_of(run)
    own, _ = code_of(run)
    named: list[tuple[str, str, int | None]] = [(setup.filename, own, None)]
    named += [(each.filename, each.code, each.bot) for each in setup.opponents]
    values: dict[str, Any] = {"options": {}, "limits": run.limits, "check": 0}
    return Order(
        id=order_id(stored(run.id)),
        token=run.lease_token,
        until=run.lease_until,
        game=setup.game,
        blocks=setup.blocks,
        rng_key=setup.rng_key,
        seats=[Seat(at, stem_of(file)[:SEAT_CHARS], code, bot) for at, (file, code, bot) in enumerate(named)],
        check_only=run.kind == RunKind.CHECK.value,
        **values,
    )
