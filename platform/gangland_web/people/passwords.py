"""Passwords that are among the first that anybody would try."""

from __future__ import annotations

import re
from typing import Final

from gangland_web.base.text import name_key

_WORDS: Final = frozenset(
    "password passwort passwd motdepasse contrasena qwerty qwertz azerty qwertyuiop asdfgh asdfghjkl zxcvbn zxcvbnm "
    "iloveyou letmein welcome willkommen bienvenue sunshine princess football baseball basketball superman batman "
    "spiderman starwars pokemon minecraft fortnite dragon monkey shadow master michael jordan charlie ashley jessica "
    "computer internet samsung google facebook whatever trustno freedom hello hallo bonjour changeme default secret "
    "geheim admin administrator root user guest test testing login school schule student teacher summer winter spring "
    "autumn january december monday friday chocolate banana cheese cookie flower butterfly purple loveme "
    "gangster gangland gangsterdice gangofdice tournament casino".split()
)
"""A list of our own: words that every published list of common passwords begins with, and this house's own."""
_ROWS: Final = ("01234567890", "abcdefghijklmnopqrstuvwxyz", "qwertyuiop", "qwertzuiop", "azertyuiop", "asdfghjkl")
_LETTERS_FOR: Final = str.maketrans("013457@$!", "oleasta" + "si")
_EDGES: Final = re.compile(r"^[^a-z]+|[^a-z]+$")
_TYPED_ON: Final = re.compile(r"^[\d\W_]+|[\d\W_]+$")


def is_easily_guessed(password: str, name: str) -> bool:
    """Tell whether it is somebody's name, a common word, a row of keys, or a piece again and again.

    Digits and signs about it make none of them better, nor do digits in place of letters.
    """
    plain = password.casefold()
    bare = _TYPED_ON.sub("", plain)
    spelled = _EDGES.sub("", plain.translate(_LETTERS_FOR))
    called = _TYPED_ON.sub("", name_key(name)) or name_key(name)
    guesses = {plain, bare, spelled, _EDGES.sub("", bare.translate(_LETTERS_FOR))}
    if guesses & _WORDS or (called and {*guesses, name_key(password)} & {called, called[::-1], name_key(name)}):
        return True
    return _is_row(plain) or _is_row(bare) or _repeats(plain)


def _is_row(text: str) -> bool:
    """Whether a text runs along the alphabet, the digits or a keyboard, forwards or backwards."""
    return len(text) > 3 and any(text in row * 2 or text[::-1] in row * 2 for row in _ROWS)


def _repeats(text: str) -> bool:
    """Whether a text is one short piece over and over."""
    return re.fullmatch(r"(.{1,4})\1+.{0,3}", text) is not None
