"""Taking in a file as a new version of a bot."""

import logging
from dataclasses import dataclass
from hashlib import sha256

from sqlmodel import Session, col, func, select

from gangland_sandbox.caps import CAPS
from gangland_sandbox.errors import UploadRejected
from gangland_sandbox.intake import unpack
from gangland_web.base.clock import now_s
from gangland_web.base.text import look_key, name_key
from gangland_web.league.setup import profile_of
from gangland_web.league.tournaments.browser_only import closed_to_files
from gangland_web.league.versions.activate import activate
from gangland_web.league.versions.retiring import is_held
from gangland_web.league.versions.steps import advance, first_step
from gangland_web.league.versions.trials import plan_next
from gangland_web.models.accounts import Team, User
from gangland_web.models.bots import OPEN, Bot, Code, Version, VersionState
from gangland_web.models.columns import stored
from gangland_web.models.locks import hold_versions
from gangland_web.models.owners import in_play, owner_label, party_of
from gangland_web.settings.logs import about

log = logging.getLogger("gangland_web.bots")

NAME_CHARS = 64


def submit_version(
    session: Session,
    owner: User | None,
    game: str,
    name: str,
    filename: str,
    source: bytes,
    note: str = "",
    *,
    team: str = "",
    in_browser: bool = False,
) -> Version:
    """Keep a file or zip as the next version of a bot and set it on its way to the ladders.

    A file that is the bot's newest version and still on its way is that version: nothing is made, and it is returned.
    A person's version is checked first, and goes through trials then; once it has passed its check, its owner's
    earlier versions on their way in this game give way to it.  A house bot (no owner) is ours and active at once.

    Args:
        owner: who sends it in.
        team: the name of the team whose bot it is, empty for a bot of one's own.
        in_browser: whether it comes from the editor.

    Raises:
        UploadRejected: the file or the name cannot be taken; the message is for the author.
    """
    unpack(source, filename, CAPS[profile_of(session, game)])
    hold_versions(session)
    bot = _bot(session, _side(session, owner, team), game, name)
    _check_alone(session, bot)
    if (reason := is_held(session, bot)) is not None:
        raise UploadRejected("stopped", f"an administrator has stopped {bot.name}: {reason}")
    digest = sha256(source).hexdigest()
    if owner is not None and bot.active_version_id is not None:
        active = session.get_one(Version, bot.active_version_id)
        if active.code_sha256 == digest:
            raise UploadRejected(
                "unchanged", f"this file is identical to version {active.number}, which is on the ladder"
            )
    in_browser = in_browser or _was_in_browser(session, bot, digest)
    if not in_browser and (closed := closed_to_files(session, bot)) is not None:
        raise UploadRejected(
            "browser_only",
            f"{bot.name} is entered in {closed.name}, which takes only bots uploaded from the editor: paste the source"
            f" into the editor, /write/{game}, and upload it there",
        )
    if owner is not None and (same := _on_its_way(session, bot, digest)) is not None:
        same.in_browser = same.in_browser or in_browser
        same.note = note or same.note
        session.add(same)
        return same
    number = _next_number(session, bot)
    version = Version(
        bot_id=stored(bot.id),
        number=number,
        code_sha256=_keep_code(session, digest, source),
        filename=filename,
        note=note,
        in_browser=in_browser,
        uploaded_by=owner.id if owner is not None else None,
        created_at=now_s(),
    )
    session.add(version)
    session.flush()
    with about(bot=bot.id, version=version.id):
        log.debug("a version is sent in")
    first_step(session, version)
    advance(session, version, VersionState.SCANNED)
    if owner is None:
        activate(session, version, "house bot")
    else:
        plan_next(session, version)
    return version


def _on_its_way(session: Session, bot: Bot, digest: str) -> Version | None:
    """Return a bot's newest version if it has this code and waits for its verdict."""
    newest = session.exec(select(Version).where(Version.bot_id == bot.id).order_by(col(Version.number).desc())).first()
    return newest if newest is not None and newest.code_sha256 == digest and newest.state in OPEN else None


@dataclass(frozen=True, slots=True)
class _Side:
    """Whose a new bot is: a person's, a team's, or the house's if neither's."""

    owner_id: int | None = None
    team_id: int | None = None
    group: str | None = None


def _side(session: Session, owner: User | None, team: str) -> _Side:
    """Return for whom a person sends a bot in: for themselves, or for the team that they are in."""
    if owner is None:
        return _Side()
    party = party_of(session, stored(owner.id))
    if not team:
        return _Side(party.person_id, None, party.group)
    theirs = session.get(Team, party.team_id) if party.team_id is not None else None
    if theirs is None or theirs.name_key != name_key(team):
        in_one = f"your team is called {theirs.name!r}" if theirs is not None else "you are in no team"
        raise UploadRejected("not_your_team", f"you have no team called {team[:80]!r}; {in_one}")
    return _Side(None, theirs.id, party.group)


def _bot(session: Session, side: _Side, game: str, name: str) -> Bot:
    """The owner's bot of this name, made if nobody has it."""
    key = name_key(name)
    length = max(len(name), len(key))  # a key can be longer than its name: of 40 sharp s it has 80 letters
    if not 1 <= length <= NAME_CHARS:
        raise UploadRejected("bot_name", f"a bot's name has 1 to {NAME_CHARS} characters, not {length}")
    bot = session.exec(select(Bot).where(Bot.game == game, Bot.name_key == key)).first()
    if bot is None:
        ours = select(Bot).where(Bot.game == game, col(Bot.import_id).is_(None))  # imported bots take no name
        alike = session.exec(ours.where(Bot.look_key == look_key(name))).all()
        if side.group is not None and (other := next((each for each in alike if each.owner_group != side.group), None)):
            raise UploadRejected("name_taken", f"the name {name!r} looks like {other.name!r}: choose another name")
        bot = Bot(
            owner_id=side.owner_id,
            team_id=side.team_id,
            owner_group=side.group,
            game=game,
            name=name,
            name_key=key,
            is_house=side.group is None,
            created_at=now_s(),
        )
        session.add(bot)
        session.flush()
    if (bot.owner_id, bot.team_id) == (side.owner_id, side.team_id):
        return bot
    if side.group is not None and bot.owner_group == side.group:
        hint = "upload it for the team, or choose another name" if bot.team_id else "choose another name"
        raise UploadRejected("name_taken", f"{name!r} is a bot of {owner_label(session, bot)}: {hint}")
    raise UploadRejected("name_taken", f"the name {name!r} belongs to another bot of the game: choose another name")


def _check_alone(session: Session, bot: Bot) -> None:
    """Refuse a bot of an owner group of which somebody else has one in the game: nobody's bot gives way to another's.

    A team and its members count as one owner, who has one bot in a game.
    """
    if bot.owner_group is None:
        return
    for other in in_play(session, bot.owner_group, bot.game):
        if (other.owner_id, other.team_id) != (bot.owner_id, bot.team_id):
            whose = owner_label(session, other)
            raise UploadRejected(
                "team_has_one",
                f"{other.name} of {whose} is in play: a team and its members count as one owner, who can have one bot"
                f" per game. Retire it first, or upload this file as a new version of it",
            )


def _next_number(session: Session, bot: Bot) -> int:
    return int(session.exec(select(func.max(Version.number)).where(Version.bot_id == bot.id)).one() or 0) + 1


def _was_in_browser(session: Session, bot: Bot, digest: str) -> bool:
    """Whether the same source was sent in from the editor before: a version that one returns to."""
    same = select(Version.id).where(Version.bot_id == bot.id, Version.code_sha256 == digest)
    return session.exec(same.where(col(Version.in_browser).is_(True)).limit(1)).first() is not None


def _keep_code(session: Session, digest: str, source: bytes) -> str:
    code = session.get(Code, digest)
    if code is None:
        code = Code(sha256=digest, source=source, size=len(source))
    elif code.source is None:
        code.source, code.size = source, len(source)
    session.add(code)
    session.flush()
    return digest
