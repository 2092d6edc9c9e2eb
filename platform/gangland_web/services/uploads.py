"""Uploads of bots: the form, new versions and house bots, and retiring and deleting bots."""

import logging
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from importlib.resources import files
from typing import Protocol

from sqlmodel import Session, col, delete, func, select, update

from gangland.games import GAME_NAMES
from gangland_ladder.errors import code_with_title, rejection
from gangland_ladder.local.bots import named_games, no_game_error
from gangland_ladder.tournaments.lifecycle import State
from gangland_sandbox.caps import CAPS
from gangland_sandbox.errors import UploadRejected
from gangland_sandbox.intake import BOT_NAME_CHARS, PLAIN, is_zip, stem_of, unpack
from gangland_web.base.formats import GAME_TITLES, now_s
from gangland_web.base.text import look_key, name_key, normal_name, problem_with_name, with_line
from gangland_web.models.accounts import Follow, Team, User
from gangland_web.models.bots import (
    OPEN,
    Bot,
    Code,
    Version,
    VersionState,
    VersionStep,
    bots_in_play,
    owner_label,
    party_of,
)
from gangland_web.models.columns import add_row, row_id
from gangland_web.models.matches import Match, MatchSeat, MatchState, Purpose
from gangland_web.models.organizing import Actor, Moderation, ModerationKind, log_action
from gangland_web.models.tournaments import Entrant, Entry, Tournament, lock_versions
from gangland_web.process import log_ids
from gangland_web.services import entries, matches, tournaments, trials

# The form of an upload.

NOTE_CHARS = 200
TEAM_CHARS = 64
DEFAULT_FILENAME = "bot.py"


class FormFile(Protocol):
    """A file from a form."""

    filename: str | None

    def read(self, size: int, /) -> bytes:
        """Return at most `size` bytes."""


@dataclass(frozen=True, slots=True)
class UploadForm:
    """A bot's source with its game and name; `errors` has the error messages by field."""

    game: str = ""
    name: str = ""
    filename: str = ""
    source: bytes = b""
    pasted: str = ""
    note: str = ""
    team: str = ""  # name of the team to own the bot; empty for the user's own bot
    errors: dict[str, str] = field(default_factory=dict)


def read_upload(form: Mapping[str, str], file: FormFile | None) -> UploadForm:
    """Read an upload, which is a file, a zip or, without these, the pasted source.

    By default, the name is the file's stem, and the game is the one that the source imports.
    """
    pasted = form.get("source", "").replace("\r\n", "\n")
    filename = re.split(r"[\\/]", file.filename or "")[-1] if file is not None else ""  # some browsers send a path
    source = file.read(PLAIN.largest_bytes + 1) if file is not None and filename else pasted.encode("utf-8", "replace")
    name = normal_name(form.get("name", "")[: 4 * BOT_NAME_CHARS])
    if not name and filename:
        name = normal_name(stem_of(filename))
    if not filename:
        filename = source_filename(name)
    game = form.get("game", "") or _imported_game(source)
    note = normal_name(form.get("note", "")[: 4 * NOTE_CHARS])
    problems = {
        "game": _game_problem(game, source),
        "name": bot_name_problem(name),
        "source": _source_problem(source, filename),
    }
    if not source.strip() and not (file and file.filename):
        problems["source"] = "The source is empty: choose a file, or write one."
    problems["note"] = _note_problem(note)
    errors = {field: problem for field, problem in problems.items() if problem}
    team = normal_name(form.get("team", "")[: 4 * TEAM_CHARS])
    return UploadForm(game, name, filename, source, pasted, note, team, errors)


def source_filename(name: str) -> str:
    """Return the file name for a bot whose source was typed."""
    return f"{name}.py" if name.isidentifier() else DEFAULT_FILENAME


def bot_name_problem(name: str) -> str | None:
    """Return the reason why a bot cannot have this name, or None."""
    if not 1 <= len(name) <= BOT_NAME_CHARS or len(name_key(name)) > BOT_NAME_CHARS:
        return f"A bot's name has 1 to {BOT_NAME_CHARS} characters."
    if problem := problem_with_name(name):
        return f"A bot's name {problem}."
    return None


def rejection_text(rejected: UploadRejected) -> str:
    """Return a refusal as the form shows it, with its title in the catalog, the line and the message."""
    return f"{code_with_title(rejection(rejected).code)}: {with_line(rejected.message, rejected.line)}"


def _imported_game(source: bytes) -> str:
    """Return the game that a source imports, without running it, or "" if it does not import exactly one."""
    games = named_games(source) if len(source) <= PLAIN.largest_bytes else set()
    return games.pop() if len(games) == 1 else ""


def _game_problem(game: str, source: bytes) -> str | None:
    if game in GAME_TITLES:
        return None
    if game or not source.strip() or named_games(source):
        return "Choose the game that this bot plays: it cannot be detected from the file."
    return rejection_text(no_game_error())


def _note_problem(note: str) -> str | None:
    if len(note) > NOTE_CHARS:
        return f"A note has at most {NOTE_CHARS} characters; this one has {len(note)}."
    if problem := problem_with_name(note):
        return f"A note {problem}."
    return None


def _source_problem(source: bytes, filename: str) -> str | None:
    limit = PLAIN.zip_bytes if is_zip(source) else PLAIN.source_bytes
    if source.strip() and filename.endswith((".py", ".zip")) and len(source) <= limit:
        return None
    try:
        unpack(source, filename)
    except UploadRejected as error:
        return rejection_text(error)
    return None


# New versions.

log = logging.getLogger("gangland_web.bots")


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
    """Store a file or zip as a bot's next version, and plan its check; a house bot (no `owner`) is active immediately.

    If the file equals the bot's newest version, and that version is still being checked or on trial, that version is
    returned.  Once a version has passed its check, the owner's earlier versions that wait in this game are withdrawn.
    `team`: the name of the team that owns the bot.  Raises UploadRejected: the file or the name is not allowed; the
    message is for the author.
    """
    unpack(source, filename, CAPS[tournaments.profile_of(session, game)])
    lock_versions(session)
    bot = _find_or_make_bot(session, _owner_of(session, owner, team), game, name)
    _check_no_other_bot(session, bot)
    if (reason := stop_reason(session, bot)) is not None:
        raise UploadRejected("stopped", f"an administrator has stopped {bot.name}: {reason}")
    digest = sha256(source).hexdigest()
    if owner is not None and bot.active_version_id is not None:
        active = session.get_one(Version, bot.active_version_id)
        if active.code_sha256 == digest:
            raise UploadRejected(
                "unchanged", f"this file is identical to version {active.number}, which is on the ladder"
            )
    in_browser = in_browser or _was_in_browser(session, bot, digest)
    if not in_browser and (tournament := entries.browser_only_tournament(session, bot)) is not None:
        raise UploadRejected(
            "browser_only",
            f"{bot.name} is entered in {tournament.name}, which accepts only bots from the editor. Paste the source"
            f" there, /write/{game}, and upload it",
        )
    if owner is not None and (pending := _pending_version(session, bot, digest)) is not None:
        pending.in_browser = pending.in_browser or in_browser
        pending.note = note or pending.note
        session.add(pending)
        return pending
    latest = session.exec(select(func.max(Version.number)).where(Version.bot_id == bot.id)).one()
    version = Version(
        bot_id=row_id(bot.id),
        number=(latest or 0) + 1,
        code_sha256=_store_code(session, digest, source),
        filename=filename,
        note=note,
        in_browser=in_browser,
        uploaded_by=owner.id if owner is not None else None,
        created_at=now_s(),
    )
    add_row(session, version)
    with log_ids(bot=bot.id, version=version.id):
        log.debug("version submitted")
    trials.add_first_step(session, version)
    trials.advance(session, version, VersionState.SCANNED)
    if owner is None:
        trials.activate(session, version, "house bot")
    else:
        trials.plan_next(session, version)
    return version


@dataclass(frozen=True, slots=True)
class _Owner:
    owner_id: int | None = None
    team_id: int | None = None
    group: str | None = None


def _owner_of(session: Session, owner: User | None, team: str) -> _Owner:
    if owner is None:
        return _Owner()
    party = party_of(session, row_id(owner.id))
    if not team:
        return _Owner(party.person_id, None, party.group)
    own_team = session.get(Team, party.team_id) if party.team_id is not None else None
    if own_team is None or own_team.name_key != name_key(team):
        hint = f"your team is called {own_team.name!r}" if own_team is not None else "you are not in a team"
        raise UploadRejected("not_your_team", f"you have no team called {team[:80]!r}; {hint}")
    return _Owner(None, own_team.id, party.group)


def _find_or_make_bot(session: Session, owner: _Owner, game: str, name: str) -> Bot:
    key = name_key(name)
    length = max(len(name), len(key))  # a key can be longer than its name; for example, the key of ß is ss
    if not 1 <= length <= BOT_NAME_CHARS:
        raise UploadRejected("bot_name", f"a bot's name must have 1 to {BOT_NAME_CHARS} characters, not {length}")
    bot = session.exec(select(Bot).where(Bot.game == game, Bot.name_key == key)).first()
    if bot is None:
        query = select(Bot).where(Bot.game == game, col(Bot.import_id).is_(None))  # imported bots do not reserve a name
        lookalikes = session.exec(query.where(Bot.look_key == look_key(name))).all()
        if owner.group is not None and (
            other := next((each for each in lookalikes if each.owner_group != owner.group), None)
        ):
            raise UploadRejected("name_taken", f"the name {name!r} looks like {other.name!r}: choose another name")
        bot = Bot(
            owner_id=owner.owner_id,
            team_id=owner.team_id,
            owner_group=owner.group,
            game=game,
            name=name,
            name_key=key,
            is_house=owner.group is None,
            created_at=now_s(),
        )
        add_row(session, bot)
    if (bot.owner_id, bot.team_id) == (owner.owner_id, owner.team_id):
        return bot
    if owner.group is not None and bot.owner_group == owner.group:
        hint = "upload it for the team, or choose another name" if bot.team_id else "choose another name"
        raise UploadRejected("name_taken", f"{name!r} belongs to {owner_label(session, bot)}: {hint}")
    raise UploadRejected("name_taken", f"the name {name!r} belongs to another bot of the game: choose another name")


def _check_no_other_bot(session: Session, bot: Bot) -> None:
    """Refuse a second bot in the game for a team and its members, which count as one owner."""
    if bot.owner_group is None:
        return
    for other in bots_in_play(session, bot.owner_group, bot.game):
        if (other.owner_id, other.team_id) != (bot.owner_id, bot.team_id):
            owner = owner_label(session, other)
            raise UploadRejected(
                "team_has_one",
                f"{other.name} of {owner} is in play, and a team and its members can have only one bot per game. Retire"
                " it, or upload this file as its new version",
            )


def _was_in_browser(session: Session, bot: Bot, digest: str) -> bool:
    """Return whether a bot has a version from the editor with the same source, which its author may submit again."""
    query = select(Version.id).where(Version.bot_id == bot.id, Version.code_sha256 == digest)
    return session.exec(query.where(col(Version.in_browser).is_(True)).limit(1)).first() is not None


def _pending_version(session: Session, bot: Bot, digest: str) -> Version | None:
    newest = session.exec(select(Version).where(Version.bot_id == bot.id).order_by(col(Version.number).desc())).first()
    return newest if newest is not None and newest.code_sha256 == digest and newest.state in OPEN else None


def _store_code(session: Session, digest: str, source: bytes) -> str:
    code = session.get(Code, digest)
    if code is None:
        code = Code(sha256=digest, source=source, size=len(source))
    elif code.source is None:
        code.source, code.size = source, len(source)
    add_row(session, code)
    return digest


# House bots, each of which is one file that a user could upload as well.


def seed_house_bots(session: Session) -> int:
    """Submit all new or changed house bots, and return their number."""
    seeded = 0
    for game in GAME_NAMES:
        for filename, source in house_files(game).items():
            key = name_key(filename.removesuffix(".py"))
            current = select(Version.code_sha256).join(Bot, col(Bot.active_version_id) == Version.id)
            code = session.exec(current.where(Bot.game == game, Bot.name_key == key)).first()
            if code != sha256(source).hexdigest():
                seeded += _seed_house_bot(session, game, filename, source)
    return seeded


def house_files(game: str) -> dict[str, bytes]:
    """Return the sources of a game's house bots by file name, in alphabetical order."""
    folder = files("gangland_bots") / game.replace("-", "_")
    if not folder.is_dir():
        return {}
    sources = {item.name: item.read_bytes() for item in folder.iterdir() if item.name.endswith(".py")}
    return {name: source for name, source in sorted(sources.items()) if not name.startswith("_")}


def _seed_house_bot(session: Session, game: str, filename: str, source: bytes) -> bool:
    """Submit a house bot; return False if it is refused, as when a user's bot has its name."""
    try:
        submit_version(session, None, game, filename.removesuffix(".py"), filename, source)
    except UploadRejected as error:
        log.warning("the house bot %s of %s is left out: %s", filename, game, error.message)
        return False
    return True


# Retiring a bot for its owner or an administrator, and putting it back into play.

OWNER_REASON = "its owner retired the bot"


def retire_bot(session: Session, bot: Bot) -> bool:
    """Take a bot out of play for its owner, as `take_out_of_play` does; return False if it was not in play."""
    lock_versions(session)
    session.refresh(bot)
    return take_out_of_play(session, bot, OWNER_REASON)


def take_out_of_play(session: Session, bot: Bot, reason: str) -> bool:
    """Take a bot out of ladders and open tournaments, and end its trials; return False if it was not in play.

    The bot plays on in frozen tournaments, which have pinned its version.  The caller has locked the versions.
    """
    query = select(Entrant).join(Tournament).where(Entrant.bot_id == bot.id, Tournament.state == State.OPEN.value)
    for entrant in session.exec(query).all():
        session.delete(entrant)
    is_open = col(Version.state).in_([state.value for state in OPEN])
    waiting = session.exec(select(Version).where(Version.bot_id == bot.id, is_open)).all()
    for version in waiting:
        trials.retire(session, version, reason)
        trials.drop_trials(session, version, reason)
    if bot.active_version_id is None:
        return bool(waiting)
    trials.retire_active(session, bot, reason)
    return True


def put_back_into_play(session: Session, version_id: int) -> bool:
    """Make a version that was taken out active, with its former ratings; the caller has locked the versions.

    Returns False if the owner has another bot in play, the version is not retired, or an administrator stopped the bot.
    """
    version = session.get_one(Version, version_id)
    bot = session.get_one(Bot, version.bot_id)
    group = bot.owner_group
    if version.state != VersionState.RETIRED or group is None or bots_in_play(session, group, bot.game):
        return False
    if stop_reason(session, bot) is not None:
        return False
    trials.reinstate(session, version)
    bot.active_version_id = version.id
    add_row(session, bot)
    for ladder in tournaments.tournaments_of(session, "ladder", bot.game):
        entries.enter(session, ladder, version_id)
    current = select(Tournament.id).where(Tournament.kind != "tournament", Tournament.period == Entry.period)
    conditions = (col(Entry.version_id) == version_id) & col(Entry.tournament_id).in_(current.correlate(Entry))
    session.exec(update(Entry).where(conditions).values(active=True))
    return True


def stop_reason(session: Session, bot: Bot) -> str | None:
    """Return the reason why an administrator stopped a bot, or None if it may play."""
    is_of_bot = (col(Moderation.bot_id) == bot.id) | (col(Moderation.user_id) == bot.owner_id)
    is_stopping = col(Moderation.kind).in_([ModerationKind.HIDE.value, ModerationKind.SUSPEND.value])
    query = select(Moderation.reason).where(is_of_bot, is_stopping, col(Moderation.undone_at).is_(None))
    return session.exec(query.order_by(col(Moderation.id).desc())).first()


# Deleting versions that have never played.


class NotDeletable(ValueError):
    """A version cannot be deleted; the message explains why."""


def deletion_obstacle(session: Session, version: Version) -> str:
    """Return the reason why a version cannot be deleted, as a sentence; "" if it can be."""
    steps = select(VersionStep.id).where(VersionStep.version_id == version.id)
    if session.exec(steps.where(VersionStep.state == VersionState.ACTIVE.value)).first() is not None:
        return "This version has played on the ladders, so it cannot be deleted."
    query = select(Entry.id).join(Tournament, col(Tournament.id) == Entry.tournament_id)
    if session.exec(query.where(Entry.version_id == version.id, Tournament.kind != "trials")).first() is not None:
        return "This version is entered in a ladder or a tournament, so it cannot be deleted."
    matches = session.exec(select(Match).where(Match.trial_version_id == version.id)).all()
    if any(match.state == MatchState.LEASED.value for match in matches):
        return "This version is being checked or is on trial. You can delete it afterwards."
    if any(match.state == MatchState.DONE.value and match.purpose != Purpose.CHECK.value for match in matches):
        return "This version has played a trial match, so it cannot be deleted."
    return ""


def delete_version(session: Session, version: Version, actor: Actor) -> None:
    """Delete and log a version that has never played, and its bot if it has no other version.  Raises NotDeletable."""
    lock_versions(session)
    if session.get(Version, version.id, populate_existing=True) is None:
        raise NotDeletable("This version has already been deleted.")
    is_trial_match = col(Match.trial_version_id) == version.id
    matches.drop_waiting_jobs(session, is_trial_match)
    session.exec(select(Match.id).where(is_trial_match).with_for_update())  # so that no match is sent meanwhile
    if reason := deletion_obstacle(session, version):
        raise NotDeletable(reason)
    bot = session.get_one(Bot, version.bot_id)
    subject = f"{bot.name} v{version.number}"
    log_action(session, actor, "deleted a version", subject=subject, game=bot.game, sha256=version.code_sha256)
    seats = col(MatchSeat.match_id).in_(select(Match.id).where(is_trial_match))
    session.exec(delete(MatchSeat).where(seats))
    session.exec(delete(Match).where(is_trial_match))
    session.exec(delete(Entry).where(col(Entry.version_id) == version.id))
    digest = version.code_sha256
    session.exec(delete(VersionStep).where(col(VersionStep.version_id) == version.id))
    session.delete(version)
    session.flush()
    if session.exec(select(Version.id).where(Version.code_sha256 == digest)).first() is None:
        session.exec(delete(Code).where(col(Code.sha256) == digest))
    _delete_bot_without_versions(session, bot)


def _delete_bot_without_versions(session: Session, bot: Bot) -> None:
    bot_id = row_id(bot.id)
    version_count = session.exec(select(func.count()).select_from(Version).where(Version.bot_id == bot_id)).one()
    entered = session.exec(select(Entrant.bot_id).where(Entrant.bot_id == bot_id)).first()
    if version_count == 0 and entered is None:
        session.exec(delete(Follow).where(col(Follow.bot_id) == bot_id))
        session.delete(bot)
        session.flush()
