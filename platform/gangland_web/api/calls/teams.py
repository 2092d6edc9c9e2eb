"""Teams: who is in them, their bots, and where those played."""

from __future__ import annotations

from flask import url_for
from sqlmodel import Session

from gangland_web.api.calls.bots import BotTold, told_bot
from gangland_web.api.calls.tournaments import TournamentTold, told
from gangland_web.api.framework.declared import call
from gangland_web.api.framework.fields import Model, Moment, Number, Path
from gangland_web.bots.page_queries import bots_of_team
from gangland_web.exports.rows import moment
from gangland_web.teams.models import Team
from gangland_web.teams.page_queries import members_of, tournaments_of_team
from gangland_web.teams.views import CUPS
from gangland_web.web.problems import Problem


class MemberTold(Model):
    """Somebody who is in a team."""

    name: str
    captain: bool
    joined_at: Moment | None


class TeamTold(Model):
    """A team: who is in it, its bots, and the latest tournaments in which they were entered."""

    id: Number
    name: str
    page: Path
    members: list[MemberTold]
    bots: list[BotTold]
    tournaments: list[TournamentTold]


@call("GET", "/teams/{team_id}", subject="bots")
def team(db: Session, team_id: Number) -> TeamTold:
    """Tell of a team: its members, its bots and where they played."""
    found = db.get(Team, team_id)
    if found is None:
        raise Problem(404, "E310", f"There is no team {team_id}.")
    return TeamTold(
        id=team_id,
        name=found.name,
        page=url_for("teams.team", team_id=team_id),
        members=[
            MemberTold(name=each.name, captain=each.captain, joined_at=moment(each.joined_at))
            for each in members_of(db, team_id, found.captain_id)
        ],
        bots=[told_bot(page.bot, page.owner) for page in bots_of_team(db, team_id)],
        tournaments=[told(each) for each in tournaments_of_team(db, team_id, CUPS)],
    )
