"""Teams: create, join, leave and delete them, and manage members and invitations.

Joining and leaving lock the versions first (`lock_versions`), like uploads and the record worker.  So no bot becomes
active in the meantime, and an owner group never has two bots in a game.
"""

from collections.abc import Sequence
from typing import Final

from sqlalchemy import update
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, select
from sqlmodel.sql.expression import SelectOfScalar

from gangland_web.base.formats import DAY_S, now_s
from gangland_web.base.text import name_key, normal_name
from gangland_web.models.accounts import Invitation, Membership, Team, User, is_member
from gangland_web.models.bots import Bot, bots_in_play, name_is_taken, person_group, team_group
from gangland_web.models.columns import add_row, row_id
from gangland_web.models.database import in_transaction
from gangland_web.models.tournaments import lock_versions
from gangland_web.services.accounts import NAME_TAKEN, hash_code, name_problem, new_code, normal_code
from gangland_web.services.uploads import take_out_of_play


class TeamRefused(ValueError):
    """An action on a team is not allowed; the message is for the user."""


@in_transaction
def create_team(db: Session, user_id: int, name: str) -> Team:
    """Create a team with a user as its captain.  Raises TeamRefused."""
    name = normal_name(name)
    if problem := name_problem(name, of_team=True):
        raise TeamRefused(problem)
    lock_versions(db)
    _check_no_team(db, user_id)
    if name_is_taken(db, name):
        raise TeamRefused(NAME_TAKEN)
    team = Team(name=name, name_key=name_key(name), captain_id=user_id, created_at=now_s())
    try:
        with db.begin_nested():
            add_row(db, team)
    except IntegrityError as error:
        raise TeamRefused(NAME_TAKEN) from error
    _add_member(db, team, user_id)
    return team


def team_of(db: Session, user_id: int) -> Team | None:
    """Return a user's team, or None."""
    return db.exec(select(Team).join(Membership).where(is_member(user_id))).first()


def members_of(db: Session, team_id: int) -> Sequence[User]:
    """Return the members of a team, in the order they joined."""
    query = select(User).join(Membership, is_member(User.id)).where(Membership.team_id == team_id)
    return db.exec(query.order_by(col(Membership.joined_at), col(Membership.id))).all()


# Invitations.

DAYS: Final = (1, 30)  # the shortest and longest validity of an invitation
CODE_CHARS: Final = 64  # longer input is truncated
MAX_INVITATIONS: Final = 20  # valid invitations per team


@in_transaction
def invite(db: Session, captain_id: int, places: int, days: int, *, member_limit: int) -> str:
    """Create an invitation and return its code, which is stored only as a hash.  Raises TeamRefused."""
    if not 1 <= places <= member_limit:
        raise TeamRefused(f"An invitation must be for 1 to {member_limit} people, not {places}.")
    if not DAYS[0] <= days <= DAYS[1]:
        raise TeamRefused(f"An invitation must be valid for {DAYS[0]} to {DAYS[1]} days, not {days}.")
    code, now = new_code(), now_s()
    team = _team_of_captain(db, captain_id)
    if len(open_invitations(db, row_id(team.id))) >= MAX_INVITATIONS:
        raise TeamRefused(f"You already have {MAX_INVITATIONS} valid invitations. Revoke one first.")
    db.add(
        Invitation(
            team_id=row_id(team.id),
            code_hash=hash_code(code),
            made_at=now,
            expires_at=now + days * DAY_S,
            places=places,
        )
    )
    return code


def open_invitations(db: Session, team_id: int) -> Sequence[Invitation]:
    """Return a team's valid invitations, newest first."""
    return db.exec(_valid_invitations().where(Invitation.team_id == team_id).order_by(col(Invitation.id).desc())).all()


@in_transaction
def revoke_invitation(db: Session, captain_id: int, invitation_id: int) -> bool:
    """Revoke an invitation; return False if it is another team's or has been revoked.  Raises TeamRefused."""
    team = _team_of_captain(db, captain_id)
    is_own = (col(Invitation.id) == invitation_id) & (col(Invitation.team_id) == team.id)
    statement = update(Invitation).where(is_own, col(Invitation.revoked_at).is_(None))
    return db.exec(statement.values(revoked_at=now_s())).rowcount == 1


def team_of_code(db: Session, typed: str) -> Team | None:
    """Return the team of an invitation's code; None if the code is mistyped, used up, revoked or expired."""
    invitation = _find_invitation(db, typed)
    return None if invitation is None else db.get_one(Team, invitation.team_id)


def _valid_invitations() -> SelectOfScalar[Invitation]:
    conditions = (col(Invitation.revoked_at).is_(None), col(Invitation.expires_at) > now_s())
    return select(Invitation).where(*conditions, col(Invitation.taken) < Invitation.places)


def _find_invitation(db: Session, typed: str, *, locked: bool = False) -> Invitation | None:
    query = _valid_invitations().where(Invitation.code_hash == hash_code(normal_code(typed)))
    return db.exec(query.with_for_update() if locked else query).first()


def _revoke_all(db: Session, team: Team) -> None:
    statement = update(Invitation).where(col(Invitation.team_id) == team.id, col(Invitation.revoked_at).is_(None))
    db.exec(statement.values(revoked_at=now_s()))


# Joining and leaving, and changing the captain.


class BotConflict(TeamRefused):
    """A new member and the team each have a bot in a game; the message names them."""


@in_transaction
def join_team(db: Session, user_id: int, typed: str, *, member_limit: int, retire: bool = False) -> Team:
    """Join a team with a code; `retire`: retire the user's bots in games where the team has a bot.

    Raises TeamRefused, or BotConflict: the user and the team have bots in the same game, and `retire` is False.
    """
    lock_versions(db)
    _check_no_team(db, user_id)
    invitation = _find_invitation(db, typed, locked=True)
    if invitation is None:
        raise TeamRefused("This code is not valid: it is mistyped, used up, revoked or expired.")
    team = db.get_one(Team, invitation.team_id, with_for_update=True)
    if team.deleted_at is not None:
        raise TeamRefused(f"{team.name} was deleted.")
    if len(members_of(db, row_id(team.id))) >= member_limit:
        raise TeamRefused(f"{team.name} is full: it has {member_limit} members.")
    _retire_own_bots(db, team, user_id, retire=retire)
    invitation.taken += 1
    db.add(invitation)
    _add_member(db, team, user_id)
    return team


def rival_bots(db: Session, team: Team, user_id: int) -> list[tuple[Bot, Bot]]:
    """Return the user's bot and the team's bot for each game in which both have one; the user is not a member."""
    by_game = {bot.game: bot for bot in bots_in_play(db, team_group(row_id(team.id)))}
    return [(own, by_game[own.game]) for own in bots_in_play(db, person_group(user_id)) if own.game in by_game]


def _retire_own_bots(db: Session, team: Team, user_id: int, *, retire: bool) -> None:
    rivals = rival_bots(db, team, user_id)
    if rivals and not retire:
        pairs = ", ".join(f"{own.name} and {other.name}" for own, other in rivals)
        raise BotConflict(f"A team can have one bot per game: retire yours or the team's. Both have one: {pairs}.")
    for own, _ in rivals:
        take_out_of_play(db, own, f"its owner has joined {team.name}")


def _add_member(db: Session, team: Team, user_id: int) -> None:
    db.add(Membership(team_id=row_id(team.id), user_id=user_id, joined_at=now_s()))
    db.exec(update(Bot).where(col(Bot.owner_id) == user_id).values(owner_group=team_group(row_id(team.id))))
    db.flush()


@in_transaction
def leave_team(db: Session, user_id: int) -> Team:
    """Leave a team: the user no longer sees its logs and sources, and the user's bots no longer count for the team.

    Raises TeamRefused: the user has no team, or is its captain.
    """
    lock_versions(db)
    team = _locked_team(db, user_id)
    if team.captain_id == user_id:
        raise TeamRefused(f"You are the captain of {team.name}. Make another member captain, or delete the team.")
    _remove(db, user_id)
    return team


@in_transaction
def remove_member(db: Session, captain_id: int, user_id: int) -> str:
    """Remove a member and return the member's name.  Raises TeamRefused.

    The team's invitations are revoked, so that the member cannot rejoin.
    """
    lock_versions(db)
    team = _team_of_captain(db, captain_id)
    name = _member_name(db, team, user_id)
    _remove(db, user_id)
    _revoke_all(db, team)
    return name


@in_transaction
def change_captain(db: Session, captain_id: int, user_id: int) -> str:
    """Make another member the captain, and return the new captain's name.  Raises TeamRefused."""
    lock_versions(db)
    team = _team_of_captain(db, captain_id)
    name = _member_name(db, team, user_id)
    team.captain_id = user_id
    db.add(team)
    return name


DELETED_REASON: Final = "the team was deleted"


@in_transaction
def delete_team(db: Session, captain_id: int) -> Team:
    """Delete a team: its bots leave ladders and open tournaments; its results keep its name.  Raises TeamRefused."""
    lock_versions(db)
    team = _team_of_captain(db, captain_id)
    for bot in db.exec(select(Bot).where(Bot.team_id == team.id).order_by(col(Bot.id))).all():
        take_out_of_play(db, bot, DELETED_REASON)
    for member in members_of(db, row_id(team.id)):
        _remove(db, row_id(member.id))
    _revoke_all(db, team)
    team.deleted_at = now_s()
    db.add(team)
    return team


def _remove(db: Session, user_id: int) -> None:
    db.exec(update(Membership).where(is_member(user_id)).values(left_at=now_s()))
    db.exec(update(Bot).where(col(Bot.owner_id) == user_id).values(owner_group=person_group(user_id)))


def _check_no_team(db: Session, user_id: int) -> None:
    if (team := team_of(db, user_id)) is not None:
        raise TeamRefused(f"You are in {team.name}. Leave that team first.")


def _locked_team(db: Session, user_id: int) -> Team:
    team = team_of(db, user_id)
    if team is None:
        raise TeamRefused("You are not in a team.")
    return db.get_one(Team, team.id, with_for_update=True)


def _team_of_captain(db: Session, user_id: int) -> Team:
    team = _locked_team(db, user_id)
    if team.captain_id != user_id:
        raise TeamRefused(f"Only the captain of {team.name} can do that.")
    return team


def _member_name(db: Session, team: Team, user_id: int) -> str:
    member = next((user for user in members_of(db, row_id(team.id)) if user.id == user_id), None)
    if member is None or user_id == team.captain_id:
        raise TeamRefused(f"Choose another member of {team.name}.")
    return member.name
