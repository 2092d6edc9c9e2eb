"""Drafts of tournaments: made, changed, copied, reckoned and thrown away, by the console's own rules."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from flask import request
from msgspec import Meta
from sqlmodel import Session

from gangland.games import GAME_NAMES, game_named
from gangland_ladder.matches.orders import HIGHEST_ID
from gangland_ladder.proof.randomness import ADDRESS_CHARS, SOURCE_CHARS
from gangland_ladder.tournaments.final_table import BLOCKS as FINAL_BLOCKS
from gangland_ladder.tournaments.final_table import SEATS as FINAL_SEATS
from gangland_ladder.tournaments.settling_rounds import BLOCKS as SETTLE_BLOCKS
from gangland_ladder.tournaments.settling_rounds import FIRST, PERCENT
from gangland_sandbox.limits import Profile
from gangland_web.api.framework.declared import Example, call
from gangland_web.base.text import normal_name
from gangland_web.models.accounts import Act
from gangland_web.models.log import Actor
from gangland_web.models.tournaments import Tournament
from gangland_web.queries.organising import OrganisedTournament, allowed, organised_by
from gangland_web.queries.tables import (
    BASE,
    PLAIN,
    Count,
    Game,
    Model,
    Moment,
    NewestFirst,
    Number,
    Path,
    Seats,
    model_from,
)
from gangland_web.queries.tournaments import TournamentDetail, tournament_detail
from gangland_web.services.rules import (
    BLOCKS,
    CODE_CHARS,
    DEADLINES,
    DECISION_MS,
    EVENT_CHARS,
    EVERY,
    EXPECTED,
    FORM_CHARS,
    MEMORY_MIB,
    NAME_CHARS,
    RANDOMNESS,
    TABLES,
    Estimate,
    RulesForm,
    change_draft,
    create_draft,
    delete_draft,
    estimate,
    form_of,
    read_rules,
    rehearse,
)
from gangland_web.services.tokens import Bearer, Scope
from gangland_web.services.tournaments import Rules
from gangland_web.web.address import next_page
from gangland_web.web.requests import Problem
from gangland_web.web.sessions import current_user

OptionName = Annotated[str, Meta(max_length=40, pattern=r"^[a-z_]+$")]
Word = Annotated[str, Meta(max_length=FORM_CHARS, pattern=PLAIN)]
OptionValue = Word | Annotated[int, Meta(ge=0, le=HIGHEST_ID)] | list[Word]
Name = Annotated[str, Meta(min_length=1, max_length=NAME_CHARS, pattern=PLAIN)]


class RandomnessSent(Model):
    """A public value that is to go into the dice: exactly which, where it can be read, and what it is made of.

    `form` is "hex 64" for 64 hexadecimal digits, or "numbers 6" for six whole numbers.
    """

    source: Annotated[str, Meta(min_length=1, max_length=SOURCE_CHARS, pattern=PLAIN)]
    address: Annotated[str, Meta(min_length=1, max_length=ADDRESS_CHARS, pattern=r"^https?://[!-~]+$")]
    published_at: Moment
    form: Annotated[str, Meta(pattern=r"^(hex|numbers) [1-9][0-9]{0,2}$")] = "hex 64"


class EventRulesSent(Model):
    """What an organiser chooses for an event of all games; what is left out is as on the console's form."""

    name: Annotated[str, Meta(min_length=1, max_length=EVENT_CHARS, pattern=PLAIN)]
    seats: Seats
    blocks: Annotated[int, Meta(ge=BLOCKS[0], le=BLOCKS[1])] = 12
    profile: Profile = Profile.PLAIN
    decision_ms: Annotated[int, Meta(ge=DECISION_MS[0], le=DECISION_MS[1])] | None = None
    memory_mib: Annotated[int, Meta(ge=MEMORY_MIB[0], le=MEMORY_MIB[1])] | None = None
    options: dict[OptionName, OptionValue] = msgspec.field(default_factory=dict)
    tables: Annotated[int, Meta(ge=TABLES[0], le=TABLES[1])] | None = None
    house_bots: bool = True
    house_ranked: bool = False
    browser_only: bool = False
    final: bool = False
    settle_first: Annotated[int, Meta(ge=FIRST[0], le=FIRST[1])] | None = None
    settle_percent: Annotated[int, Meta(ge=PERCENT[0], le=PERCENT[1])] | None = None
    settle_blocks: Annotated[int, Meta(ge=SETTLE_BLOCKS[0], le=SETTLE_BLOCKS[1])] | None = None
    final_seats: Annotated[int, Meta(ge=FINAL_SEATS[0], le=FINAL_SEATS[1])] | None = None
    final_blocks: Annotated[int, Meta(ge=FINAL_BLOCKS[0], le=FINAL_BLOCKS[1])] | None = None
    has_premiere: bool = False
    join_code: Annotated[str, Meta(min_length=CODE_CHARS[0], max_length=CODE_CHARS[1], pattern=PLAIN)] | None = None
    opens_at: Moment | None = None
    freezes_at: Moment | None = None
    starts_at: Moment | None = None
    embargo_until: Moment | None = None
    reveals_at: Moment | None = None
    randomness: RandomnessSent | None = None


class RulesSent(EventRulesSent, kw_only=True):
    """What an organiser chooses; what is left out is as on the console's form.

    `expected` is how many bots authors are expected to enter, for the estimate alone.
    """

    name: Name
    game: Game
    expected: Annotated[int, Meta(ge=EXPECTED[0], le=EXPECTED[1])] = 8


class CopyRequest(Model):
    """The name of a copy."""

    name: Name


class DraftResponse(Model):
    """A tournament as its organiser has it."""

    url: Path
    orders: Path
    draft: TournamentDetail


class Organised(Model):
    """Tournaments that one organises, the newest first; an admin's are all."""

    tournaments: list[OrganisedTournament]
    next: Path | None


class EstimateResponse(Model):
    """What a tournament would come to; `bots` are all that would play, `match_at_most_s` is what limits allow."""

    bots: Count
    house: Count
    matches: Count
    games: Count
    core_hours: float
    match_at_most_s: float


@call("GET", "/organise/tournaments", subject="organising", needs=Scope.ORGANISE)
def organised(db: Session, who: Bearer, query: NewestFirst) -> Organised:
    """List the tournaments that one organises, drafts and rehearsals among them."""
    found = organised_by(db, who, current_user(), query.limit + 1, before=query.before)
    more = found[query.limit - 1].id if len(found) > query.limit else None
    return Organised(tournaments=found[: query.limit], next=next_page(before=more))


_RULES = '{"name": "Spring Cup", "game": "gang-of-dice", "seats": 2, "blocks": 4}'


@call("POST", "/organise/tournaments", subject="organising", needs=Scope.ORGANISE, status=201,
      example=Example(body=_RULES))  # fmt: skip
def create(db: Session, who: Bearer, body: RulesSent) -> DraftResponse:
    """Make a draft of one's own."""
    return _draft(db, create_draft(db, actor(who), _rules(body).rules))  # type: ignore[arg-type]


@call("PUT", "/organise/tournaments/{tournament_id}", subject="organising", needs=Scope.ORGANISE, example=Example(
    path={"tournament_id": "$DRAFT"}, body=_RULES))  # fmt: skip
def change(db: Session, who: Bearer, tournament_id: Number, body: RulesSent) -> DraftResponse:
    """Give a draft other rules; without a join code it keeps the one that it has."""
    found = allowed(db, Act.EDIT_DRAFT, tournament_id, who)
    change_draft(db, actor(who), found, _rules(body).rules)  # type: ignore[arg-type]
    return _draft(db, found)


@call("DELETE", "/organise/tournaments/{tournament_id}", subject="organising", needs=Scope.ORGANISE, example=Example(
    path={"tournament_id": "$OLD_DRAFT"}))  # fmt: skip
def drop(db: Session, who: Bearer, tournament_id: Number) -> DraftResponse:
    """Throw a draft away."""
    found = allowed(db, Act.DELETE_DRAFT, tournament_id, who)
    delete_draft(db, actor(who), found)
    return _draft(db, found)


@call("POST", "/organise/tournaments/{tournament_id}/copy", subject="organising", needs=Scope.ORGANISE, status=201,
      example=Example(body='{"name": "Autumn Cup"}'))  # fmt: skip
def copy(db: Session, who: Bearer, tournament_id: Number, body: CopyRequest) -> DraftResponse:
    """Make a draft by the rules of a tournament, without its times and its join code."""
    form = form_of(allowed(db, Act.SEE_AUDIT_LOG, tournament_id, who))
    given = {name: value for name, value in form.given.items() if name not in (*DEADLINES, *RANDOMNESS)}
    read = _checked(read_rules({**given, "name": body.name}))
    return _draft(db, create_draft(db, actor(who), read.rules, copied_from=tournament_id))  # type: ignore[arg-type]


@call("POST", "/organise/tournaments/{tournament_id}/rehearse", subject="organising", needs=Scope.ORGANISE, status=201)
def rehearsal(db: Session, who: Bearer, tournament_id: Number) -> DraftResponse:
    """Have the rules played once between house bots."""
    return _draft(db, rehearse(db, actor(who), allowed(db, Act.MOVE_TOURNAMENT, tournament_id, who)))


@call("POST", "/organise/estimate", subject="organising", needs=Scope.ORGANISE, example=Example(body=_RULES))
def reckon(db: Session, body: RulesSent) -> EstimateResponse:
    """Reckon what a tournament would cost, without making it."""
    read = _rules(body)
    found: Estimate = estimate(db, read.rules, read.expected)  # type: ignore[arg-type]
    return model_from(EstimateResponse, found.cost, bots=found.bots, house=found.house)


def actor(who: Bearer) -> Actor:
    """Return who acts, from where and with which token, as the log has it."""
    return Actor(who.owner_id, f"{request.remote_addr or 'unknown'}, token {who.token_id}")


def _draft(db: Session, found: Tournament) -> DraftResponse:
    url = f"{BASE}/tournaments/{found.id}"
    return DraftResponse(
        url=url,
        orders=f"{BASE}/organise/tournaments/{found.id}/orders",
        draft=tournament_detail(db, found, current_user()),
    )


def read_event_rules(body: EventRulesSent) -> tuple[str, list[Rules]]:
    """Return the name of an event and the rules of its tournaments, one of each game.

    Raises:
        Problem: they do not go together.
    """
    read = _rules(body)
    return normal_name(read.given["name"]), [rules for rules in (read.rules, *read.also) if rules is not None]


def _rules(body: EventRulesSent) -> RulesForm:
    """Return rules that were sent, read by the console's own form."""
    given: dict[str, Any] = {"game": EVERY, "expected": 8}
    given |= {name: value for name in body.__struct_fields__ if (value := getattr(body, name)) is not None}
    options, randomness = given.pop("options"), given.pop("randomness", None)
    if randomness is not None:
        values = (randomness.source, randomness.address, randomness.form, randomness.published_at)
        given |= dict(zip(RANDOMNESS, values, strict=True))
    given |= {
        f"option_{name}": ",".join(value) if isinstance(value, list) else value for name, value in options.items()
    }
    given |= {
        name: "on" if getattr(body, name) else ""
        for name in ("house_bots", "house_ranked", "browser_only", "final", "has_premiere")
    }
    read = read_rules({name: str(value) for name, value in given.items()}, events=given["game"] == EVERY)
    return _checked(read, set(options))


def _checked(read: RulesForm, named: frozenset[str] | set[str] = frozenset()) -> RulesForm:
    game = read.given.get("game", "")
    games = [game_named(name) for name in GAME_NAMES if game in (name, EVERY)]
    known = {option.name for each in games for option in each.choices_of_options}
    if unknown := sorted(named - known):
        raise Problem(422, "E309", f"The game has no option {unknown[0]!r}; it has {', '.join(sorted(known))}.")
    if read.errors or read.rules is None:
        reasons = "; ".join(f"{where}: {what}" for where, what in read.errors.items())
        raise Problem(422, "E312", reasons or "These rules do not go together.")
    return read
