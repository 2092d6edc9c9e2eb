"""Cells and shapes are written as the templates' own words are: escaped, and with nothing unseen in them."""

from gangland_web.base.charts import Shape
from gangland_web.queries.tables import Column, Kind, TableData
from gangland_web.site.charts.markup import lines, shapes

EVIL = '<script>"\u202e&'
SAFE = "&lt;script&gt;&#34;\N{REPLACEMENT CHARACTER}&amp;"


def test_a_cell_says_its_value_as_its_column_has_it_and_a_shape_its_hint_and_text() -> None:
    columns = (
        *(Column("bot", "Bot"), Column("match", "Match", Kind.WHOLE), Column("games", "Games", Kind.WHOLE)),
        *(Column("luck", "Luck", Kind.SIGNED), Column("place", "Place", Kind.NUMBER, digits=1)),
        *(Column("share", "Share", Kind.SHARE, digits=0), Column("in", "In", Kind.FLAG)),
        *(Column("at", "At", Kind.MOMENT), Column("quiet", "", quiet=True), Column("none", "None")),
    )
    row: dict[str, str | float | None] = {"bot": EVIL, "match": 12345, "games": 12345, "luck": -1.25, "place": -2.0}
    row |= {"share": 0.5, "in": True, "at": 0.0, "quiet": 7, "none": None}
    written = lines(TableData("a", "b", columns, [row], links=[{"bot": '/bots/1?"<'}]))
    assert written == (
        f'<tr><th scope="row"><a href="/bots/1?&#34;&lt;"><bdi>{SAFE}</bdi></a></th>'
        '<td class="num">12345</td><td class="num">12,345</td><td class="num">\N{MINUS SIGN}1.25</td>'
        '<td class="num">\N{MINUS SIGN}2.0</td><td class="num">50%</td><td>yes</td>'
        '<td><time datetime="1970-01-01T00:00:00Z">01 Jan 1970 00:00 UTC</time></td><td></td></tr>\n'
    )
    drawn = shapes([Shape("text", "mu", {"x": "1", "d": '"<'}, text=EVIL, hint=EVIL), Shape("line", "axis", {})])
    assert drawn == (
        f'<text class="mu" x="1" d="&#34;&lt;"><title>{SAFE}</title>{SAFE}</text>\n<line class="axis"></line>'
    )
