"""Read the organizer's console: access, lists, the next step, participants and tables."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from sqlmodel import Session, col, func, or_, select

from gangland_ladder.common.texts import counted
from gangland_ladder.errors import entries
from gangland_ladder.tournaments.lifecycle import State
from gangland_web.base.formats import now_s, timestamp
from gangland_web.models.accounts import Act, Membership, Person, Role, User, may
from gangland_web.models.bots import OPEN, Bot, BotDraft, Party, Version, VersionState, VersionStep
from gangland_web.models.columns import row_id
from gangland_web.models.jobs import DraftRun, RunState
from gangland_web.models.matches import OVER, PENDING, Match
from gangland_web.models.organizing import ActionKind, ActionState, AuditLine, Moderation, OrganizerAction
from gangland_web.models.tournaments import Entrant, Event, Tournament
from gangland_web.queries import tables
from gangland_web.queries.tables import Column, Kind, TableData, columns_of, several, table_of
from gangland_web.queries.tournaments import Part, TournamentSummary, tournament_summary, tournaments_in
from gangland_web.queries.visibility import CurrentUser, NotVisible
from gangland_web.services.accounts import NO_PASSWORD
from gangland_web.services.drafts import check_of
from gangland_web.services.entries import entered_versions, file_versions, unready_bots
from gangland_web.services.final_tables import premiere_is_over
from gangland_web.services.ladder_days import announcement_of, awaits_value, is_published
from gangland_web.services.matches import final_match, waits_for_organizer
from gangland_web.services.organizing import MAX_LISTED, allowed_moves

# Access: tournaments and events by number, for users who may change them.


def allowed(db: Session, act: Act, tournament_id: int, who: Person) -> Tournament:
    """Return a tournament if the user may perform this action on it.  Raises NotVisible."""
    tournament = db.get(Tournament, tournament_id)
    if tournament is None or tournament.kind != "tournament" or not may(who, act, tournament):
        raise NotVisible
    return tournament


def allowed_event(db: Session, act: Act, event_id: int, who: Person) -> tuple[Event, list[Tournament]]:
    """Return an event with its tournaments if the user may perform this action on all of them.  Raises NotVisible."""
    event, tournaments = db.get(Event, event_id), tournaments_in(db, event_id)
    if event is None or not tournaments or not all(may(who, act, tournament) for tournament in tournaments):
        raise NotVisible
    return event, tournaments


# Lists of the console: tournaments, actions and delayed matches, each read with a fixed number of SQL statements.

STUCK_S = 120.0  # a match counts as delayed after this time


class OrganizedTournament(TournamentSummary):
    """A tournament with its organizer, and the number of entered bots."""

    organizer: str | None
    entrants: tables.Count


class ActionDetail(tables.Model):
    """An organizer's action: done, refused, or waiting for the record worker."""

    id: tables.Number
    url: tables.Path
    kind: ActionKind
    state: ActionState
    message: str
    reason: str
    details: dict[str, Any]
    match: int | None
    entry: int | None
    ordered_by: str
    ordered_at: tables.Moment | None
    done_at: tables.Moment | None

    @property
    def what(self) -> str:
        """The kind of action, and the state that it leads to."""
        return f"{self.kind} {self.details.get('state', '')}".strip()


class StuckMatch(tables.Model):
    """A match that has had no result for a long time since it was sent, or since it was scheduled."""

    match: tables.Number
    number: tables.Number
    state: str
    attempt: tables.Count
    since: tables.Moment
    waited_s: float


def organized_by(
    db: Session, who: CurrentUser, viewer: CurrentUser | None, limit: int, *, before: int | None = None
) -> list[OrganizedTournament]:
    """Return the tournaments that `who` organizes (all for an admin), newest first, as `viewer` may see them."""
    entered = select(func.count()).select_from(Entrant).where(Entrant.tournament_id == Tournament.id)
    query = (
        select(Tournament, User.name, entered.scalar_subquery())
        .outerjoin(User, col(User.id) == Tournament.organizer_id)
        .where(Tournament.kind == "tournament")
    )
    if not who.is_admin:
        query = query.where(Tournament.organizer_id == who.id)
    if before is not None:
        query = query.where(col(Tournament.id) < before)
    rows = db.exec(query.order_by(col(Tournament.id).desc()).limit(limit)).all()
    return [
        tables.model_from(OrganizedTournament, tournament_summary(tournament, viewer), organizer=name, entrants=count)
        for tournament, name, count in rows
    ]


def actions_in(db: Session, tournament_id: int, limit: int, *, only: int | None = None) -> list[ActionDetail]:
    """Return the actions in a tournament, newest first; `only`: the number of a single action."""
    query = (
        select(OrganizerAction, User.name, Match.number)
        .join(User, col(User.id) == OrganizerAction.ordered_by)
        .outerjoin(Match, col(Match.id) == OrganizerAction.match_id)
        .where(OrganizerAction.tournament_id == tournament_id)
    )
    if only is not None:
        query = query.where(OrganizerAction.id == only)
    rows = db.exec(query.order_by(col(OrganizerAction.id).desc()).limit(limit)).all()
    return [action_detail(*row) for row in rows]


def action_detail(action: OrganizerAction, author: str, match: int | None) -> ActionDetail:
    """Return an action with the name of its author and the number of its match."""
    url = f"{tables.BASE}/organize/tournaments/{action.tournament_id}/orders/{action.id}"
    return tables.model_from(ActionDetail, action, url=url, ordered_by=author, match=match, entry=action.entry_id)


def stuck_in(db: Session, tournament: Tournament, limit: int = 20) -> list[StuckMatch]:
    """Return the delayed matches of a tournament that is being played, longest delay first."""
    if tournament.state != State.PLAYING.value:
        return []
    now, since = now_s(), func.coalesce(Match.sent_at, Match.created_at)
    waiting = col(Match.state).in_(PENDING)
    query = select(Match, since).where(Match.tournament_id == tournament.id, waiting, since < now - STUCK_S)
    rows = db.exec(query.order_by(since, col(Match.id)).limit(limit)).all()
    return [
        tables.model_from(StuckMatch, match, match=match.id, since=timestamp(at), waited_s=max(0.0, now - at))
        for match, at in rows
    ]


def moves_of(db: Session, tournaments: Sequence[Tournament]) -> list[State]:
    """Return the states that at least one of these tournaments may move to."""
    return [state for state in State if any(state in allowed_moves(db, tournament) for tournament in tournaments)]


# The next step of a tournament, in one sentence.


def next_step(db: Session, tournament: Tournament, *, stuck: int, in_event: bool = False) -> str:
    """Return what to do or wait for next; `stuck`: the number of delayed matches; `in_event`: for an event's page."""
    waiting = select(OrganizerAction.id).where(
        OrganizerAction.tournament_id == tournament.id, OrganizerAction.state == ActionState.WAITING.value
    )
    if db.exec(waiting.limit(1)).first() is not None:
        return "An action is being carried out. This takes a few seconds."
    state, place = State(tournament.state), "on its tab" if in_event else "below"
    if state is State.OPEN and tournament.closed_at is not None:
        waited = len(unready_bots(db, tournament, tournament.closed_at))
        return f"Entries are closed. {counted(waited, 'check')} {'is' if waited == 1 else 'are'} still running."
    if state is State.OPEN:
        return _entries(len(db.exec(entered_versions(tournament)).all()), tournament)
    if state in (State.PLAYING, State.FINISHED) and (at_end := _end_text(db, tournament)):
        return at_end
    if state is State.PLAYING:
        over = f"{tournament.matches_over} of {tournament.matches_planned} matches have been played"
        if stuck:
            return f"{over}, and {stuck} are delayed: see Matches {place}."
        return f"{over}. There is nothing to do."
    if state is State.FROZEN and awaits_value(tournament):
        return _value_text(tournament)
    return {
        State.DRAFT: "Rehearse it with house bots if you like, then announce it.",
        State.ANNOUNCED: f"Open the entries{_wait_text(tournament.opens_at)}.",
        State.FROZEN: f"Entries are closed. Start play{_wait_text(tournament.starts_at)}.",
        State.PAUSED: "Paused: no new match starts until you start play again.",
        State.FINISHED: f"Print the public standings, then publish the secret{_wait_text(tournament.reveals_at)}.",
        State.REVEALED: "You can print the public standings, and anyone can verify them.",
        State.CANCELED: "It was canceled. Duplicate it to try again.",
    }[state]


def _end_text(db: Session, tournament: Tournament) -> str:
    if tournament.state == State.FINISHED.value:
        if tournament.has_premiere and not premiere_is_over(tournament):
            return "All matches have been played. Show the premiere step by step; then publish the secret."
        return ""
    final = final_match(db, tournament)
    if final is None:
        return ""
    if waits_for_organizer(db, final):
        return f"The final table could not be played. Have match {final.number} played again, or void it."
    if final.state in OVER:
        return "The final table is over. The tournament is finished when its audits are."
    return "The final table is being played. There is nothing to do."


def _entries(bots: int, tournament: Tournament) -> str:
    entered = f"{counted(bots, 'bot')} would play{', house bots included' if tournament.house_bots else ''}"
    if bots < tournament.seats:
        return f"{entered}. A table needs {tournament.seats}: ask people to enter their bots."
    return f"{entered}. Close entries when everyone has entered{_wait_text(tournament.freezes_at)}."


def _value_text(tournament: Tournament) -> str:
    announced = announcement_of(tournament)
    if announced is not None and not is_published(tournament):
        return f"Entries are closed. The public value is published at {announced.published_at}."
    return "The public value is published. Read it at its address, and enter it below."


def _wait_text(at: float | None) -> str:
    if at is None or at <= now_s():
        return ""
    return f", or wait until {datetime.fromtimestamp(at, UTC).strftime('%Y-%m-%d %H:%M')} UTC"


# Participants: the users in a tournament, and the progress of their bots.

NO_SLIP: Final = "slip not used yet"
FROM_FILE: Final = "from a file"
DRAFTED, FAILED, PASSED = "draft, not checked", "draft, problems found", "draft, check passed"


@dataclass(frozen=True, slots=True)
class Participant:
    """The progress of a user in a tournament."""

    tournament: str
    person: str
    bot_id: int | None
    bot: str | None
    state: str  # as text
    why: str | None  # the kind of mistake, without the text that only the author sees, or why the bot cannot be entered
    entered: bool


def participants_in(db: Session, tournaments: Sequence[Tournament], organizer_id: int | None) -> list[Participant]:
    """Return the progress of the accounts that the organizer created, and of all users who have entered a bot."""
    rows = []
    for tournament in tournaments:
        entered = set(db.exec(select(Entrant.bot_id).where(Entrant.tournament_id == tournament.id)).all())
        people = _people(db, entered, organizer_id)
        latest = _latest(db, tournament.game, list(people), entered)
        uploads = file_versions(db, [row_id(bot.id) for bot, _ in latest.values()]) if tournament.browser_only else []
        excluded = {bot.id for bot, _ in uploads}
        no_password = select(User.id).where(col(User.id).in_(people), User.password_hash == NO_PASSWORD)
        waiting = set(db.exec(no_password).all())
        drafted = _draft_progress(db, tournament.game, list(people))
        for person_id, (name, _) in people.items():
            latest_upload = latest.get(person_id)
            if latest_upload is None:
                state, reason = drafted.get(person_id, (NO_SLIP if person_id in waiting else "no bot yet", None))
                rows.append(Participant(tournament.name, name, None, None, state, reason, False))
            else:
                bot, version = latest_upload
                state, reason = _version_state(db, bot, version)
                if bot.id in excluded:
                    state, reason = FROM_FILE, "cannot be entered: only bots uploaded from the editor take part"
                rows.append(Participant(tournament.name, name, bot.id, bot.name, state, reason, bot.id in entered))
    return sorted(rows, key=lambda row: (row.entered, row.person.casefold(), row.tournament))


def _people(db: Session, entered: set[int], organizer_id: int | None) -> dict[int, tuple[str, int | None]]:
    owners = select(Bot.owner_id).where(col(Bot.id).in_(entered))
    own_accounts = col(User.made_by) == organizer_id if organizer_id is not None else col(User.id).in_(owners)
    teams = select(Bot.team_id).where(col(Bot.id).in_(entered))
    query = (
        select(User, Membership.team_id)
        .outerjoin(Membership, (col(Membership.user_id) == User.id) & col(Membership.left_at).is_(None))
        .where(col(User.deleted_at).is_(None))
        .where(or_(own_accounts, col(User.id).in_(owners), col(Membership.team_id).in_(teams)))
    )
    rows: Any = db.exec(query.order_by(User.name_key, col(User.id)).limit(MAX_LISTED)).all()
    return {row_id(user.id): (user.name, team) for user, team in rows}


def _latest(db: Session, game: str, people: list[int], entered: set[int]) -> dict[int, tuple[Bot, Version]]:
    """Return the bot that counts for each user: an entered bot, otherwise the one uploaded last."""
    teams = select(Membership.team_id, Membership.user_id).where(
        col(Membership.user_id).in_(people), col(Membership.left_at).is_(None)
    )
    members: dict[int, list[int]] = {}
    for team, user in db.exec(teams).all():
        members.setdefault(team, []).append(user)
    is_owned = or_(col(Bot.owner_id).in_(people), col(Bot.team_id).in_(members))
    query = select(Bot, Version).join(Version, col(Version.bot_id) == Bot.id).where(Bot.game == game, is_owned)
    latest: dict[int, tuple[Bot, Version]] = {}
    for bot, version in db.exec(query.order_by(col(Version.id))).all():
        owners = [bot.owner_id] if bot.owner_id is not None else members.get(bot.team_id or 0, [])
        for person in owners:
            earlier = latest.get(person or 0)
            if earlier is None or bot.id in entered or earlier[0].id not in entered:
                latest[person or 0] = (bot, version)
    return latest


def _draft_progress(db: Session, game: str, people: list[int]) -> dict[int, tuple[str, str | None]]:
    """Return the progress of users' drafts for a game, by user.  Like runs, results of checks are stored for a day."""
    query = select(BotDraft.user_id, func.max(BotDraft.passed_at)).where(col(BotDraft.user_id).in_(people))
    passed = dict(db.exec(query.where(BotDraft.game == game).group_by(col(BotDraft.user_id))).all())
    last = select(func.max(DraftRun.id)).join(BotDraft, col(BotDraft.id) == DraftRun.draft_id)
    done = (BotDraft.game == game, DraftRun.state == RunState.DONE.value, col(DraftRun.user_id).in_(people))
    runs = select(DraftRun).where(col(DraftRun.id).in_(last.where(*done).group_by(col(DraftRun.user_id))))
    problems_by_user = {run.user_id: check.problems for run in db.exec(runs).all() if (check := check_of(run))}
    return {
        person: (PASSED, None) if at is not None else (FAILED, _kind(problems[0].code)) if problems else (DRAFTED, None)
        for person, at in passed.items()
        for problems in [problems_by_user.get(person)]
    }


def _version_state(db: Session, bot: Bot, version: Version) -> tuple[str, str | None]:
    if version.state == VersionState.REJECTED.value:
        failed = select(VersionStep.message).where(VersionStep.version_id == version.id, col(VersionStep.ok).is_(False))
        kind = _kind(db.exec(failed.order_by(col(VersionStep.id).desc())).first() or "")
        return ("newest rejected, older version plays" if bot.active_version_id else "rejected"), kind
    if version.state in OPEN:
        return "being checked", None
    return ("active" if bot.active_version_id is not None else "retired"), None


def _kind(message: str) -> str:
    code = message[:4]
    entry = entries().get(code)
    return f"{code} {entry.title}" if entry is not None else "platform fault"


PARTICIPANTS: Final = table_of(
    *("event-people", Participant, "/organize/events/N/people"),
    "The people of an event, and whether each has entered a bot, for its organizer; also `/organize/N/people`.",
    *(Column("tournament", "Tournament", quiet=True), Column("person", "Person")),
    *several(Kind.TEXT, quiet=True, bot="Bot", state="State", why="Why"),
    *(Column("entered", "Entered", Kind.FLAG), Column("", "State", cell="watched_state")),
    *(Column("", "Tournament", of="tournament"), Column("", "Bot", cell="watched_bot")),
    phone=("Person", "Entered", "State"),
)


def participants_table(rows: Sequence[Participant], **files: str) -> TableData:
    """Return the progress of users as a table."""
    in_each = ", counted in each tournament" if len({row.tournament for row in rows}) > 1 else ""
    caption = f"{sum(row.entered for row in rows)} of {len(rows)} have entered{in_each}. "
    return PARTICIPANTS.of(rows, f"{caption}Missing people come first. Only the author sees the full reason.", **files)


# Tables of the console, which are also available as files.


class RoleRow(NamedTuple):
    """A user with a role."""

    name: str
    role: str


def roles_of_people(db: Session) -> list[RoleRow]:
    """Return the users with a role, by role and name."""
    query = select(User.name, User.role).where(User.role != Role.AUTHOR.value)
    return [RoleRow(*row) for row in db.exec(query.order_by(User.role, User.name_key, col(User.id)))]


def moderations_of(db: Session, person_id: int, party: Party) -> list[Moderation]:
    """Return the moderation actions in force against a user and the bots of the user's party."""
    bots = select(Bot.id).where(party.own_bots())
    condition = (col(Moderation.user_id) == person_id) | col(Moderation.bot_id).in_(bots)
    return list(db.exec(select(Moderation).where(condition, col(Moderation.undone_at).is_(None))))


def names_of_targets(db: Session, moderations: Sequence[Moderation]) -> dict[tuple[str, int], str]:
    """Return the names of bots and users by ("Bot" or "User", id)."""
    bots = select(Bot.id, Bot.name).where(col(Bot.id).in_([moderation.bot_id for moderation in moderations]))
    people = select(User.id, User.name).where(col(User.id).in_([moderation.user_id for moderation in moderations]))
    names = {("Bot", row_id(number)): name for number, name in db.exec(bots)}
    return names | {("User", row_id(number)): name for number, name in db.exec(people)}


ORGANIZED_LIST: Final = table_of(
    *("organized-list", OrganizedTournament, "/organize/tournaments"),
    "Your tournaments; administrators see all.",
    *(Column("id", "Number", Kind.WHOLE, quiet=True), Column("name", "Tournament", cell="organized")),
    *(Column("state", "State", cell="state_label"), Column("game", "Game", cell="game_seats", css="nowrap")),
    *(Column("seats", "Seats", Kind.WHOLE, quiet=True), Column("entrants", "Entered", Kind.WHOLE)),
    Column("matches_over", "Matches played", Kind.WHOLE, "organized_matches"),
    *(Column("matches_planned", "of", Kind.WHOLE, quiet=True), Column("organizer", "Organizer", cell="organizer")),
    phone=("Tournament", "State"),
)
ACTIONS: Final = table_of(
    *("orders", ActionDetail, "/organize/N/orders", "The actions in a tournament, for its organizer."),
    *(Column("ordered_at", "Time", Kind.MOMENT), Column("by", "By", of="ordered_by")),
    *(Column("what", "Action", cell="order"), Column("match", "Match", Kind.WHOLE, quiet=True)),
    *(Column("reason", "Reason", cell="order_reason"), Column("state", "State", cell="order_state")),
    Column("message", "Result", cell="order_result"),
    phone=("Time", "Action", "State"),
)
STUCK_MATCHES: Final = table_of(
    *("stuck-matches", StuckMatch, "/organize/N/stuck", "A tournament's delayed matches, for its organizer."),
    Column("number", "Match", Kind.WHOLE, "stuck", css=""),
    *(Column("match", "Match number", Kind.WHOLE, quiet=True), Column("state", "State", cell="stuck_state")),
    *(Column("attempt", "Failed attempts", Kind.WHOLE), Column("since", "Since", Kind.MOMENT, quiet=True)),
    Column("", "Waiting", Kind.NUMBER, "stuck_waits"),
    phone=("Match", "State", "Waiting"),
)
PLAYERS: Final = table_of(
    *("players", Part, "", ""),
    *(Column("", "Bot", cell="bot"), Column("", "Owner", Kind.OWNER, of="owner")),
    Column("", "Version", cell="player_version"),
    *(Column("", word, Kind.WHOLE, of=f"entry.{word.lower()}") for word in ("Games", "Faults")),
    Column("", "State", cell="player_state"),
    phone=("Bot", "Games", "State"),
)
ROLES: Final = table_of(
    *("roles", RoleRow, "/organize/people/roles", "The users with a role, for administrators."),
    *columns_of(RoleRow, name="Name", role="Role"),
)


class LogLine(tables.Model):
    """An entry of the log; `actor` is null for the site itself."""

    id: tables.Number
    at: tables.Moment | None
    actor: str | None
    act: str
    subject: str
    details: str
    address: str

    @property
    def shown_details(self) -> str | None:
        """The details, or None."""
        return self.details if self.details != "{}" else None


def log_line(line: AuditLine) -> LogLine:
    """Return an entry of the log."""
    details = json.dumps(line.entry.details, ensure_ascii=False, sort_keys=True)
    return tables.model_from(LogLine, line.entry, actor=line.actor, details=details)


class LogRow(NamedTuple):
    """An entry of the log, and its details by name."""

    line: LogLine
    details: Mapping[str, Any]


LOG: Final = table_of(
    *("audit-log", LogRow, "/organize/log"),
    "The log, for administrators; `/organize/N/log` is one tournament's (`?before=`).",
    *(Column("entry", "No.", Kind.WHOLE, of="line.id"), Column("at", "Time", Kind.MOMENT, of="line.at")),
    Column("who", "Person", cell="log_actor", of="line.actor"),
    *(Column("from", "Address", of="line.address", css="nowrap"), Column("act", "Action", of="line.act")),
    Column("subject", "Object", of="line.subject"),
    Column("details", "Details", cell="log_details", of="line.shown_details"),
    phone=("No.", "Time", "Action"),
)


def log_table(lines: Sequence[AuditLine], **files: str) -> TableData:
    """Return entries of the log."""
    return LOG.of([LogRow(log_line(line), line.entry.details) for line in lines], "Newest first", **files)
