"""Tournaments as the record worker runs them: create, advance, enter, read and archive them."""

from collections import Counter
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

from tests.kits.core_kit import GAME, Platform
from tests.kits.models import Bot, Entry, Match, MatchSeat, Tournament, col, row_id, select

from gangland_ladder.matches.match_jobs import MatchJob, Result
from gangland_ladder.proof.archive_files import write_archive
from gangland_ladder.tournaments.lifecycle import State
from gangland_sandbox.limits import Limits
from gangland_web.services import archives, entries, tournaments

TO_PLAY = (State.ANNOUNCED, State.OPEN, State.FROZEN, State.PLAYING)


def make(platform: Platform, **changed: object) -> int:
    """Create a draft whose dice and lots are the same in every run: without a `secret`, it depends on its number."""
    secret = changed.pop("secret", None)
    result = {"name": "Spring Cup", "game": GAME, "seats": 2, "blocks": 2, "limits": Limits.plain(2)}
    rules = tournaments.Rules(**(result | {"house_ranked": True} | changed))  # type: ignore[arg-type]
    with platform.database.write() as session:
        row = tournaments.make_tournament(session, rules)
        drawn = secret if isinstance(secret, bytes) else sha256(b"tournament %d" % row_id(row.id)).digest()
        row.sqlmodel_update({"secret": drawn, **tournaments.columns_of(rules, drawn)})
        return row_id(row.id)


def go(platform: Platform, number: int, *states: State) -> None:
    for state in states:
        platform.write_row(tournaments.move_tournament, Tournament, number, state)


def begin_tournament(platform: Platform, **rules: object) -> int:
    number = make(platform, **rules)
    go(platform, number, *TO_PLAY)
    return number


def begin_with_anns_bot(platform: Platform, **rules: object) -> tuple[int, int]:
    """Start a tournament with Ann's bot "newcomer"; return its number and the bot's version."""
    version = platform.upload("ann")
    platform.play_all()
    number = make(platform, **rules)
    go(platform, number, State.ANNOUNCED, State.OPEN)
    enter(platform, number, "newcomer")
    go(platform, number, State.FROZEN, State.PLAYING)
    return number, version


def play_tournament(platform: Platform, **rules: object) -> int:
    number = begin_tournament(platform, **rules)
    platform.play_all()
    platform.recorder.schedule()
    return number


def play_by(platform: Platform, result_of: Callable[[MatchJob], Result]) -> None:
    """Play until no more matches are sent; each match gets the result of the given function."""
    while True:
        if not platform.post.sent:
            platform.recorder.schedule()
        if not platform.post.sent:
            return
        job = platform.take()
        platform.finish(job, result_of(job))


def seen(platform: Platform, number: int) -> Tournament:
    return platform.get(Tournament, number)


def enter(platform: Platform, number: int, name: str, code: str | None = None) -> None:
    with platform.database.write() as session:
        bot = session.exec(select(Bot).where(Bot.game == GAME, Bot.name == name)).one()
        entries.enter_bot(session, session.get_one(Tournament, number), bot, code)


def tables_of(platform: Platform, number: int) -> list[tuple[int, ...]]:
    chosen = select(Match.number, MatchSeat.entry_id).join(MatchSeat, col(MatchSeat.match_id) == Match.id)
    rows = platform.rows(chosen.where(Match.tournament_id == number).order_by(col(Match.number), "position"))
    found: dict[int, list[int]] = {}
    for match, entry in rows:
        found.setdefault(match, []).append(entry)
    assert list(found) == list(range(1, len(found) + 1))
    return [tuple(table) for table in found.values()]


def entries_of(platform: Platform, number: int) -> list[Entry]:
    return platform.rows(select(Entry).where(Entry.tournament_id == number).order_by(col(Entry.id)))


def states_of(platform: Platform, number: int) -> Counter[str]:
    return Counter(platform.rows(select(Match.state).where(Match.tournament_id == number)))


def ids_of(platform: Platform, number: int) -> set[int | None]:
    return set(platform.rows(select(Match.id).where(Match.tournament_id == number)))


def export(platform: Platform, number: int, file: Path) -> Path:
    with platform.database.read() as session, file.open("wb") as stream:
        write_archive(stream, archives.content_of(session, session.get_one(Tournament, number)))
    return file
