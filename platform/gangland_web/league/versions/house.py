"""Seeding the house bots, each one file exactly as a user would upload it."""

import logging
from hashlib import sha256
from importlib.resources import files

from sqlmodel import Session, select

from gangland.games import GAME_NAMES
from gangland_sandbox.errors import UploadRejected
from gangland_web.base.text import name_key
from gangland_web.league.versions.submit import submit_version
from gangland_web.models.bots import Bot, Version

log = logging.getLogger(__name__)


def house_files(game: str) -> dict[str, bytes]:
    """Return the sources of a game's house bots by file name, sorted."""
    folder = files("gangland_bots") / game.replace("-", "_")
    if not folder.is_dir():
        return {}
    sources = {item.name: item.read_bytes() for item in folder.iterdir() if item.name.endswith(".py")}
    return {name: source for name, source in sorted(sources.items()) if not name.startswith("_")}


def seed_house_bots(session: Session) -> int:
    """Submit every house bot that is new or changed; return how many those were."""
    seeded = 0
    for game in GAME_NAMES:
        for filename, source in house_files(game).items():
            name = filename.removesuffix(".py")
            if _current_code(session, game, name) != sha256(source).hexdigest():
                seeded += _seed(session, game, filename, source)
    return seeded


def _seed(session: Session, game: str, filename: str, source: bytes) -> bool:
    """Submit one house bot; a person who has its name keeps it, and the house does without."""
    try:
        submit_version(session, None, game, filename.removesuffix(".py"), filename, source)
    except UploadRejected as refused:
        log.warning("the house bot %s of %s is left out: %s", filename, game, refused.message)
        return False
    return True


def _current_code(session: Session, game: str, name: str) -> str | None:
    bot = session.exec(select(Bot).where(Bot.game == game, Bot.name_key == name_key(name))).first()
    if bot is None or bot.active_version_id is None:
        return None
    return session.get_one(Version, bot.active_version_id).code_sha256
