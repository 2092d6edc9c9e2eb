"""Live parts that are the same for everybody are made once for all who ask at a time, and nobody gets another's."""

import time

import pytest
from flask import Flask, Response, request, session

from gangland_web.site.serving import part
from gangland_web.web.caching import LiveParts, init_compression

LONG_S = 3600.0


class Counting:
    def __init__(self, lasts_s: float) -> None:
        self.made: list[str] = []
        self.shown = "1 of 9 matches"
        self.fails = False
        self.app = Flask(__name__)
        self.app.secret_key = "a secret of tests"
        self.app.add_url_rule("/live", view_func=self.for_all)
        self.app.add_url_rule("/own/live", view_func=self.own)
        self.app.add_url_rule("/page", view_func=self.page)
        self.app.wsgi_app = LiveParts(self.app.wsgi_app, lasts_s)  # type: ignore[method-assign]

    def for_all(self) -> Response:
        self.made.append("for all")
        if self.fails:
            raise RuntimeError("as meant")
        if request.cookies:
            session["name"] = "somebody"
        answer = part(self.shown, for_all=True)
        answer.headers["X-Request-Id"] = "the first reader's"
        return answer  # type: ignore[return-value]

    def own(self) -> Response:
        self.made.append("own")
        return part(f"of {request.headers.get('Cookie', 'nobody')}")  # type: ignore[return-value]

    def page(self) -> Response:
        self.made.append("page")
        return part(self.shown, for_all=True)  # type: ignore[return-value]


@pytest.fixture
def house() -> Counting:
    return Counting(LONG_S)


def test_all_who_ask_at_a_time_are_told_what_was_made_once_or_that_nothing_has_changed(house: Counting) -> None:
    first = house.app.test_client().get("/live")
    assert {house.app.test_client().get("/live").text for _ in range(20)} == {"1 of 9 matches"}
    for held in (first.headers["ETag"], f'"other", W/{first.headers["ETag"]}', "*"):
        again = house.app.test_client().get("/live", headers={"If-None-Match": held})
        assert (again.status_code, again.data) == (304, b"")
        assert again.headers["ETag"] == first.headers["ETag"]
    assert house.app.test_client().get("/live", headers={"If-None-Match": '"old"'}).text == "1 of 9 matches"
    assert house.made == ["for all"]
    anew = Counting(LONG_S).app.test_client()
    assert anew.get("/live", headers={"If-None-Match": first.headers["ETag"]}).status_code == 304


def test_after_its_time_it_is_made_anew_and_what_fails_is_not_kept_nor_what_was_before_it() -> None:
    house = Counting(0.01)
    client = house.app.test_client()
    client.get("/live")
    house.shown = "2 of 9 matches"
    time.sleep(0.02)
    assert client.get("/live").text == "2 of 9 matches"
    time.sleep(0.02)
    house.fails = True
    assert client.get("/live").status_code == 500
    house.fails, house.shown = False, "back"
    assert client.get("/live").text == "back"


def test_what_is_not_the_same_for_everybody_is_made_for_each_and_says_304_as_before(house: Counting) -> None:
    for cookie in ("a=1", "b=2"):
        answer = house.app.test_client(use_cookies=False).get("/own/live", headers={"Cookie": cookie})
        assert answer.text == f"of {cookie}"
        held = {"Cookie": cookie, "If-None-Match": answer.headers["ETag"]}
        assert house.app.test_client(use_cookies=False).get("/own/live", headers=held).status_code == 304
    assert house.made == ["own"] * 4


def test_nobody_is_given_another_readers_cookie_or_id(house: Counting) -> None:
    mine = house.app.test_client(use_cookies=False).get("/live", headers={"Cookie": "session=mine"})
    assert "Set-Cookie" in mine.headers
    other = house.app.test_client(use_cookies=False).get("/live", headers={"Cookie": "session=other"})
    assert (other.text, "Set-Cookie" in other.headers) == ("1 of 9 matches", False)
    assert ("X-Request-Id" in mine.headers, "X-Request-Id" in other.headers) == (True, False)
    assert "Set-Cookie" not in house.app.test_client().get("/live").headers
    assert house.made == ["for all"] * 2  # those with a cookie have an answer of their own, which is never packed


@pytest.mark.parametrize(("first", "takes"), [("*", ""), ("GZIP", "identity"), ("gzip", "gzip;q=0")])
def test_nobody_gets_a_packed_answer_who_does_not_take_one(first: str, takes: str) -> None:
    house = Counting(LONG_S)
    house.shown = "matches " * 100
    init_compression(house.app)
    packed = house.app.test_client().get("/live", headers={"Accept-Encoding": first})
    assert packed.headers["Content-Encoding"] == "gzip"
    plain = house.app.test_client().get("/live", headers={"Accept-Encoding": takes} if takes else {})
    assert ("Content-Encoding" in plain.headers, plain.text) == (False, house.shown)


def test_only_plain_reads_of_live_parts_are_kept(house: Counting) -> None:
    client = house.app.test_client()
    for _ in range(2):
        client.get("/page")
        client.get("/live?after=3")
        client.head("/live")
    assert len(house.made) == 6


def test_without_keeping_every_answer_is_of_the_moment() -> None:
    house = Counting(LONG_S)
    house.app.wsgi_app = house.app.wsgi_app._application  # type: ignore[attr-defined, method-assign]
    held = {"If-None-Match": house.app.test_client().get("/live").headers["ETag"]}
    assert house.app.test_client().get("/live", headers=held).status_code == 304
    assert house.made == ["for all"] * 2
