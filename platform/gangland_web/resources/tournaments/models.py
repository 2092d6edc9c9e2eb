"""A tournament as pages' JSON, the API, tables and exports have it: one model and one builder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from flask import url_for
from sqlmodel import Session

from gangland_ladder.tournaments.lifecycle import State
from gangland_web.base.clock import timestamp
from gangland_web.models.columns import stored
from gangland_web.models.tournaments import Tournament
from gangland_web.resources.fields import BASE, Count, Game, Hex64, Model, Moment, Number, Path, model_from
from gangland_web.resources.visibility import CurrentUser, results_visible, shown_over, shown_secret
from gangland_web.services.ladder_days import announced_for
from gangland_web.services.matches import final_terms_of
from gangland_web.services.tournaments import left_out_of

DEADLINES: Final = ("opens_at", "freezes_at", "starts_at", "reveals_at", "embargo_until")


class TournamentSummary(Model):
    """A tournament in short; `event` is the one that it is in, a time is null where the organiser acts without one."""

    id: Number
    url: Path
    page: Path
    name: str
    event: Number | None
    state: State
    note: str
    game: Game
    seats: int
    matches_planned: Count
    matches_over: Count
    opens_at: Moment | None
    freezes_at: Moment | None
    starts_at: Moment | None
    reveals_at: Moment | None
    embargo_until: Moment | None


class Tournaments(Model):
    """Tournaments, the newest first."""

    tournaments: list[TournamentSummary]
    next: Path | None


class Randomness(Model):
    """The public value that goes into the dice; `value` is null until it was entered."""

    source: str
    address: str
    published_at: Moment
    form: str
    value: str | None
    entered_at: Moment | None


class FinalTableRules(Model):
    """The final table as it is announced; with a premiere all results are hidden until its last step."""

    seats: int
    blocks: Count
    effect: str
    weight: str
    has_premiere: bool
    premiered: Count


class LeftOut(Model):
    """A bot that the freeze left out, or took in an older version than its newest."""

    bot_id: Number
    bot: str
    reason: str


class TournamentDetail(TournamentSummary):
    """A tournament with its rules and its proof; `results_shown` tells whether whoever asks is shown its results.

    `archive` is what `command` examines; without a public value the holder of the secret is trusted.
    """

    blocks: Count
    options: dict[str, Any]
    limits: dict[str, Any]
    tables: Count | None
    entry_rule: str
    house_bots: bool
    house_ranked: bool
    browser_only: bool
    commitment: Hex64 | None
    roster_digest: Hex64 | None
    secret: Hex64 | None
    randomness: Randomness | None
    final_table: FinalTableRules | None
    archive: Path | None
    command: str | None
    results_shown: bool
    left_out: list[LeftOut]


def tournament_summary(found: Tournament, who: CurrentUser | None) -> TournamentSummary:
    """Return a tournament in short, as whoever looks may see it."""
    return model_from(
        TournamentSummary,
        found,
        url=f"{BASE}/tournaments/{found.id}",
        page=url_for("tournaments.tournament", tournament_id=found.id),
        event=found.event_id,
        state=State(found.state),
        matches_over=shown_over(found, who),
    )


def tournament_list(found: Sequence[Tournament], who: CurrentUser | None, after: str | None) -> Tournaments:
    """Return a page of tournaments; `after` is the address of the next one."""
    return Tournaments(tournaments=[tournament_summary(each, who) for each in found], next=after)


def tournament_detail(db: Session, found: Tournament, who: CurrentUser | None) -> TournamentDetail:
    """Return a tournament with its rules and its proof, as whoever looks may see it."""
    shown = results_visible(found, who)
    proven = shown and bool(found.roster_digest)
    return model_from(
        TournamentDetail,
        tournament_summary(found, who),
        **tournament_rules(found),
        limits=found.limits,
        secret=shown_secret(found),
        archive=f"{BASE}/tournaments/{found.id}/archive.tar" if proven else None,
        command=f"gangland verify gangland-tournament-{found.id}.tar" if proven else None,
        results_shown=shown,
        left_out=left_out(db, found),
    )


def left_out(db: Session, found: Tournament) -> list[LeftOut]:
    """Return the bots that the freeze left out or took in an older version, by name."""
    return [LeftOut(stored(bot.id), bot.name, reason) for bot, reason in left_out_of(db, found)]


def tournament_rules(found: Tournament) -> dict[str, Any]:
    """Return the members that the command line shows too: the rules, and what was published before the first match."""
    return {
        "blocks": found.blocks,
        "options": found.options,
        "tables": found.tables,
        "entry_rule": found.entry_rule,
        "house_bots": found.house_bots,
        "house_ranked": found.house_ranked,
        "browser_only": found.browser_only,
        "commitment": found.commitment if found.announced_at is not None else None,
        "roster_digest": found.roster_digest or None,
        "randomness": _randomness(found),
        "final_table": _final_table(found),
    }


def deadlines_of(found: Tournament) -> dict[str, str | None]:
    """Return when what happens by itself."""
    return {name: timestamp(getattr(found, name)) for name in DEADLINES}


def _final_table(found: Tournament) -> FinalTableRules | None:
    final = final_terms_of(found)
    if final is None:
        return None
    return FinalTableRules(final.seats, final.blocks, final.effect, final.weight, found.has_premiere, found.premiered)


def _randomness(found: Tournament) -> Randomness | None:
    announced = announced_for(found)
    if announced is None:
        return None
    return model_from(Randomness, announced, value=found.public_value, entered_at=timestamp(found.public_value_at))
