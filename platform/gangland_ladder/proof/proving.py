"""Check whether an archive is true: every derived fact is computed from its sources and compared."""

from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Final

import msgspec
from msgspec import UNSET

from gangland.games import game_named
from gangland_ladder.common.texts import counted, game_at
from gangland_ladder.matches.judging import EntryScore, ResultRefused, judge, match_digest
from gangland_ladder.matches.match_jobs import MatchJob, Result
from gangland_ladder.matches.seeds import commitment, entries_digest, promise, schedule_seed
from gangland_ladder.pairing.permitted_tables import Entrant, Table, TablesError, count_tables
from gangland_ladder.pairing.round_robin import round_robin
from gangland_ladder.proof import archive_matches
from gangland_ladder.proof.archive_files import Archive
from gangland_ladder.proof.archives import ENTRIES, STANDINGS, TOURNAMENT, ArchiveError, Match, PlayedMatch, ratio
from gangland_ladder.proof.findings import Proof, differences
from gangland_ladder.proof.ladder_archives import SEATED, OrderedMatch, apply_in_order, ordered_match
from gangland_ladder.rating import bradley_terry, final_standings, trueskill, updater
from gangland_ladder.tournaments.official_order import FinalResult, with_final_table
from gangland_sandbox.limits import Limits

# The dice follow from the secret (and a public value, if one was announced), games from dice and decisions, scores from
# games, and ratings and standings from scores. A forger who changes one fact would have to change everything that
# follows from it, and also the secret, whose SHA-256 was published before play.

# For schedules and standings; time and memory grow with the square of the entries, here to 400 MiB.
MAX_ENTRIES: Final = 2_000


def prove(
    archive: Archive,
    *,
    secret: bytes | None = None,  # the revealed secret, if the archive was made before it was revealed
    announced: str | None = None,  # the published commitment, 64 hexadecimal digits
    frozen: str | None = None,  # the published digest of the entries
    progress: Callable[[int], None] | None = None,
    proof: Proof | None = None,  # where to add findings, so that they are available after an interrupt
) -> Proof:
    """Check an archive; the proof lists the claims that cannot be checked. Raises OSError: it can no longer be read."""
    proof = Proof() if proof is None else proof
    examiner = _Examiner(archive, proof, secret, announced, frozen)
    if examiner.check_header():
        try:
            for played in archive.matches():
                examiner.add_match(played)
                if progress is not None:
                    progress(proof.games)
        except ArchiveError as error:
            proof.add_error(error)
        else:
            examiner.finish()
    proof.unproven = examiner.unproven()
    return proof


class _Examiner:
    def __init__(
        self, archive: Archive, proof: Proof, secret: bytes | None, announced: str | None, frozen: str | None
    ) -> None:
        self.archive = archive
        self.proof = proof
        self.announced = announced
        self.frozen = frozen
        self.tournament = archive.tournament
        self.revealed = secret
        archived_secret = self.tournament.secret
        self.secret = secret if secret is not None or archived_secret is None else bytes.fromhex(archived_secret)
        self.seeds: set[bytes] = set()
        self.blocks: list[bradley_terry.BlockResult] = []
        self.disqualified = frozenset(entry.id for entry in archive.entries if entry.disqualified)
        unranked = self.tournament.house_ranked is False
        self.outside = frozenset(entry.id for entry in archive.entries if unranked and not entry.owner)
        self.updater: updater.RatingUpdater  # set by `_check_rules`, before any entry or match is examined
        self.ordered: list[OrderedMatch] = []
        self.tables: tuple[Table, ...] | None = None
        self.settling: archive_matches.SettlingExaminer | None = None
        self.final: archive_matches.FinalTableExaminer | None = None
        self.unproven_results: list[str] = []

    def check_header(self) -> bool:
        """Check all that precedes the matches; return whether the matches can be checked too."""
        self._check_commitment()
        if not self._check_rules():
            return False
        self._check_randomness()
        self._check_entries()
        self._check_schedule()
        return True

    def _check_commitment(self) -> None:
        recorded = self.tournament.commitment
        if self.announced is not None and recorded != self.announced:
            self.proof.add(TOURNAMENT, f"its commitment is {recorded}, but {self.announced} was announced")
        archived_secret = self.tournament.secret
        if self.revealed is not None and archived_secret is not None and archived_secret != self.revealed.hex():
            self.proof.add(TOURNAMENT, "its secret is not the one that was revealed")
        if self.secret is None:
            return
        computed = commitment(self.secret, promise(self.tournament.committed_values))
        if computed != recorded:
            content = "the secret and what was announced with it" if self.tournament.committed_values else "the secret"
            self.proof.add(TOURNAMENT, f"its commitment is {recorded}, but the SHA-256 of {content} is {computed}")

    def _check_randomness(self) -> None:
        randomness, digest = self.tournament.randomness, digest_of(self.archive)
        if self.frozen is not None and self.frozen != digest:
            self.proof.add(ENTRIES, f"the digest of its entries is {digest}, but {self.frozen} was published")
        if randomness is UNSET or randomness.value is None:
            return
        try:
            normalized = randomness.announced.read(randomness.value)
        except ValueError as error:
            self.proof.add(TOURNAMENT, f"its public value is not as announced: {error}")
            return
        if normalized != randomness.value:
            self.proof.add(TOURNAMENT, f"its public value must be written as {normalized!r}, not {randomness.value!r}")
        if self.tournament.dice != "frozen":
            self.proof.add(TOURNAMENT, "it has a public value, which only the dice of frozen entries depend on")
        schedule = self.tournament.schedule
        if schedule is not None and schedule.seed != (expected := schedule_seed(digest, randomness.value)):
            self.proof.add(TOURNAMENT, f"the seed of its schedule must be {expected}, not {schedule.seed!r}")

    def _check_rules(self) -> bool:
        tournament = self.tournament
        try:
            game = game_named(tournament.game)
            if tournament.seats not in game.table_sizes:
                sizes = " or ".join(map(str, game.table_sizes))
                raise ValueError(f"{game.title} is played with {sizes} seats, not {tournament.seats}")
            options = msgspec.json.encode(game.options_dict(game.options(tournament.options)))
            if options != msgspec.json.encode(tournament.options):
                raise ValueError(f"options are recorded as {options.decode()}, not as {tournament.options!r}")
            Limits.from_dict(tournament.limits)
            self.updater = updater.RatingUpdater(
                tournament.game, tournament.seats, tournament.blocks, cursor=tournament.first
            )
        except (ValueError, TypeError) as error:
            self.proof.add(TOURNAMENT, str(error))
            return False
        return True

    def _check_entries(self) -> None:
        entries = self.archive.entries
        ids = [entry.id for entry in entries]
        if ids != sorted(set(ids)):
            self.proof.add(ENTRIES, "entries must be different and in order of their ids")
        for number, entry in enumerate(entries, 1):
            where, start = f"{ENTRIES}, line {number}", trueskill.Rating(*entry.start)
            if self.tournament.dice != SEATED and start != trueskill.Rating():
                self.proof.add(
                    where, f"entry {entry.id} begins at {entry.start!r}, but all entries begin at {trueskill.Rating()}"
                )
            try:
                self.updater.set_rating(entry.id, start)
            except ValueError as error:
                self.proof.add(where, f"entry {entry.id}: {error}")

    def _check_schedule(self) -> None:
        schedule = self.tournament.schedule
        if schedule is None:
            return
        settling, final = self.tournament.settling, self.tournament.final_table
        has_more = settling is not None or bool(final)
        matches, seats, entries = self.tournament.matches, self.tournament.seats, len(self.archive.entries)
        if not has_more and schedule.sample not in (None, matches):
            self.proof.add(TOURNAMENT, f"it has {matches} matches, but its schedule has {schedule.sample}")
            return
        if entries > MAX_ENTRIES:
            self.proof.add(ENTRIES, f"a round robin must have at most {MAX_ENTRIES:,} entries, not {entries:,}")
            return
        owners = {owner: number for number, owner in enumerate(sorted({entry.owner for entry in self.archive.entries}))}
        entrants = [Entrant(entry.id, owners[entry.owner] if entry.owner else None) for entry in self.archive.entries]
        try:
            count = count_tables(entrants, seats) if schedule.sample is None else schedule.sample
            if count > matches or (count < matches and not has_more):
                self.proof.add(TOURNAMENT, f"it has {matches} matches, but its schedule has {count}")
                return
            self.tables = round_robin(entrants, seats, seed=schedule.seed, sample=schedule.sample)
        except TablesError as error:
            self.proof.add(TOURNAMENT, f"its schedule cannot be computed: {error}")
            return
        eligible = [entrant for entrant in entrants if entrant.entry not in self.disqualified]
        if final:
            withdrawn = {entry.id for entry in self.archive.entries if entry.withdrawn is True}
            remaining = [entrant for entrant in eligible if entrant.entry not in withdrawn]
            randomness = self.tournament.randomness
            seed = schedule_seed(digest_of(self.archive), randomness.value if randomness else None)
            self.final = archive_matches.FinalTableExaminer(
                final, [entrant.entry for entrant in eligible], self.outside, remaining, seed, self.proof
            )
        if settling is not None:
            self.settling = archive_matches.SettlingExaminer(
                settling, eligible, self.outside, self.tournament.blocks, seats, self.proof
            )

    def add_match(self, played: PlayedMatch) -> None:
        match = played.match
        self.proof.matches += 1
        self.proof.games += len(played.games)
        where = f"match {match.number}"
        _, seats = self.tournament.size_of(match)
        if len(match.entries) != seats or match.entries != sorted(set(match.entries)):
            self.proof.add(where, f"expected {seats} different entries in order of their ids, not {match.entries!r}")
            return
        if match.state == "void" and match.void_reason is None:
            self.proof.add(where, "it is void, but no reason is given")
        elif match.state != "void" and match.void_reason is not None:
            self.proof.add(where, f"it is {match.state}, but a reason for a void match is given: {match.void_reason!r}")
        self._check_position(where, match)
        if match.state == "done":
            self._check_played(where, played)
        else:
            self._check_unplayed(where, match)

    def _check_position(self, where: str, match: Match) -> None:
        if match.final is False or (match.is_final and not self.tournament.final_table):
            self.proof.add(where, "it is marked as a final table, but none was announced")
        if self.tables is None:
            return
        index = match.number - self.tournament.first
        scheduled = index < len(self.tables)
        if scheduled and (match.is_final or tuple(match.entries) != self.tables[index]):
            self.proof.add(
                where, f"its entries are {match.entries!r}, but the schedule has {list(self.tables[index])!r}"
            )
        is_certain = match.is_final or match.state != "void"
        if self.final is not None:
            self.final.is_certain &= is_certain and not self.disqualified
            if self.final.match is not None:
                self.final.add_later_match(match)
            elif match.is_final and not scheduled:
                self.final.add_match(match, self.blocks)
        if self.settling is not None:
            self.settling.is_certain &= is_certain and not self.disqualified
            if not scheduled and not match.is_final:
                self.settling.add_match(match, self.blocks)
        elif not scheduled and not match.is_final:
            self.proof.add(where, "it is neither in the schedule nor the final table")

    def _check_unplayed(self, where: str, match: Match) -> None:
        if match.digest is not None or match.rng_key is not None or match.scores:
            self.proof.add(where, f"it is {match.state}, but has a digest, a key or scores")
        if unknown := set(match.entries).difference(entry.id for entry in self.archive.entries):
            self.proof.add(where, f"there are no entries {sorted(unknown)!r}")
        if match.state == "void":
            self.proof.void += 1
            self._check_ratings(where, match, ())
        else:
            self.proof.scheduled += 1

    def _check_played(self, where: str, played: PlayedMatch) -> None:
        match = played.match
        if self.tournament.randomness is not UNSET and self.tournament.public_value is None:
            self.proof.add(where, "it is done, but the public value for its dice was not entered")
        if len(match.scores) != len(match.entries):
            self.proof.add(where, f"it has {len(match.scores)} scores for {len(match.entries)} entries")
            return
        try:
            job = archive_matches.match_job_of(self.archive, played, self.secret)
            self._check_dice(where, job, played)
            judged = judge(job, Result(archive_matches.records_of(played)))
        except ArchiveError as error:
            self.proof.add_error(error)
            return
        except (ResultRefused, ValueError) as error:
            self.proof.add(where, str(error).removeprefix(f"{where}, "))
            return
        self.proof.decisions += sum(len(game.replay.decisions) for game in judged.games)
        for game, replayed in zip(played.games, judged.games, strict=True):
            at, places = f"{where}, {game_at(game.block, game.rotation)}", replayed.outcome.places
            if tuple(game.places) != places:
                self.proof.add(at, f"its places are {game.places!r}, but the game gives {list(places)!r}")
            if repr(game.luck) != repr(list(replayed.luck)):  # must be equal to the last bit, and the sign of a zero
                self.proof.add(at, f"its luck is {game.luck!r}, but the game gives {list(replayed.luck)!r}")
        if match.digest != (digest := match_digest(job, judged)):
            self.proof.add(where, f"its digest is {match.digest}, but its games give {digest}")
        self._check_scores(where, match, judged.scores)
        if disqualified := [entry for entry in match.entries if entry in self.disqualified]:
            self.proof.add(where, f"it counts, though entry {disqualified[0]} is disqualified")
        self._check_ratings(where, match, judged.scores)
        blocks = archive_matches.block_results(match.entries, [score.block_places for score in judged.scores])
        if not match.is_final:
            self.blocks += blocks
        elif self.final is not None:
            self.final.result = FinalResult(match.number, tuple(blocks))

    def _check_dice(self, where: str, job: MatchJob, played: PlayedMatch) -> None:
        """Check that the seeds follow from the secret, if it is known, and that no two blocks have the same seed."""
        if self.secret is not None:
            if played.match.rng_key != job.rng_key:
                self.proof.add(where, "the key of its bots' own generators does not come from the secret")
            for game in played.games:
                if archive_matches.seed_of(where, bytes(game.replay)) != job.blocks[game.block]:
                    at = f"{where}, {game_at(game.block, game.rotation)}"
                    self.proof.add(at, "its dice do not come from the secret")
        elif played.match.rng_key is None:
            self.proof.add(where, "it is done, but has no key of its bots' own generators")
        for block, seed in enumerate(job.blocks):
            short_digest = sha256(seed.encode()).digest()[:16]
            if short_digest in self.seeds:
                self.proof.add(f"{where}, block {block + 1}", "its dice are those of another block")
            self.seeds.add(short_digest)

    def _check_scores(self, where: str, match: Match, scores: Sequence[EntryScore]) -> None:
        for recorded, score in zip(match.scores, scores, strict=True):
            pairs = {
                "mean place": (recorded.mean_place, ratio(score.mean_place)),
                "block scores": (recorded.block_places, [ratio(place) for place in score.block_places]),
                "wins": (recorded.wins, score.wins),
                "faults": (recorded.faults, sum(score.faults.values())),
                "luck": (recorded.luck, score.mean_luck),
                "adjusted place": (recorded.adjusted, score.adjusted),
            }
            for figure, (value, expected) in pairs.items():
                if repr(value) != repr(expected):
                    at = f"{where}, entry {score.entry}"
                    self.proof.add(at, f"{figure}: {value!r}, but its games give {expected!r}")

    def _check_ratings(self, where: str, match: Match, scores: Sequence[EntryScore]) -> None:
        if match.is_final:
            if any(score.before is not None or score.after is not None for score in match.scores):
                self.proof.add(where, "it has ratings, but the final table is not rated")
            return
        places = tuple(ratio(score.mean_place) for score in scores)
        if self.tournament.dice == SEATED:
            self.ordered += filter(None, [ordered_match(match, places)])
            return
        if match.rating_order is not UNSET:
            self.proof.add(where, "it has a position in the rating order, which only ladder matches have")
        rated = list(self.updater.apply([updater.FinishedMatch(match.number, tuple(match.entries), places)]))
        changes = rated[0][1] if rated else ()
        for index, recorded in enumerate(match.scores):
            before, after = (changes[index][:2], changes[index][2:]) if changes else (None, None)
            if (recorded.before, recorded.after) != (before, after):
                at = f"{where}, entry {match.entries[index]}"
                expected = f"the matches give {before!r} to {after!r}" if changes else "an earlier match is not settled"
                self.proof.add(at, f"recorded rating change {recorded.before!r} to {recorded.after!r}, but {expected}")

    def finish(self) -> None:
        for where, message in apply_in_order(self.updater, self.ordered):
            self.proof.add(where, message)
        is_over = self.archive.standings is not None
        if self.final is not None:
            self.unproven_results.append(self.final.end(self.blocks, over=is_over))
            is_over |= self.final.match is not None
        if self.settling is not None:
            claim = self.settling.end(self.blocks, over=is_over, is_automatic=self.final is not None)
            self.unproven_results.append(claim)
        recorded = self.archive.standings
        if recorded is None or self.proof.count:  # if their sources are wrong, standings cannot be checked
            return
        if self.proof.scheduled:
            self.proof.add(STANDINGS, f"they exist, with {counted(self.proof.scheduled, 'match')} still to be played")
            return
        if (count := len(self.archive.entries)) > MAX_ENTRIES:
            self.proof.add(STANDINGS, f"they must have at most {MAX_ENTRIES:,} entries, not {count:,}")
            return
        entries = [entry.id for entry in self.archive.entries if entry.id not in self.disqualified]
        document = final_standings.standings(self.blocks, entries, outside=self.outside).document()
        if self.final is not None and self.final.result is not None:
            document = with_final_table(document, self.final.result)
        computed = msgspec.json.decode(msgspec.json.encode(msgspec.to_builtins(document)))
        for path, value, expected in differences(recorded, computed):
            self.proof.add(f"{STANDINGS}{path}", f"it says {value!r}, but the games give {expected!r}")

    def unproven(self) -> list[str]:
        statements = [
            *self._trust_statements(),
            "that the bots decided as recorded: `gangland reproduce` replays a match to check that",
            "names, owners, versions, limits, the Python version, reasons, fault messages, and faults after a game",
        ]
        if self.secret is None:
            statements.insert(
                0, "the dice: the secret has not been revealed, so it cannot be checked yet that they come from it"
            )
        if self.announced is None and self.tournament.dice != "seed":
            statements.insert(0, f"that {self.tournament.commitment} is the commitment that was announced: compare it")
        if self.tournament.dice == "seed":
            statements.insert(0, "fairness of the dice: they come from a --seed that the player chose")
        statements += filter(None, self.unproven_results)
        if self.archive.standings is None:
            statements.append("the standings: there are none")
        if self.tournament.dice == SEATED:
            statements.append("the ratings that the entries began with, and how matches of other days changed them")
        if self.tournament.schedule is None:
            statements.append("that no match was left out: the pairings do not follow from the entries")
        return statements

    def _trust_statements(self) -> list[str]:
        randomness = self.tournament.randomness
        if randomness is UNSET:
            when = {"frozen": "the entries were fixed", "seated": "the day's matches were planned"}
            if self.tournament.dice not in when:
                return []
            condition = f"without a public value, anyone who knew the secret before {when[self.tournament.dice]}"
            return [f"that no one chose a bot by its dice: {condition} (the site's operator) could do that"]
        announced = randomness.announced
        statements = []
        if randomness.value is not None:
            value = f"that {announced.source} gave {randomness.value}, and not before {announced.published_at}"
            statements.append(f"{value}: compare it at {announced.address}")
        if self.frozen is None:
            page = f"compare it with the digest that the tournament's page showed before {announced.published_at}"
            statements.append(f"that {digest_of(self.archive)} was the digest of the entries at the freeze: {page}")
        return statements


def digest_of(archive: Archive) -> str:
    """Return the digest of an archive's entries, which the tournament's page shows after the freeze."""
    return entries_digest([entry.code for entry in archive.entries]).hex()
