"""The table as the server draws it is the one that the script of a replay draws."""

from random import Random

import pytest
from playwright.sync_api import Browser
from tests.browser.site import FilledSite
from tests.kits.playing_kit import any_legal, host, setup_of

from gangland.games import GAME_NAMES, package_of
from gangland_ladder.viewer.presentation import presentation_of
from gangland_ladder.viewer.table_view import TableView
from gangland_web.site.viewer import viewer_file

_SAME = """
async ({ base, table, game, sprite, words, drawings }) => {
  await import(`${base}${table}`);
  const { drawerOf } = await import(`${base}js/tables.js`);
  const told = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return node.data;
    const classes = [...node.classList].filter((name) => !["own", "turn"].includes(name)).sort().join(" ");
    const names = node.getAttributeNames().filter((name) => !["class", "data-part"].includes(name)).sort();
    node.normalize();
    node.querySelector(".v-choose")?.remove();  // what a person rolls next, which is no part of a replay
    const inside = [...node.childNodes].map(told).join("|");
    const given = names.map((name) => `${name}=${node.getAttribute(name)}`).join(" ");
    return `<${node.localName} ${classes} ${given}>${inside}</>`;
  };
  return drawings.map(({ scene, names, html, seat }) => {
    const timeline = { names, words, game, places: names.map(() => 1) };
    const frame = { seat, again: [] };
    const drawing = { timeline, sprite, frame, scene, aside: null, before: null, rolling: false };
    const server = document.createElement("div");
    server.innerHTML = html;
    const drawn = [...server.querySelector(".v-table").children].map(told).join("");
    return [drawn, drawerOf(game)(drawing).map(told).join("")];
  });
}
"""


@pytest.mark.parametrize("game", GAME_NAMES)
def test_the_table_of_the_server_is_that_of_the_script(filled: FilledSite, browser: Browser, game: str) -> None:
    presentation, drawings = presentation_of(game), []
    for seats in (2, 4):
        table, rng = host(setup_of(game, seats)), Random(seats)
        table.advance()
        while (question := table.live_table.question(0)) is not None:
            names, scene = table.live_table.names(0), table.live_table.scene(0)
            parts = frozenset(part.id for part in question.parts)
            html = presentation.table_html(TableView(scene, 0, names, "dice.svg", question.kind, parts))
            drawings.append({"scene": scene, "names": names, "html": html, "seat": 0})
            table.answer(0, question.number, any_legal(table.live_table.view(0), rng))
    with filled.app.test_request_context():
        base = viewer_file("")
    given = {"base": base, "table": f"games/{package_of(game)}/table.js", "game": game, "sprite": "dice.svg"}
    with filled.visitor(browser) as context:
        page = context.new_page()
        page.goto("/docs/glossary.html")
        pairs = page.evaluate(_SAME, {**given, "words": presentation.script_texts(), "drawings": drawings})
    assert len(pairs) == len(drawings) > 20
    assert len({server for server, _ in pairs}) > 20
    for server, script in pairs:
        assert server == script
