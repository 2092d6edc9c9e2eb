"""Check that every table of a page has its two files, found by the table's name in the menu Export."""

import csv
from dataclasses import dataclass, field
from html import escape
from html.parser import HTMLParser
from io import StringIO

from jsonschema import Draft202012Validator
from tests.kits.pages_kit import Person

TYPES = ("text/csv", "application/json")


@dataclass
class FoundTable:
    name: str
    words: str = ""
    rows: int = 0
    files: dict[str, str] = field(default_factory=dict)


class _Tables(HTMLParser):
    """Finds the tables of a page; those inside a nav are links, and a diff is code."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[FoundTable] = []
        self.inside: list[str] = []
        self.navs = 0
        self.region = ""
        self.entry: dict[str, str] = {}
        self.entries: dict[str, dict[str, str]] = {}
        self.in_menu = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "nav":
            self.navs += 1
        if given.get("role") == "region":
            self.region = given["aria-label"].removeprefix("Table: ")
        if tag == "details":
            self.in_menu = "exports" in given.get("class", "").split()
        if tag == "li" and self.in_menu:
            self.entry = {}
        if tag == "table" and not self.navs and "diff" not in given.get("class", ""):
            self.found.append(FoundTable(self.region))
        if tag in ("table", "tbody"):
            self.inside.append(tag)
        if tag == "tr" and self.inside[-1:] == ["tbody"] and self.found:
            self.found[-1].rows += 1
        if tag == "a" and given.get("rel") == "alternate" and self.in_menu:
            self.entry[given["type"]] = given["href"]

    def handle_endtag(self, tag: str) -> None:
        if tag == "nav":
            self.navs -= 1
        if tag in ("table", "tbody") and self.inside:
            self.inside.pop()
        if tag == "details":
            self.in_menu = False

    def handle_data(self, data: str) -> None:
        if self.inside and self.found and len(self.found[-1].words) < 60:
            self.found[-1].words += data.strip() + " "
        if self.in_menu and data.rstrip().endswith(":"):
            self.entries |= dict.fromkeys(data.strip().removesuffix(":").split("; "), self.entry)


def _files_of(name: str, entries: dict[str, dict[str, str]]) -> dict[str, str]:
    """Return the files of a table; "Luck, game by game" may use the files of "Luck"."""
    return entries.get(name) or entries.get(name.rpartition(", ")[0]) or {}


def tables_of(page: str) -> list[FoundTable]:
    parser = _Tables()
    parser.feed(page)
    for table in parser.found:
        table.files = _files_of(table.name, parser.entries)
    return parser.found


def check_tables(person: Person, path: str) -> int:
    """Check that all tables have files with at least as many rows; return the number of tables."""
    page = person.page(path)
    found = tables_of(page)
    for table in found:
        where = f"{path}, {table.name}: {table.words}"
        assert set(table.files) == set(TYPES), f"{where} has the files {table.files}"
        csv_link = escape(table.files["text/csv"])
        assert f'href="{csv_link}{"&amp;" if "?" in csv_link else "?"}for=spreadsheet"' in page, where
        answers = {kind: person.get(address) for kind, address in table.files.items()}
        assert {kind: answer.mimetype for kind, answer in answers.items()} == dict(zip(TYPES, TYPES, strict=True)), (
            where
        )
        header, *lines = csv.reader(StringIO(answers["text/csv"].get_data(as_text=True)))
        assert len(set(header)) == len(header), where
        assert {len(line) for line in lines} <= {len(header)}, where
        assert len(lines) >= table.rows, where
        result = answers["application/json"].get_json()
        name = result["schema"].split("/")[1]
        Draft202012Validator(person.get(f"/schemas/{name}.1.json").get_json()).validate(result)
        if "rows" in result:
            assert len(result["rows"]) == len(lines), where
            assert all(list(row) == header for row in result["rows"]), where
    return len(found)
