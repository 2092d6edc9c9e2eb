"""The status page: what waits and since when, the jails' probes, and what went wrong lately."""

import pytest
from sqlmodel import select
from tests.kits.pages_kit import Site, activate_bot, finished_match

from gangland_web.base.formats import now_s
from gangland_web.models.matches import Match


def test_the_status_page_goes_on_by_itself_with_what_waits_and_for_a_week_what_was_given_up(site: Site) -> None:
    bots = [activate_bot(site, None, name) for name in ("house_one", "house_two")]
    first, second = (finished_match(site, bots, purpose="trial", state="scheduled") for _ in range(2))
    with site.database.write() as db:
        db.get_one(Match, first).created_at = 1_700_000_000.0
        db.get_one(Match, second).created_at = 1_700_000_500.0
    result = site.stranger().get("/status.json").get_json()
    assert result["waiting"] == 2
    queue = next(each for each in result["queues"] if each["purpose"] == "trial")
    assert (queue["waiting"], queue["playing"]) == (2, 0)
    assert queue["oldest_s"] == pytest.approx(now_s() - 1_700_000_000.0, abs=60)
    assert all(each["oldest_s"] is None for each in result["queues"] if each["purpose"] != "trial")
    page, part = site.stranger().page("/status"), site.stranger().get("/status/live")
    assert '<time datetime="2023-11-14T22:13:20Z">14 Nov 2023 22:13:20 UTC</time>' in page
    assert 'sockets<span class="">: unknown' in page, "until a worker has spoken"
    assert 'data-live="/status/live" data-every="2"' in page
    assert part.text.strip() in page
    assert site.stranger().get("/status/live", headers={"If-None-Match": part.headers["ETag"]}).status_code == 304
    ended = [finished_match(site, bots) for _ in range(3)]
    assert "None in the last seven days" in site.stranger().page("/status")
    with site.database.write() as db:
        for match, attempt, age_s in zip(ended, (3, 1, 3), (3600, 3600, 8 * 24 * 3600), strict=True):
            row = db.exec(select(Match).where(Match.id == match)).one()
            row.state, row.digest, row.sent_at, row.attempt = "void", None, None, attempt
            row.void_reason, row.done_at = "three runs <b>ended</b>", now_s() - age_s
    page = site.stranger().page("/status")
    assert page.count("could not be played") == 1
    assert f"Match {ended[0]} could not be played" in page
    assert "three runs &lt;b&gt;ended&lt;/b&gt;" in page
