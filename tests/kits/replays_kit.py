"""One site with matches of every kind, for tests of replays and sharing; tests must not change it."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.kits.models import Match, Tournament
from tests.kits.pages_kit import Person, Site, activate_bot, finished_match, open_site

NASTY = "<b>\x07\u202e\ufffe</title>]]>&amp;"  # a name that no bot may have; pages must not rely on this rule


@dataclass
class World:
    """Ids of matches: a ladder match, a match with a fault, Ann's trial, a queued match and one under embargo."""

    site: Site
    ladder: int
    trial: int
    waiting: int
    secret: int
    cup: int

    def stranger(self) -> Person:
        return self.site.stranger()

    def ann(self) -> Person:
        someone = self.site.stranger()
        someone.sign_in("Ann")
        return someone


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with _opened(tmp_path_factory.mktemp("replays")) as site:
        site.person("Ann")
        bots = [activate_bot(site, "Ann", "ann_bot"), activate_bot(site, None, "the_house")]
        three = [*bots, activate_bot(site, None, "third")]
        ladder = finished_match(site, bots, fails_at=4)
        trial = finished_match(site, bots, purpose="trial")
        waiting = finished_match(site, bots, state="scheduled")
        secret = finished_match(site, three)
        yield World(site, ladder, trial, waiting, secret, _tournament(site, secret))


@contextmanager
def _opened(folder: Path) -> Iterator[Site]:
    yield from open_site(folder)


def _tournament(site: Site, match_id: int) -> int:
    with site.database.write() as db:
        played = db.get_one(Match, match_id)
        played.purpose, played.ladder_day_id = "tournament", None
        db.add(played)
        cup = db.get_one(Tournament, played.tournament_id)
        cup.kind, cup.roster_digest, cup.announced_at = "tournament", "0" * 64, 1.0
        cup.embargo_until, cup.name = time.time() + 3600, "Cup of secrets"
        db.add(cup)
        return cup.id or 0
