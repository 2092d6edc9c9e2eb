"""Under maintenance pages are read and say why, nothing is written, and what is under way is finished."""

import json
from collections.abc import Callable
from io import BytesIO
from typing import Any

import pytest
import time_machine
from tests.kits import admin_kit, core_kit, models, pages_kit, served_kit, tournaments_kit

from gangland_ladder.tournaments.lifecycle import Deadlines, State
from gangland_web.site import ladders
from gangland_web.web.middleware import CHECK_INTERVAL_S, MaintenanceCheck

WHY = "The <b>database</b> moves until 18:00."


def test_no_match_is_given_out_and_those_under_way_are_recorded(platform: core_kit.Platform) -> None:
    platform.recorder.schedule()
    under_way = [platform.take() for _ in range(len(platform.post.sent))]
    before = len(platform.matches())
    result = json.loads(admin_kit.admin(platform, "on", WHY, "--json", group="maintenance").out)
    assert (result["on"], result["reason"], result["under_way"]) == (True, WHY, len(under_way))

    platform.upload("ann")
    for match_job in under_way:
        platform.finish(match_job)
    platform.recorder.sweep()
    platform.recorder.schedule()
    assert platform.post.sent == []
    assert {platform.match(match_job.id).state for match_job in under_way} == {"done"}
    assert json.loads(admin_kit.admin(platform, "status", "--json", group="maintenance").out)["under_way"] == 0

    planned = len(platform.matches())
    result = json.loads(admin_kit.admin(platform, "off", "--json", group="maintenance").out)
    assert (result["on"], result["reason"], result["since"]) == (False, None, None)
    platform.recorder.schedule()
    assert platform.play_all() > 0
    assert planned >= before


@core_kit.ON_POSTGRESQL
def test_entries_that_were_to_close_meanwhile_close_later_by_as_long_as_it_lasted(platform: core_kit.Platform) -> None:
    with time_machine.travel(1_800_000_000.0, tick=False) as clock:
        at = [1_800_000_000.0 + minutes * 60 for minutes in (30, 40, 600)]
        first = Deadlines(freezes_at=at[0], starts_at=at[1], reveals_at=at[2])
        missed = tournaments_kit.make(platform, deadlines=first)
        later = tournaments_kit.make(platform, name="Autumn Cup", deadlines=Deadlines(freezes_at=at[2]))
        for number in (missed, later):
            tournaments_kit.go(platform, number, State.ANNOUNCED, State.OPEN)
        assert admin_kit.admin(platform, "on", WHY, group="maintenance").code == 0
        clock.shift(1200)
        assert admin_kit.admin(platform, "on", "It takes longer.", group="maintenance").code == 0
        clock.shift(1200)  # ten minutes after the freeze
        platform.recorder.schedule()
        result = json.loads(admin_kit.admin(platform, "off", "--json", group="maintenance").out)
        assert [(each["tournament"], each["name"]) for each in result["put_off"]] == [(missed, "Spring Cup")]
        platform.recorder.schedule()
        tournament = tournaments_kit.seen(platform, missed)
        assert (tournament.state, tournament.freezes_at, tournament.starts_at, tournament.reveals_at) == (
            "open", at[0] + 2400, at[0] + 2400, at[2],
        )  # fmt: skip
        assert tournaments_kit.seen(platform, later).freezes_at == at[2]
        acts = [line.entry.act for line in platform.read(models.read_log, 10, tournament_id=missed)]
        assert "deadlines postponed" in acts
        assert json.loads(admin_kit.admin(platform, "off", "--json", group="maintenance").out)["put_off"] == []


@pytest.mark.parametrize("reason", ["", "   ", "x" * 201])
def test_a_reason_is_needed_that_people_can_read(platform: core_kit.Platform, reason: str) -> None:
    ran = admin_kit.admin(platform, "on", reason, group="maintenance")
    assert ran.code == 2
    assert "the reason, which is public, must have 1 to 200 characters" in ran.err


def switch(site: pages_kit.Site, *, on: bool) -> None:
    with site.database.write() as session:
        if on:
            models.begin_maintenance(session, WHY)
        else:
            models.end_maintenance(session)
    check: MaintenanceCheck = site.app.extensions["gangland_maintenance_check"]
    check.at -= CHECK_INTERVAL_S  # as if a moment had passed


def test_pages_are_read_and_say_why_and_forms_and_calls_are_answered_503(site: pages_kit.Site) -> None:
    ann = site.person("Ann")
    assert "Under maintenance" not in ann.page("/")
    token = {"Authorization": f"Bearer {served_kit.new_token(site, site.user_id('Ann'))}"}
    switch(site, on=True)
    for path in ("/", "/status", "/account", "/gang-of-dice/leaderboard"):
        assert "The &lt;b&gt;database&lt;/b&gt; moves until 18:00." in ann.page(path), path
    assert ann.get("/status.json").get_json()["maintenance"] == WHY
    for path in ("/sign-up", "/sign-out", "/upload", "/sign-in"):
        refused = ann.client.post(path, data={"name": "Bob"})
        assert (refused.status_code, refused.headers["Retry-After"]) == (503, "60"), path
        assert "moves until 18:00. Nothing was changed" in refused.text
    assert ann.get("/healthz").status_code == 200
    client = site.app.test_client(use_cookies=False)
    assert client.get("/api/v1/ladders", headers=token).status_code == 200
    refused = client.post("/api/v1/bots", headers=token)
    assert (refused.status_code, refused.mimetype) == (503, "application/problem+json")
    assert refused.headers["Retry-After"] == "60"
    assert WHY in refused.get_json()["detail"]
    site.write(models.end_maintenance)
    site.person("Bob")


class Slow(BytesIO):
    def __init__(self, form: bytes, happens: Callable[[], None]) -> None:
        super().__init__(form)
        self.happens = happens

    def readinto(self, buffer: Any, /) -> int:
        self.happens()
        return super().readinto(buffer)


def test_a_form_that_is_still_coming_in_when_it_begins_is_refused_as_well(site: pages_kit.Site) -> None:
    form = b"name=Bob&password=a+long+password+of+his"
    came: list[int] = []

    def closes() -> None:
        if not came:
            switch(site, on=True)
        came.append(1)

    kind, length = "application/x-www-form-urlencoded", {"Content-Length": str(len(form))}
    client = site.app.test_client()
    refused = client.post("/sign-up", input_stream=Slow(form, closes), content_type=kind, headers=length)
    assert (bool(came), refused.status_code) == (True, 503)
    assert site.rows(models.select(models.User).where(models.User.name == "Bob")) == []


@pytest.mark.parametrize("begins", [True, False])
def test_a_page_made_meanwhile_is_kept(site: pages_kit.Site, begins: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    rendered = ladders._leaderboard

    def switched(*args: Any, **values: Any) -> str:
        switch(site, on=begins)
        return rendered(*args, **values)

    def closed() -> bool:
        return "Under maintenance" in site.stranger().page("/gang-of-dice/leaderboard")

    switch(site, on=not begins)
    with monkeypatch.context() as patch:
        patch.setattr(ladders, "_leaderboard", switched)
        assert closed() != begins
    for on in (begins, not begins):
        switch(site, on=on)
        assert closed() == on
