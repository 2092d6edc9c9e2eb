"""What others are shown of a page: its address, words and picture, and feeds of results."""

import re
from io import BytesIO
from xml.etree import ElementTree as Xml

from PIL import Image
from tests.kits.models import Bot, select
from tests.kits.pages_kit import activate_bot, finished_match
from tests.kits.replays_kit import NASTY, World, world

from gangland_ladder.viewer.pictures import PREVIEW
from gangland_web.site.sharing import atom

__all__ = ["world"]

ATOM = "{http://www.w3.org/2005/Atom}"


def meta(page: str) -> dict[str, str]:
    return dict(re.findall(r'<meta (?:property|name)="([\w:]+)" content="([^"]*)">', page))


def test_pages_say_who_they_are_and_name_their_feeds(world: World) -> None:
    game = f"/matches/{world.ladder}/games/0/0"
    paths = ["/", "/bots/1", f"/matches/{world.ladder}", game, f"/tournaments/{world.cup}"]
    pages = {path: world.stranger().page(path) for path in paths}
    titles = set()
    for path, page in pages.items():
        output = meta(page)
        assert f'<link rel="canonical" href="http://localhost{path}">' in page
        assert output["og:url"] == f"http://localhost{path}"
        assert output["twitter:card"] == "summary_large_image"
        assert output["og:description"]
        picture = world.stranger().get(output["og:image"].removeprefix("http://localhost"))
        assert (picture.status_code, picture.mimetype) == (200, "image/png")
        titles.add(output["og:title"])
    assert len(titles) == len(paths)
    assert "ann_bot and the_house" in meta(pages[game])["og:title"]
    feeds = {"/": "results", "/bots/1": "bots/1", paths[-1]: paths[-1][1:]}
    ladder = "/gang-of-dice/leaderboard?seats=2"
    for path, feed in {**feeds, ladder: "ladders/gang-of-dice/2"}.items():
        page = pages.get(path) or world.stranger().page(path)
        link = rf'<link rel="alternate" type="application/atom\+xml"[^>]*href="http://localhost/feeds/{feed}.atom"'
        assert re.search(link, page)


def test_a_picture_is_drawn_once_and_what_not_everybody_sees_has_none_and_no_feed(world: World) -> None:
    ann = world.ann()
    for path in (f"/cards/matches/{world.trial}.png", f"/cards/matches/{world.secret}.png", "/cards/bots/99.png"):
        assert ann.get(path).status_code == 404
    assert "og:image" not in ann.page(f"/matches/{world.trial}")
    feed = ann.get(f"/feeds/tournaments/{world.cup}.atom")
    assert feed.status_code == 200
    assert "<entry>" not in feed.text
    assert "third" not in feed.text
    assert ann.get("/feeds/tournaments/1.atom").status_code == 404
    path = f"/cards/matches/{world.ladder}.png"
    first = world.ann().get(path)
    assert Image.open(BytesIO(first.data)).size == PREVIEW
    assert len(first.data) < 150_000
    assert "public" in first.headers["Cache-Control"]
    assert "Cookie" not in first.headers.get("Vary", "")
    again = world.stranger().get(path, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    assert world.stranger().get(f"/cards/matches/{world.waiting}.png").data != first.data


def test_feeds_of_results_are_atom_with_hostile_names_too(world: World) -> None:
    bots = [activate_bot(world.site, None, "once_plain"), activate_bot(world.site, None, "other_bot")]
    match = finished_match(world.site, bots)
    with world.site.database.write() as db:
        bot = db.exec(select(Bot).where(Bot.name == "once_plain")).one()
        bot.name = NASTY
        db.add(bot)
    found = [world.stranger().get(path) for path in ("/feeds/results.atom", "/feeds/ladders/gang-of-dice/2.atom")]
    for answer in found:
        assert answer.mimetype == "application/atom+xml"
        root = Xml.fromstring(answer.text)
        assert root.tag == f"{ATOM}feed"
        assert all(root.find(f"{ATOM}{name}") is not None for name in ("id", "title", "updated", "author"))
        entries = root.findall(f"{ATOM}entry")
        addresses = [entry.findtext(f"{ATOM}id") for entry in entries]
        assert addresses[0] == f"http://localhost/matches/{match}"
        assert len(set(addresses)) == len(addresses)
        title = entries[0].findtext(f"{ATOM}title") or ""
        assert "<b>" in title
        assert not {"\x07", "\u202e", "\ufffe"} & set(answer.text)
        assert all(entry.findtext(f"{ATOM}updated") == "2023-11-14T22:13:20Z" for entry in entries)
        repeated = world.stranger().get(answer.request.path, headers={"If-None-Match": answer.headers["ETag"]})
        assert repeated.status_code == 304
    assert "<b>" not in world.stranger().page(f"/matches/{match}").split("<main")[0]
    assert world.stranger().get(f"/cards/matches/{match}.png").status_code == 200
    for path in ("/feeds/ladders/poker/2.atom", "/feeds/ladders/gang-of-dice/7.atom", "/feeds/tournaments/999.atom"):
        assert world.stranger().get(path).status_code == 404
    root = Xml.fromstring(atom("Nothing yet", (), 86400.0, page="http://x/", feed_url="http://x/feed"))
    assert root.findtext(f"{ATOM}updated") == "1970-01-02T00:00:00Z"
