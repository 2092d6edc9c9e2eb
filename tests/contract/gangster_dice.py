"""What the contract has to know of Gangster Dice."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations
from random import Random
from types import ModuleType
from typing import Any, ClassVar

from tests.contract.adapter import Adapter, Reader, Script, by_seat, read_relative, same, seat_off
from tests.contract.favors import DECK, SPECIAL, Draws, OtherFavorsUnseen, TurnedFavors
from tests.contract.run import Run, Table

from gangland import chance, game, gangster_dice
from gangland.gangster_dice import HOUSE_SET, SPECIALS, events

FAVORS = Counter([*gangster_dice.DECK, *[SPECIAL] * SPECIALS])
CHARACTERS = tuple([character.key for character in HOUSE_SET])
BIDS_LIE_OPEN = frozenset({"exchange", "stake", "dump", "swap"})  # meanwhile the round's bids are on the table
PASSED = "passed"  # in a script: the rejected favor of each pair


@cache
def covering(size: int) -> list[tuple[str, ...]]:
    """Return casts of this size that together contain every pair of characters."""
    unmet = set(combinations(CHARACTERS, 2))
    casts = []
    while unmet:
        cast = max(combinations(CHARACTERS, size), key=lambda cast: len(unmet.intersection(combinations(cast, 2))))
        unmet -= set(combinations(cast, 2))
        casts.append(cast)
    return casts


def _plain_player(view: Any, player: Any) -> Any:
    return replace(player, seat=0)


def _players(view: Any, players: Sequence[Any]) -> tuple[Any, ...]:
    return by_seat(view, [_plain_player(view, player) for player in players])


def _opponents(view: Any, players: Sequence[Any]) -> tuple[Any, ...]:
    return tuple([_plain_player(view, player) for player in players])


def _token(view: Any, token: Any) -> Any:
    off = {name: seat_off(view, getattr(token, name)) for name in ("holder", "holder_before", "winner")}
    return replace(token, **off)


def _tokens(view: Any, tokens: Sequence[Any]) -> tuple[Any, ...]:
    return tuple([_token(view, token) for token in tokens])


def _events(view: Any, result: Sequence[Any]) -> Counter[Any]:
    """Return events as a multiset: seats roll, reveal and draw in seat order, which does not rotate."""
    return Counter([_event(view, event) for event in result])


def _event(view: Any, event: Any) -> Any:
    read: dict[str, Any] = {}
    for name in event._fields:
        value = getattr(event, name)
        if name in ("seat", "previous"):
            value = seat_off(view, value)
        elif name in ("seats", "over"):
            value = frozenset([seat_off(view, seat) for seat in value])
        read[name] = value
    return (type(event).__name__, *read.values())


def _this_round(run: Run) -> list[game.Event]:
    began = max(number for number, event in enumerate(run.told) if event[0] == "round")
    return run.told[began:]


READERS: dict[str, Reader | None] = {
    "seat": None, "options": lambda _, options: replace(options, cast=tuple(sorted(options.cast))),
    "players": _players, "me": _plain_player, "opponents": _opponents, "tokens": _tokens, "lawyer": _token,
    "speakeasy": _token, "streets": _token, "investigator": _token, "bids": by_seat, "events": _events,
} | dict.fromkeys(
    "seats round round_limit hand dice symbols legal_tokens bids_required streets_bonus locked exchanged staked spare "
    "character deck discards specials unseen rerollable placeable pair dump_colours take_colours protected".split(),
    same,
)  # fmt: skip


class GangsterDice(Adapter):
    name = "gangster-dice"
    events: ClassVar[ModuleType] = events
    event_kinds: ClassVar[frozenset[str]] = frozenset(events.KINDS)
    option_values: ClassVar[dict[str, tuple[object, ...]]] = {
        "investigator_colour": ("any", "held"), "spent_favor": ("stack", "out", "discards"),
        "win_check": ("die_first", "win_first"), "round_limit": (100, 12),
    }  # fmt: skip
    unordered: ClassVar[frozenset[str]] = frozenset({"bids"})
    characters = CHARACTERS

    def cast(self, run: Run) -> Sequence[str]:
        view: Any = run.game.observe(run.states[0], 0)
        return [player.character.key for player in view.players if player.character is not None]

    def casts(self, seats: int) -> Sequence[dict[str, object]]:
        """None, dealt, and casts in which every two characters meet, in every seat."""
        casts = [cast[turn:] + cast[:turn] for cast in covering(seats) for turn in range(seats)]
        chosen: list[dict[str, object]] = [{"characters": "chosen", "cast": list(cast)} for cast in casts]
        return [{}, {"characters": "dealt"}, *chosen]

    def last_round(self, table: Table) -> int:
        limit: int = self.game.options(table.options).round_limit
        return limit

    def check_conserved(self, run: Run) -> None:
        """Count the dice of each color, and the favors in deck, hands, pile and on the table."""
        views: list[Any] = [run.game.observe(run.state, seat) for seat in run.seats]
        shown = views[0]
        players, stashes = shown.players, [player.dice for player in shown.players]
        for colour, dice in enumerate(zip(*stashes, *[token.dice for token in shown.tokens], strict=True)):
            assert min(dice) >= 0, shown
            assert sum(dice) == 2 * shown.seats + 1, f"dice of colour {colour}: {dice} in stashes and on tokens"
        for view, player in zip(views, players, strict=True):
            hand = view.hand
            assert all(0 <= locked <= held for locked, held in zip(view.locked, player.dice, strict=True)), view
            in_deck = run.table.options.get("spent_favor") == "discards"
            assert player.hand_size == len(hand)
            assert player.specials <= hand.count(SPECIAL) if in_deck else player.specials == hand.count(SPECIAL)
        favors = self._favors(run, shown, [favor for view in views for favor in view.hand])
        assert favors == FAVORS, f"favors {favors}, {shown!r}"

    def _favors(self, run: Run, shown: Any, in_hands: Sequence[int]) -> Counter[int]:
        """Count the favors by value, with +4s that are out of the game (G28)."""
        kinds = {question.kind for question in run.pending}
        revealed = [bid.favor for bids in shown.bids for bid in bids] if kinds & BIDS_LIE_OPEN else []
        drawn = self._in_mid_draw(run) if "keep" in kinds else []
        deck = run.chance.shuffled(DECK)[-1]
        favors = Counter([*deck[len(deck) - shown.deck :], *in_hands, *revealed, *drawn])
        for value, count in enumerate(shown.discards):
            favors[value] += count
        favors[SPECIAL] += shown.specials
        if run.table.options.get("spent_favor") == "out":
            bids = [bid for event in run.told if event[0] == "revealed" for bid in event[2]]
            favors[SPECIAL] += sum(favor == SPECIAL for _, favor, _ in bids) - revealed.count(SPECIAL)
        return favors

    def _in_mid_draw(self, run: Run) -> list[int]:
        requested: Any = run.game.observe(run.state, run.pending[0].seat)
        return [*requested.pair, *(event[2] for event in _this_round(run) if event[0] == "passed")]

    def turned(self, run: Run, by: int) -> tuple[Table, chance.Chance]:
        options = dict(run.table.options)
        cast = options.get("cast")
        if isinstance(cast, list):
            options["cast"] = cast[-by:] + cast[:-by]
        draws = Draws(run, len(run.states) - 1)
        seats = run.table.seats
        return Table(self.name, seats, options), TurnedFavors(run.chance.chance, draws, by, seats)

    def relative(self, view: Any) -> dict[str, Any]:
        """Seats draw in order (G40), so a view that asks for the favor to keep shows only own favors and dice."""
        shown = read_relative(view, READERS)
        return {name: shown[name] for name in ("pair", "hand", "dice")} if shown.get("pair") else shown

    def otherwise_hidden(self, run: Run, ply: int, seat: int, rng: Random) -> chance.Chance:
        return OtherFavorsUnseen(run.chance.chance, Draws(run, ply), seat, rng)

    def script(self, run: Run, ply: int) -> Script:
        """Pairs are stored by what was not kept, so that the script also fits other hands."""
        output = {key: decisions for key, decisions in super().script(run, ply).items() if key[2] != "keep"}
        number = 0
        for kind, *rest in run.told_by(ply):
            if kind == "round":
                number = rest[0]
            elif kind == "revealed":
                output[number, rest[0], "bids"] = [tuple([(token, favor) for token, favor, _ in rest[1]])]
            elif kind == "passed":
                output.setdefault((number, rest[0], PASSED), []).append(rest[1])
        return output

    def from_script(self, run: Run, question: game.Question, script: Script) -> Any:
        if question.kind != "keep":
            return super().from_script(run, question, script)
        view: Any = run.game.observe(run.state, question.seat)
        number = sum(event[0] == "passed" for event in _this_round(run))
        pair = list(view.pair)
        pair.remove(script[view.round, question.seat, PASSED][number])
        return int(pair[0])
