"""The form of a tournament's rules, and drafts: estimated, made, changed, deleted and rehearsed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cache
from math import comb
from typing import Any, Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

import msgspec
from sqlmodel import Session, col, func, select

from gangland.games import FIRST_GAME, GAME_NAMES, game_named
from gangland_ladder.local.matches import options_of
from gangland_ladder.pairing.costs import Cost, cost
from gangland_ladder.proof.randomness import ADDRESS_CHARS, Address, Randomness, published_at
from gangland_ladder.tournaments.final_table import BLOCKS as FINAL_BLOCKS
from gangland_ladder.tournaments.final_table import SEATS as FINAL_SEATS
from gangland_ladder.tournaments.final_table import USUAL_BLOCKS, FinalTerms
from gangland_ladder.tournaments.lifecycle import NEVER, Deadlines, State, may_delete, may_edit_rules
from gangland_ladder.tournaments.settling_rounds import BLOCKS as SETTLE_BLOCKS
from gangland_ladder.tournaments.settling_rounds import FIRST, PERCENT, Terms
from gangland_sandbox.limits import Limits, Profile
from gangland_web.base.formats import now_s
from gangland_web.base.text import normal_name, problem_with_name, whole_number
from gangland_web.models.bots import Bot
from gangland_web.models.organising import Actor, DirectiveKind, note_act
from gangland_web.models.tournaments import Event, Tournament, hold_tournament, hold_versions
from gangland_web.services import tournaments
from gangland_web.services.corrections import DirectiveRefused
from gangland_web.services.ladder_days import announced_for
from gangland_web.services.matches import final_terms_of
from gangland_web.services.organising import give_directive

# The form.


NAME_CHARS: Final = 80
EVENT_CHARS: Final = 60
"""Of an event's name: the game's name follows it."""
CODE_CHARS: Final = (4, 100)
BLOCKS: Final = (1, 1000)
TABLES: Final = (1, 100_000)
EXPECTED: Final = (0, 10_000)
EVERY: Final = "every"
"""Picked in place of a game: an event with a tournament of each."""
DECISION_MS: Final = (10, 10_000)
MEMORY_MIB: Final = (64, 4096)
FORM_CHARS: Final = 200
SETTLING: Final = ("settle_first", "settle_percent", "settle_blocks")
FINAL_TABLE: Final = ("final_seats", "final_blocks")
DEADLINES: Final = {
    "opens_at": "Entries open",
    "freezes_at": "Entries freeze",
    "starts_at": "Play starts",
    "embargo_until": "Results are hidden until",
    "reveals_at": "The secret is published",
}

RANDOMNESS: Final = ("randomness_source", "randomness_address", "randomness_form", "randomness_at")
"""The fields of the public value; a form without the first, the second and the last has none."""
VALUE_FORMS: Final = {
    "hex 64": "64 hexadecimal digits (a drand round, the hash of a block)",
    **{f"hex {count}": f"{count} hexadecimal digits" for count in (32, 40, 96, 128)},
    **{f"numbers {count}": f"{count} whole numbers (such as a lottery draw)" for count in range(5, 11)},
}
"""Forms of a public value to choose from, the usual one first."""


@dataclass(slots=True)
class RulesForm:
    """The typed form, its errors, and the rules if there are no errors.

    Attributes:
        given: every field as it was typed, cut at `FORM_CHARS`.
        errors: by field; under "form" the error of the whole.
        expected: how many bots authors are expected to enter, for the estimate.
    """

    given: dict[str, str]
    errors: dict[str, str] = field(default_factory=dict)
    rules: tournaments.Rules | None = None
    expected: int = 8
    also: tuple[tournaments.Rules, ...] = ()
    """The rules of the other games, of an event in all games."""


def empty_form() -> RulesForm:
    """Return the form of a new tournament."""
    given = {"game": FIRST_GAME, "seats": "2", "blocks": "12", "profile": "plain", "house_bots": "on"}
    return RulesForm(given | {"expected": "8", "zone": "UTC"})


def form_of(tournament: Tournament) -> RulesForm:
    """Return the form filled in with a tournament's rules, without the join code, of which only the hash is stored."""
    limits = Limits.from_dict(tournament.limits)
    given = {
        "name": tournament.name,
        "game": tournament.game,
        "seats": str(tournament.seats),
        "blocks": str(tournament.blocks),
        "tables": "" if tournament.tables is None else str(tournament.tables),
        "profile": limits.profile.value,
        "house_bots": "on" if tournament.house_bots else "",
        "house_ranked": "on" if tournament.house_ranked else "",
        "browser_only": "on" if tournament.browser_only else "",
        "final": "on" if tournament.audit_percent == 100 else "",
        **{name: str(getattr(tournament, name) or "") for name in (*SETTLING, *FINAL_TABLE)},
        "has_premiere": "on" if tournament.has_premiere else "",
        "expected": "8",
        "zone": "UTC",
    }
    usual = Limits.of(limits.profile, tournament.blocks)
    if limits.decision_cpu_s != usual.decision_cpu_s:
        given["decision_ms"] = f"{limits.decision_cpu_s * 1000:.0f}"
    if limits.memory_mib != usual.memory_mib:
        given["memory_mib"] = str(limits.memory_mib)
    for name, value in tournament.options.items():
        given[f"option_{name}"] = ",".join(map(str, value)) if isinstance(value, list) else str(value)
    for name in DEADLINES:
        at = getattr(tournaments.announced_deadlines(tournament), name)
        given[name] = "" if at is None else _typed(at)
    if (announced := announced_for(tournament)) is not None:
        values = (announced.source, announced.address, announced.form, _typed(announced.published_s))
        given |= dict(zip(RANDOMNESS, values, strict=True))
    return RulesForm(given)


def _typed(at_s: float) -> str:
    """Return a time as a browser's field holds it, with seconds only where it has some."""
    when = datetime.fromtimestamp(at_s, ZoneInfo("UTC"))
    return when.strftime("%Y-%m-%dT%H:%M:%S" if when.second else "%Y-%m-%dT%H:%M")


def read_rules(form: Mapping[str, str], *, events: bool = False) -> RulesForm:
    """Read the form; it has `rules` if there are no errors.

    Args:
        events: whether all games may be picked at once.
    """
    longest = {"randomness_address": ADDRESS_CHARS}
    fields = {name: value for name, value in form.items() if name != "csrf_token"}
    result = RulesForm({name: value.strip()[: longest.get(name, FORM_CHARS)] for name, value in fields.items()})
    reader = _Reader(result)
    name = reader.name(EVENT_CHARS if events and form.get("game") == EVERY else NAME_CHARS)
    picked = reader.word("game", (*GAME_NAMES, *((EVERY,) if events else ())))
    games = GAME_NAMES if picked == EVERY else (picked,)
    seats = reader.number("seats", (2, 4))
    blocks = reader.number("blocks", BLOCKS)
    profile = reader.word("profile", tuple(Profile))
    tables = reader.number("tables", TABLES) if result.given.get("tables") else None
    code = reader.code()
    result.expected = reader.number("expected", EXPECTED) or 0
    settle, final_table = reader.settling(), reader.final_table()
    limits = reader.limits(Profile(profile or Profile.PLAIN), blocks or 1)
    options = {game: reader.options(game, seats) for game in games}
    deadlines = reader.deadlines()
    randomness = reader.randomness()
    if result.errors or limits is None or deadlines is None:
        return result
    all_rules = []
    try:
        for game, own in options.items():
            if own is None:
                return result
            all_rules.append(
                tournaments.Rules(
                    name=f"{name}: {game_named(game).title}" if picked == EVERY else name,
                    game=game,
                    seats=seats or 0,
                    blocks=blocks or 0,
                    limits=limits,
                    options=own,
                    tables=tables,
                    house_bots=bool(result.given.get("house_bots")),
                    house_ranked=bool(result.given.get("house_ranked")),
                    browser_only=bool(result.given.get("browser_only")),
                    join_code=code,
                    final=bool(result.given.get("final")),
                    settle=settle,
                    final_table=final_table,
                    has_premiere=bool(result.given.get("has_premiere")),
                    deadlines=deadlines,
                    randomness=randomness,
                )
            )
    except ValueError as mistake:
        result.errors["form"] = sentence(mistake)
        return result
    result.rules, *others = all_rules
    result.also = tuple(others)
    return result


class _Reader:
    """Reads the fields one by one and notes their errors."""

    def __init__(self, read: RulesForm) -> None:
        self.given = read.given
        self.errors = read.errors

    def name(self, most: int) -> str:
        name = normal_name(self.given.get("name", ""))
        if not 1 <= len(name) <= most:
            self.errors["name"] = f"A name has 1 to {most} characters."
        elif problem := problem_with_name(name):
            self.errors["name"] = f"A name {problem}."
        return name

    def word(self, name: str, words: tuple[Any, ...]) -> str:
        value = self.given.get(name, "")
        if value not in words:
            self.errors[name] = f"Choose one of {', '.join(words)}."
        return value

    def number(self, name: str, span: tuple[int, int]) -> int | None:
        typed = self.given.get(name, "")
        number = whole_number(typed)
        if number is not None and span[0] <= number <= span[1]:
            return number
        self.errors[name] = f"Write a number from {span[0]} to {span[1]}."
        return None

    def code(self) -> str | None:
        code = self.given.get("join_code", "")
        if not code:
            return None
        if not CODE_CHARS[0] <= len(code) <= CODE_CHARS[1]:
            self.errors["join_code"] = f"A join code has {CODE_CHARS[0]} to {CODE_CHARS[1]} characters."
        return code

    def limits(self, profile: Profile, blocks: int) -> Limits | None:
        limits = Limits.of(profile, blocks)
        if self.given.get("decision_ms"):
            decision_ms = self.number("decision_ms", DECISION_MS)
            limits = replace(limits, decision_cpu_s=(decision_ms or DECISION_MS[0]) / 1000)
        if self.given.get("memory_mib"):
            limits = replace(limits, memory_mib=self.number("memory_mib", MEMORY_MIB) or limits.memory_mib)
        return limits

    def settling(self) -> Terms | None:
        """Return how the first places are settled, None if its fields are empty or wrong."""
        if not any(self.given.get(name) for name in SETTLING[::2]):
            return None
        self.given.setdefault("settle_percent", "")
        self.given["settle_percent"] = self.given["settle_percent"] or "5"
        first, percent, blocks = (
            self.number(name, span) for name, span in zip(SETTLING, (FIRST, PERCENT, SETTLE_BLOCKS), strict=True)
        )
        return None if first is None or percent is None or blocks is None else Terms(first, percent, blocks)

    def final_table(self) -> FinalTerms | None:
        """Return the final table, None if its fields are empty or wrong."""
        if not any(self.given.get(name) for name in FINAL_TABLE):
            return None
        if self.given.get("final_seats"):
            self.given["final_blocks"] = self.given.get("final_blocks") or str(USUAL_BLOCKS)
        seats, blocks = (
            self.number(name, span) for name, span in zip(FINAL_TABLE, (FINAL_SEATS, FINAL_BLOCKS), strict=True)
        )
        return None if seats is None or blocks is None else FinalTerms(seats, blocks)

    def options(self, game: str, seats: int | None) -> dict[str, Any] | None:
        """Return the options that differ from their defaults; None with the reason if they do not go together."""
        if game not in GAME_NAMES or seats is None or seats not in game_named(game).table_sizes:
            return None
        try:
            return read_options(game, seats, self.given)
        except ValueError as mistake:
            self.errors["options"] = sentence(mistake)
            return None

    def ahead(self, typed: str) -> float:
        """Return a time of the form.  Raises ValueError if it is not one, or is in the past."""
        at = read_moment(typed, self.given.get("zone", "UTC"))
        if at <= now_s():
            raise ValueError("This time is in the past.")
        return at

    def deadlines(self) -> Deadlines | None:
        times: dict[str, float] = {}
        for name in DEADLINES:
            if typed := self.given.get(name, ""):
                try:
                    times[name] = self.ahead(typed)
                except ValueError as mistake:
                    self.errors[name] = str(mistake)
        if any(name in self.errors for name in DEADLINES):
            return None
        try:
            return Deadlines(**times)
        except ValueError:
            order = [name for name in DEADLINES if name in times]
            line = ", then ".join(DEADLINES[name].lower() for name in order)
            self.errors["deadlines"] = f"These times are in the wrong order: {line}."
            return None

    def randomness(self) -> Randomness | None:
        """Return the public value that goes into the dice, None if its fields are empty or wrong."""
        source, address, form, typed = (self.given.get(name, "") for name in RANDOMNESS)
        if not (source or address or typed):
            return None
        source = normal_name(source)
        if not source or problem_with_name(source):
            self.errors["randomness_source"] = "Name the exact round, block or draw in one line."
        if not _is_address(address):
            self.errors["randomness_address"] = "Write an address such as https://example.org/draws."
        at = ""
        try:
            at = published_at(self.ahead(typed))
        except ValueError as mistake:
            self.errors["randomness_at"] = str(mistake) if typed else "Enter when the value is published."
        if any(name in self.errors for name in RANDOMNESS):
            return None
        try:
            return Randomness(source, address, at, form or next(iter(VALUE_FORMS)))
        except ValueError as mistake:
            self.errors["randomness_form"] = sentence(mistake)
            return None


def _is_address(address: str) -> bool:
    try:
        msgspec.convert(address, Address)
    except msgspec.ValidationError:
        return False
    return True


def read_options(game: str, seats: int, fields: Mapping[str, str]) -> dict[str, object]:
    """Return the options of a form that differ from their defaults; an empty field is the default.

    Raises:
        ValueError: the game does not allow a value at this number of seats.
    """
    options: dict[str, object] = {}
    for option in game_named(game).choices_of_options:
        typed = fields.get(f"option_{option.name}", "").strip()
        if typed and typed != option.default:
            options[option.name] = option.of_text(typed)
    return options_of(game, seats, options)


def sentence(mistake: ValueError) -> str:
    """Return the message of an error as a sentence for a page."""
    text = str(mistake)
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")


@cache
def zones() -> tuple[str, ...]:
    """Return the names of time zones to choose from: places, and UTC."""
    return ("UTC", *sorted(zone for zone in available_timezones() if "/" in zone and not zone.startswith("Etc/")))


def read_moment(typed: str, zone: str) -> float:
    """Return a time as a browser's field has it (2027-03-01T18:00), in a named zone, as Unix seconds.

    Raises:
        ValueError: no such time or zone, or the clocks there skip or repeat that time; the message is for the person.
    """
    try:
        place = ZoneInfo(zone or "UTC")
    except (ZoneInfoNotFoundError, ValueError, OSError) as unknown:
        raise ValueError(f"There is no time zone {zone!r}; write it as Europe/Berlin or UTC.") from unknown
    try:
        when = datetime.fromisoformat(typed)
    except ValueError as mistyped:
        raise ValueError(f"Write a time as 2027-03-01T18:00, not {typed!r}.") from mistyped
    if not 2000 <= when.year < 3000:
        raise ValueError(f"A year is one from 2000 to 2999, not {when.year}.")
    if when.tzinfo:
        return when.timestamp()
    readings = [when.replace(tzinfo=place, fold=fold) for fold in (0, 1)]
    if readings[0].utcoffset() != readings[1].utcoffset():
        raise ValueError(_two_readings(typed, zone, readings))
    return readings[0].timestamp()


def _two_readings(typed: str, zone: str, readings: Sequence[datetime]) -> str:
    """Return why a local time does not exist or exists twice, and the two times that may be meant."""
    as_utc = [reading.astimezone(UTC) for reading in readings]
    there = [each.astimezone(reading.tzinfo) for each, reading in zip(as_utc, readings, strict=True)]
    if there[0].replace(tzinfo=None, fold=0) == readings[0].replace(tzinfo=None, fold=0):
        first, second = (f"{each:%Y-%m-%dT%H:%M}" for each in as_utc)
        return f"The clocks go back: {zone} has {typed} twice. In UTC it is {first} or {second}: choose UTC and one."
    first, second = sorted(f"{each:%Y-%m-%dT%H:%M}" for each in there)
    return f"The clocks go forward: {zone} has no {typed}. Write {first} or {second}."


# Drafts: made, changed, copied and deleted before they are announced.


@dataclass(frozen=True, slots=True)
class Estimate:
    """The size and cost of a tournament with an expected number of bots.

    Attributes:
        bots: all that would play, including house bots.
    """

    bots: int
    house: int
    cost: Cost


def estimate(session: Session, rules: tournaments.Rules, expected: int) -> Estimate:
    """Return what a tournament would cost with an expected number of authors' bots."""
    house = _house_bots(session, rules.game) if rules.house_bots else 0
    bots = expected + house
    every = comb(bots, rules.seats)
    tables = every if rules.tables is None or rules.seats == 2 else min(every, rules.tables)
    return Estimate(bots, house, cost(rules.game, rules.seats, tables, limits=rules.limits, blocks=rules.blocks))


def create_draft(
    session: Session, actor: Actor, rules: tournaments.Rules, *, copied_from: int | None = None
) -> Tournament:
    """Make a draft whose organizer is the actor."""
    draft = tournaments.make_tournament(session, rules, organiser_id=actor.id)
    details = {} if copied_from is None else {"copied_from": copied_from}
    note_act(session, actor, "created a draft", tournament_id=draft.id, subject=draft.name, **details)
    return draft


def create_event(session: Session, actor: Actor, name: str, rules: Sequence[tournaments.Rules]) -> Event:
    """Make an event whose organizer is the actor, with a draft for each of the rules."""
    event = Event(name=name, organiser_id=actor.id, created_at=now_s())
    session.add(event)
    session.flush()
    for each in rules:
        draft = create_draft(session, actor, each)
        draft.event_id = event.id
        session.add(draft)
    session.flush()
    return event


def change_draft(session: Session, actor: Actor, tournament: Tournament, rules: tournaments.Rules) -> None:
    """Change the rules of a draft; an empty join code keeps the one that it has.

    Raises:
        DirectiveRefused: it is no draft any more.
    """
    hold_tournament(session, tournament)
    if not may_edit_rules(State(tournament.state)):
        raise DirectiveRefused(f"{tournament.name} is {tournament.state}: its rules are announced and stay")
    tournament.sqlmodel_update(tournaments.columns_of(rules, tournament.secret))
    session.add(tournament)
    session.flush()
    note_act(session, actor, "changed a draft", tournament_id=tournament.id, subject=tournament.name)


def delete_draft(session: Session, actor: Actor, tournament: Tournament) -> None:
    """Delete a draft: it becomes cancelled, and is on no list.

    Raises:
        DirectiveRefused: it is no draft any more.
    """
    hold_versions(session)  # first, in the order of recording a result, so that the two cannot deadlock
    hold_tournament(session, tournament)
    if not may_delete(State(tournament.state)):
        raise DirectiveRefused(f"{tournament.name} is {tournament.state}: it can be cancelled, and stays on the list")
    tournaments.move_tournament(session, tournament, State.CANCELLED)
    note_act(session, actor, "deleted a draft", tournament_id=tournament.id, subject=tournament.name)


def rules_of(tournament: Tournament) -> tournaments.Rules:
    """Return a tournament's rules, without the join code, of which only the hash is stored."""
    return tournaments.Rules(
        name=tournament.name,
        game=tournament.game,
        seats=tournament.seats,
        blocks=tournament.blocks,
        limits=Limits.from_dict(tournament.limits),
        options=tournament.options,
        tables=tournament.tables,
        house_bots=tournament.house_bots,
        house_ranked=tournament.house_ranked,
        browser_only=tournament.browser_only,
        final=tournament.audit_percent == 100,
        settle=tournaments.terms_of(tournament),
        final_table=final_terms_of(tournament),
        has_premiere=tournament.has_premiere,
        deadlines=tournaments.announced_deadlines(tournament),
        randomness=announced_for(tournament),
    )


REHEARSAL_BLOCKS: Final = 1
REHEARSAL: Final = "A rehearsal between house bots: it does not count, and only its organiser sees it."


def rehearse(session: Session, actor: Actor, tournament: Tournament) -> Tournament:
    """Play the rules once between house bots, with one block a match, for its organizer only.

    Raises:
        DirectiveRefused: it is a rehearsal itself, or the game has fewer house bots than sit at a table.
    """
    if tournament.rehearsal_of is not None:
        raise DirectiveRefused(f"{tournament.name} is a rehearsal itself")
    house = _house_bots(session, tournament.game)
    if house < tournament.seats:
        raise DirectiveRefused(f"the site has {house} house bots of this game, and {tournament.seats} play at a table")
    rules = replace(
        rules_of(tournament),
        name=f"Rehearsal: {tournament.name}"[:80],
        blocks=REHEARSAL_BLOCKS,
        limits=Limits.of(Limits.from_dict(tournament.limits).profile, REHEARSAL_BLOCKS),
        house_bots=True,
        house_ranked=True,
        join_code=None,
        final=False,
        settle=None,
        final_table=None,
        has_premiere=False,
        deadlines=Deadlines(embargo_until=NEVER),
        randomness=None,
    )
    rehearsal = tournaments.make_tournament(session, rules, organiser_id=tournament.organiser_id)
    rehearsal.rehearsal_of, rehearsal.note = tournament.id, REHEARSAL
    session.add(rehearsal)
    session.flush()
    note_act(session, actor, "ordered a rehearsal", tournament_id=tournament.id, subject=tournament.name)
    for state in (State.ANNOUNCED, State.OPEN, State.FROZEN, State.PLAYING):
        give_directive(session, actor, DirectiveKind.MOVE, rehearsal, state=state.value)
    return rehearsal


def _house_bots(session: Session, game: str) -> int:
    there = (Bot.game == game, col(Bot.is_house).is_(True), col(Bot.active_version_id).is_not(None))
    return session.exec(select(func.count()).select_from(Bot).where(*there)).one()
