"""Tournament rules, each declared once with its limits, label and help, and drafts of tournaments.

The form, the API's schema, the fields of `gangland admin call` and the tournament's page are generated from `RULES`.
A rule that sets a jail limit needs only its entry there.  Any other stored rule also needs a column of `Tournament`, a
field of `tournaments.Rules`, and a line in both `tournaments.columns_of` and `rules_of`.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import UTC, datetime
from functools import cache
from math import comb
from typing import Annotated, Any, Final, Literal, get_origin
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

import msgspec
from msgspec import Meta, defstruct
from sqlmodel import Session, col, func, select

from gangland.games import FIRST_GAME, GAME_NAMES, game_named
from gangland_ladder.common.texts import counted
from gangland_ladder.local.matches import options_of
from gangland_ladder.matches.match_jobs import HIGHEST_ID
from gangland_ladder.pairing.costs import Cost, cost
from gangland_ladder.proof.randomness import ADDRESS_CHARS, SOURCE_CHARS, Address, Randomness, published_at
from gangland_ladder.tournaments.final_table import BLOCKS as FINAL_BLOCKS
from gangland_ladder.tournaments.final_table import DEFAULT_BLOCKS, FinalTerms
from gangland_ladder.tournaments.final_table import SEATS as FINAL_SEATS
from gangland_ladder.tournaments.lifecycle import NO_END, Deadlines, State, may_delete, may_edit_rules
from gangland_ladder.tournaments.settling_rounds import BLOCKS as SETTLE_BLOCKS
from gangland_ladder.tournaments.settling_rounds import FIRST, PERCENT, Terms
from gangland_sandbox.limits import Limits, Profile
from gangland_web.base.formats import PLAIN, Game, Moment, Seats, now_s, state_label
from gangland_web.base.text import normal_name, problem_with_name, whole_number
from gangland_web.models.bots import Bot
from gangland_web.models.organizing import ActionKind, Actor, log_action
from gangland_web.models.tournaments import Event, Tournament, lock_tournament, lock_versions
from gangland_web.services import corrections, ladder_days, matches, organizing, tournaments

# Lines about the rules on a tournament's page. If a rule's `page_line` is a text, the value is inserted into it.


PageLine = str | Callable[[Tournament], str]


def _matches(tournament: Tournament) -> str:
    all_tables = "every pair once" if tournament.seats == 2 else "every possible table once"
    tables = f"a balanced sample of {counted(tournament.tables, 'table')}" if tournament.tables else all_tables
    blocks = f"{counted(tournament.blocks, 'block')} each, with the same dice in every seat rotation"
    house = " House bots can meet each other." if tournament.house_bots else ""
    return f"{tables}, {blocks}. Bots of one owner never meet.{house}"


def _entry(tournament: Tournament) -> str:
    return "with the organizer's join code" if tournament.entry_rule == "code" else "open to everyone"


def _house_part(tournament: Tournament) -> str:
    part = "house bots play" if tournament.house_bots else "house bots play only if the organizer enters them"
    return f"{part}, {'with ranks' if tournament.house_ranked else 'without a rank'}"


def _settling(tournament: Tournament) -> str:
    first, start = tournament.settle_first, "the organizer may have more matches played"
    if first is None:
        return ""
    if tournament.final_seats:
        start = "more matches are played before the final table"
    entries = f"the first {first}" if first > 1 else "the first bot"
    limit = f"at most {tournament.settle_blocks} blocks per pair"
    rounds = tournament.settle_round
    scheduled = f"; {rounds} {'round was' if rounds == 1 else 'rounds were'} scheduled" if rounds else ""
    return (
        f"if {entries} and others are too close to call at the end, {start}: {limit}, with a"
        f" {tournament.settle_percent}% chance of a wrong order{scheduled}"
    )


def _final_table(tournament: Tournament) -> str:
    terms = matches.final_terms_of(tournament)
    if terms is None:
        return ""
    return f"the top {terms.seats} play once more, for {counted(terms.blocks, 'block')}. {terms.weight}"


def _audits(tournament: Tournament) -> str:
    text = "every match is played twice, and all decisions are compared"
    return text if tournament.audit_percent == 100 else ""


def _jail_limits(tournament: Tournament) -> dict[str, Any]:
    return {**Limits.plain(tournament.blocks).to_dict(), **tournament.limits}


def _cpu(tournament: Tournament) -> str:
    limits = _jail_limits(tournament)
    return f"{limits['decision_cpu_s']} s of CPU per decision, {limits['bank_cpu_s']} s per bot and rotation"


# The rules, each declared once.


NAME_CHARS: Final = 80
EVENT_CHARS: Final = 60  # the game's name is appended to it
EVERY_GAME: Final = "every"  # value of the field for the game: one tournament of every game
FORM_CHARS: Final = 200
REQUIRED: Final = msgspec.NODEFAULT
# Formats of a public value, the default first.
VALUE_FORMS: Final = {
    "hex 64": "64 hexadecimal digits (a drand round, the hash of a block)",
    **{f"hex {count}": f"{count} hexadecimal digits" for count in (32, 40, 96, 128)},
    **{f"numbers {count}": f"{count} whole numbers (such as a lottery draw)" for count in range(5, 11)},
}
PROFILES: Final = {"plain": "Python's standard library", "numeric": "Also numpy, with more time and memory"}


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule: a field of the form, a member of the request, and a line of the tournament's page."""

    name: str
    kind: Any  # the type in requests
    default: Any  # `REQUIRED` if required; None allows an empty field
    label: str
    hint: str = ""  # help below the label
    span: tuple[int, int] = (0, 0)  # the lowest and highest number, or the number of characters of a text
    page_line: PageLine = ""  # the line of the tournament's page
    heading: str = ""  # of that line; empty for the section's heading
    limit: tuple[str, int] | None = None  # the jail limit that the rule sets, and the factor from the rule's unit
    choices: Mapping[str, str] = field(default_factory=dict)  # the allowed values with their labels
    pattern: str = PLAIN
    is_rare: bool = False  # whether the form hides the field in a collapsed section

    @property
    def input(self) -> str:
        """The type of the rule's HTML input, or "select"."""
        if self.choices or get_origin(self.kind) is Literal:
            return "select"
        kinds = {bool: "checkbox", int: "number", Moment: "datetime-local"}
        return kinds.get(self.kind, "text" if self.pattern == PLAIN else "url")

    @property
    def is_required(self) -> bool:
        """Whether the field is required."""
        return self.default is not None and self.kind is not bool

    def member(self) -> tuple[str, Any, Any]:
        """Return the member of the request model: name, type with limits, default."""
        low, high = self.span
        bounds: dict[str, Any] = {}
        if self.kind is int:
            bounds = {"ge": low, "le": high}
        elif self.kind is str:
            bounds = {"min_length": low, "max_length": high, "pattern": self.pattern} if high else {}
        if self.hint:
            bounds["description"] = self.hint
        kind: Any = Annotated[self.kind, Meta(title=self.label, **bounds)]
        return self.name.removeprefix("randomness_"), kind | None if self.default is None else kind, self.default

    def line(self, tournament: Tournament) -> str:
        """Return the line of the tournament's page, or an empty text."""
        if not isinstance(self.page_line, str):
            return self.page_line(tournament)
        value = _stored_value(tournament, self)
        return self.page_line.format(value) if value else ""


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the form."""

    key: str
    rules: tuple[Rule, ...]
    legend: str = ""
    text: str = ""
    heading: str = ""  # of the section's lines on the tournament's page
    is_collapsed: bool = False
    docs_link: str = ""  # the documentation page and anchor that the text links to


_TOP: Final = (
    Rule("name", str, REQUIRED, "Name", span=(1, NAME_CHARS)),
    Rule("game", Game, REQUIRED, "Game", choices=dict.fromkeys(GAME_NAMES, "")),
    Rule("seats", Seats, REQUIRED, "Seats", span=(2, 4), choices={"2": "2", "3": "3", "4": "4"}),
    Rule(
        *("blocks", int, 12, "Blocks per match"),
        "More blocks mean less luck. 12 is usual.",
        *((1, 1000), _matches),
        is_rare=True,
    ),
    Rule(
        *("tables", int, None, "Number of tables"),
        "At 3 or 4 seats: a balanced sample. Leave empty to play every possible table.",
        (1, 100_000),
        is_rare=True,
    ),
)
_PLAYERS: Final = (
    Rule(*("join_code", str, None, "Join code"), "Leave empty to let anyone enter.", *((4, 100), _entry)),
    Rule("house_bots", bool, True, "Add house bots", page_line=_house_part),
    Rule(*("house_ranked", bool, False, "Rank house bots", "They can win and reach the final table."), is_rare=True),
    Rule(
        *("browser_only", bool, False, "Require the editor", "Bots must be uploaded from the editor on this site."),
        page_line="other bots must be uploaded from the editor on this site",
    ),
    Rule(
        *("final", bool, False, "Audit every result", "Every match is played twice and compared."),
        page_line=_audits,
        heading="Audits",
        is_rare=True,
    ),
    Rule("expected", int, 8, "Expected bots", "Used only for the estimate.", (0, 10_000), is_rare=True),
)
_SETTLE: Final = (
    Rule(*("settle_first", int, None, "Places to settle", "For a podium, enter 3.", FIRST, _settling)),
    Rule(
        *("settle_blocks", int, None, "Extra blocks", "The maximum for each pair. Ten matches of 12 blocks are 120."),
        SETTLE_BLOCKS,
    ),
    Rule(
        *("settle_percent", int, None, "Error (%)"),
        "The accepted chance of ranking two bots in the wrong order. Leave empty for 5.",
        PERCENT,
    ),
)
_FINAL: Final = (
    Rule("final_seats", int, None, "Number of bots", "The first 2, 3 or 4.", FINAL_SEATS, _final_table),
    Rule(
        *("final_blocks", int, None, "Number of blocks"),
        "Leave empty for 3: 12 games at 4 seats. With fewer, luck decides.",
        FINAL_BLOCKS,
    ),
    Rule(
        *("has_premiere", bool, False, "Hold a premiere"),
        "Results stay hidden until you show the final table, game by game.",
        page_line="its premiere ends the embargo",
    ),
)
_DEADLINES: Final = (
    Rule("opens_at", Moment, None, "Entries open"),
    Rule("freezes_at", Moment, None, "Entries close"),
    Rule("starts_at", Moment, None, "Play starts"),
    Rule("embargo_until", Moment, None, "Results hidden until", "Leave empty to show results immediately."),
    Rule("reveals_at", Moment, None, "Secret published"),
)
_RANDOMNESS: Final = (
    Rule(
        *("randomness_source", str, REQUIRED, "Which value"),
        "For example: drand quicknet, round 12345678. No participant may know or influence it.",
        (1, SOURCE_CHARS),
    ),
    Rule(*("randomness_address", str, REQUIRED, "Public URL", "", (1, ADDRESS_CHARS)), pattern=r"^https?://[!-~]+$"),
    Rule(
        *("randomness_form", str, "hex 64", "Value format", "", (5, 11)),
        choices=VALUE_FORMS,
        pattern=r"^(hex|numbers) [1-9][0-9]{0,2}$",
    ),
    Rule(
        *("randomness_published_at", Moment, REQUIRED, "Published at"),
        "In the time zone above. If entries are still open then, the tournament is canceled.",
    ),
)
_OPTIONS: Final = (
    Rule("profile", Profile, Profile.PLAIN, "Allowed imports", page_line="profile {}", choices=PROFILES),
    Rule(
        *("decision_ms", int, None, "CPU per decision (ms)"),
        "Leave empty for 500, or 1,000 with numpy.",
        *((10, 10_000), _cpu),
        limit=("decision_cpu_s", 1000),
    ),
    Rule(
        *("memory_mib", int, None, "Bot memory (MiB)"),
        "Leave empty for 256, or 1,024 with numpy.",
        *((64, 4096), "{} MiB"),
        limit=("memory_mib", 1),
    ),
)
SECTIONS: Final = (
    Section("", _TOP, heading="Matches"),
    Section("players", _PLAYERS, heading="Entry"),
    Section(
        *("settle", _SETTLE, "Settle top places"),
        "The leading bots can play more matches while their order is uncertain. Leave empty to skip this.",
        "Settling",
        is_collapsed=True,
    ),
    Section(
        *("final", _FINAL, "Final table"),
        "At the end the top bots play once more. That match decides their places. Leave empty to skip this.",
        "Final table",
        is_collapsed=True,
    ),
    Section(
        *("deadlines", _DEADLINES, "When"),
        "Leave a time empty to do that step yourself. Times can be postponed, but not moved up.",
        is_collapsed=True,
    ),
    Section(
        *("randomness", _RANDOMNESS, "Public randomness"),
        "The dice then also depend on a value published after entries close. So not even the site's operator can pick"
        " a bot to suit the dice. You enter the value before play begins.",
        is_collapsed=True,
        docs_link="proof#public-randomness",
    ),
    Section("options", _OPTIONS, "Limits and options", heading="Limits", is_collapsed=True),
)
RULES: Final = {rule.name: rule for section in SECTIONS for rule in section.rules}  # by name, in the order of the form
DEADLINES: Final = {rule.name: rule.label for rule in _DEADLINES}
# Fields of the public value, which is complete if the first, the second and the last field are filled in.
RANDOMNESS: Final = tuple(rule.name for rule in _RANDOMNESS)
SETTLING: Final = ("settle_first", "settle_percent", "settle_blocks")
FINAL_TABLE: Final = ("final_seats", "final_blocks")


# Request models, generated from the declared rules.


OptionName = Annotated[str, Meta(max_length=40, pattern=r"^[a-z_]+$")]
# No limits on texts here: msgspec 0.22 crashes when it frees a union of such a text and a list.
OptionValue = str | Annotated[int, Meta(ge=0, le=HIGHEST_ID)] | list[str]
_CONFIG: Final[dict[str, Any]] = {"kw_only": True, "frozen": True, "forbid_unknown_fields": True}
_NAMED: Final = ("name", "game", "expected")
_RandomnessFields: Any = defstruct("RandomnessFields", [rule.member() for rule in _RANDOMNESS], **_CONFIG)
_Fields: Any = defstruct(
    "Fields", [rule.member() for rule in RULES.values() if rule.name not in (*_NAMED, *RANDOMNESS)], **_CONFIG
)


class RandomnessSent(_RandomnessFields, kw_only=True):  # type: ignore[call-arg]
    """A public value for the dice: which one, where it is published, and its format.

    `form` is "hex 64" for 64 hexadecimal digits, or "numbers 6" for six whole numbers.
    """


class EventRulesSent(_Fields, kw_only=True):  # type: ignore[call-arg]
    """The rules of an event in all games; defaults are those of the console's form."""

    name: Annotated[str, Meta(title="Name", min_length=1, max_length=EVENT_CHARS, pattern=PLAIN)]
    options: dict[OptionName, OptionValue] = msgspec.field(default_factory=dict)
    randomness: RandomnessSent | None = None


_Named: Any = defstruct("Named", [RULES[name].member() for name in _NAMED], bases=(EventRulesSent,), **_CONFIG)


class RulesSent(_Named, kw_only=True):  # type: ignore[call-arg]
    """The rules of a tournament; defaults are those of the console's form.

    `expected` is the number of bots that authors will enter, used only for the estimate.
    """


def rule_lines(tournament: Tournament) -> list[tuple[str, str]]:
    """Return the headings and lines of the rules for a tournament's page."""
    lines: dict[str, list[str]] = {}
    for section in SECTIONS:
        for rule in section.rules:
            if text := rule.line(tournament):
                lines.setdefault(rule.heading or section.heading, []).append(text)
    return [(heading, "; ".join(text)) for heading, text in lines.items()]


# Rules that are stored without conversion.
_PLAIN_RULES: Final = [each.name for each in fields(tournaments.Rules) if each.name in RULES]


# The form.


@dataclass(slots=True)
class RulesForm:
    """The submitted form, its errors, and the rules if there are no errors."""

    fields: dict[str, str]  # every field as typed, truncated to `FORM_CHARS`
    errors: dict[str, str] = field(default_factory=dict)  # by field; "form" for an error of the whole form
    rules: tournaments.Rules | None = None
    expected: int = 8  # the number of bots besides house bots, for the estimate
    others: tuple[tournaments.Rules, ...] = ()  # the rules for the other games of an event


# Presets for a new tournament, by name: title, and fields that differ from the defaults.
PRESETS: Final[Mapping[str, tuple[str, Mapping[str, str]]]] = {
    "one": ("One game", {}),
    "class": ("School class", {"game": EVERY_GAME, "browser_only": "on"}),
    "evening": (
        "Evening with premiere",
        {"game": EVERY_GAME, "final_seats": "4", "final_blocks": "3", "has_premiere": "on"},
    ),
}


def new_form(preset: str) -> RulesForm:
    """Return the form of a new tournament with the values of a preset."""
    values = {rule.name: "" if rule.default is REQUIRED else _text(rule.default) for rule in RULES.values()}
    return RulesForm({**values, "game": FIRST_GAME, "seats": "2", "zone": "UTC", **PRESETS[preset][1]})


def form_of(tournament: Tournament) -> RulesForm:
    """Return the form with a tournament's rules, except the join code."""
    limits = Limits.from_dict(tournament.limits)
    default = Limits.of(limits.profile, tournament.blocks)
    fields = {"zone": "UTC"}
    for rule in RULES.values():
        is_default = rule.limit is not None and getattr(limits, rule.limit[0]) == getattr(default, rule.limit[0])
        if rule.name not in RANDOMNESS and not is_default:
            fields[rule.name] = _text(_stored_value(tournament, rule))
    for name, value in tournament.options.items():
        fields[f"option_{name}"] = _text(value)
    for name in DEADLINES:
        time = getattr(tournaments.announced_deadlines(tournament), name)
        fields[name] = "" if time is None else _time_text(time)
    if (announced := ladder_days.announcement_of(tournament)) is not None:
        values = (announced.source, announced.address, announced.form, _time_text(announced.published_s))
        fields |= dict(zip(RANDOMNESS, values, strict=True))
    return RulesForm(fields)


def _stored_value(tournament: Tournament, rule: Rule) -> Any:
    if rule.limit is not None or rule.name == "profile":
        name, scale = rule.limit or ("profile", 1)
        value = _jail_limits(tournament)[name]
        return value if name == "profile" else round(value * scale)
    if rule.name == "final":
        return tournament.audit_percent == 100
    return rule.default if rule.name == "join_code" else getattr(tournament, rule.name, rule.default)


def _text(value: Any) -> str:
    if isinstance(value, list):
        return ",".join(map(str, value))
    return "" if value is None or value is False else "on" if value is True else str(value)


def _time_text(at_s: float) -> str:
    time = datetime.fromtimestamp(at_s, ZoneInfo("UTC"))
    return time.strftime("%Y-%m-%dT%H:%M:%S" if time.second else "%Y-%m-%dT%H:%M")


def form_fields(sent: EventRulesSent) -> dict[str, str]:
    """Return the form's fields for rules sent to the API."""
    form = {"game": EVERY_GAME, "expected": "8"}
    for name in sent.__struct_fields__:
        value = getattr(sent, name)
        if isinstance(value, RandomnessSent):
            form |= dict(zip(RANDOMNESS, (value.source, value.address, value.form, value.published_at), strict=True))
        elif isinstance(value, dict):
            form |= {f"option_{option}": _text(option_value) for option, option_value in value.items()}
        elif value is not None:
            form[name] = _text(value)
    return form


def read_rules(form: Mapping[str, str], *, events: bool = False) -> RulesForm:
    """Read the form; `rules` is set if there are no errors.  `events`: whether "every game" can be selected."""
    longest = {"randomness_address": ADDRESS_CHARS}
    result = RulesForm(
        {name: text.strip()[: longest.get(name, FORM_CHARS)] for name, text in form.items() if name != "csrf_token"}
    )
    reader = _Reader(result)
    name = reader.name(EVENT_CHARS if events and form.get("game") == EVERY_GAME else NAME_CHARS)
    selected = reader.choice("game", (*GAME_NAMES, *((EVERY_GAME,) if events else ())))
    games = GAME_NAMES if selected == EVERY_GAME else (selected,)
    separate = {"name", "game", *SETTLING, *FINAL_TABLE, *DEADLINES, *RANDOMNESS}
    values = {rule.name: reader.value(rule) for rule in RULES.values() if rule.name not in separate}
    if form.get("join_code") and not result.fields["join_code"]:  # stored as no code, so that anyone could enter
        low, high = RULES["join_code"].span
        result.errors["join_code"] = f"A join code must have {low} to {high} characters, not only spaces."
    result.expected = values["expected"] or 0
    settle, final_table = reader.settling(), reader.final_table()
    limits = _limits(values)
    options = {game: reader.options(game, values["seats"]) for game in games}
    deadlines = reader.deadlines()
    randomness = reader.randomness()
    if result.errors or deadlines is None:
        return result
    all_rules = []
    try:
        for game, game_options in options.items():
            if game_options is None:
                return result
            all_rules.append(
                tournaments.Rules(
                    **{each: values[each] for each in _PLAIN_RULES if each in values},
                    name=f"{name}: {game_named(game).title}" if selected == EVERY_GAME else name,
                    game=game,
                    limits=limits,
                    options=game_options,
                    settle=settle,
                    final_table=final_table,
                    deadlines=deadlines,
                    randomness=randomness,
                )
            )
    except ValueError as error:
        result.errors["form"] = sentence(error)
        return result
    result.rules, *others = all_rules
    result.others = tuple(others)
    return result


def _limits(values: Mapping[str, Any]) -> Limits:
    limits = Limits.of(Profile(values["profile"] or Profile.PLAIN), values["blocks"] or 1)
    for rule in RULES.values():
        if rule.limit is not None and (value := values[rule.name]) is not None:
            name, scale = rule.limit
            limits = replace(limits, **{name: value / scale if scale > 1 else value})
    return limits


class _Reader:
    """Reads the fields one by one and collects their errors."""

    def __init__(self, read: RulesForm) -> None:
        self.fields = read.fields
        self.errors = read.errors

    def name(self, limit: int) -> str:
        name = normal_name(self.fields.get("name", ""))
        if not 1 <= len(name) <= limit:
            self.errors["name"] = f"A name has 1 to {limit} characters."
        elif problem := problem_with_name(name):
            self.errors["name"] = f"A name {problem}."
        return name

    def choice(self, name: str, choices: Sequence[str]) -> str:
        value = self.fields.get(name, "")
        if value not in choices:
            self.errors[name] = f"Choose one of {', '.join(choices)}."
        return value if value in choices else ""

    def value(self, rule: Rule) -> Any:
        """Return the value of a rule; None if it is empty and optional, or invalid."""
        text = self.fields.get(rule.name, "")
        if rule.kind is bool:
            return bool(text)
        if not text and not rule.is_required:
            return None
        if rule.span != (0, 0) and rule.kind is not str:
            return self.number(rule.name)
        if rule.choices:
            return self.choice(rule.name, tuple(rule.choices))
        low, high = rule.span
        if not low <= len(text) <= high:
            self.errors[rule.name] = f"Use {low} to {high} characters."
        elif not re.search(rule.pattern, text):
            self.errors[rule.name] = "Remove the control characters."
        return text

    def number(self, name: str) -> int | None:
        low, high = RULES[name].span
        number = whole_number(self.fields.get(name, ""))
        if number is not None and low <= number <= high:
            return number
        self.errors[name] = f"Enter a number from {low} to {high}."
        return None

    def settling(self) -> Terms | None:
        if not (self.fields.get("settle_first") or self.fields.get("settle_blocks")):
            if self.fields.get("settle_percent"):
                others = " and ".join(f'"{RULES[name].label}"' for name in SETTLING[::2])
                self.errors["settle_percent"] = f"Fill in {others} too, or leave this empty."
            return None
        self.fields["settle_percent"] = self.fields.get("settle_percent") or "5"
        first, percent, blocks = map(self.number, SETTLING)
        return None if first is None or percent is None or blocks is None else Terms(first, percent, blocks)

    def final_table(self) -> FinalTerms | None:
        if not any(self.fields.get(name) for name in FINAL_TABLE):
            return None
        if self.fields.get("final_seats"):
            self.fields["final_blocks"] = self.fields.get("final_blocks") or str(DEFAULT_BLOCKS)
        seats, blocks = map(self.number, FINAL_TABLE)
        return None if seats is None or blocks is None else FinalTerms(seats, blocks)

    def options(self, game: str, seats: int | None) -> dict[str, Any] | None:
        """Return the options that differ from their defaults; None and an error if the combination is not allowed."""
        if game not in GAME_NAMES or seats is None or seats not in game_named(game).table_sizes:
            return None
        try:
            return read_options(game, seats, self.fields)
        except ValueError as error:
            self.errors["options"] = sentence(error)
            return None

    def future_time(self, time_text: str) -> float:
        at = read_moment(time_text, self.fields.get("zone", "UTC"))
        if at <= now_s():
            raise ValueError("This time is in the past.")
        return at

    def deadlines(self) -> Deadlines | None:
        times: dict[str, float] = {}
        for name in DEADLINES:
            if time_text := self.fields.get(name, ""):
                try:
                    times[name] = self.future_time(time_text)
                except ValueError as error:
                    self.errors[name] = str(error)
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
        source, address, form, time_text = (self.fields.get(name, "") for name in RANDOMNESS)
        if not (source or address or time_text):
            return None
        source = normal_name(source)
        if not source or problem_with_name(source):
            self.errors["randomness_source"] = "Name the exact round, block or draw in one line."
        if not _is_address(address):
            self.errors["randomness_address"] = "Enter a URL such as https://example.org/draws."
        at = ""
        try:
            at = published_at(self.future_time(time_text))
        except ValueError as error:
            self.errors["randomness_published_at"] = str(error) if time_text else "Enter when the value is published."
        if any(name in self.errors for name in RANDOMNESS):
            return None
        try:
            return Randomness(source, address, at, form or next(iter(VALUE_FORMS)))
        except ValueError as error:
            self.errors["randomness_form"] = sentence(error)
            return None


def _is_address(address: str) -> bool:
    try:
        msgspec.convert(address, Address)
    except msgspec.ValidationError:
        return False
    return True


def read_options(game: str, seats: int, fields: Mapping[str, str]) -> dict[str, object]:
    """Return a form's options that differ from their defaults.  Raises ValueError: the game does not allow them."""
    options: dict[str, object] = {}
    for option in game_named(game).choices_of_options:
        text = fields.get(f"option_{option.name}", "").strip()
        if text and text != option.default:
            options[option.name] = option.of_text(text)
    return options_of(game, seats, options)


def sentence(error: ValueError) -> str:
    """Return the message of an error as a sentence for a page."""
    text = str(error)
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")


@cache
def zone_names() -> tuple[str, ...]:
    """Return the names of selectable time zones: places, and UTC."""
    return ("UTC", *sorted(name for name in available_timezones() if "/" in name and not name.startswith("Etc/")))


def read_moment(text: str, zone: str) -> float:
    """Return the Unix time of a datetime-local field (2027-03-01T18:00) in a named zone.

    Raises ValueError, with a message for the user: the time or zone does not exist, or the time occurs twice there.
    """
    try:
        zone_info = ZoneInfo(zone or "UTC")
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise ValueError(f"There is no time zone {zone!r}; enter one such as Europe/Berlin or UTC.") from error
    try:
        time = datetime.fromisoformat(text)
    except ValueError as error:
        raise ValueError(f"Enter a time such as 2027-03-01T18:00, not {text!r}.") from error
    if not 2000 <= time.year < 3000:
        raise ValueError(f"Enter a year from 2000 to 2999, not {time.year}.")
    if time.tzinfo:
        return time.timestamp()
    readings = [time.replace(tzinfo=zone_info, fold=fold) for fold in (0, 1)]
    if readings[0].utcoffset() != readings[1].utcoffset():
        raise ValueError(_ambiguity_message(text, zone, readings))
    return readings[0].timestamp()


def _ambiguity_message(text: str, zone: str, readings: Sequence[datetime]) -> str:
    as_utc = [reading.astimezone(UTC) for reading in readings]
    local = [time.astimezone(reading.tzinfo) for time, reading in zip(as_utc, readings, strict=True)]
    if local[0].replace(tzinfo=None, fold=0) == readings[0].replace(tzinfo=None, fold=0):
        first, second = (f"{time:%Y-%m-%dT%H:%M}" for time in as_utc)
        return f"The clocks go back: {zone} has {text} twice. Choose UTC, and {first} or {second}."
    first, second = sorted(f"{time:%Y-%m-%dT%H:%M}" for time in local)
    return f"The clocks go forward: {zone} has no {text}. Enter {first} or {second}."


# Drafts of tournaments: created, changed, copied and deleted before the announcement.


@dataclass(frozen=True, slots=True)
class Estimate:
    """The size and cost of a tournament; `bots` includes house bots."""

    bots: int
    house: int
    cost: Cost


def estimate(session: Session, rules: tournaments.Rules, expected: int) -> Estimate:
    """Return the size and cost of a tournament with `expected` bots in addition to house bots."""
    house = _count_house_bots(session, rules.game) if rules.house_bots else 0
    bots = expected + house
    possible = comb(bots, rules.seats)
    tables = possible if rules.tables is None or rules.seats == 2 else min(possible, rules.tables)
    return Estimate(bots, house, cost(rules.game, rules.seats, tables, limits=rules.limits, blocks=rules.blocks))


def create_draft(
    session: Session, actor: Actor, rules: tournaments.Rules, *, copied_from: int | None = None
) -> Tournament:
    """Create a draft whose organizer is the actor."""
    draft = tournaments.make_tournament(session, rules, organizer_id=actor.id)
    details = {} if copied_from is None else {"copied_from": copied_from}
    log_action(session, actor, "created a draft", tournament_id=draft.id, subject=draft.name, **details)
    return draft


def create_event(session: Session, actor: Actor, name: str, rules: Sequence[tournaments.Rules]) -> Event:
    """Create an event whose organizer is the actor, with a draft for each entry of `rules`."""
    event = Event(name=name, organizer_id=actor.id, created_at=now_s())
    session.add(event)
    session.flush()
    for game_rules in rules:
        draft = create_draft(session, actor, game_rules)
        draft.event_id = event.id
        session.add(draft)
    session.flush()
    return event


def change_draft(session: Session, actor: Actor, tournament: Tournament, rules: tournaments.Rules) -> None:
    """Change a draft; an empty join code keeps the current one.  Raises ActionRefused: it is no longer a draft."""
    lock_tournament(session, tournament)
    if not may_edit_rules(State(tournament.state)):
        raise corrections.ActionRefused(f"the rules can no longer change ({state_label(tournament.state)})")
    tournament.sqlmodel_update(tournaments.columns_of(rules, tournament.secret))
    session.add(tournament)
    session.flush()
    log_action(session, actor, "changed a draft", tournament_id=tournament.id, subject=tournament.name)


def delete_draft(session: Session, actor: Actor, tournament: Tournament) -> None:
    """Cancel a draft, which removes it from all lists.  Raises ActionRefused: it is no longer a draft."""
    lock_versions(session)  # first, as when results are recorded: the same lock order everywhere prevents deadlocks
    lock_tournament(session, tournament)
    if not may_delete(State(tournament.state)):
        raise corrections.ActionRefused(f"only a draft can be deleted: cancel it ({state_label(tournament.state)})")
    tournaments.move_tournament(session, tournament, State.CANCELED)
    log_action(session, actor, "deleted a draft", tournament_id=tournament.id, subject=tournament.name)


def rules_of(tournament: Tournament) -> tournaments.Rules:
    """Return a tournament's rules, except the join code."""
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
        final_table=matches.final_terms_of(tournament),
        has_premiere=tournament.has_premiere,
        deadlines=tournaments.announced_deadlines(tournament),
        randomness=ladder_days.announcement_of(tournament),
    )


REHEARSAL_BLOCKS: Final = 1
REHEARSAL: Final = "A rehearsal between house bots: it does not count, and only its organizer sees it."


def rehearse(session: Session, actor: Actor, tournament: Tournament) -> Tournament:
    """Start a rehearsal: house bots play the tournament once, seen only by its organizer.  Raises ActionRefused."""
    if tournament.rehearsal_of is not None:
        raise corrections.ActionRefused(f"{tournament.name} is a rehearsal itself")
    house = _count_house_bots(session, tournament.game)
    if house < tournament.seats:
        raise corrections.ActionRefused(f"a table needs {tournament.seats} house bots, but the site has {house}")
    rules = replace(
        rules_of(tournament),
        name=f"Rehearsal: {tournament.name}"[:80],
        blocks=REHEARSAL_BLOCKS,
        limits=Limits.from_dict(tournament.limits).for_blocks(REHEARSAL_BLOCKS),
        house_bots=True,
        house_ranked=True,
        join_code=None,
        final=False,
        settle=None,
        final_table=None,
        has_premiere=False,
        deadlines=Deadlines(embargo_until=NO_END),
        randomness=None,
    )
    rehearsal = tournaments.make_tournament(session, rules, organizer_id=tournament.organizer_id)
    rehearsal.rehearsal_of, rehearsal.note = tournament.id, REHEARSAL
    session.add(rehearsal)
    session.flush()
    log_action(session, actor, "ordered a rehearsal", tournament_id=tournament.id, subject=tournament.name)
    for state in (State.ANNOUNCED, State.OPEN, State.FROZEN, State.PLAYING):
        organizing.send_action(session, actor, ActionKind.MOVE, rehearsal, state=state.value)
    return rehearsal


def _count_house_bots(session: Session, game: str) -> int:
    conditions = (Bot.game == game, col(Bot.is_house).is_(True), col(Bot.active_version_id).is_not(None))
    return session.exec(select(func.count()).select_from(Bot).where(*conditions)).one()
