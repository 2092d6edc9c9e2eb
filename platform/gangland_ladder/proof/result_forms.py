"""Read results in all exported formats for `gangland rate`, and convert them to the lines of `result_files`."""

import csv
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import chain
from typing import Any

import msgspec

from gangland_ladder.common.texts import strip_bom
from gangland_ladder.proof.archive_files import Archive
from gangland_ladder.rating.result_files import LINE_BYTES, Line, ResultsRefused, Seat, line_of

# The formats are archives, a site's table of matches as CSV, JSON or NDJSON, the same rows from the site's API, the
# output of `gangland ladder` with --json or --ndjson, and the lines that `result_files` describes.
STREAM, LADDER, TABLE = "gangland/ladder-stream/1", "gangland/ladder/1", "gangland/matches/1"
_DOCUMENT_BYTES = 256 * 1024 * 1024
_NO_MATCH_REASONS = {
    "gangland/run/1": "a stored run has no match numbers: `gangland ladder ... --resume --ndjson` prints its matches",
    "gangland/game/1": "a single game is not a match: `gangland ladder --ndjson` or --archive writes matches",
    "gangland/duel/1": "a duel has no ratings: use `gangland ladder` to rate two bots",
}
_REQUIRED_COLUMNS = ("number", "state", "entry", "mean_place_num", "mean_place_den")
NumberedLines = Iterator[tuple[int, Line]]


def lines_of(stream: Iterable[bytes], game: str | None = None, blocks: int | None = None) -> NumberedLines:
    """Yield the matches of a file with their line numbers; `game` and `blocks` are for a table that does not have them.

    Raises ResultsRefused: the file has an unknown format, or a match is invalid.
    """
    numbered = ((at, text) for at, text in enumerate(stream, 1) if text.strip())
    first = next(numbered, None)
    if first is None:
        return
    at, text = first
    text = strip_bom(text)
    rest = chain([(at, text)], numbered)
    if not text.lstrip().startswith(b"{"):
        yield from _table_lines(_csv_rows(text, rest), game, blocks)
        return
    document = _object(text)
    schema = document.get("schema") if document is not None else None
    if isinstance(schema, str) and (reason := _NO_MATCH_REASONS.get(schema)):
        raise ResultsRefused(f"the file has no matches: {reason}")
    if schema == STREAM:
        yield from _stream_lines(rest)
    elif schema == LADDER:
        yield from _ladder_lines(at, document or {})
    elif schema == TABLE or text.startswith(f'{{"schema":"{TABLE}","rows":['.encode()):
        yield from _table_lines(_json_rows(at, document, numbered), game, blocks)
    elif document is not None and "entry" in document and "number" in document:
        yield from _table_lines(((at, _row(at, text)) for at, text in rest), game, blocks)
    elif isinstance(schema, str) or text.startswith(b'{"schema":"gangland/'):
        raise ResultsRefused(f"the file has no matches: it is {schema or 'another table'}")
    else:
        yield from ((at, line_of(at, text)) for at, text in rest)


def matches_of(archive: Archive) -> NumberedLines:
    """Yield an archive's matches, except scheduled ones and the final table. Raises ArchiveError: it is damaged."""
    tournament = archive.tournament
    names = {entry.id: entry.name for entry in archive.entries}
    for at, played in enumerate(archive.matches(), 1):  # a scheduled match would block the rating of later ones
        match = played.match
        if match.is_final:
            continue  # the final table is not rated
        place = getattr(match, "rating_order", None)
        position: dict[str, Any] = {"number": match.number, "rating_order": place if isinstance(place, int) else None}
        if match.state == "void":
            yield at, Line(**position, void=True)
        elif match.state == "done":
            seats: list[Seat] = [
                Seat(entry, _ratio_text(Fraction(*score.mean_place)), score.before, names.get(entry))
                for entry, score in zip(match.entries, match.scores, strict=True)
            ]
            yield at, Line(**position, game=tournament.game, blocks=tournament.blocks, seats=seats)


def _ratio_text(place: Fraction) -> str:
    return f"{place.numerator}/{place.denominator}"


def _object(text: bytes) -> dict[str, Any] | None:
    """Return the JSON object on a line; None if the line is not a complete object."""
    if len(text) > _DOCUMENT_BYTES:
        raise ResultsRefused(f"the document is larger than {_DOCUMENT_BYTES} bytes")
    try:
        document = msgspec.json.decode(text)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    return document if isinstance(document, dict) else None


def _row(at: int, text: bytes) -> Mapping[str, Any]:
    if len(text) > LINE_BYTES:
        raise ResultsRefused(f"line {at} is longer than {LINE_BYTES} bytes")
    document = _object(text)
    if document is None:
        raise ResultsRefused(f"line {at} is not a row: expected a JSON object")
    return document


def _csv_rows(head: bytes, lines: Iterator[tuple[int, bytes]]) -> Iterator[tuple[int, Mapping[str, Any]]]:
    columns = head.decode("utf-8", "replace").strip().split(",")
    if missing := [name for name in _REQUIRED_COLUMNS if name not in columns]:
        if "number" in columns or "entry" in columns:
            raise ResultsRefused(f"it is not a table of matches: it lacks the columns {', '.join(missing)}")
        raise ResultsRefused("line 1 is not a match: expected JSON, one match per line, or an export of matches")

    def texts() -> Iterator[str]:
        for at, text in lines:
            if len(text) > LINE_BYTES:
                raise ResultsRefused(f"line {at} is longer than {LINE_BYTES} bytes")
            yield text.decode("utf-8", "replace")

    reader = csv.DictReader(texts(), strict=True)
    try:
        for row in reader:
            yield reader.line_num, {name: value or None for name, value in row.items() if isinstance(name, str)}
    except csv.Error as error:
        raise ResultsRefused(f"line {reader.line_num} is not CSV: {error}") from error


def _json_rows(
    at: int, document: dict[str, Any] | None, rest: Iterator[tuple[int, bytes]]
) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Yield the rows of a JSON table, which a site writes as one document on one line, or with one row per line."""
    if document is not None:
        rows = document.get("rows")
        for row in rows if isinstance(rows, list) else ():
            if not isinstance(row, dict):
                raise ResultsRefused(f"line {at}: a row must be an object, not {row!r:.80}")
            yield at, row
        return
    for number, text in rest:
        if text.strip() != b"]}":
            yield number, _row(number, text.rstrip().removesuffix(b","))


def _table_lines(rows: Iterator[tuple[int, Mapping[str, Any]]], game: str | None, blocks: int | None) -> NumberedLines:
    """Yield the matches of a site's table, which has a row for each entry of each match, in any order."""
    matches: dict[int, list[tuple[int, Mapping[str, Any]]]] = {}
    for at, row in rows:
        if missing := [name for name in _REQUIRED_COLUMNS if name not in row]:
            raise ResultsRefused(f"line {at} is not a row of a match table: it lacks {', '.join(missing)}")
        matches.setdefault(_int(at, row, "number"), []).append((at, row))
    for number, seated in matches.items():
        at, first = seated[0]
        if first.get("is_final") in (True, "true"):
            continue  # the final table is not rated
        state, place = first["state"], first.get("rating_order")
        position: dict[str, Any] = {
            "number": number,
            "rating_order": None if place is None else _int(at, first, "rating_order"),
        }
        if state == "void":
            yield at, Line(**position, void=True)
        elif state == "done":
            played = first.get("game") or game
            if played is None or (first.get("blocks") is None and blocks is None):
                raise ResultsRefused("the table does not have the game or the blocks: give --game and --blocks")
            length = blocks if first.get("blocks") is None else _int(at, first, "blocks")
            seats: list[Seat] = [_seat(at, row) for at, row in seated]
            yield at, Line(**position, game=str(played), blocks=length, seats=seats)


def _seat(at: int, row: Mapping[str, Any]) -> Seat:
    before = (row.get("mu_before"), row.get("sigma_before"))
    try:
        rating = None if None in before else (float(before[0] or 0), float(before[1] or 0))
    except (TypeError, ValueError) as error:
        raise ResultsRefused(f"line {at}: a rating before the match is not a number: {before!r:.80}") from error
    numerator, denominator = (_int(at, row, name) for name in ("mean_place_num", "mean_place_den"))
    bot = row.get("bot")
    return Seat(_int(at, row, "entry"), f"{numerator}/{denominator}", rating, None if bot is None else str(bot)[:200])


def _int(at: int, row: Mapping[str, Any], name: str) -> int:
    value = row[name]
    if isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) < 17:
        value = int(value)
    if type(value) is not int or not 1 <= value <= 2**53:
        raise ResultsRefused(f"line {at}: {name} must be a whole number from 1, not {value!r:.80}")
    return value


class _PrintedMatch(msgspec.Struct):
    number: int
    bots: list[str]
    blocks: int
    void: str | None
    mean_places: list[float]


def _stream_lines(lines: Iterator[tuple[int, bytes]]) -> NumberedLines:
    game: str | None = None
    for at, text in lines:
        document = _object(text) or {}
        if document.get("type") == "run":
            game = str(document.get("game"))
        elif document.get("type") == "match":
            yield at, _match_line(at, document, game)


def _ladder_lines(at: int, document: dict[str, Any]) -> NumberedLines:
    matches = document.get("matches")
    if not isinstance(matches, list):
        raise ResultsRefused("the file has no matches: it comes from an older version of `gangland ladder`")
    for match in matches:
        yield at, _match_line(at, match, str(document.get("game")))


def _match_line(at: int, document: object, game: str | None) -> Line:
    try:
        match = msgspec.convert(document, _PrintedMatch)
        if match.void is not None:
            return Line(number=match.number, void=True)
        # Printed mean places are rounded to six digits; exact mean places are multiples of 1 / denominator.
        denominator = 2 * len(match.bots) * match.blocks
        places = [_ratio_text(Fraction(round(place * denominator), denominator)) for place in match.mean_places]
        seats: list[Seat] = [Seat(bot, place, None, None) for bot, place in zip(match.bots, places, strict=True)]
    except (msgspec.ValidationError, ArithmeticError, ValueError) as error:
        raise ResultsRefused(f"line {at} is not a ladder match: {error}") from error
    return Line(number=match.number, game=game, blocks=match.blocks, seats=seats)
