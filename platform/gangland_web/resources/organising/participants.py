"""Who is there and who is not yet: the organiser's people, what their bots have come to, who is entered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlmodel import Session, col, func, or_, select

from gangland_ladder.errors.catalogue import entries
from gangland_web.models.accounts import Membership, User
from gangland_web.models.bots import OPEN, Bot, BotDraft, Version, VersionState, VersionStep
from gangland_web.models.columns import stored
from gangland_web.models.jobs import DraftRun, RunState
from gangland_web.models.tournaments import Entrant, Tournament
from gangland_web.resources.tables import Column, Kind, TableData
from gangland_web.services.accounts import NO_PASSWORD
from gangland_web.services.draft_runs import result_of
from gangland_web.services.organising import MOST
from gangland_web.services.tournaments import from_files

COLUMNS: Final = (
    *(Column("tournament", "Tournament"), Column("person", "Who"), Column("bot", "Bot")),
    *(Column("state", "State"), Column("why", "Why"), Column("entered", "Entered", Kind.FLAG)),
)


NO_SLIP: Final = "slip not used yet"
FROM_FILE: Final = "from a file"
DRAFTED, FAILED, PASSED = "draft, not checked", "draft, problems found", "draft, check passed"


@dataclass(frozen=True, slots=True)
class Watched:
    """Where somebody stands in a tournament.

    Attributes:
        state: in words: slip not used, no bot yet, a draft of one, on its way, rejected, active or retired;
            or from a file, where none is taken.
        why: of what kind the mistake of a rejected bot or of a draft is (what it says in full is its owner's alone), or
            why it cannot be entered.
    """

    tournament: str
    person: str
    bot_id: int | None
    bot: str | None
    state: str
    why: str | None
    entered: bool


def watched_in(db: Session, tournaments: Sequence[Tournament], organiser_id: int | None) -> list[Watched]:
    """Return where people stand in tournaments: those for whom the organiser made accounts, and whoever entered."""
    rows = []
    for tournament in tournaments:
        entered = set(db.exec(select(Entrant.bot_id).where(Entrant.tournament_id == tournament.id)).all())
        people = _people(db, entered, organiser_id)
        latest = _latest(db, tournament.game, list(people), entered)
        refused = from_files(db, [stored(bot.id) for bot, _ in latest.values()]) if tournament.browser_only else []
        closed = {bot.id for bot, _ in refused}
        waiting = _without_password(db, list(people))
        drafted = _drafted(db, tournament.game, list(people))
        for person_id, (name, _) in people.items():
            found = latest.get(person_id)
            if found is None:
                state, why = drafted.get(person_id, (NO_SLIP if person_id in waiting else "no bot yet", None))
                rows.append(Watched(tournament.name, name, None, None, state, why, False))
            else:
                bot, version = found
                state, why = _standing(db, bot, version)
                if bot.id in closed:
                    state, why = FROM_FILE, "cannot be entered: only bots uploaded from the editor take part"
                rows.append(Watched(tournament.name, name, bot.id, bot.name, state, why, bot.id in entered))
    return sorted(rows, key=lambda row: (row.entered, row.person.casefold(), row.tournament))


def _people(db: Session, entered: set[int], organiser_id: int | None) -> dict[int, tuple[str, int | None]]:
    """Return people by number, with their names and teams."""
    owners = select(Bot.owner_id).where(col(Bot.id).in_(entered))
    made = col(User.made_by) == organiser_id if organiser_id is not None else col(User.id).in_(owners)
    teams = select(Bot.team_id).where(col(Bot.id).in_(entered))
    chosen = (
        select(User, Membership.team_id)
        .outerjoin(Membership, (col(Membership.user_id) == User.id) & col(Membership.left_at).is_(None))
        .where(col(User.deleted_at).is_(None))
        .where(or_(made, col(User.id).in_(owners), col(Membership.team_id).in_(teams)))
    )
    rows: Any = db.exec(chosen.order_by(User.name_key, col(User.id)).limit(MOST)).all()
    return {stored(user.id): (user.name, team) for user, team in rows}


def _latest(db: Session, game: str, people: list[int], entered: set[int]) -> dict[int, tuple[Bot, Version]]:
    """Return the bot of the game by which each person stands: one that is entered, else the one sent in last."""
    teams = select(Membership.team_id, Membership.user_id).where(
        col(Membership.user_id).in_(people), col(Membership.left_at).is_(None)
    )
    of_team: dict[int, list[int]] = {}
    for team, user in db.exec(teams).all():
        of_team.setdefault(team, []).append(user)
    theirs = or_(col(Bot.owner_id).in_(people), col(Bot.team_id).in_(of_team))
    chosen = select(Bot, Version).join(Version, col(Version.bot_id) == Bot.id).where(Bot.game == game, theirs)
    found: dict[int, tuple[Bot, Version]] = {}
    for bot, version in db.exec(chosen.order_by(col(Version.id))).all():
        whose = [bot.owner_id] if bot.owner_id is not None else of_team.get(bot.team_id or 0, [])
        for person in whose:
            known = found.get(person or 0)
            if known is None or bot.id in entered or known[0].id not in entered:
                found[person or 0] = (bot, version)
    return found


def _without_password(db: Session, people: list[int]) -> set[int]:
    """Return those people who have not used the code on their slip."""
    chosen = select(User.id).where(col(User.id).in_(people), User.password_hash == NO_PASSWORD)
    return {stored(each) for each in db.exec(chosen).all()}


def _drafted(db: Session, game: str, people: list[int]) -> dict[int, tuple[str, str | None]]:
    """Return by person how far their drafts of a game have come, of those who have one, and what the last check found.

    What it found is known for a day, as long as runs are kept.
    """
    chosen = select(BotDraft.user_id, func.max(BotDraft.passed_at)).where(col(BotDraft.user_id).in_(people))
    passed = dict(db.exec(chosen.where(BotDraft.game == game).group_by(col(BotDraft.user_id))).all())
    last = select(func.max(DraftRun.id)).join(BotDraft, col(BotDraft.id) == DraftRun.draft_id)
    done = (BotDraft.game == game, DraftRun.state == RunState.DONE.value, col(DraftRun.user_id).in_(people))
    runs = select(DraftRun).where(col(DraftRun.id).in_(last.where(*done).group_by(col(DraftRun.user_id))))
    found = {run.user_id: result.check.problems for run in db.exec(runs).all() if (result := result_of(run))}
    return {
        person: (PASSED, None) if at is not None else (FAILED, _kind(problems[0].code)) if problems else (DRAFTED, None)
        for person, at in passed.items()
        for problems in [found.get(person)]
    }


def _standing(db: Session, bot: Bot, version: Version) -> tuple[str, str | None]:
    if version.state == VersionState.REJECTED.value:
        failed = select(VersionStep.message).where(VersionStep.version_id == version.id, col(VersionStep.ok).is_(False))
        kind = _kind(db.exec(failed.order_by(col(VersionStep.id).desc())).first() or "")
        return ("newest rejected, the one before plays" if bot.active_version_id else "rejected"), kind
    if version.state in OPEN:
        return "being checked", None
    return ("active" if bot.active_version_id is not None else "retired"), None


def _kind(message: str) -> str:
    """Return the code and the title of what a rejection says first, and nothing of what follows."""
    code = message[:4]
    found = entries().get(code)
    return f"{code} {found.title}" if found is not None else "platform fault"


def watched_table(rows: Sequence[Watched], csv: str = "", json: str = "") -> TableData:
    """Return where people stand as a table."""
    return TableData("event-people", "Missing people first", COLUMNS, rows, csv=csv, json=json)
