"""The tables of a team's pages, as files too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from gangland_web.resources.bots.models import own_bot
from gangland_web.resources.bots.queries import BotPage
from gangland_web.resources.tables import Column, Kind, TableData, columns_of, file_urls
from gangland_web.resources.teams.queries import TeamMember, TeamUpload

BOTS: Final = (
    Column("bot_id", "Number", Kind.WHOLE, quiet=True, of="id"),
    Column("bot", "Bot", of="name"),
    Column("game", "Game"),
    Column("active_version", "On the ladder", Kind.WHOLE),
)
MEMBERS: Final = columns_of(TeamMember, name="Name", captain="Captain", joined_at="Since")
UPLOADS: Final = columns_of(
    TeamUpload,
    bot_id="Number",
    bot="Bot",
    version="Version",
    state="State",
    by="Uploaded by",
    uploaded_at="Uploaded",
)
INVITATIONS: Final = (
    *(Column("made_at", "Made", Kind.MOMENT), Column("expires_at", "Valid until", Kind.MOMENT)),
    *(Column("places", "For", Kind.WHOLE), Column("taken", "Taken", Kind.WHOLE)),
)


def bots_table(team_id: int, bots: Sequence[BotPage]) -> TableData:
    """Return a team's bots with the versions that play."""
    files = file_urls("teams.bots_file", team_id=team_id)
    return TableData("team-bots", "In order of game and name", BOTS, [own_bot(page) for page in bots], **files)
