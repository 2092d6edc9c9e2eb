"""Decide who may see tournaments and bots: the same rules for pages, lists, matches and files.

In all functions, `who` is the visitor; None for a visitor who is not signed in.
"""

from typing import Protocol

from sqlmodel import Session

from gangland_ladder.tournaments import lifecycle
from gangland_web.base.formats import now_s
from gangland_web.models.accounts import may_organize
from gangland_web.models.bots import Bot, Owned, Party
from gangland_web.models.organizing import ModerationKind
from gangland_web.models.tournaments import Tournament
from gangland_web.services.moderation import actions_in_force


class NotVisible(Exception):
    """The object does not exist, or the visitor may not see it; the message may say which."""


class CurrentUser(Protocol):
    """A signed-in visitor."""

    @property
    def id(self) -> int:
        """The id of the account."""

    @property
    def role(self) -> str:
        """The user's role."""

    @property
    def is_admin(self) -> bool:
        """Whether the user is an administrator."""

    @property
    def party(self) -> Party:
        """The user with their team, which together own the bots that the user may act for."""


def acts_for(who: CurrentUser | None, bot: Owned) -> bool:
    """Return whether a user may act for a bot, and so see its errors, logs and sources."""
    return who is not None and who.party.acts_for(bot)


def hidden_bot(db: Session, bot_id: int) -> Bot | None:
    """Return the bot if an administrator has hidden it, else None."""
    is_hidden = any(action.kind == ModerationKind.HIDE for action in actions_in_force(db, bot_id=bot_id))
    return db.get(Bot, bot_id) if is_hidden else None


def may_see_hidden(who: CurrentUser | None, bot: Bot) -> bool:
    """Return whether a user may see a hidden bot: its owners and administrators may."""
    return who is not None and (who.is_admin or acts_for(who, bot))


def viewer_of(tournament: Tournament, who: CurrentUser | None) -> lifecycle.Viewer:
    """Return the kind of viewer: admins count as organizers, entrants and former organizers count as the public."""
    own = who is not None and may_organize(who.role) and (who.is_admin or who.id == tournament.organizer_id)
    return lifecycle.Viewer.ORGANIZER if own else lifecycle.Viewer.PUBLIC


def is_visible(tournament: Tournament, who: CurrentUser | None) -> bool:
    """Return whether a user may see that a tournament exists."""
    return is_announced(tournament) or viewer_of(tournament, who) is lifecycle.Viewer.ORGANIZER


def is_announced(tournament: Tournament) -> bool:
    """Return whether the public may see a tournament."""
    announced = lifecycle.is_listed(lifecycle.State(tournament.state)) and tournament.announced_at is not None
    return announced and tournament.rehearsal_of is None


def results_visible(tournament: Tournament, who: CurrentUser | None) -> bool:
    """Return whether a user may see the results of a tournament's matches; results of ladders are public."""
    if tournament.kind != "tournament":
        return True
    return lifecycle.results_are_shown(
        lifecycle.State(tournament.state), viewer_of(tournament, who), tournament.embargo_until, now_s()
    )


def results_are_immediate(tournament: Tournament, who: CurrentUser | None) -> bool:
    """Return whether a user will see results as soon as there are any."""
    return results_visible(tournament, who) or (
        tournament.state == lifecycle.State.FROZEN and tournament.embargo_until is None
    )


def finished_matches(tournament: Tournament, who: CurrentUser | None) -> int:
    """Return the number of finished matches, rounded for visitors who may not see results."""
    over, planned = tournament.matches_over, tournament.matches_planned
    return over if results_visible(tournament, who) else lifecycle.published_count(over, planned)


def is_count_rounded(tournament: Tournament, who: CurrentUser | None) -> bool:
    """Return whether `finished_matches` rounds the number of finished matches."""
    return tournament.matches_over < tournament.matches_planned and not results_visible(tournament, who)


def shown_secret(tournament: Tournament) -> str | None:
    """Return the secret of a tournament's dice in hexadecimal digits; None until it is public."""
    public = lifecycle.secret_is_public(lifecycle.State(tournament.state), tournament.embargo_until, now_s())
    return tournament.secret.hex() if public and tournament.announced_at is not None else None
