"""A bot's page at every stage of its life: what it says in one place, it says everywhere on the page."""

import re

from sqlalchemy import text
from tests.kits import core_kit, models
from tests.kits.tournament_pages_kit import House

from gangland_ladder.matches.match_jobs import CheckReport, Result
from gangland_web.services.uploads import retire_bot

OWNER = "ann"


def output(house: House, bot: int) -> str:
    """Return the text of a bot's tabs for a stranger; no two may contradict each other."""
    words = ""
    for tab in ("", "/games", "/versions", "/analysis"):
        page = house.stranger().page(f"/bots/{bot}{tab}")
        if tab != "/analysis":
            part = house.stranger().page(f"/bots/{bot}{tab}/live")
            assert "".join(part.split()) in "".join(page.split())
        words += " ".join(re.sub(r"<[^>]+>", " ", page[page.index("<main") :]).split())
    games = max((int(count.replace(",", "")) for count in re.findall(r"([\d,]+) games?\b", words)), default=0)
    if games:
        for nothing in (
            "No ladder match has finished",
            "No match has finished",
            "No game yet",
            "No version has reached",
        ):
            assert nothing not in words, (nothing, words)
        assert "Head to head" in words
    else:
        for something in ("Head to head", "Faults by version", "Think time", "rank 1"):
            assert something not in words, (something, words)
    return words


def test_no_stage_of_a_bots_life_contradicts_itself(house: House) -> None:
    platform = house.platform
    platform.play_all()
    version = platform.upload(OWNER, "climber", source=b"# climber\n")
    bot = platform.version(version).bot_id
    words = output(house, bot)
    assert "not on the ladders; version 1 is being checked" in words
    assert "No version has reached the ladders yet" in words

    observed = set()
    platform.recorder.sweep()
    while platform.post.sent:
        match_job = platform.take()
        platform.begin(match_job)
        observed.add(platform.version(version).state)
        output(house, bot)
        platform.finish(match_job)
    observed.add(platform.version(version).state)
    assert {"scanned", "trial", "active"} <= observed
    words = output(house, bot)
    assert "version 1 on the ladders" in words
    assert words.count("no match yet") == 3

    platform.recorder.schedule()
    platform.recorder.dispatch()
    folded = 0
    match_jobs = [match_job for _, match_job in platform.post.sent]
    platform.post.sent.clear()
    for match_job in reversed(match_jobs):  # the last first: what is over waits for what is not
        platform.finish(match_job, core_kit.play_job(match_job))
        words = output(house, bot)
        folded += "not rated yet" in words
    assert folded, "a match that is over and not rated was never seen"
    platform.play_all()
    assert re.search(r"rank \d", output(house, bot))
    assert "not rated yet" not in output(house, bot)

    platform.execute(text("UPDATE entries SET quarantined = true WHERE version_id = :it"), {"it": version})
    assert "In quarantine" in output(house, bot)

    with platform.database.write() as db:
        models.lock_versions(db)
        assert retire_bot(db, db.get_one(models.Bot, bot))
    words = output(house, bot)
    assert "not on the ladders" in words
    assert "No version is on the ladders now" in words
    assert "In quarantine" not in words


def test_a_rejected_version_leads_its_owner_to_the_decision_and_a_check_in_a_trial_is_called_that(house: House) -> None:
    platform = house.platform
    platform.play_all()
    ann = house.stranger()
    assert ann.sign_up(OWNER).status_code == 303
    version = platform.upload(OWNER, "breaker", source=b"# breaker\n")
    platform.play_all(failing=platform.seat_of(version))
    found = platform.get(models.Version, version)
    assert found.state == "rejected"
    where = f"/bots/{found.bot_id}/versions/1"
    page = ann.page(where)
    (link,) = re.findall(r'href="(/matches/\d+/games/\d/\d#[^"]+)">The (?:decision|game) in match \d+', page)
    assert ann.get(link).status_code == 200
    assert link not in house.stranger().page(where)
    assert "it broke" in ann.page(link.split("/games")[0]), "the owner reads it where the fault stands"
    version = platform.upload(OWNER, "slow", source=b"# slow\n")
    page = f"/bots/{platform.version(version).bot_id}"
    platform.recorder.sweep()
    check = platform.take()
    platform.finish(check, Result([], check=CheckReport("Bot", ["imported"], [], 3.0, 3.0, 0)))
    platform.recorder.sweep()
    trial = platform.take()
    assert "about to start" in ann.page(f"/matches/{trial.id}")
    platform.begin(trial)
    assert "being played now" in ann.page(f"/matches/{trial.id}")
    words = house.stranger().page(f"{page}/versions/1")
    assert "A trial match is being played. Without a result by" in words
    assert "Its check continues in its first trial match." in words
    assert "On trial" not in words
    assert "version 1</a> is being checked" in house.stranger().page(page)

    for stage in ("legal", "timed"):
        platform.progress(trial, stage)
    words = house.stranger().page(f"{page}/versions/1")
    assert "On trial: 0 of 3 trial matches played." in words
    assert '<span class="tag">on trial</span>' in words
    assert "version 1</a> is on trial" in house.stranger().page(page)
