"""Read teams: their members and uploads, and the tables of their pages, including invitations."""

from collections.abc import Sequence
from typing import Final

from sqlmodel import Session, col, select

from gangland_web.base.formats import timestamp
from gangland_web.models.accounts import Invitation, Membership, User, is_member
from gangland_web.models.bots import Bot, Version
from gangland_web.models.columns import row_id
from gangland_web.queries import tables
from gangland_web.queries.bots import BotPage, OwnBot, own_bot

# Members, uploads and invitations, each read with a fixed number of SQL statements.

MAX_UPLOADS = 50  # the maximum number of listed versions of a team's bots


class TeamMember(tables.Model):
    """A member of a team."""

    name: str
    captain: bool
    joined_at: tables.Moment | None


class OwnMember(TeamMember):
    """A member of your own team, with the id that the captain's forms send."""

    id: tables.Number


class TeamUpload(tables.Model):
    """A version of a team's bot, and the user who uploaded it."""

    bot_id: tables.Number
    bot: str
    version: tables.Number
    state: str
    by: str | None
    uploaded_at: tables.Moment | None


class InvitationDetail(tables.Model):
    """A valid invitation; `taken` of its `places` are used."""

    id: tables.Number
    places: int
    taken: tables.Count
    made_at: tables.Moment | None
    expires_at: tables.Moment | None


def members_of(db: Session, team_id: int, captain_id: int) -> list[OwnMember]:
    """Return the members of a team in the order they joined."""
    query = select(User, Membership.joined_at).join(Membership, is_member(User.id)).where(Membership.team_id == team_id)
    rows = db.exec(query.order_by(col(Membership.joined_at), col(Membership.id))).all()
    return [
        tables.model_from(OwnMember, user, captain=user.id == captain_id, joined_at=timestamp(joined_at))
        for user, joined_at in rows
    ]


def uploads_of(db: Session, team_id: int) -> list[TeamUpload]:
    """Return the latest versions of a team's bots, newest first."""
    query = (
        select(Version, Bot, User.name)
        .join(Bot, col(Bot.id) == Version.bot_id)
        .outerjoin(User, col(User.id) == Version.uploaded_by)
        .where(Bot.team_id == team_id)
        .order_by(col(Version.id).desc())
    )
    return [
        TeamUpload(row_id(bot.id), bot.name, version.number, version.state, uploader, timestamp(version.created_at))
        for version, bot, uploader in db.exec(query.limit(MAX_UPLOADS)).all()
    ]


# Tables of a team's pages, which are also available as files.

TEAM_BOTS: Final = tables.table_of(
    *("team-bots", OwnBot, "/teams/N/bots", "A team's bots."),
    tables.Column("bot_id", "Number", tables.Kind.WHOLE, quiet=True, of="id"),
    tables.Column("bot", "Bot", of="name"),
    *(tables.Column("game", "Game"), tables.Column("active_version", "On the ladder", tables.Kind.WHOLE)),
)
MEMBERS: Final = tables.table_of(
    *("team-members", OwnMember, "/team/members", "The members of your team."),
    *(tables.Column("name", "Name", cell="member"), tables.Column("captain", "Captain", tables.Kind.FLAG, quiet=True)),
    *(tables.Column("joined_at", "Since", tables.Kind.MOMENT), tables.Column("", "Captain", cell="make_captain")),
    tables.Column("", "Remove", cell="remove_member"),
    phone=("Name", "Remove"),
)
TEAM_UPLOADS: Final = tables.table_of(
    *("team-uploads", TeamUpload, "/team/uploads", "The latest versions of your team's bots, and who uploaded them."),
    *(tables.Column("bot_id", "Number", tables.Kind.WHOLE, quiet=True), tables.Column("bot", "Bot", cell="bot")),
    tables.Column("version", "Version", tables.Kind.WHOLE, "version_state", css="nowrap"),
    tables.Column("state", "State", quiet=True),
    *(tables.Column("by", "Uploaded by"), tables.Column("uploaded_at", "Uploaded", tables.Kind.MOMENT)),
    phone=("Bot", "Version", "Uploaded by"),
)
INVITATIONS: Final = tables.table_of(
    *("team-invitations", Invitation, "/team/invitations", "Valid invitations (captain only)."),
    *tables.several(tables.Kind.MOMENT, made_at="Created", expires_at="Valid until"),
    *tables.several(tables.Kind.WHOLE, places="Places", taken="Used"),
    tables.Column("", "Revoke", cell="revoke_invitation"),
    phone=("Valid until", "Used", "Revoke"),
)


def bots_table(team_id: int, bots: Sequence[BotPage]) -> tables.TableData:
    """Return a team's bots with the versions that play."""
    files = tables.file_urls("teams.bots_file", team_id=team_id)
    return TEAM_BOTS.of([own_bot(page) for page in bots], **files)
