"""Gangster Dice, the rules of one round from top to bottom (rulings G1 to G42).

A round is the steps of `ROUND` in their order.  A step does its part to the table and may
ask seats something; then the state waits, and goes on with the next step when all answers
are in, or with the same one if it returned true.  Numbers like G16 are the rulings' own.

Elsewhere stand what may be answered, two bids heads-up and forced answers among it
(`legality`: G6 to G9, G18, G19, G23, G25, G41), how the table is laid (`setup`: G34, G39), dice,
tokens and cards (`cards`: G3), how a game ends (`outcome`: G37, G38), and what a seat sees
(`snapshot`, `views`: G5, G42).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, TypeVar

from gangland.chance import Chance
from gangland.game import Choice, Decision, EndReason, Event, Game, Outcome, Question, Unit, Variant
from gangland.gangster_dice import advice, legality, luck, options, telling
from gangland.gangster_dice.bot import Bid, Bot, Die, Exchange
from gangland.gangster_dice.cards import (
    DIE_FACES,
    INVESTIGATOR,
    LAWYER,
    NO_DICE,
    SPEAKEASY,
    SPECIAL,
    STREETS,
    TOKENS,
    Colour,
    Dice,
    Token,
    minus,
    of_colour,
    plus,
)
from gangland.gangster_dice.characters import PLAIN, Character
from gangland.gangster_dice.options import Options
from gangland.gangster_dice.outcome import outcome
from gangland.gangster_dice.setup import FAVORS, cast_of, lay_table, no_discards
from gangland.gangster_dice.snapshot import freeze, observe
from gangland.gangster_dice.state import Setting, State, Step, Table
from gangland.gangster_dice.views import Player, ScoredBid, TokenView, View
from gangland.view import View as AnyView

T = TypeVar("T")

TABLE_SIZES: Final = (2, 3, 4)
FIRST_ROLL: Final = 1
SECOND_ROLL: Final = 2

_QUESTIONS: Final = {kind: tuple([Question(seat, kind) for seat in range(max(TABLE_SIZES))]) for kind in Bot.kinds}


# The roll


def begin_round(table: Table) -> None:
    """Take the snapshot that first wins, bonus and ties go by (G13, G15), and put the last round away."""
    seats = len(table.stashes)
    table.round += 1
    if table.round > 1:  # what was told before round 1, who plays which character, belongs to round 1
        # G42: a seat sees all since its last decision, the whole last round at least; so the history goes back to
        # the seat that has not been asked for longest.
        oldest = min(table.last_asked)
        table.history = (table.public_events(), *table.history)[: max(1, table.round - oldest)]
        table.told = ()
        table.round_began = len(table.events)
    table.opening = tuple(table.control)
    table.bonus = sum(table.dice[STREETS])
    table.locked = [NO_DICE] * seats
    table.bids = ()
    table.winners = (None,) * len(TOKENS)
    table.answers = [()] * seats
    table.spared = False
    table.tell(("round", table.round))


def roll(table: Table) -> None:
    """All seats roll their stashes, in public (G4); positions run over the stash in colour order (G39)."""
    rolled, counted = [], []
    for seat, (white, red, blue) in enumerate(table.stashes):
        raw = table.chance.faces(table.round, seat, FIRST_ROLL, white + red + blue)
        faces = (_turned_up(0, raw[:white]), _turned_up(1, raw[white : white + red]), _turned_up(2, raw[white + red :]))
        rolled.append(faces)
        counted.append(_symbols(faces))
        table.tell(("rolled", seat, faces))
    table.faces = tuple(rolled)
    table.symbols = tuple(counted)


@lru_cache(maxsize=10_000)
def _turned_up(colour: int, raw: tuple[int, ...]) -> tuple[int, ...]:
    """Return what dice of one colour show, in token numbers (G3)."""
    return tuple([DIE_FACES[colour][face] for face in raw])


def _symbols(faces: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """Return how many of each token's symbols show."""
    up = faces[0] + faces[1] + faces[2]
    return (up.count(LAWYER), up.count(SPEAKEASY), up.count(STREETS), up.count(INVESTIGATOR))


def ask_reroll(table: Table) -> None:
    """Who has the trait may name one die to roll again, before anyone bids."""
    _ask(table, "reroll", [seat for seat in _seats(table) if table.setting.cast[seat].rerolls])


def reroll(table: Table) -> None:
    """The named dice are rolled again; both faces are public."""
    for seat, (_, die) in table.decisions.items():
        if die is None:
            continue
        colour, old = die
        (new,) = _turned_up(colour, table.chance.faces(table.round, seat, SECOND_ROLL, 1))
        before = table.faces[seat]
        faces = list(before)
        faces[colour] = _put(before[colour], before[colour].index(old), new)
        table.faces = _put(table.faces, seat, (faces[0], faces[1], faces[2]))
        table.symbols = _put(table.symbols, seat, _symbols(faces))
        table.tell(("rerolled", seat, colour, old, new))


# Bids


def ask_bids(table: Table) -> None:
    """Every seat bids in secret, all at once; who has no choice is not asked (G41)."""
    _ask(table, "bids", _seats(table))


def reveal(table: Table) -> None:
    """Turn the bids up and score them: symbols, favor, the Streets' bonus on every bid (G10, G12), the character's."""
    revealed = []
    decisions, streets = table.decisions, table.opening[STREETS]
    for seat, symbols in enumerate(table.symbols):
        answer: Any = decisions[seat][1] if seat in decisions else legality.only_choice(table, seat, "bids")
        hand, scored, character = list(table.hands[seat]), [], table.setting.cast[seat]
        bonus = table.bonus if seat == streets else 0
        for token, favor in answer:
            hand.remove(favor)
            score = symbols[token] + favor + bonus
            if character is not PLAIN:
                score += character.bonus(token, held=table.opening[token] == seat)
            scored.append((token, favor, score))
        table.hands[seat] = tuple(hand)
        if table.unseen_specials[seat]:
            _shown_specials(table, seat, [favor for _, favor in answer].count(SPECIAL))
        bids = tuple(scored)
        revealed.append(bids)
        table.tell(("revealed", seat, bids))
    table.bids = tuple(revealed)


def find_winners(table: Table) -> None:
    """The best bid on a token wins it (G14 for ties)."""
    best = [0] * len(TOKENS)  # no score is below 1 (G35)
    tied: list[tuple[int, ...]] = [()] * len(TOKENS)
    for seat, bids in enumerate(table.bids):
        for token, _, score in bids:
            if score > best[token]:
                best[token], tied[token] = score, (seat,)
            elif score == best[token]:
                tied[token] += (seat,)
    winners: list[int | None] = [None] * len(TOKENS)
    for token, seats in enumerate(tied):
        if not seats:
            continue
        winner = winners[token] = seats[0] if len(seats) == 1 else _winner_of_tie(table, seats)
        if winner is None:
            table.tell(("tied", token, seats, best[token]))
        else:
            table.tell(("won", token, winner, best[token], tuple([seat for seat in seats if seat != winner])))
    table.winners = tuple(winners)


def _winner_of_tie(table: Table, tied: tuple[int, ...]) -> int | None:
    """A tie goes to who controlled the Streets (G13), else to a character that wins ties, else to nobody (G14)."""
    streets = table.opening[STREETS]
    if streets in tied:
        return streets
    favoured = [seat for seat in tied if table.setting.cast[seat].wins_ties]
    return favoured[0] if len(favoured) == 1 else None


# Influence


def hand_over_tokens(table: Table) -> None:
    """All tokens that change hands do so at once (G15, G16).

    The Investigator moves to the winner's left if the winner holds it (G21) or nobody does (G20);
    won from another it stays where it is (G22).
    """
    for token in (LAWYER, SPEAKEASY, STREETS):
        winner = table.winners[token]
        if winner is not None and winner != table.opening[token]:
            table.control[token] = winner
            table.tell(("took", token, winner, table.opening[token]))
    finder, holder = table.winners[INVESTIGATOR], table.opening[INVESTIGATOR]
    if finder is not None and holder in (None, finder):
        on_the_left = (finder + 1) % len(table.stashes)  # G36
        table.control[INVESTIGATOR] = on_the_left
        table.tell(("moved", holder, on_the_left))


def apply_effects(table: Table) -> bool:
    """Ask every seat the next of its effects: exchange, then stake, then dump; then carry out what was chosen (G16).

    This step comes again until all are answered; nobody sees another seat's answers before.
    They are carried out in the order Speakeasy, Streets, Investigator; dice received are locked (G17).
    """
    for seat, answer in table.decisions.items():
        table.answers[seat] += (answer,)
    asked: dict[int, str] = {}
    effects = _effects(table)
    for kind, owner in effects:
        if owner in asked or kind in dict(table.answers[owner]):
            continue
        if legality.is_forced(table, owner, kind):
            table.answers[owner] += ((kind, legality.only_choice(table, owner, kind)),)
        else:
            asked[owner] = kind
    table.half_answered = bool(asked and table.decisions)
    if asked:
        table.questions = tuple([_QUESTIONS[asked[seat]][seat] for seat in sorted(asked)])
        return True
    for kind, owner in effects:
        APPLY[kind](table, owner, dict(table.answers[owner])[kind])
    return False


def _effects(table: Table) -> list[tuple[str, int]]:
    """Return which effects there are, in their order, and whose.

    Speakeasy and Streets have one for a winner that controlled them (G15), the Investigator for a
    winner while another seat holds it (G22).
    """
    _, speakeasy_winner, streets_winner, finder = table.winners
    _, had_speakeasy, had_streets, holder = table.opening
    effects = []
    if speakeasy_winner is not None and speakeasy_winner == had_speakeasy:
        effects.append(("exchange", speakeasy_winner))
    if streets_winner is not None and streets_winner == had_streets:
        effects.append(("stake", streets_winner))
    if finder is not None and holder is not None and holder != finder:
        effects.append(("dump", finder))
    return effects


def exchange(table: Table, seat: int, answer: tuple[Dice, Dice]) -> None:
    """Swap dice with the Speakeasy (G18)."""
    given, taken = answer
    _trade(table, seat, given, taken)
    table.tell(("exchanged", seat, given, taken))


def stake(table: Table, seat: int, colour: int | None) -> None:
    """Put one die on the Streets, or none (G19)."""
    if colour is not None:
        _give(table, seat, STREETS, of_colour(colour))
    table.tell(("staked", seat, colour))


def dump(table: Table, seat: int, answer: int | Dice | None) -> None:
    """Put all unlocked dice of one colour on the Investigator (G22), perhaps none (G23); or exactly those named."""
    if isinstance(answer, tuple):
        _give(table, seat, INVESTIGATOR, answer)
        table.tell(("placed", seat, answer))
        return
    count = 0
    if answer is not None:
        count = table.stashes[seat][answer] - table.locked[seat][answer]
        _give(table, seat, INVESTIGATOR, of_colour(answer, count))
    table.tell(("dumped", seat, answer, count))


APPLY: Final[dict[str, Callable[[Table, int, Any], None]]] = {"exchange": exchange, "stake": stake, "dump": dump}


def swap(table: Table) -> bool:
    """Who has the trait and newly took a token may swap a die, after all effects are applied and shown.

    One unlocked die goes to the Speakeasy for one that lies there, which is locked (G17).  This
    step comes again until all with the trait are asked, one after the other.
    """
    for seat, (kind, answer) in table.decisions.items():
        given, taken = answer or (None, None)
        if given is not None and taken is not None:
            _trade(table, seat, of_colour(given), of_colour(taken))
        table.answers[seat] += ((kind, answer),)
        table.tell(("swapped", seat, given, taken))
    for seat in _seats(table):
        if _newly_took(table, seat, table.setting.cast[seat].swaps_on) and "swap" not in dict(table.answers[seat]):
            _ask(table, "swap", [seat])
            if table.questions:
                return True
    return False


def _newly_took(table: Table, seat: int, tokens: Iterable[int]) -> bool:
    return any(table.winners[token] == seat and table.opening[token] != seat for token in tokens)


# Discard and draw


def discard_played(table: Table) -> None:
    """All played favors go to the discards, spent +4s to their stack (G40), or elsewhere by an option (G28)."""
    spent = table.setting.options.spent_favor
    for bids in table.bids:
        for _, favor, _ in bids:
            if favor != SPECIAL or spent == "discards":
                table.discards[favor] += 1
            elif spent == "stack":
                table.specials += 1


def _shown_specials(table: Table, seat: int, count: int) -> None:
    """Forget +4s that left a hand face up: others take them for those that they had seen come, as far as there are any.

    The played favors are out of the hand already.
    """
    held = table.hands[seat].count(SPECIAL)
    seen = held + count - table.unseen_specials[seat]
    table.unseen_specials = _put(table.unseen_specials, seat, held - max(0, seen - count))


def draw(table: Table) -> bool:
    """Seats draw in seat order, each finishing before the next, one card for each favor played (G40).

    This step comes again after each pair of which a seat had to choose.
    """
    first, drawn = table.drawing
    if table.pair:
        ((_, kept),) = table.decisions.values()
        drawn = _keep(table, first, drawn, kept)
    for seat in range(first, len(table.stashes)):
        if not _draw_up(table, seat, drawn):
            return True
        drawn = ()
    for favor in table.passed:
        table.discards[favor] += 1
    table.drawing, table.passed = (0, ()), ()
    return False


def _draw_up(table: Table, seat: int, drawn: tuple[int, ...]) -> bool:
    """Draw until the seat has a card for each favor played; return whether it has, or must choose first.

    A seat that must choose leaves its pair and what it has drawn so far on the table, for `draw` to go on with.
    """
    wanted, first_draw = len(table.bids[seat]), not drawn
    if first_draw and table.specials and _gets_special(table, seat):
        table.specials -= 1
        table.tell(("special", seat))
        table.hands[seat] = (*table.hands[seat], SPECIAL)
        drawn += (SPECIAL,)
    if table.setting.cast[seat].draws_pairs:
        while len(drawn) < wanted:
            table.pair = tuple(sorted(_next_cards(table, 2)))
            table.whisper(("paired", seat, table.pair))
            if table.pair[0] != table.pair[1]:
                table.drawing = (seat, drawn)
                table.questions = (_QUESTIONS["keep"][seat],)
                return False
            drawn = _keep(table, seat, drawn, table.pair[0])
    elif len(drawn) < wanted:
        drawn = _to_hand(table, seat, drawn, _next_cards(table, wanted - len(drawn)))
    table.whisper(("drew", seat, drawn))
    return True


def _to_hand(table: Table, seat: int, drawn: tuple[int, ...], cards: tuple[int, ...]) -> tuple[int, ...]:
    """Put cards from the deck into the hand; return all that the seat has drawn so far."""
    table.hands[seat] = tuple(sorted(table.hands[seat] + cards))
    if SPECIAL in cards:
        table.unseen_specials = _put(table.unseen_specials, seat, table.unseen_specials[seat] + cards.count(SPECIAL))
    return drawn + cards


def _keep(table: Table, seat: int, drawn: tuple[int, ...], kept: int) -> tuple[int, ...]:
    """Put the other favor of the pair aside, face up, until all have drawn; return all that is drawn so far."""
    low, high = table.pair
    other = low if kept == high else high
    table.pair = ()
    table.passed += (other,)
    table.tell(("passed", seat, other))
    return _to_hand(table, seat, drawn, (kept,))


def _gets_special(table: Table, seat: int) -> bool:
    """A +4 is the first draw of the Lawyer's winner that controlled it (G27), or whose character always gets it."""
    if table.winners[LAWYER] != seat:
        return False
    return table.opening[LAWYER] == seat or table.setting.cast[seat].always_special


def _next_cards(table: Table, count: int) -> tuple[int, ...]:
    """Take the next favors; the discards are shuffled only when a card is needed and there is none (G29, G40)."""
    cards, table.deck = table.deck[:count], table.deck[count:]
    if len(cards) < count:
        discarded = tuple([favor for favor, held in enumerate(table.discards) for _ in range(held)])
        table.deck = table.chance.shuffle(FAVORS, table.shuffles, discarded)
        table.shuffles += 1
        table.discards = list(no_discards(table.setting.options))
        table.tell(("reshuffled", len(discarded)))
        cards += _next_cards(table, count - len(cards))
    return cards


# The Investigator's die


def ask_discard(table: Table) -> None:
    """Who has the trait and is to take a die may discard a favor of the hand instead, down to its smallest hand."""
    holder = _seat_to_take(table)
    if holder is not None:
        least = table.setting.cast[holder].discards_above
        if least is not None and table.hand_limits[holder] > least:
            _ask(table, "discard", [holder])


def discard_instead(table: Table) -> None:
    """The favor goes to the discards face up, a +4 to its stack; the hand stays smaller, and no die is taken."""
    for seat, (_, favor) in table.decisions.items():
        if favor is None:
            continue
        hand = list(table.hands[seat])
        hand.remove(favor)
        table.hands[seat] = tuple(hand)
        if favor == SPECIAL and table.unseen_specials[seat]:
            _shown_specials(table, seat, 1)
        table.hand_limits = _put(table.hand_limits, seat, table.hand_limits[seat] - 1)
        if favor == SPECIAL:
            table.specials += 1
        else:
            table.discards[favor] += 1
        table.tell(("dropped", seat, favor))
        table.spared = True


def ask_take(table: Table) -> None:
    """Who holds the Investigator after this round's move chooses one of the dice on it (G24, G25)."""
    holder = _seat_to_take(table)
    if holder is not None:
        _ask(table, "take", [holder])


def take(table: Table) -> None:
    """The die goes to the holder's stash, unless the Lawyer protects a holder that declines (G26)."""
    holder = _seat_to_take(table)
    if holder is None:
        return
    colour = _answer(table, holder, "take")
    if colour is None:
        table.tell(("declined", holder))
        return
    die = of_colour(colour)
    table.dice[INVESTIGATOR] = minus(table.dice[INVESTIGATOR], die)
    table.stashes[holder] = plus(table.stashes[holder], die)
    table.locked[holder] = plus(table.locked[holder], die)
    table.tell(("received", holder, colour))


def _seat_to_take(table: Table) -> int | None:
    """Return who holds the Investigator if dice lie on it (G24) and no favor was discarded instead."""
    return None if table.spared or table.dice[INVESTIGATOR] == NO_DICE else table.control[INVESTIGATOR]


# The win check


def check_win(table: Table) -> None:
    """Seats without dice win together (G32); after the last round the game is over anyway (G33)."""
    if NO_DICE in table.stashes:
        table.end = EndReason.COMPLETED
        table.tell(("emptied", tuple([seat for seat in _seats(table) if table.stashes[seat] == NO_DICE])))
    elif table.round == table.setting.options.round_limit:
        table.end = EndReason.ROUND_LIMIT
        table.tell(("limit_reached", table.round))


_UNTIL_DRAWN: Final = (
    begin_round,
    roll,
    ask_reroll,
    reroll,
    ask_bids,
    reveal,
    find_winners,
    hand_over_tokens,
    apply_effects,
    swap,
    discard_played,
    draw,
)
_INVESTIGATOR_DIE: Final = (ask_discard, discard_instead, ask_take, take)
ROUND: Final[dict[str, tuple[Step, ...]]] = {
    "die_first": (*_UNTIL_DRAWN, *_INVESTIGATOR_DIE, check_win),
    "win_first": (*_UNTIL_DRAWN, check_win, *_INVESTIGATOR_DIE),
}
"""The steps of a round, by the option `win_check` (G30)."""

TRAIT_OF_STEP: Final[dict[Step, str]] = {
    ask_reroll: "rerolls",
    reroll: "rerolls",
    swap: "swaps_on",
    ask_discard: "discards_above",
    discard_instead: "discards_above",
}
"""Steps that only a character with this trait needs; at other tables they are left out."""


@lru_cache(maxsize=1000)
def _setting(options: Options, cast: tuple[Character, ...]) -> Setting:
    """Return what stays as it is in all games with these options and characters."""
    steps = [
        step
        for step in ROUND[options.win_check]
        if step not in TRAIT_OF_STEP
        or any(getattr(character, TRAIT_OF_STEP[step]) != getattr(PLAIN, TRAIT_OF_STEP[step]) for character in cast)
    ]
    return Setting(options, cast, tuple(steps), (options.to_wire(), tuple([each.key or None for each in cast])))


def _play_on(table: Table) -> tuple[State, tuple[Event, ...]]:
    """Take step after step until a seat must decide or the game is over; answers are for the first step alone."""
    steps, number = table.setting.steps, table.step
    again = steps[number](table)
    table.decisions = {}
    while not table.questions and table.end is None:
        number = (number + 1) % len(steps)
        again = steps[number](table)
    table.step = number if again else (number + 1) % len(steps)
    return freeze(table), tuple(table.events)


# What the steps share


def _seats(table: Table) -> range:
    return range(len(table.stashes))


def _ask(table: Table, kind: str, seats: Iterable[int]) -> None:
    """Ask these seats, but for those that have only one legal answer (G41)."""
    questions = _QUESTIONS[kind]
    table.questions = tuple([questions[seat] for seat in seats if not legality.is_forced(table, seat, kind)])


def _answer(table: Table, seat: int, kind: str) -> Any:
    """Return what the seat has answered, or the only legal answer where it was not asked (G41)."""
    return table.decisions[seat][1] if seat in table.decisions else legality.only_choice(table, seat, kind)


def _give(table: Table, seat: int, token: int, dice: Dice) -> None:
    """Move dice from a stash to a token."""
    table.stashes[seat] = minus(table.stashes[seat], dice)
    table.dice[token] = plus(table.dice[token], dice)


def _trade(table: Table, seat: int, given: Dice, taken: Dice) -> None:
    """Swap dice with the Speakeasy; those taken are locked (G17)."""
    table.stashes[seat] = plus(minus(table.stashes[seat], given), taken)
    table.dice[SPEAKEASY] = minus(plus(table.dice[SPEAKEASY], given), taken)
    table.locked[seat] = plus(table.locked[seat], taken)


def _put(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    """Return the values with one replaced."""
    return (*values[:index], value, *values[index + 1 :])


class GangsterDice(Game[State]):
    """Gangster Dice for two to four players; two always play heads-up (G1)."""

    name = "gangster-dice"
    title = "Gangster Dice"
    table_sizes = TABLE_SIZES
    bot_class = Bot
    view_class = View
    unit = Unit("die", "dice", more=False)
    choices_of_options = (
        Choice("investigator_colour", "Colours that the Investigator's winner may name", ("any", "held"), "any"),
        Choice("spent_favor", "Where a played +4 goes", ("stack", "out", "discards"), "stack"),
        Choice("win_check", "What comes first at the end of a round", ("die_first", "win_first"), "die_first"),
        Choice("round_limit", "Round after which a game ends", (), "100"),
        Choice("characters", "Characters", ("none", "dealt", "chosen"), "none"),
        Choice("cast", "With chosen characters: one a seat, with commas"),
    )
    variants = (
        Variant(
            {"characters": "chosen", "cast": ["nancy", "franky", "roberts", "timmy"], "win_check": "win_first"}, 4, 4
        ),
        Variant({"characters": "chosen", "cast": ["liza", "silvio", "eddie"], "investigator_colour": "held"}, 3, 3),
        Variant({"characters": "chosen", "cast": ["don", "bobby"], "spent_favor": "out"}, 2, 2),
        Variant({"characters": "dealt", "spent_favor": "discards"}, 3, 1),
    )
    none_example = "as `view.character` is in a game without characters"
    luck_unit = "wins"
    api = (
        (Bot, " ".join(f"choose_{kind}" for kind in Bot.kinds)),
        *((kind, "*") for kind in (View, Player, TokenView, ScoredBid)),
        *((Bid, ""), (Die, ""), (Exchange, "of")),
        *((kind, "*") for kind in (Token, Colour)),
    )

    def options(self, given: Mapping[str, object]) -> Options:
        """Return the options with defaults filled in; see `gangster_dice.options`."""
        return options.parse(given)

    def options_dict(self, options: Options) -> dict[str, object]:
        """Return the options that differ from their defaults."""
        return options.to_dict()

    def start(self, seats: int, options: Options, chance: Chance) -> tuple[State, tuple[Event, ...]]:
        """Set up, roll for the first round, and return the state that asks for bids."""
        if seats not in TABLE_SIZES:
            raise ValueError(f"{self.title} is for {TABLE_SIZES[0]} to {TABLE_SIZES[-1]} players, not {seats!r}")
        return _play_on(lay_table(_setting(options, cast_of(options, seats, chance)), chance))

    def pending(self, state: State) -> tuple[Question, ...]:
        """Return the decisions to make now, in seat order."""
        return state.questions

    def observe(self, state: State, seat: int, defaulting: frozenset[int] = frozenset()) -> View:
        """Return all that the seat may know (G42)."""
        return observe(state, seat, defaulting)

    def half_answered(self, state: State) -> bool:
        """Return whether the effects of this round are asked in a further ply (G16)."""
        return state.half_answered

    def legal(self, state: State, seat: int) -> str:
        """Return in words what the seat may answer."""
        return legality.words(state, seat, legality.asked_kind(state, seat))

    def check(self, state: State, seat: int, answer: object) -> Decision:
        """Return the answer in canonical form, or raise IllegalDecision."""
        return legality.check(state, seat, legality.asked_kind(state, seat), answer)

    def choices(self, state: State, seat: int) -> Sequence[Decision]:
        """Return every legal answer in canonical form and order."""
        return legality.choices(state, seat, legality.asked_kind(state, seat))

    def default(self, state: State, seat: int) -> Decision:
        """Return what is played for a seat at fault (G38)."""
        return legality.default(state, seat, legality.asked_kind(state, seat))

    def resolve(
        self, state: State, decisions: Mapping[int, Decision], chance: Chance
    ) -> tuple[State, tuple[Event, ...]]:
        """Take the answers of all seats asked, and play on to the next question or the end."""
        asked = state.questions
        if decisions.keys() != {question.seat for question in asked}:
            raise ValueError(f"seats {[each.seat for each in asked]} have to decide now, not {sorted(decisions)}")
        table = Table(state, chance)
        for question in asked:
            seat = question.seat
            table.decisions[seat] = (question.kind, decisions[seat])
            table.last_asked[seat] = table.round
        table.questions = ()
        return _play_on(table)

    def outcome(self, state: State, defaulting: frozenset[int] = frozenset()) -> Outcome | None:
        """Return how the game ended (G37, G38), None while it goes on."""
        return outcome(state, defaulting)

    def round(self, state: State) -> int:
        """Return the number of the round, from 1."""
        return state.round

    def sentence(self, event: Event, names: tuple[str, ...]) -> str | None:
        """Return the event as an English sentence, None when it is not worth one."""
        return telling.sentence(event, names)

    def held(self, state: State) -> tuple[int, ...]:
        """Return how many dice of all colours each seat has."""
        return tuple(sum(dice) for dice in state.stashes)

    def luck_course(self, seats: int, events: Iterable[Event]) -> Iterator[tuple[float, ...]]:
        """Yield each seat's luck in wins; see `gangster_dice.luck`."""
        return luck.course(seats, events)

    def wrong_parts(self, view: AnyView, kind: str, answer: Sequence[object]) -> list[str]:
        """Return which bids of a list cannot be made."""
        return advice.wrong_bids(view, answer) if isinstance(view, View) and kind == "bids" else []


GAME: Final = GangsterDice()
