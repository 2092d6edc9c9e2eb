"""Teams: members, uploads and invitations, and the tables of their pages."""

from collections.abc import Sequence
from typing import Final

from sqlmodel import Session, col, select

from gangland_web.base.formats import timestamp
from gangland_web.models.accounts import Invitation, Membership, User, is_in
from gangland_web.models.bots import Bot, Version
from gangland_web.models.columns import stored
from gangland_web.queries.bots import BotPage, OwnBot, own_bot
from gangland_web.queries.tables import (
    Column,
    Count,
    Kind,
    Model,
    Moment,
    Number,
    TableData,
    file_urls,
    model_from,
    several,
    table_of,
)

# Members, uploads and invitations, each in a fixed number of statements.


UPLOADS = 50
"""At most this many versions of its bots are listed."""


class TeamMember(Model):
    """Somebody who is in a team."""

    name: str
    captain: bool
    joined_at: Moment | None


class OwnMember(TeamMember):
    """Somebody who is in one's team, with the number by which the captain names them."""

    id: Number


class TeamUpload(Model):
    """A version of a team's bot, and who sent it in."""

    bot_id: Number
    bot: str
    version: Number
    state: str
    by: str | None
    uploaded_at: Moment | None


class InvitationDetail(Model):
    """An invitation that is good: `taken` of its `places` have joined by it."""

    id: Number
    places: int
    taken: Count
    made_at: Moment | None
    expires_at: Moment | None


def members_of(db: Session, team_id: int, captain_id: int) -> list[OwnMember]:
    """Return who is in a team, in the order in which they joined."""
    query = select(User, Membership.joined_at).join(Membership, is_in(User.id)).where(Membership.team_id == team_id)
    rows = db.exec(query.order_by(col(Membership.joined_at), col(Membership.id))).all()
    return [
        model_from(OwnMember, user, captain=user.id == captain_id, joined_at=timestamp(joined_at))
        for user, joined_at in rows
    ]


def uploads_of(db: Session, team_id: int, limit: int) -> list[TeamUpload]:
    """Return the latest versions of a team's bots, the newest first."""
    query = (
        select(Version, Bot, User.name)
        .join(Bot, col(Bot.id) == Version.bot_id)
        .outerjoin(User, col(User.id) == Version.uploaded_by)
        .where(Bot.team_id == team_id)
        .order_by(col(Version.id).desc())
    )
    return [
        TeamUpload(
            bot_id=stored(bot.id),
            bot=bot.name,
            version=version.number,
            state=version.state,
            by=by,
            uploaded_at=timestamp(version.created_at),
        )
        for version, bot, by in db.exec(query.limit(limit)).all()
    ]


# Tables of a team's pages, as files too.


TEAM_BOTS: Final = table_of(
    *("team-bots", OwnBot, "/teams/N/bots", "A team's bots."),
    *(Column("bot_id", "Number", Kind.WHOLE, quiet=True, of="id"), Column("bot", "Bot", of="name")),
    *(Column("game", "Game"), Column("active_version", "On the ladder", Kind.WHOLE)),
)
MEMBERS: Final = table_of(
    *("team-members", OwnMember, "/team/members", "The members of your team."),
    *(Column("name", "Name", cell="member"), Column("captain", "Captain", Kind.FLAG, quiet=True)),
    *(Column("joined_at", "Since", Kind.MOMENT), Column("", "Captain", cell="make_captain")),
    Column("", "Remove", cell="remove_member"),
)
TEAM_UPLOADS: Final = table_of(
    *("team-uploads", TeamUpload, "/team/uploads", "The latest versions of its bots, and who uploaded them."),
    *(Column("bot_id", "Number", Kind.WHOLE, quiet=True), Column("bot", "Bot", cell="bot")),
    *(Column("version", "Version", Kind.WHOLE, "version_state", css="nowrap"), Column("state", "State", quiet=True)),
    *(Column("by", "Uploaded by"), Column("uploaded_at", "Uploaded", Kind.MOMENT)),
)
INVITATIONS: Final = table_of(
    *("team-invitations", Invitation, "/team/invitations", "Valid invitations; for the captain."),
    *several(Kind.MOMENT, made_at="Created", expires_at="Valid until"),
    *several(Kind.WHOLE, places="Places", taken="Used"),
    Column("", "Revoke", cell="revoke_invitation"),
)


def bots_table(team_id: int, bots: Sequence[BotPage]) -> TableData:
    """Return a team's bots with the versions that play."""
    files = file_urls("teams.bots_file", team_id=team_id)
    return TEAM_BOTS.of([own_bot(page) for page in bots], **files)
