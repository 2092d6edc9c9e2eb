"""A local ladder: its results, its page and its archive."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from html import escape
from itertools import combinations

from msgspec.structs import replace

from gangland_ladder.documents.ladders import Ladder, LadderRow, Pair, RankRange
from gangland_ladder.local.bots import LocalBot
from gangland_ladder.local.matches import MatchSummary, quantile_ms
from gangland_ladder.matches import judging, match_jobs, seeds
from gangland_ladder.proof.archive_matches import block_results
from gangland_ladder.proof.archives import Content, Entry, Match, PlayedMatch, Tournament, scheduled_match, void_match
from gangland_ladder.rating import bradley_terry, standings_document, trueskill
from gangland_ladder.rating.final_standings import FinalStandings, RankedEntry, standings
from gangland_ladder.rating.updater import FinishedMatch, RatingUpdater
from gangland_sandbox.wire import clean

# The table of a ladder: scores are added up exactly, and ratings are updated in match order.


@dataclass(slots=True)
class BotTotals:
    """The totals and the rating of one bot; the sums are exact, so the order of matches affects only the rating."""

    bot: str
    games: int = 0
    wins: int = 0
    win_shares: Fraction = Fraction(0)
    places: Fraction = Fraction(0)
    rating: trueskill.Rating = field(default_factory=trueskill.Rating)
    faults: dict[str, int] = field(default_factory=dict)

    @property
    def mean_place(self) -> Fraction | None:
        """The mean place over all games; lower is better. None without a game."""
        return self.places / self.games if self.games else None

    @property
    def win_share(self) -> Fraction | None:
        """The share of games that the bot won; a shared win counts as a fraction. None without a game."""
        return self.win_shares / self.games if self.games else None


class Standings:
    """The rows of a ladder's table, by entry."""

    def __init__(self, game: str, names: Sequence[str]) -> None:
        self.game = game
        self.rows = [BotTotals(name) for name in names]

    def add(self, scores: Sequence[judging.EntryScore]) -> None:
        """Add one match; the ratings need matches in canonical order."""
        for score in scores:
            row = self.rows[score.entry]
            row.games += score.games
            row.wins += score.wins
            row.win_shares += score.win_share * score.games
            row.places += score.mean_place * score.games
            for kind, count in score.faults.items():
                row.faults[kind] = row.faults.get(kind, 0) + count
        ratings = [self.rows[score.entry].rating for score in scores]
        places, blocks = [score.mean_place for score in scores], scores[0].games // len(scores)
        for score, rating in zip(scores, trueskill.rate(self.game, ratings, places, blocks=blocks), strict=True):
            self.rows[score.entry].rating = rating

    def ranked(self) -> list[tuple[int | None, BotTotals]]:
        """Return (rank, row) by mean place, then by name; bots without a game come last and have no rank."""
        rows = sorted(self.rows, key=lambda row: (not row.games, row.mean_place or 0, row.bot))
        places = [row.mean_place for row in rows]
        return [(1 + places.index(row.mean_place) if row.games else None, row) for row in rows]


# The results: standings and how certain they are, head-to-head records, and decision times.


P99 = 0.99


@dataclass(frozen=True, slots=True)
class Meeting:
    """The games of one bot against another at any table, from the first bot's side."""

    ahead: int
    level: int
    behind: int

    @property
    def games(self) -> int:
        """The number of games."""
        return self.ahead + self.level + self.behind

    @property
    def share(self) -> float:
        """The share of games in which the first bot was ahead, from 0 to 1; a tie counts half."""
        return (self.ahead + self.level / 2) / self.games

    def reversed(self) -> Meeting:
        """Return the same games from the other bot's side."""
        return Meeting(self.behind, self.level, self.ahead)


class LadderResults:
    """The results of a local ladder; entries are indexes in `names`, and `times` counts decisions by `time_class`."""

    def __init__(self, game: str, names: Sequence[str], seats: int) -> None:
        self.game = game
        self.names = list(names)
        self.seats = seats
        self.table = Standings(game, names)
        self.blocks: list[bradley_terry.BlockResult] = []
        self.games = 0
        self.times: list[Counter[int]] = [Counter() for _ in names]
        self._meetings: dict[tuple[int, int], Meeting] = {}
        self._ranges: FinalStandings | None = None

    def add(self, job: match_jobs.MatchJob, summary: MatchSummary) -> None:
        """Add one match; the ratings need matches in canonical order."""
        entries = tuple(seat.entry for seat in job.seats)
        self.table.add(summary.scores(job))
        self.blocks += [bradley_terry.BlockResult(entries, places) for places in summary.block_places()]
        self.games += summary.entries[0].games
        self._ranges = None
        for entry, entry_summary in zip(entries, summary.entries, strict=True):
            self.times[entry].update(entry_summary.times)
        for pair, (ahead, level, behind) in zip(combinations(entries, 2), summary.pairs, strict=True):
            before = self._meetings.get(pair, Meeting(0, 0, 0))
            self._meetings[pair] = Meeting(before.ahead + ahead, before.level + level, before.behind + behind)

    def ranges(self) -> FinalStandings:
        """Return the final standings, from all blocks (docs/standings.md)."""
        if self._ranges is None:
            self._ranges = standings(self.blocks, range(len(self.names)))
        return self._ranges

    def p99_ms(self, entry: int) -> float | None:
        """Return the CPU milliseconds that 99% of an entry's decisions did not exceed; None without a decision."""
        return quantile_ms(self.times[entry], P99)

    def meeting(self, one: int, other: int) -> Meeting | None:
        """Return the games of one entry against another; None if they never met."""
        if (one, other) in self._meetings:
            return self._meetings[one, other]
        meeting = self._meetings.get((other, one))
        return meeting and meeting.reversed()

    def order(self) -> list[int]:
        """Return the entries in the order of the table."""
        return [self.names.index(row.bot) for _, row in self.table.ranked()]

    def meetings(self) -> dict[tuple[str, str], Meeting]:
        """Return the games of each pair of bots that met, by name; the bot with the better rank comes first."""
        return {
            (self.names[one], self.names[other]): meeting
            for one, other in combinations(self.order(), 2)
            if (meeting := self.meeting(one, other)) is not None
        }

    def head_to_head(self) -> list[Pair]:
        """Return the meetings as lines of a document."""
        return [
            Pair(bot, other, games.games, games.ahead, games.level, games.behind, round(games.share, 6))
            for (bot, other), games in self.meetings().items()
        ]

    def rows(self) -> list[LadderRow]:
        """Return one line per bot, in the order of the table."""
        ranges = {row.entry: row for row in self.ranges().rows}
        return [
            self._row(rank, line, ranges[entry])
            for (rank, line), entry in zip(self.table.ranked(), self.order(), strict=True)
        ]

    def _row(self, rank: int | None, line: BotTotals, range_: RankedEntry) -> LadderRow:
        return LadderRow(
            rank=rank,
            bot=line.bot,
            games=line.games,
            wins=line.wins,
            win_share=_rounded(line.win_share),
            mean_place=_rounded(line.mean_place),
            mu=round(line.rating.mu, 6),
            sigma=round(line.rating.sigma, 6),
            faults=sum(line.faults.values()),
            fault_kinds=dict(sorted(line.faults.items())),
            score=None if range_.against_all is None else range_.against_all.interval,
            ranks=RankRange(range_.rank_low, range_.rank_high) if range_.blocks else None,
        )

    def named_ranges(self) -> standings_document.StandingsDocument:
        """Return the ranges as a document, each row with its bot's name."""
        document = self.ranges().document()
        return replace(document, rows=[replace(row, bot=self.names[row.entry]) for row in document.rows])


def _rounded(figure: Fraction | None) -> float | None:
    return None if figure is None else round(float(figure), 6)


# The page: tables and charts in a single file, without scripts or external resources.


_LEFT, _WIDTH, _LINE, _TOP = 170, 700, 26, 24
_STYLE = """
:root { color-scheme: light dark; --ink: light-dark(#1c1b19, #eceae4); --quiet: light-dark(#5d5a53, #aaa69c);
  --paper: light-dark(#fdfcf9, #171614); --rule: light-dark(#d8d4ca, #3b3935);
  --mark: light-dark(#1f5f99, #7db9ee); --good: light-dark(#1f5f99, #2f6fa8); --bad: light-dark(#9a4a12, #a0561e) }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); margin: 2rem auto;
  max-width: 64rem; padding: 0 1rem }
h1 { font-size: 1.6rem; margin: 0 0 .3rem } h2 { font-size: 1.15rem; margin: 2rem 0 .4rem }
p, caption { color: var(--quiet); text-align: left } p strong { color: var(--ink) }
.wide { overflow-x: auto } table { border-collapse: collapse; font-variant-numeric: tabular-nums }
th, td { padding: .25rem .6rem; text-align: right; border-bottom: 1px solid var(--rule); font-weight: 400 }
thead th { color: var(--quiet) } .name { text-align: left; font-weight: 600 }
svg { display: block; max-width: 100%; height: auto } svg text { fill: var(--ink); font: 13px system-ui, sans-serif }
svg .axis { stroke: var(--rule) } svg .note { fill: var(--quiet) } svg .mark { fill: var(--mark); stroke: var(--mark) }
.cell { background: color-mix(in oklab, var(--side) var(--weight), transparent) }
code { overflow-wrap: anywhere }
@media print { body { margin: 0; max-width: none } }
@media (forced-colors: active) { svg .mark { fill: CanvasText; stroke: CanvasText } }
"""


def ladder_page(results: LadderResults, document: Ladder, command: str, *, partial: bool) -> str:
    """Return the page as HTML."""
    title = f"{document.game}, {document.seats} seats"
    order = results.order()
    rows = {row.entry: row for row in results.ranges().rows}
    names = [_text(name) for name in results.names]
    parts = [
        f"<h1>Ladder: {_text(title)}</h1>",
        f"<p>{document.games:,} games, {document.blocks} blocks per table, seed {document.seed}."
        + (" <strong>Play was interrupted: results are partial.</strong>" if partial else "")
        + f" <code>{_text(command)} --blocks {document.blocks}</code></p>",
        "<h2>Standings</h2>",
        _standings(results, document, rows),
        _separation_text(results),
        "<h2>Score with its 95% range</h2>",
        "<p>The share of opponents that a bot is expected to beat, against all others; a tie counts half.</p>",
        _ranges_chart([(names[entry], rows[entry]) for entry in order]),
        "<h2>Mean place</h2>",
        "<p>Over all games; lower is better.</p>",
        _bars(
            "Mean place of each bot; lower is better",
            [(_text(line.bot), line.mean_place) for line in document.standings if line.mean_place is not None],
            digits=2,
        ),
        "<h2>Head to head</h2>",
        _matrix(results, order, names),
        "<h2>Time to decide</h2>",
        _bars(
            "CPU milliseconds within which 99% of decisions were made",
            [(names[entry], p99) for entry in order if (p99 := results.p99_ms(entry)) is not None],
            digits=1,
        ),
    ]
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width">\n'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        f"<title>Ladder: {_text(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<main>\n"
        + "\n".join(parts)
        + "\n</main>\n</body>\n</html>\n"
    )


def _standings(results: LadderResults, document: Ladder, rows: dict[int, RankedEntry]) -> str:
    lines = []
    for entry, line in zip(results.order(), document.standings, strict=True):
        share, p99 = rows[entry].against_all, results.p99_ms(entry)
        faults = ", ".join(f"{kind} {count}" for kind, count in line.fault_kinds.items()) or "0"
        played = line.games > 0
        lines.append(
            [
                str(line.rank) if played else "-",
                line.bot,
                "-" if line.win_share is None else f"{100 * line.win_share:.1f}%",
                "-" if share is None else f"{100 * share.value:.1f}%",
                "-" if share is None else f"{100 * share.low:.1f}-{100 * share.high:.1f}%",
                f"{line.mean_place:.2f}" if played else "-",
                f"{line.mu:.2f}" if played else "-",
                f"{line.sigma:.2f}" if played else "-",
                str(line.games),
                faults if played else "-",
                "-" if p99 is None else f"{p99:.1f}",
                rows[entry].range if played else "-",
            ]
        )
    head = ["#", "bot", "wins", "score", "95% range", "mean place", "mu", "sigma", "games", "faults", "p99 ms", "ranks"]
    return _table("Best first; ranks: a range that contains the bot's true rank with 95% confidence", head, lines)


def _separation_text(results: LadderResults) -> str:
    names = results.names
    pairs = [(row.entry, row.next_below) for row in results.ranges().rows if row.next_below is not None and row.blocks]
    if not pairs:
        return "<p>Each bot is separated from all bots below it.</p>"
    listed = "; ".join(f"{_text(names[one])} and {_text(names[other])}" for one, other in pairs)
    return f"<p>Not separated, so more games may reverse their order: {listed}.</p>"


def _table(caption: str, head: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    name = ' class="name"'
    titles = "".join(f'<th scope="col"{name if at == 1 else ""}>{_text(title)}</th>' for at, title in enumerate(head))
    body = "".join(
        "<tr>"
        + "".join(
            f'<th scope="row"{name}>{_text(cell)}</th>' if at == 1 else f"<td>{_text(cell)}</td>"
            for at, cell in enumerate(line)
        )
        + "</tr>\n"
        for line in lines
    )
    return (
        f'<div class="wide" role="region" aria-label="{_text(caption)}" tabindex="0"><table><caption>{_text(caption)}'
        f"</caption><thead><tr>{titles}</tr></thead>\n<tbody>{body}</tbody></table></div>"
    )


def _ranges_chart(lines: Sequence[tuple[str, RankedEntry]]) -> str:
    ranges = [(name, row.against_all) for name, row in lines if row.against_all is not None]
    marks = [
        f'<line class="axis" x1="{_x_of(step / 4):.1f}" x2="{_x_of(step / 4):.1f}" y1="{_TOP - 6}" '
        f'y2="{_TOP + _LINE * len(ranges)}"/><text class="note" text-anchor="middle" x="{_x_of(step / 4):.1f}" y="14">'
        f"{25 * step}%</text>"
        for step in range(5)
    ]
    for number, (name, share) in enumerate(ranges):
        y = _TOP + _LINE * number + _LINE / 2
        marks.append(
            f'<text text-anchor="end" x="{_LEFT - 10}" y="{y + 4:.1f}">{_short_name(name)}</text>'
            f'<line class="mark" stroke-width="2" x1="{_x_of(share.low):.1f}" x2="{_x_of(share.high):.1f}" '
            f'y1="{y}" y2="{y}"/><circle class="mark" r="4.5" cx="{_x_of(share.value):.1f}" cy="{y}"/>'
        )
    return _svg("Score of each bot against all others with its 95% range", len(ranges), marks)


def _x_of(share: float) -> float:
    return _LEFT + share * (_WIDTH - _LEFT - 20)


def _bars(title: str, lines: Sequence[tuple[str, float]], *, digits: int) -> str:
    longest = max((value for _, value in lines), default=0) or 1
    marks = []
    for number, (name, value) in enumerate(lines):
        y = _TOP + _LINE * number
        width = value / longest * (_WIDTH - _LEFT - 70)
        marks.append(
            f'<text text-anchor="end" x="{_LEFT - 10}" y="{y + 17}">{_short_name(name)}</text>'
            f'<rect class="mark" x="{_LEFT}" y="{y + 5}" width="{width:.1f}" height="{_LINE - 10}"/>'
            f'<text x="{_LEFT + width + 8:.1f}" y="{y + 17}">{value:.{digits}f}</text>'
        )
    return _svg(title, len(lines), marks)


def _svg(title: str, lines: int, marks: Sequence[str]) -> str:
    height = _TOP + _LINE * lines + 6
    return (
        f'<svg role="img" aria-label="{title}" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" height="{height}">'
        f"<title>{title}</title>{''.join(marks)}</svg>"
    )


def _matrix(results: LadderResults, order: Sequence[int], names: Sequence[str]) -> str:
    head = "".join(f'<th scope="col">{rank}</th>' for rank in range(1, len(order) + 1))
    lines = []
    for rank, one in enumerate(order, 1):
        cells = []
        for other in order:
            games = results.meeting(one, other)
            if games is None:
                cells.append("<td>-</td>")
                continue
            side, weight = ("good" if games.share >= 0.5 else "bad"), round(140 * abs(games.share - 0.5))
            title = f"{games.ahead} ahead, {games.level} tied, {games.behind} behind"
            cells.append(
                f'<td class="cell" style="--side: var(--{side}); --weight: {weight}%" title="{title}">'
                f"{100 * games.share:.0f}</td>"
            )
        lines.append(f'<tr><td>{rank}</td><th scope="row" class="name">{names[one]}</th>{"".join(cells)}</tr>\n')
    caption = "Percentage of games in which the row's bot was ahead of the column's bot; a tie counts half"
    return (
        f'<div class="wide" role="region" aria-label="Head to head" tabindex="0"><table><caption>{caption}</caption>'
        f'<thead><tr><th scope="col">#</th><th scope="col" class="name">bot</th>{head}</tr></thead>\n'
        f"<tbody>{''.join(lines)}</tbody></table></div>"
    )


def _short_name(name: str) -> str:
    return name if len(name) <= 22 or "&" in name else f"{name[:21]}…"


def _text(text: str) -> str:
    """Return an author's text escaped, so that it cannot inject HTML."""
    return escape(clean(text))


# The archive: its dice come from `--seed`, and its matches are numbered in the order of play.


def archive_content(
    bots: Sequence[LocalBot],
    jobs: Sequence[match_jobs.MatchJob],  # all matches, by number, with equal numbers of blocks
    played: dict[int, PlayedMatch],  # by number, in the form that `judged_match` returns
    voids: dict[int, str],
    seed: int,
    salt: bytes,
) -> Content:
    """Return the contents of a ladder's archive. Raises ValueError: no match, or matches of different lengths."""
    lengths = {len(job.blocks) for job in jobs}
    if len(lengths) != 1:
        raise ValueError(f"all matches in an archive must have the same number of blocks, not {sorted(lengths)}")
    first, secret = jobs[0], seeds.local_secret(seed, salt)
    header = Tournament(
        name="gangland ladder",
        kind="local",
        game=first.game,
        options=first.options,
        seats=len(first.seats),
        blocks=len(first.blocks),
        limits=first.limits,
        dice="seed",
        schedule=None,
        first=first.id,
        matches=len(jobs),
        commitment=seeds.commitment(secret),
        secret=secret.hex(),
        about={"seed": str(seed), "salt": salt.hex()},
    )
    entries = tuple(
        Entry(i, bot.name, "", 1, bot.name, bot.sha256, (trueskill.MU, trueskill.SIGMA)) for i, bot in enumerate(bots)
    )
    matches = _with_ratings(header, [_match(job, played, voids) for job in jobs])
    is_partial = any(played.match.state == "scheduled" for played in matches)
    blocks = [block for each in matches for block in block_results(each.match.entries, _places(each.match))]
    table = None if is_partial else standings(blocks, range(len(bots))).to_json()
    return Content(header, entries, matches, table)


def _places(match: Match) -> list[list[Fraction]]:
    return [[Fraction(*place) for place in score.block_places] for score in match.scores]


def _match(job: match_jobs.MatchJob, played: dict[int, PlayedMatch], voids: dict[int, str]) -> PlayedMatch:
    if job.id in played:
        return played[job.id]
    entries = [seat.entry for seat in job.seats]
    if job.id in voids:
        return void_match(job.id, entries, voids[job.id][:4000])
    return scheduled_match(job.id, entries)


def _with_ratings(header: Tournament, matches: Sequence[PlayedMatch]) -> tuple[PlayedMatch, ...]:
    updater = RatingUpdater(header.game, header.seats, header.blocks, cursor=header.first)
    settled = [played.match for played in matches if played.match.state != "scheduled"]
    results = [
        FinishedMatch(match.number, tuple(match.entries), tuple(score.mean_place for score in match.scores))
        for match in settled
    ]
    changes = {result.number: change for result, change in updater.apply(results)}
    return tuple(_with_changes(played, changes.get(played.match.number, ())) for played in matches)


def _with_changes(played: PlayedMatch, changes: Sequence[tuple[float, float, float, float]]) -> PlayedMatch:
    if not changes:
        return played
    pairs = zip(played.match.scores, changes, strict=True)
    scores = [replace(score, before=change[:2], after=change[2:]) for score, change in pairs]
    return PlayedMatch(replace(played.match, scores=scores), played.games)
