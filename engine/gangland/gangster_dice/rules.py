"""The rules of Gangster Dice: the steps of a round from top to bottom (rulings G1 to G42).

A round runs the steps of `ROUND` in order.  A step changes the table and may ask seats.  If it asks, it returns true,
the state waits, and the same step runs again with the answers.  Numbers like G16 are rulings.

Other modules have the legal answers, including two bids heads-up and forced answers (`legality`: G6 to G9, G18, G19,
G23, G25, G41), the setup (`setup`: G34, G39), dice, tokens and cards (`cards`: G3), the outcome (`outcome`: G37, G38),
the views (`views`: G5, G42), the events of a round (`rounds`), and the state between two plies (`snapshot`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from operator import index
from random import Random
from typing import Any, Final, TypeVar

from gangland.chance import Chance, RandomChance
from gangland.game import (
    ROUND_BEGAN,
    Choice,
    Decision,
    EndReason,
    Event,
    Game,
    Outcome,
    Policy,
    Question,
    Unit,
    Variant,
    wrong_index,
)
from gangland.gangster_dice import advice, legality, luck, options, telling
from gangland.gangster_dice import wire as at
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
    of_color,
    plus,
)
from gangland.gangster_dice.characters import BY_KEY, PLAIN, Character
from gangland.gangster_dice.events import HIDDEN_KINDS
from gangland.gangster_dice.options import Options
from gangland.gangster_dice.outcome import outcome
from gangland.gangster_dice.rounds import Cache, Course, Holders, Opening, RawFaces, reveal_events, start_events
from gangland.gangster_dice.sampling import count_draws, known_part
from gangland.gangster_dice.setup import FAVORS, cast_of, empty_state, lay_table, no_discards
from gangland.gangster_dice.snapshot import freeze, new_tuple, public_of
from gangland.gangster_dice.state import EFFECTS, Position, Public, Setting, State, Step, Table
from gangland.gangster_dice.unseen import Deals
from gangland.gangster_dice.views import Player, ScoredBid, TokenView, View
from gangland.view import View as AnyView

T = TypeVar("T")

TABLE_SIZES: Final = (2, 3, 4)
FIRST_ROLL: Final = 1
SECOND_ROLL: Final = 2

WHITE, RED, BLUE = [bytes(faces) + bytes(256 - len(faces)) for faces in DIE_FACES]
"""By color, the tokens of its raw faces, for `bytes.translate`."""
_NOBODY: Final[Holders] = (None,) * len(TOKENS)
_NO_DECISIONS: Final[Mapping[int, Any]] = {}
_QUESTIONS: Final = {kind: tuple([Question(seat, kind) for seat in range(max(TABLE_SIZES))]) for kind in Bot.kinds}
_ALL_BID: Final = {seats: _QUESTIONS["bids"][:seats] for seats in TABLE_SIZES}


# The roll


def begin_round(table: Table) -> bool:
    """Add the last round to the history, and roll.

    The control of tokens and the dice on the Streets at this moment decide first wins, bonus and ties (G13, G15).
    """
    setting, number = table.setting, table.opening.round + 1
    seated: tuple[Event, ...] = ()
    if number > 1:
        # G42: a seat sees the events since its last decision, at least of the whole last round; so the history goes
        # back to the earliest last decision.
        rounds = number - min(table.last_asked)
        values = (table.opening, table.bids, table.winners, table.control, table.log, table.new_cache())
        last = new_tuple(Course, values)
        table.history = (last, *table.history[: rounds - 1]) if rounds > 1 else (last,)
        table.bids, table.winners, table.log = (), _NOBODY, ()
        table.locked, table.answers = setting.no_dice, setting.no_answers
        if table.rare.spared:
            table.rare = table.rare._replace(spared=False)
    else:
        seats = enumerate(setting.cast)
        seated = tuple([("seated", seat, character.key) for seat, character in seats if character is not PLAIN])
    faces, symbols = roll(table, number)
    bonus = sum(table.dice[STREETS])
    table.opening = new_tuple(Opening, (number, faces, symbols, table.control, bonus, faces, seated, ()))
    if table.events is not None:
        table.public_events = start_events(table.opening)
        table.events += table.public_events
    return False


def roll(table: Table, number: int) -> tuple[tuple[RawFaces, ...], tuple[tuple[int, ...], ...]]:
    """Return all seats' public rolls (G4) as faces and symbols by seat; positions follow the color order (G39)."""
    faces_of = table.chance.faces
    rolled: list[RawFaces] = []
    counted: list[tuple[int, ...]] = []
    for seat, (white, red, blue) in enumerate(table.stashes):
        red_end = white + red
        raw = bytes(faces_of(number, seat, FIRST_ROLL, red_end + blue))
        faces = (raw[:white].translate(WHITE), raw[white:red_end].translate(RED), raw[red_end:].translate(BLUE))
        rolled.append(faces)
        count = (faces[0] + faces[1] + faces[2]).count
        lawyers, speakeasies, streets = count(LAWYER), count(SPEAKEASY), count(STREETS)
        counted.append((lawyers, speakeasies, streets, red_end + blue - lawyers - speakeasies - streets))
    return tuple(rolled), tuple(counted)


def reroll(table: Table) -> bool:
    """Let a character with the trait reroll one die before the bids; both faces are public."""
    if not table.asked:
        return _ask(table, "reroll", [seat for seat, character in enumerate(table.setting.cast) if character.rerolls])
    for seat, die in table.decisions.items():
        if die is not None:
            _reroll_die(table, seat, *die)
    return False


def _reroll_die(table: Table, seat: int, color: int, old: int) -> None:
    opening = table.opening
    raw = table.chance.faces(opening.round, seat, SECOND_ROLL, 1)
    new = DIE_FACES[color][raw[0]]
    faces, symbols = list(opening.faces[seat]), list(opening.symbols[seat])
    faces[color] = bytes(_put(tuple(faces[color]), faces[color].index(old), new))
    symbols[old] -= 1
    symbols[new] += 1
    event: Event = ("rerolled", seat, color, old, new)
    table.opening = opening._replace(
        faces=_put(opening.faces, seat, (faces[0], faces[1], faces[2])),
        symbols=_put(opening.symbols, seat, tuple(symbols)),
        rerolled=(*opening.rerolled, event),
    )
    if table.events is not None:
        table.events.append(event)
        table.public_events.append(event)


# Bids


def bid(table: Table) -> bool:
    """Ask all seats for secret bids at once, except seats with only one choice (G41); then reveal the bids."""
    if not table.asked:
        for hand in table.hands:
            if hand[0] == hand[-1]:  # else there is a choice of favors
                if _ask(table, "bids", _seats(table)):
                    return True
                break
        else:
            table.questions = _ALL_BID[len(table.hands)]
            return True
    reveal(table)
    return False


def reveal(table: Table) -> None:
    """Score the bids: symbols, favor, the Streets' bonus on every bid (G10, G12) and the character's bonus.

    The best bid on a token wins it (G14 for ties).
    """
    _, _, all_symbols, control, streets_bonus, _, _, _ = table.opening
    cast, decisions, streets = table.setting.cast, table.decisions, control[STREETS]
    all_bids, hands = [], []
    scores = [0] * len(TOKENS)  # no score is below 1 (G35)
    winners: list[Any] = [None] * len(TOKENS)
    tied: dict[int, tuple[int, ...]] = {}
    for seat, hand in enumerate(table.hands):
        answer: Any = decisions[seat] if seat in decisions else legality.only_choice(table, seat, "bids")
        symbols, character = all_symbols[seat], cast[seat]
        bonus = streets_bonus if seat == streets else 0
        bids = []
        for token, favor in answer:
            hand = _remove_card(hand, favor)
            score = symbols[token] + favor + bonus
            if character is not PLAIN:
                score += character.bonus(token, held=control[token] == seat)
            bids.append((token, favor, score))
            if score > scores[token]:
                scores[token], winners[token] = score, seat
                if tied:
                    tied.pop(token, None)
            elif score == scores[token]:
                tied[token] = (*tied.get(token, (winners[token],)), seat)
        all_bids.append(tuple(bids))
        hands.append(hand)
    table.hands, table.bids = tuple(hands), tuple(all_bids)
    if table.rare.unseen_specials != table.setting.none:
        for seat, seat_bids in enumerate(table.bids):
            _reveal_specials(table, seat, [favor for _, favor, _ in seat_bids].count(SPECIAL))
    for token, seats in tied.items():
        winners[token] = _winner(table, seats)
    table.winners = tuple(winners)
    _hand_over_tokens(table)
    if table.events is not None:
        events = reveal_events(table.bids, scores, tied, table.winners, control, table.control)
        table.events += events
        table.public_events += events


def _winner(table: Table, tied: tuple[int, ...]) -> int | None:
    """Return the winner of a tie: the Streets' controller (G13), else a character that wins ties, else None (G14)."""
    streets = table.opening.control[STREETS]
    if streets in tied:
        return streets
    cast = enumerate(table.setting.cast)
    favored = [seat for seat, character in cast if character.wins_ties and seat in tied]
    return favored[0] if len(favored) == 1 else None


# Influence


def _hand_over_tokens(table: Table) -> None:
    """Give all tokens to their winners at once (G15, G16).

    The Investigator moves to the winner's left if the winner (G21) or no seat (G20) holds it; if it is won from
    another seat, it does not move (G22).
    """
    lawyer, speakeasy, streets, holder = table.control
    lawyer_winner, speakeasy_winner, streets_winner, investigator_winner = table.winners
    if investigator_winner is not None and (holder is None or holder == investigator_winner):
        holder = (investigator_winner + 1) % len(table.stashes)  # G36
    table.control = (
        lawyer if lawyer_winner is None else lawyer_winner,
        speakeasy if speakeasy_winner is None else speakeasy_winner,
        streets if streets_winner is None else streets_winner,
        holder,
    )


def apply_effects(table: Table) -> bool:
    """Ask every seat about its next effect (exchange, then stake, then dump), and carry out the answers (G16).

    The step repeats until all have answered; until then no seat sees the answers of others.  They are carried out in
    the order Speakeasy, Streets, Investigator; dice received are locked (G17).
    """
    effects = _effects(table)
    if not effects:
        return False
    for question in table.asked:
        _note_answer(table, question.seat, question.kind, table.decisions[question.seat])
    asked: dict[int, Question] = {}
    for kind, owner in effects:
        answers = table.answers[owner]
        if owner in asked or (answers and kind in dict(answers)):
            continue
        if legality.is_forced(table, owner, kind):
            _note_answer(table, owner, kind, legality.only_choice(table, owner, kind))
        else:
            asked[owner] = _QUESTIONS[kind][owner]
    half_answered = bool(asked and table.asked)
    if half_answered != table.rare.half_answered:
        table.rare = table.rare._replace(half_answered=half_answered)
    if asked:
        table.questions = tuple([asked[seat] for seat in sorted(asked)])
        return True
    for kind, owner in effects:
        EFFECT_RULES[kind](table, owner, dict(table.answers[owner])[kind])
    return False


def _note_answer(table: Table, seat: int, kind: str, answer: Decision) -> None:
    table.answers = _put(table.answers, seat, (*table.answers[seat], (kind, answer)))


def _effects(table: Table) -> list[tuple[str, int]]:
    """Return the effects as (kind, seat), in their order.

    Speakeasy and Streets have one for a winner that already controlled them (G15), the Investigator for a winner while
    another seat holds it (G22).
    """
    _, speakeasy_winner, streets_winner, investigator_winner = table.winners
    _, had_speakeasy, had_streets, holder = table.opening.control
    effects = []
    if speakeasy_winner is not None and speakeasy_winner == had_speakeasy:
        effects.append(("exchange", speakeasy_winner))
    if streets_winner is not None and streets_winner == had_streets:
        effects.append(("stake", streets_winner))
    if investigator_winner is not None and holder is not None and holder != investigator_winner:
        effects.append(("dump", investigator_winner))
    return effects


def exchange(table: Table, seat: int, answer: tuple[Dice, Dice]) -> None:
    """Swap dice with the Speakeasy (G18)."""
    old_dice, new_dice = answer
    _trade(table, seat, old_dice, new_dice)
    table.log_event(("exchanged", seat, old_dice, new_dice))


def stake(table: Table, seat: int, color: int | None) -> None:
    """Put one die on the Streets, or no die (G19)."""
    if color is not None:
        _give(table, seat, STREETS, of_color(color))
    table.log_event(("staked", seat, color))


def dump(table: Table, seat: int, answer: int | Dice | None) -> None:
    """Put all unlocked dice of one color on the Investigator (G22), perhaps 0 (G23), or exactly the named dice."""
    if isinstance(answer, tuple):
        _give(table, seat, INVESTIGATOR, answer)
        table.log_event(("placed", seat, answer))
        return
    count = 0
    if answer is not None:
        count = table.stashes[seat][answer] - table.locked[seat][answer]
        _give(table, seat, INVESTIGATOR, of_color(answer, count))
    table.log_event(("dumped", seat, answer, count))


EFFECT_RULES: Final[dict[str, Callable[[Table, int, Any], None]]] = {"exchange": exchange, "stake": stake, "dump": dump}


def swap(table: Table) -> bool:
    """Let a character with the trait swap a die if it just gained control of a token, after all effects are public.

    One unlocked die goes to the Speakeasy for one of its dice, which is locked (G17).  The step repeats until all seats
    with the trait have been asked, one after the other.
    """
    for seat, answer in table.decisions.items():
        old, new = answer or (None, None)
        if old is not None and new is not None:
            _trade(table, seat, of_color(old), of_color(new))
        _note_answer(table, seat, "swap", answer)
        table.log_event(("swapped", seat, old, new))
    for seat in _seats(table):
        has_gained = _has_gained(table, seat, table.setting.cast[seat].swaps_on)
        if has_gained and "swap" not in dict(table.answers[seat]) and _ask(table, "swap", [seat]):
            return True
    return False


def _has_gained(table: Table, seat: int, tokens: Iterable[int]) -> bool:
    return any(table.winners[token] == seat and table.opening.control[token] != seat for token in tokens)


# Discard and draw


def draw(table: Table) -> bool:
    """Discard all played favors; then seats draw one after the other, a card for each favor played (G40).

    The step repeats after each pair from which a seat had to choose.
    """
    first, drawn = table.rare.drawing
    if table.asked:
        (favor,) = table.decisions.values()
        drawn = _keep(table, first, drawn, favor)
    else:
        _discard_played(table)
    cast, hands = table.setting.cast, list(table.hands)
    special_seat = _seat_of_special(table)
    for seat in range(first, len(hands)):
        required = len(table.bids[seat])
        if seat == special_seat and not drawn:
            drawn = (SPECIAL,)
            table.specials -= 1
            table.log_event(("special", seat))
            hands[seat] = _add_cards(hands[seat], drawn)
        if cast[seat].draws_pairs:
            table.hands = tuple(hands)
            all_drawn = _draw_pairs(table, seat, drawn, required)
            if all_drawn is None:
                return True
            hands, drawn = list(table.hands), all_drawn
        elif len(drawn) < required:
            required -= len(drawn)
            cards, table.deck = table.deck[:required], table.deck[required:]
            if len(cards) < required:
                cards = _reshuffle(table, cards, required)
            if SPECIAL in cards:
                _add_unseen_specials(table, seat, cards)
            hands[seat] = _add_cards(hands[seat], cards)
            drawn += cards
        if table.events is not None:
            table.events.append(("drew", seat, drawn))
        drawn = ()
    table.hands = tuple(hands)
    if table.setting.draws_pairs:
        _discard_passed(table)
    return False


def _discard_played(table: Table) -> None:
    """Add played favors to the discards, and played +4s to their stack (G40) or as the option `spent_favor` (G28)."""
    discards = list(table.discards)
    for bids in table.bids:
        for _, favor, _ in bids:
            if favor != SPECIAL:
                discards[favor] += 1
            else:
                spent = table.setting.options.spent_favor
                if spent == "discards":
                    discards[favor] += 1
                elif spent == "stack":
                    table.specials += 1
    table.discards = tuple(discards)


def _reveal_specials(table: Table, seat: int, count: int) -> None:
    """Update a seat's unseen +4s after `count` +4s have left its hand face up.

    Other seats count them first among the +4s won in public, and only then among the unseen ones.
    """
    unseen, held = table.rare.unseen_specials, table.hands[seat].count(SPECIAL)
    known = held + count - unseen[seat]
    table.rare = table.rare._replace(unseen_specials=_put(unseen, seat, held - max(0, known - count)))


def _add_unseen_specials(table: Table, seat: int, cards: tuple[int, ...]) -> None:
    """Count the +4s among cards from the deck, which other seats cannot see (G28)."""
    unseen = table.rare.unseen_specials
    table.rare = table.rare._replace(unseen_specials=_put(unseen, seat, unseen[seat] + cards.count(SPECIAL)))


def _seat_of_special(table: Table) -> int | None:
    """Return the seat whose first draw is a +4 (G27), or None if no seat gets one or no +4 is left."""
    winner = table.winners[LAWYER]
    if winner is None or not table.specials:
        return None
    controlled = table.opening.control[LAWYER] == winner
    return winner if controlled or table.setting.cast[winner].always_special else None


def _reshuffle(table: Table, cards: tuple[int, ...], required: int) -> tuple[int, ...]:
    """Return `cards`, the last of the deck, with enough cards from the shuffled discards.

    The discards are shuffled only when a card is required and the deck is empty (G29, G40).
    """
    while len(cards) < required:
        discarded = tuple([favor for favor, held in enumerate(table.discards) for _ in range(held)])
        deck = table.chance.shuffle(FAVORS, table.rare.shuffles, discarded)
        table.rare = table.rare._replace(shuffles=table.rare.shuffles + 1)
        table.discards = no_discards(table.setting.options)
        table.log_event(("reshuffled", len(discarded)))
        missing = required - len(cards)
        cards, table.deck = cards + deck[:missing], deck[missing:]
    return cards


def _draw_pairs(table: Table, seat: int, drawn: tuple[int, ...], required: int) -> tuple[int, ...] | None:
    """Draw two favors for each required one and keep one of them; return all favors that the seat has drawn.

    Return None if the seat must choose: its pair and its draws so far are then in `rare`, from which `draw` continues.
    """
    while len(drawn) < required:
        cards, table.deck = table.deck[:2], table.deck[2:]
        low, high = sorted(_reshuffle(table, cards, 2))
        if table.events is not None:
            table.events.append(("paired", seat, (low, high)))
        table.rare = table.rare._replace(pair=(low, high), drawing=(seat, drawn))
        if low != high:
            table.questions = (_QUESTIONS["keep"][seat],)
            return None
        drawn = _keep(table, seat, drawn, low)
    return drawn


def _keep(table: Table, seat: int, drawn: tuple[int, ...], favor: int) -> tuple[int, ...]:
    """Keep this favor of the pair and put the other aside, face up, until all have drawn; return the seat's draws."""
    low, high = table.rare.pair
    other = low if favor == high else high
    table.log_event(("passed", seat, other))
    table.hands = _put(table.hands, seat, _add_cards(table.hands[seat], (favor,)))
    table.rare = table.rare._replace(pair=(), passed=(*table.rare.passed, other))
    if favor == SPECIAL:
        _add_unseen_specials(table, seat, (favor,))
    return (*drawn, favor)


def _discard_passed(table: Table) -> None:
    discards = list(table.discards)
    for favor in table.rare.passed:
        discards[favor] += 1
    table.discards = tuple(discards)
    table.rare = table.rare._replace(drawing=(0, ()), passed=())


# The Investigator's die


def discard_instead(table: Table) -> bool:
    """Let a character with the trait discard a favor instead of taking a die, down to its smallest hand.

    The favor goes to the discards face up, or to its stack if it is a +4.  The hand stays smaller, and no die is taken.
    """
    holder = _seat_to_take(table)
    if holder is None:
        return False
    if not table.asked:
        smallest = table.setting.cast[holder].discards_above
        return smallest is not None and table.hand_limits[holder] > smallest and _ask(table, "discard", [holder])
    favor = table.decisions[holder]
    if favor is not None:
        table.hands = _put(table.hands, holder, _remove_card(table.hands[holder], favor))
        if favor == SPECIAL and table.rare.unseen_specials[holder]:
            _reveal_specials(table, holder, 1)
        table.hand_limits = _put(table.hand_limits, holder, table.hand_limits[holder] - 1)
        if favor == SPECIAL:
            table.specials += 1
        else:
            table.discards = _put(table.discards, favor, table.discards[favor] + 1)
        table.log_event(("dropped", holder, favor))
        table.rare = table.rare._replace(spared=True)
    return False


def take(table: Table) -> bool:
    """Let the Investigator's holder, after this round's move, take one of the dice on it (G24, G25).

    A holder that controls the Lawyer may decline (G26).
    """
    holder = _seat_to_take(table)
    if holder is None:
        return False
    if holder in table.decisions:
        color: Any = table.decisions[holder]
    else:
        colors = legality.choices(table, holder, "take")
        if len(colors) > 1:
            table.questions = (_QUESTIONS["take"][holder],)
            return True
        color = colors[0]
    if color is None:
        table.log_event(("declined", holder))
        return False
    die = of_color(color)
    table.dice = _put(table.dice, INVESTIGATOR, minus(table.dice[INVESTIGATOR], die))
    table.stashes = _put(table.stashes, holder, plus(table.stashes[holder], die))
    table.locked = _put(table.locked, holder, plus(table.locked[holder], die))
    table.log_event(("received", holder, color))
    return False


def _seat_to_take(table: Table) -> int | None:
    """Return the Investigator's holder, if it has to take a die: one is there (G24), and no favor was discarded."""
    return None if table.dice[INVESTIGATOR] == NO_DICE or table.rare.spared else table.control[INVESTIGATOR]


# The win check


def check_win(table: Table) -> bool:
    """End the game if seats have no dice, which then win together (G32), or after the last round (G33)."""
    if NO_DICE in table.stashes:
        table.rare = table.rare._replace(end=EndReason.COMPLETED)
        table.log_event(("emptied", tuple([seat for seat in _seats(table) if table.stashes[seat] == NO_DICE])))
        return True
    if table.opening.round == table.setting.options.round_limit:
        table.rare = table.rare._replace(end=EndReason.ROUND_LIMIT)
        table.log_event(("limit_reached", table.opening.round))
        return True
    return False


_STEPS_TO_DRAW: Final = (begin_round, reroll, bid, apply_effects, swap, draw)
ROUND: Final[dict[str, tuple[Step, ...]]] = {
    "die_first": (*_STEPS_TO_DRAW, discard_instead, take, check_win),
    "win_first": (*_STEPS_TO_DRAW, check_win, discard_instead, take),
}
"""The steps of a round, by the option `win_check` (G30)."""

STEP_OF_KIND: Final[dict[str, Step]] = {
    "reroll": reroll,
    "bids": bid,
    **dict.fromkeys(EFFECTS, apply_effects),
    "swap": swap,
    "keep": draw,
    "discard": discard_instead,
    "take": take,
}
"""By kind of question, the step that uses its answers."""

TRAIT_OF_STEP: Final[dict[Step, str]] = {reroll: "rerolls", swap: "swaps_on", discard_instead: "discards_above"}
"""The steps that need a character's trait, and the trait; tables without the trait skip them."""


@lru_cache(maxsize=1000)
def _setting(options: Options, cast: tuple[Character, ...]) -> Setting:
    steps = [
        step
        for step in ROUND[options.win_check]
        if step not in TRAIT_OF_STEP
        or any(getattr(character, TRAIT_OF_STEP[step]) != getattr(PLAIN, TRAIT_OF_STEP[step]) for character in cast)
    ]
    seats = len(cast)
    return Setting(
        options=options,
        cast=cast,
        steps=tuple(steps),
        header=(options.to_wire(), tuple([character.key or None for character in cast])),
        heads_up=seats == 2,
        draws_pairs=any(character.draws_pairs for character in cast),
        none=(0,) * seats,
        no_dice=(NO_DICE,) * seats,
        no_answers=((),) * seats,
    )


def _play_on(table: Table) -> None:
    """Run steps until a seat must decide or the game is over; only the first step uses the answers."""
    steps, number = table.setting.steps, table.step
    last = len(steps) - 1
    waits = steps[number](table)
    table.asked, table.decisions = (), _NO_DECISIONS
    while not waits:
        number = number + 1 if number < last else 0
        waits = steps[number](table)
    table.step = number


# Helpers of the steps


def _seats(table: Table) -> range:
    return range(len(table.stashes))


def _ask(table: Table, kind: str, seats: Iterable[int]) -> bool:
    """Ask these seats, except those with only one legal answer (G41); return whether any is asked."""
    questions = _QUESTIONS[kind]
    table.questions = tuple([questions[seat] for seat in seats if not legality.is_forced(table, seat, kind)])
    return bool(table.questions)


def _give(table: Table, seat: int, token: int, dice: Dice) -> None:
    table.stashes = _put(table.stashes, seat, minus(table.stashes[seat], dice))
    table.dice = _put(table.dice, token, plus(table.dice[token], dice))


def _trade(table: Table, seat: int, old_dice: Dice, new_dice: Dice) -> None:
    """Swap dice with the Speakeasy; the seat's new dice are locked (G17)."""
    table.stashes = _put(table.stashes, seat, plus(minus(table.stashes[seat], old_dice), new_dice))
    table.dice = _put(table.dice, SPEAKEASY, minus(plus(table.dice[SPEAKEASY], old_dice), new_dice))
    table.locked = _put(table.locked, seat, plus(table.locked[seat], new_dice))


@lru_cache(maxsize=5_000)
def _add_cards(hand: tuple[int, ...], cards: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted(hand + cards))


@lru_cache(maxsize=5_000)
def _remove_card(hand: tuple[int, ...], card: int) -> tuple[int, ...]:
    place = hand.index(card)
    return hand[:place] + hand[place + 1 :]


def _put(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    changed = list(values)
    changed[index] = value
    return tuple(changed)


class GangsterDice(Game[State]):
    """Gangster Dice for two to four players; two always play heads-up (G1)."""

    name = "gangster-dice"
    title = "Gangster Dice"
    table_sizes = TABLE_SIZES
    bot_class = Bot
    view_class = View
    unit = Unit("die", "dice", more_is_better=False)
    goal = "Get rid of all your dice to win."
    course = (
        "Each round, everyone rolls, then bids a favor on a place whose symbol they rolled; two players bid on two"
        " places each. A bid scores the favor plus the dice with that symbol. The holder of the Streets adds the dice"
        " there. To get rid of dice, win the Streets while you hold them, or the Investigator from another player. At"
        " the end of a round, the Investigator's holder takes one of its dice, unless the Lawyer protects them."
    )
    choices_of_options = (
        Choice(
            *("investigator_colour", "Colors that the Investigator's winner may name", ("any", "held"), "any"),
            labels=("every color", "only colors of their unlocked dice"),
        ),
        Choice(
            *("spent_favor", "Where a played +4 goes", ("stack", "out", "discards"), "stack"),
            labels=("back to the stack of +4s", "out of the game", "to the discarded favors"),
        ),
        Choice(
            *("win_check", "What comes first at the end of a round", ("die_first", "win_first"), "die_first"),
            labels=("the Investigator's die, then who has won", "who has won, then the Investigator's die"),
        ),
        Choice("round_limit", "Round after which a game ends (house rule)", (), "100", hint="1 to 10000"),
        Choice(
            *("characters", "Characters", ("none", "dealt", "chosen"), "none"),
            labels=(
                "none",
                "dealt by chance, abilities by house rules",
                "chosen for each seat, abilities by house rules",
            ),
        ),
        Choice(
            *("cast", "Chosen characters, one per seat, separated by commas"),
            is_list=True,
            hint=f"One per player, in seat order, from {', '.join(BY_KEY)}",
        ),
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

    def options(self, values: Mapping[str, object]) -> Options:
        """Return the options with defaults; see `gangster_dice.options`."""
        return options.parse(values)

    def options_dict(self, options: Options) -> dict[str, object]:
        """Return the options that differ from their defaults."""
        return options.to_dict()

    def start(self, seats: int, options: Options, chance: Chance) -> tuple[State, tuple[Event, ...]]:
        """Set up, roll for the first round, and return the state that asks for bids."""
        if seats not in TABLE_SIZES:
            raise ValueError(f"{self.title} is for {TABLE_SIZES[0]} to {TABLE_SIZES[-1]} players, not {seats!r}")
        table, dealt = lay_table(_setting(options, cast_of(options, seats, chance)), chance)
        _play_on(table)
        events = table.events or []
        seated = [event[0] for event in events].index(ROUND_BEGAN)
        return freeze(table), (*events[:seated], *dealt, *events[seated:])

    def pending(self, state: State) -> tuple[Question, ...]:
        """Return the decisions to make now, in seat order."""
        return state.public.questions

    def observe(self, state: State, seat: int, defaulting: frozenset[int] = frozenset()) -> View:
        """Return everything that the seat may know (G42)."""
        return _view(state, state.public, seat, tuple(sorted(defaulting)) if defaulting else ())

    def half_answered(self, state: State) -> bool:
        """Return whether this round's effects have some answers and need another ply (G16)."""
        return state.rare.half_answered

    def legal(self, state: State, seat: int) -> str:
        """Return a description of the seat's legal answers."""
        return legality.describe(state, seat, legality.asked_kind(state.public.questions, seat))

    def check(self, state: State, seat: int, answer: object) -> Decision:
        """Return the answer in canonical form.  Raises IllegalDecision: it is not legal."""
        return legality.check(state, seat, legality.asked_kind(state.public.questions, seat), answer)

    def choices(self, state: State, seat: int) -> Sequence[Decision]:
        """Return every legal answer in canonical form and order."""
        public = state.public
        kind = legality.asked_kind(public.questions, seat)
        if kind == "bids":  # by far the most frequent kind
            return legality.bids(public.opening.symbols[seat], state.hands[seat], state.setting.heads_up)[0]
        return legality.choices(state, seat, kind)

    def choices_of(self, view: AnyView) -> Sequence[Decision]:
        """Return every legal answer to the view's question, in canonical form and order."""
        kind = view.question or ""
        if kind == "bids" and isinstance(view, View):  # by far the most frequent kind
            return legality.bids(view.symbols, view.hand, view.seats == 2)[0]
        position = _known_state(view)
        effects = view.wire[at.ANSWERS] if kind in EFFECTS else ()
        if effects:
            position = position._replace(answers=_put(position.answers, view.wire[at.SEAT], effects))
        return legality.choices(position, view.wire[at.SEAT], kind)

    def sampler(self, view: AnyView) -> Callable[[Random], State]:
        """Return a function that draws states consistent with the view; `unseen` draws the favors."""
        known, deals = _known_state(view), Deals(view.wire, view.question)
        return partial(_sample, view, known, deals)

    def default(self, state: State, seat: int) -> Decision:
        """Return the decision played for a seat at fault (G38)."""
        return legality.default(state, seat, legality.asked_kind(state.public.questions, seat))

    def resolve(
        self, state: State, decisions: Mapping[int, Decision], chance: Chance
    ) -> tuple[State, tuple[Event, ...]]:
        """Apply the answers of all seats asked, and play on to the next question or the end."""
        table = _table_with_answers(state, decisions, chance)
        _play_on(table)
        return freeze(table), tuple(table.events or ())

    def rollout(
        self, state: State, policies: Sequence[Policy], chance: Chance, last_round: int | None = None
    ) -> tuple[State, int]:
        """Play on with one policy per seat to the end of the game or a round; return state and decision count."""
        table, decision_count = Table(state, _NO_DECISIONS, chance), 0
        table.questions, table.events = table.asked, None
        choices: Sequence[Decision]
        final_round = state.setting.options.round_limit if last_round is None else last_round
        while table.questions and table.opening.round <= final_round:
            public = public_of(table, Cache())
            decisions: dict[int, Decision] = {}
            for question in table.questions:
                seat, kind = question.seat, question.kind
                if kind == "bids":  # by far the most frequent kind
                    choices = legality.bids(table.opening.symbols[seat], table.hands[seat], table.setting.heads_up)[0]
                else:
                    choices = legality.choices(table, seat, kind)
                count = len(choices)
                place = index(policies[seat](_view(table, public, seat), count))
                if not 0 <= place < count:
                    raise wrong_index(place, count)
                decisions[seat] = choices[place]
            decision_count += len(decisions)
            table.decisions = decisions
            _note_asked(table)
            table.asked, table.questions = table.questions, ()
            _play_on(table)
        return freeze(table), decision_count

    def outcome(self, state: State, defaulting: frozenset[int] = frozenset()) -> Outcome | None:
        """Return the outcome (G37, G38), or None while the game is in progress."""
        return outcome(state, defaulting)

    def round(self, state: State) -> int:
        """Return the number of the round, from 1."""
        return state.opening.round

    def sentence(self, event: Event, names: tuple[str, ...]) -> str | None:
        """Return the event as an English sentence, or None if it needs no sentence."""
        return telling.sentence(event, names)

    def known(self, event: Event, seat: int) -> Event | None:
        """Return the event as the seat may know it (G5): it sees only its own cards, sorted like a hand."""
        if event[0] not in HIDDEN_KINDS:
            return event
        kind, owner, cards = event
        return (kind, owner, tuple(sorted(cards))) if owner == seat else None

    def held(self, state: State) -> tuple[int, ...]:
        """Return each seat's number of dice."""
        return tuple(sum(dice) for dice in state.stashes)

    def luck_course(self, seats: int, events: Iterable[Event]) -> Iterator[tuple[float, ...]]:
        """Yield all seats' luck in wins; see `gangster_dice.luck`."""
        return luck.course(seats, events)

    def wrong_parts(self, view: AnyView, kind: str, answer: Sequence[object]) -> list[str]:
        """Return a message for each illegal bid of a list."""
        return advice.wrong_bids(view, answer) if isinstance(view, View) and kind == "bids" else []


def _known_state(view: AnyView) -> State:
    """Return the state that a view shows.  Raises ValueError: its seat is not asked."""
    if not isinstance(view, View) or view.question not in STEP_OF_KIND:
        raise ValueError(f"the seat of this view is not asked (question {view.question!r})")
    characters = view.wire[at.TABLE][at.CHARACTERS]
    setting = _setting(view.options, tuple([PLAIN if key is None else BY_KEY[key] for key in characters]))
    return known_part(view, empty_state(setting), setting.steps.index(STEP_OF_KIND[view.question]))


def _sample(view: AnyView, known: State, deals: Deals, rng: Random) -> State:
    """Return a full state consistent with the view; answers of other seats that are still hidden are any legal ones."""
    seat, kind = view.wire[at.SEAT], view.question or ""
    table = Table(known, _NO_DECISIONS, RandomChance(rng))
    table.public_events = list(view.wire[at.TABLE][at.EVENTS])
    table.hands, table.deck = deals.draw(rng)
    specials = view.wire[at.TABLE][at.SPECIALS_HELD]
    unseen = tuple([hand.count(SPECIAL) - held for hand, held in zip(table.hands, specials, strict=True)])
    if any(unseen):
        table.rare = table.rare._replace(unseen_specials=unseen)
    if kind in ("reroll", "bids"):
        STEP_OF_KIND[kind](table)
    elif kind in EFFECTS:
        _choose_hidden_effects(table, view, rng)
    else:
        table.questions = (_QUESTIONS[kind][seat],)
        if kind == "keep":
            drawn = tuple(rng.sample(table.hands[seat], count_draws(view)))
            table.rare = table.rare._replace(drawing=(seat, drawn))
    if _QUESTIONS[kind][seat] not in table.questions:
        raise ValueError(f"no position agrees with this view: seat {seat} would not be asked for {kind!r}")
    return freeze(table)


def _choose_hidden_effects(table: Table, view: AnyView, rng: Random) -> None:
    """Play the plies of effects before the view's question: the seat's own answers, and random ones of other seats."""
    seat, own = view.wire[at.SEAT], dict(view.wire[at.ANSWERS])
    apply_effects(table)
    while any(question.seat == seat and question.kind in own for question in table.questions):
        table.decisions = {
            question.seat: own[question.kind]
            if question.seat == seat
            else rng.choice(legality.choices(table, question.seat, question.kind))
            for question in table.questions
        }
        table.asked, table.questions = table.questions, ()
        apply_effects(table)


def _table_with_answers(state: State, decisions: Mapping[int, Decision], chance: Chance) -> Table:
    """Return the table with the answers.  Raises ValueError: the answers are not from the seats asked."""
    table = Table(state, decisions, chance)
    asked = table.asked
    if len(decisions) != len(asked):
        raise _wrong_seats_error(asked, decisions)
    for question in asked:
        if question.seat not in decisions:
            raise _wrong_seats_error(asked, decisions)
    table.public_events = list(state.public.events())
    _note_asked(table)
    return table


def _note_asked(table: Table) -> None:
    number, last = table.opening.round, table.last_asked
    if len(table.decisions) == len(last):
        table.last_asked = (number,) * len(last)
    else:
        for seat in table.decisions:
            if last[seat] != number:
                table.last_asked = _put(table.last_asked, seat, number)


def _wrong_seats_error(asked: Sequence[Question], decisions: Mapping[int, Decision]) -> ValueError:
    seats = [question.seat for question in asked]
    return ValueError(f"expected decisions from seats {seats}, not {sorted(decisions)}")


def _view(position: Position, public: Public, seat: int, defaulting: tuple[int, ...] = ()) -> View:
    """Return the seat's view: the public part and events, and its own hand and answers (G5, G42)."""
    rare = position.rare
    hand, locked, answers = position.hands[seat], position.locked[seat], position.answers[seat]
    pair = rare.pair if rare.pair and rare.drawing[0] == seat else ()
    return _view_of((seat, public, defaulting, hand, locked, answers, pair, position.last_asked[seat]))


_view_of: Final = View.of

GAME: Final = GangsterDice()
View.game = GAME
