"""A bot as pages' JSON, the API and tables have it: one model and one builder."""

from __future__ import annotations

import msgspec
from flask import url_for

from gangland_web.core.clock import timestamp
from gangland_web.resources.bots.queries import BotPage
from gangland_web.resources.fields import BASE, Game, Model, Moment, Number, Path
from gangland_web.store.columns import stored
from gangland_web.store.models.bots import Bot, Version
from gangland_web.store.owners import HOUSE


class BotSummary(Model):
    """A bot; the owner of a house bot is "house"."""

    id: Number
    url: Path
    page: Path
    name: str
    game: Game
    owner: str
    is_house: bool
    active: bool
    created_at: Moment


class VersionSummary(Model):
    """A version in short."""

    version: Number
    url: Path
    page: Path
    state: str
    uploaded_at: Moment


class BotDetail(BotSummary):
    """A bot with its versions, the newest first."""

    active_version: Number | None
    versions: list[VersionSummary]


def bot_summary(bot: Bot, owner: str | None) -> BotSummary:
    """Return a bot in short; `owner` is the name of its owner, None for a house bot."""
    return BotSummary(
        id=stored(bot.id),
        url=f"{BASE}/bots/{bot.id}",
        page=url_for("bots.bot", bot_id=bot.id),
        name=bot.name,
        game=bot.game,
        owner=owner or HOUSE,
        is_house=bot.is_house,
        active=bot.active_version_id is not None,
        created_at=timestamp(bot.created_at),
    )


def bot_detail(page: BotPage) -> BotDetail:
    """Return a bot with its versions."""
    summary = bot_summary(page.bot, page.owner)
    return BotDetail(
        **msgspec.structs.asdict(summary),
        active_version=page.active.number if page.active else None,
        versions=[version_summary(each) for each in page.versions],
    )


def version_summary(version: Version) -> VersionSummary:
    """Return a version in short."""
    return VersionSummary(
        version=version.number,
        url=f"{BASE}/bots/{version.bot_id}/versions/{version.number}",
        page=url_for("bots.version", bot_id=version.bot_id, number=version.number),
        state=version.state,
        uploaded_at=timestamp(version.created_at),
    )
