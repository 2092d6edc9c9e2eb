"""Where something is, in words: blocks, rotations and seats are counted from 1 there, and from 0 in all data."""

from __future__ import annotations


def game_at(block: int, rotation: int) -> str:
    """Return in words which game of a match is meant, given its block and rotation from 0."""
    return f"block {block + 1}, rotation {rotation + 1}"


def address(round: int, seat: int, decision: int) -> str:
    """Return the address of a seat's decision: the round from 1, the seat from 0, its decision in the round from 1."""
    return f"r{round}.s{seat + 1}.d{decision}"


def match_game_at(match: int, block: int, rotation: int) -> str:
    """Return the same with the match's number, which is counted from 1 everywhere."""
    return f"match {match}, {game_at(block, rotation)}"
