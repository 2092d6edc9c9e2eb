"""The tables of a team's pages, as files too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from flask import url_for

from gangland_web.core.table_formats import Value
from gangland_web.resources.bots.queries import BotPage
from gangland_web.resources.tables import Column, Kind, Sheet
from gangland_web.resources.teams.queries import Member, Upload
from gangland_web.store.models.teams import Invitation

BOTS: Final = (
    *(Column("bot_id", "Number", Kind.WHOLE, quiet=True), Column("bot", "Bot"), Column("game", "Game")),
    Column("active_version", "On the ladder", Kind.WHOLE),
)
MEMBERS: Final = (
    *(Column("name", "Name"), Column("captain", "Captain", Kind.FLAG)),
    Column("joined_at", "Since", Kind.MOMENT),
)
UPLOADS: Final = (
    *(Column("bot_id", "Number", Kind.WHOLE, quiet=True), Column("bot", "Bot")),
    *(Column("version", "Version", Kind.WHOLE), Column("state", "State"), Column("by", "Uploaded by")),
    Column("uploaded_at", "Uploaded", Kind.MOMENT),
)
INVITATIONS: Final = (
    *(Column("made_at", "Made", Kind.MOMENT), Column("expires_at", "Valid until", Kind.MOMENT)),
    *(Column("places", "For", Kind.WHOLE), Column("taken", "Taken", Kind.WHOLE)),
)


def bots_sheet(team_id: int, bots: Sequence[BotPage]) -> Sheet:
    """Return a team's bots with the versions that play."""
    rows: list[dict[str, Value]] = [
        {
            "bot_id": page.bot.id,
            "bot": page.bot.name,
            "game": page.bot.game,
            "active_version": page.active.number if page.active else None,
        }
        for page in bots
    ]
    csv, json = (url_for("teams.bots_file", team_id=team_id, form=form) for form in ("csv", "json"))
    return Sheet("team-bots", "In order of game and name", BOTS, rows, csv=csv, json=json)


def members_sheet(members: Sequence[Member]) -> Sheet:
    """Return who is in a team."""
    rows: list[dict[str, Value]] = [
        {"name": one.name, "captain": one.captain, "joined_at": one.joined_at} for one in members
    ]
    return Sheet("team-members", "In the order in which they joined", MEMBERS, rows)


def uploads_sheet(uploads: Sequence[Upload]) -> Sheet:
    """Return who sent in which version."""
    rows: list[dict[str, Value]] = [
        {
            "bot_id": one.bot_id,
            "bot": one.bot,
            "version": one.number,
            "state": one.state,
            "by": one.by,
            "uploaded_at": one.at,
        }
        for one in uploads
    ]
    return Sheet("team-uploads", "Newest first", UPLOADS, rows)


def invitations_sheet(invitations: Sequence[Invitation]) -> Sheet:
    """Return the invitations that are good."""
    rows: list[dict[str, Value]] = [
        {"made_at": one.made_at, "expires_at": one.expires_at, "places": one.places, "taken": one.taken}
        for one in invitations
    ]
    return Sheet("team-invitations", "Newest first", INVITATIONS, rows)
