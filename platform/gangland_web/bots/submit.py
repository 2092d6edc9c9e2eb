"""Taking in a file as a new version of a bot."""

from hashlib import sha256

from sqlmodel import Session, col, func, select

from gangland_sandbox.caps import CAPS
from gangland_sandbox.errors import UploadRejected
from gangland_sandbox.intake import unpack
from gangland_web.accounts.models import User
from gangland_web.bots.activate import activate
from gangland_web.bots.lifecycle import OPEN, VersionState
from gangland_web.bots.models import Bot, Code, Version
from gangland_web.bots.steps import advance, first_step, hold_versions, retire
from gangland_web.bots.trials import drop_trials, plan_trials
from gangland_web.clock import now_s
from gangland_web.columns import stored
from gangland_web.tournaments.setup import profile_of
from gangland_web.web.text import name_key

NAME_CHARS = 64


def submit_version(
    session: Session, owner: User | None, game: str, name: str, filename: str, source: bytes, note: str = ""
) -> Version:
    """Keep a file or zip as the next version of a bot and set it on its way to the ladders.

    A person's version goes through trials first, and its owner's earlier version still on trial
    in this game gives way to it.  A house bot (no owner) is ours and active at once.

    Raises:
        UploadRejected: the file or the name cannot be taken; the message is for the author.
    """
    unpack(source, filename, CAPS[profile_of(session, game)])
    hold_versions(session)
    bot = _bot(session, owner, game, name)
    digest = sha256(source).hexdigest()
    if owner is not None and bot.active_version_id is not None:
        active = session.get_one(Version, bot.active_version_id)
        if active.code_sha256 == digest:
            raise UploadRejected("unchanged", f"this is version {active.number}, unchanged, and it is on the ladder")
    number = _next_number(session, bot)
    for earlier in _on_trial(session, bot):
        retire(session, earlier, f"withdrawn for {bot.name} v{number}")
        drop_trials(session, earlier, f"withdrawn for {bot.name} v{number}")
    version = Version(
        bot_id=stored(bot.id),
        number=number,
        code_sha256=_keep_code(session, digest, source),
        filename=filename,
        note=note,
        created_at=now_s(),
    )
    session.add(version)
    session.flush()
    first_step(session, version)
    advance(session, version, VersionState.SCANNED)
    if owner is None:
        activate(session, version, "house bot")
    else:
        plan_trials(session, version)
    return version


def _bot(session: Session, owner: User | None, game: str, name: str) -> Bot:
    """The owner's bot of this name, made if nobody has it."""
    key = name_key(name)
    length = max(len(name), len(key))  # a key can be longer than its name: of 40 sharp s it has 80 letters
    if not 1 <= length <= NAME_CHARS:
        raise UploadRejected("bot_name", f"a bot's name has 1 to {NAME_CHARS} characters, not {length}")
    bot = session.exec(select(Bot).where(Bot.game == game, Bot.name_key == key)).first()
    owner_id = owner.id if owner is not None else None
    if bot is None:
        bot = Bot(owner_id=owner_id, game=game, name=name, name_key=key, is_house=owner is None, created_at=now_s())
        session.add(bot)
        session.flush()
    if bot.owner_id != owner_id:
        raise UploadRejected("name_taken", f"the name {name!r} belongs to another bot of the game: choose another name")
    return bot


def _on_trial(session: Session, bot: Bot) -> list[Version]:
    chosen = select(Version).join(Bot, col(Bot.id) == Version.bot_id)
    chosen = chosen.where(Bot.game == bot.game, col(Version.state).in_([state.value for state in OPEN]))
    return list(session.exec(chosen.where(Bot.owner_id == bot.owner_id)).all())


def _next_number(session: Session, bot: Bot) -> int:
    return int(session.exec(select(func.max(Version.number)).where(Version.bot_id == bot.id)).one() or 0) + 1


def _keep_code(session: Session, digest: str, source: bytes) -> str:
    code = session.get(Code, digest)
    if code is None:
        code = Code(sha256=digest, source=source, size=len(source))
    elif code.source is None:
        code.source, code.size = source, len(source)
    session.add(code)
    session.flush()
    return digest
