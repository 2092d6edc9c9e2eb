"""A replay as one page: the whole story as text, and a viewer on top of it where scripts may run.

Nothing is fetched from anywhere, and the page's own policy allows no style and no script but the two in it, which it
names by their SHA-256.
"""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from typing import NamedTuple

from gangland.words import listed
from gangland_ladder.viewer.assets import page_style, script, sprite, style
from gangland_ladder.viewer.film import Film
from gangland_ladder.viewer.markup import escaped, outcome_markup, story_markup, viewer_markup


class Recorded(NamedTuple):
    """The recorded game of which a page shows a what-if.

    Attributes:
        href: of its page, at the decision that is another one here; "" if it has none.
        words: what is different, in a sentence.
    """

    href: str
    words: str


def replay_page(film: Film, start: str | None = None, *, recorded: Recorded | None = None) -> str:
    """Return the page as HTML.

    Args:
        start: the address at which the viewer opens where the page's own address names none.
        recorded: if this game was not played: the one that was.
    """
    css, js = f"{page_style()}\n{style()}", script()
    policy = (
        f"default-src 'none'; style-src '{_hash(css)}'; script-src '{_hash(js)}'; base-uri 'none'; form-action 'none'"
    )
    rounds = f"{film.rounds} {'round' if film.rounds == 1 else 'rounds'}"
    title = f"{'What if: ' if recorded else ''}{film.title}: {', '.join(film.names)}"
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escaped(title)}</title>\n<style>{css}</style>\n</head>\n<body>\n"
        f'<div class="sprite" aria-hidden="true">{sprite()}</div>\n<main>\n'
        f'<p class="eyebrow">{escaped(film.title)}, {len(film.names)} seats, {rounds}</p>\n'
        f"<h1>{escaped(listed(film.names))}</h1>\n{_banner(recorded)}{outcome_markup(film)}"
        f"{viewer_markup(film, start=start)}"
        f'<script type="module">{js}</script>\n'
        f'<section class="story"><h2>The story</h2>\n{story_markup(film)}</section>\n</main>\n</body>\n</html>\n'
    )


def _banner(recorded: Recorded | None) -> str:
    """Return what says that this game was not played, with the way back; "" for one that was."""
    if recorded is None:
        return ""
    back = f' <a href="{escaped(recorded.href)}">Back to the recorded game</a>' if recorded.href else ""
    return f'<p class="banner" role="note"><strong>What if:</strong> {escaped(recorded.words)}{back}</p>\n'


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"
