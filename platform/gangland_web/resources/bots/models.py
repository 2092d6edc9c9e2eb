"""A bot as pages' JSON, the API and tables have it: one model and one builder."""

from __future__ import annotations

from flask import url_for

from gangland_web.base.clock import timestamp
from gangland_web.models.bots import Bot, Version
from gangland_web.models.owners import HOUSE
from gangland_web.resources.bots.queries import BotPage
from gangland_web.resources.fields import BASE, Game, Model, Moment, Number, Path, model_from


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


class OwnBot(BotSummary):
    """A bot of one's own, with how far its newest version is."""

    active_version: Number | None
    newest_version: Number | None
    state: str | None
    uploaded_at: Moment | None


def bot_summary(bot: Bot, owner: str | None) -> BotSummary:
    """Return a bot in short; `owner` is the name of its owner, None for a house bot."""
    return model_from(
        BotSummary,
        bot,
        url=f"{BASE}/bots/{bot.id}",
        page=url_for("bots.bot", bot_id=bot.id),
        owner=owner or HOUSE,
        active=bot.active_version_id is not None,
    )


def bot_detail(page: BotPage) -> BotDetail:
    """Return a bot with its versions."""
    return model_from(
        BotDetail,
        bot_summary(page.bot, page.owner),
        active_version=page.active.number if page.active else None,
        versions=[version_summary(each) for each in page.versions],
    )


def own_bot(page: BotPage) -> OwnBot:
    """Return a bot with how far its newest version is."""
    newest = page.versions[0] if page.versions else None
    return model_from(
        OwnBot,
        bot_summary(page.bot, page.owner),
        active_version=page.active.number if page.active else None,
        newest_version=newest.number if newest else None,
        state=newest.state if newest else None,
        uploaded_at=timestamp(newest.created_at) if newest else None,
    )


def version_summary(version: Version) -> VersionSummary:
    """Return a version in short."""
    return model_from(
        VersionSummary,
        version,
        version=version.number,
        url=f"{BASE}/bots/{version.bot_id}/versions/{version.number}",
        page=url_for("bots.version", bot_id=version.bot_id, number=version.number),
        uploaded_at=timestamp(version.created_at),
    )
