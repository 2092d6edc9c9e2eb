"""Gangster Dice, the rules of one round from top to bottom (rulings G1 to G42).

A round is the steps of `ROUND` in their order.  A step does its part to the table and may
ask seats something; then the state waits, and goes on with the next step when all answers
are in.  Numbers like G16 are the rulings' own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from gangland.chance import Chance
from gangland.game import Decision, EndReason, Event, Game, Outcome, Question
from gangland.gangster_dice import legality, options, telling
from gangland.gangster_dice.bot import Bot
from gangland.gangster_dice.cards import (
    DECK,
    DIE_FACES,
    FIRST_SPEAKEASY,
    FIRST_STASH,
    HAND_LIMIT,
    INVESTIGATOR,
    LAWYER,
    NO_DICE,
    SPEAKEASY,
    SPECIAL,
    SPECIALS,
    STREETS,
    TOKENS,
    Dice,
    minus,
    of_colour,
    plus,
)
from gangland.gangster_dice.options import Options
from gangland.gangster_dice.outcome import outcome
from gangland.gangster_dice.state import EFFECTS, Faces, State, Table, put, thaw
from gangland.gangster_dice.views import View, observe, shown

TABLE_SIZES: Final = (2, 3, 4)
FIRST_ROLL: Final = 1
DECK_NAME: Final = "favors"

_QUESTIONS: Final = {
    kind: tuple([Question(seat, kind) for seat in range(max(TABLE_SIZES))])
    for kind in ("bids", "exchange", "stake", "dump", "take")
}


def _set_up(seats: int, chosen: Options, chance: Chance) -> Table:
    """Lay the table: stashes of two dice a colour, one die a colour on the Speakeasy, favors dealt by seat (G39)."""
    deck = chance.shuffle(DECK_NAME, 0, DECK)
    limits = (HAND_LIMIT,) * seats
    characters = (None,) * seats
    hands = [tuple(sorted(deck[sum(limits[:seat]) : sum(limits[: seat + 1])])) for seat in range(seats)]
    state = State(
        options=chosen,
        fixed=(chosen.to_wire(), characters),
        round=0,
        step=0,
        questions=(),
        half_answered=False,
        end=None,
        hand_limits=limits,
        stashes=(FIRST_STASH,) * seats,
        faces=(((), (), ()),) * seats,
        symbols=((0,) * len(TOKENS),) * seats,
        locked=(NO_DICE,) * seats,
        hands=tuple(hands),
        deck=deck[sum(limits) :],
        shuffles=1,
        discards=(0,) * SPECIAL,
        specials=SPECIALS,
        opening=(None,) * len(TOKENS),
        bonus=0,
        control=(None,) * len(TOKENS),
        dice=tuple([FIRST_SPEAKEASY if token == SPEAKEASY else NO_DICE for token in TOKENS]),
        bids=(),
        winners=(None,) * len(TOKENS),
        answers=((),) * seats,
        told=(),
        history=(),
        last_asked=(0,) * seats,
        shown=(),
    )
    table = thaw(state, {}, chance)
    for seat, hand in enumerate(hands):
        table.tell("dealt", seat, hand)
    return table


# The steps of a round


def begin_round(table: Table) -> None:
    """Take the snapshot that first wins, bonus and ties go by (G13, G15), and put the last round away."""
    table.round += 1
    if table.round > 1:
        # G42: a seat sees all since its last decision, the whole last round at least.
        oldest = min(table.last_asked)
        table.history = (table.told, *table.history)[: max(1, table.round - oldest)]
    table.told = ()
    table.opening = table.control
    table.bonus = sum(table.dice[STREETS])
    table.locked = (NO_DICE,) * len(table.stashes)
    table.bids = ()
    table.winners = (None,) * len(TOKENS)
    table.answers = ((),) * len(table.stashes)
    table.tell("round", table.round)


def roll(table: Table) -> None:
    """All seats roll their stashes, in public (G4); positions run over the stash in colour order (G39)."""
    rolled, counted = [], []
    for seat, (white, red, blue) in enumerate(table.stashes):
        raw = table.chance.faces(table.round, seat, FIRST_ROLL, white + red + blue)
        faces: Faces = (
            tuple([DIE_FACES[0][face] for face in raw[:white]]),
            tuple([DIE_FACES[1][face] for face in raw[white : white + red]]),
            tuple([DIE_FACES[2][face] for face in raw[white + red :]]),
        )
        shown = faces[0] + faces[1] + faces[2]
        rolled.append(faces)
        counted.append((shown.count(0), shown.count(1), shown.count(2), shown.count(3)))
        table.tell("rolled", seat, faces)
    table.faces = tuple(rolled)
    table.symbols = tuple(counted)


def ask_bids(table: Table) -> None:
    """Every seat bids in secret, all at once; who has no choice is not asked (G41)."""
    table.questions = tuple(
        [_QUESTIONS["bids"][seat] for seat in table.seats if not legality.is_forced(table, seat, "bids")]
    )


def reveal(table: Table) -> None:
    """Turn the bids up and score them: symbols, favor, and the Streets' bonus on every bid (G10, G12)."""
    hands, revealed = list(table.hands), []
    for seat in table.seats:
        bids = _answer(table, seat, "bids")
        bonus = table.bonus if table.opening[STREETS] == seat else 0
        symbols = table.symbols[seat]
        scored = tuple([(token, favor, symbols[token] + favor + bonus) for token, favor in bids])
        revealed.append(scored)
        hand = list(hands[seat])
        for _, favor in bids:
            hand.remove(favor)
        hands[seat] = tuple(hand)
        table.tell("revealed", seat, scored)
    table.bids = tuple(revealed)
    table.hands = tuple(hands)


def find_winners(table: Table) -> None:
    """The best bid on a token wins it; a tie goes to who controlled the Streets (G13), or to nobody (G14)."""
    contests: list[list[tuple[int, int]]] = [[] for _ in TOKENS]
    for seat, bids in enumerate(table.bids):
        for token, _, score in bids:
            contests[token].append((score, seat))
    winners: list[int | None] = [None] * len(TOKENS)
    for token, contest in enumerate(contests):
        if not contest:
            continue
        best = max(contest)[0]
        tied = tuple([seat for score, seat in contest if score == best])
        winner = tied[0] if len(tied) == 1 else table.opening[STREETS]
        if winner is not None and winner in tied:
            winners[token] = winner
            table.tell("won", token, winner, best, tuple([seat for seat in tied if seat != winner]))
        else:
            table.tell("tied", token, tied, best)
    table.winners = tuple(winners)


def hand_over_tokens(table: Table) -> None:
    """All tokens that change hands do so at once (G15, G16).

    The Investigator moves to the winner's left if the winner holds it (G21) or nobody does (G20);
    won from another it stays where it is (G22).
    """
    control = list(table.opening)
    for token in (LAWYER, SPEAKEASY, STREETS):
        winner = table.winners[token]
        if winner is not None and winner != table.opening[token]:
            control[token] = winner
            table.tell("took", token, winner, table.opening[token])
    finder, holder = table.winners[INVESTIGATOR], table.opening[INVESTIGATOR]
    if finder is not None and holder in (None, finder):
        control[INVESTIGATOR] = (finder + 1) % len(table.stashes)  # G36
        table.tell("moved", holder, control[INVESTIGATOR])
    table.control = tuple(control)


def ask_effects(table: Table) -> None:
    """Ask every seat the next of its effects: exchange, then stake, then dump (G16).

    This step comes again until all are answered; nobody sees another seat's answers before.
    """
    for seat, answer in table.decisions.items():
        _note(table, seat, answer)
    asked: dict[int, str] = {}
    for kind, token in EFFECTS:
        owner = _seat_with_effect(table, token)
        if owner is None or owner in asked or kind in dict(table.answers[owner]):
            continue
        if legality.is_forced(table, owner, kind):
            _note(table, owner, (kind, _only_choice(table, owner, kind)))
        else:
            asked[owner] = kind
    table.half_answered = bool(asked and table.decisions)
    table.questions = tuple([_QUESTIONS[asked[seat]][seat] for seat in sorted(asked)])
    if asked:
        table.step -= 1


def apply_effects(table: Table) -> None:
    """Carry out what was chosen: Speakeasy, Streets, Investigator (G16); dice received are locked (G17)."""
    for kind, token in EFFECTS:
        seat = _seat_with_effect(table, token)
        if seat is not None:
            APPLY[kind](table, seat, dict(table.answers[seat])[kind])


def exchange(table: Table, seat: int, answer: tuple[Dice, Dice]) -> None:
    """Swap dice with the Speakeasy (G18)."""
    given, taken = answer
    table.stashes = put(table.stashes, seat, plus(minus(table.stashes[seat], given), taken))
    table.dice = put(table.dice, SPEAKEASY, minus(plus(table.dice[SPEAKEASY], given), taken))
    table.locked = put(table.locked, seat, plus(table.locked[seat], taken))
    table.tell("exchanged", seat, given, taken)


def stake(table: Table, seat: int, colour: int | None) -> None:
    """Put one die on the Streets, or none (G19)."""
    if colour is not None:
        _give(table, seat, STREETS, of_colour(colour))
    table.tell("staked", seat, colour)


def dump(table: Table, seat: int, colour: int | None) -> None:
    """Put all unlocked dice of one colour on the Investigator (G22), perhaps none (G23)."""
    count = 0
    if colour is not None:
        count = table.stashes[seat][colour] - table.locked[seat][colour]
        _give(table, seat, INVESTIGATOR, of_colour(colour, count))
    table.tell("dumped", seat, colour, count)


APPLY: Final[dict[str, Callable[[Table, int, Any], None]]] = {"exchange": exchange, "stake": stake, "dump": dump}


def discard_and_draw(table: Table) -> None:
    """All played favors go to the discards, then seats draw in seat order, one card for each played (G40)."""
    discards = list(table.discards)
    for bids in table.bids:
        for _, favor, _ in bids:
            if favor != SPECIAL:
                discards[favor] += 1
            elif table.options.spent_favor == "stack":  # G28
                table.specials += 1
    table.discards = tuple(discards)
    hands = []
    for seat in table.seats:
        drawn = tuple([_draw(table, seat, first=number == 0) for number in range(len(table.bids[seat]))])
        hands.append(tuple(sorted(table.hands[seat] + drawn)))
        table.tell("drew", seat, drawn)
    table.hands = tuple(hands)


def ask_take(table: Table) -> None:
    """Who holds the Investigator after this round's move chooses one of the dice on it (G24, G25)."""
    holder = _seat_to_take(table)
    if holder is not None and not legality.is_forced(table, holder, "take"):
        table.questions = (_QUESTIONS["take"][holder],)


def take(table: Table) -> None:
    """The die goes to the holder's stash, unless the Lawyer protects a holder that declines (G26)."""
    holder = _seat_to_take(table)
    if holder is None:
        return
    colour = _answer(table, holder, "take")
    if colour is None:
        table.tell("declined", holder)
        return
    die = of_colour(colour)
    table.dice = put(table.dice, INVESTIGATOR, minus(table.dice[INVESTIGATOR], die))
    table.stashes = put(table.stashes, holder, plus(table.stashes[holder], die))
    table.locked = put(table.locked, holder, plus(table.locked[holder], die))
    table.tell("received", holder, colour)


def check_win(table: Table) -> None:
    """Seats without dice win together (G32); after the last round the game is over anyway (G33)."""
    empty = tuple([seat for seat in table.seats if table.stashes[seat] == NO_DICE])
    if empty:
        table.end = EndReason.COMPLETED
        table.tell("emptied", empty)
    elif table.round == table.options.round_limit:
        table.end = EndReason.ROUND_LIMIT
        table.tell("limit_reached", table.round)


_UNTIL_DRAWN: Final = (
    begin_round,
    roll,
    ask_bids,
    reveal,
    find_winners,
    hand_over_tokens,
    ask_effects,
    apply_effects,
    discard_and_draw,
)
ROUND: Final[dict[str, tuple[Callable[[Table], None], ...]]] = {
    "die_first": (*_UNTIL_DRAWN, ask_take, take, check_win),
    "win_first": (*_UNTIL_DRAWN, check_win, ask_take, take),
}
"""The steps of a round, by the option `win_check` (G30)."""


def _play_on(table: Table) -> tuple[State, tuple[Event, ...]]:
    """Take step after step until a seat must decide or the game is over; answers are for the first step alone."""
    steps = ROUND[table.options.win_check]
    while not table.questions and table.end is None:
        step = steps[table.step]
        table.step = (table.step + 1) % len(steps)
        step(table)
        table.decisions = {}
    table.shown = shown(table)
    return table.freeze(), tuple(table.events)


# What the steps share


def _answer(table: Table, seat: int, kind: str) -> Any:
    """Return what the seat has answered, or the only legal answer where it was not asked (G41)."""
    return table.decisions[seat][1] if seat in table.decisions else _only_choice(table, seat, kind)


def _only_choice(table: Table, seat: int, kind: str) -> Decision:
    return next(iter(legality.choices(table, seat, kind)))


def _note(table: Table, seat: int, answer: tuple[str, Decision]) -> None:
    table.answers = put(table.answers, seat, (*table.answers[seat], answer))


def _seat_with_effect(table: Table, token: int) -> int | None:
    """Return who has this token's effect to choose: its controller (G15), of the Investigator another seat (G22)."""
    winner, before = table.winners[token], table.opening[token]
    if token == INVESTIGATOR:
        return winner if before is not None and before != winner else None
    return winner if before == winner else None


def _seat_to_take(table: Table) -> int | None:
    """Return who holds the Investigator if dice lie on it (G24)."""
    return None if table.dice[INVESTIGATOR] == NO_DICE else table.control[INVESTIGATOR]


def _give(table: Table, seat: int, token: int, dice: Dice) -> None:
    table.stashes = put(table.stashes, seat, minus(table.stashes[seat], dice))
    table.dice = put(table.dice, token, plus(table.dice[token], dice))


def _draw(table: Table, seat: int, *, first: bool) -> int:
    """Draw one card: a +4 is the first draw of the Lawyer's winner that controlled it (G27)."""
    if first and table.specials and table.winners[LAWYER] == seat == table.opening[LAWYER]:
        table.specials -= 1
        table.tell("special", seat)
        return SPECIAL
    if not table.deck:
        _reshuffle(table)
    card, table.deck = table.deck[0], table.deck[1:]
    return card


def _reshuffle(table: Table) -> None:
    """Make the discards the new deck: only when a card is needed and there is none (G29, G40)."""
    cards = tuple([favor for favor, count in enumerate(table.discards) for _ in range(count)])
    table.deck = table.chance.shuffle(DECK_NAME, table.shuffles, cards)
    table.shuffles += 1
    table.discards = (0,) * SPECIAL
    table.tell("reshuffled", len(cards))


class GangsterDice(Game[State]):
    """Gangster Dice for two to four players, without characters; two always play heads-up (G1)."""

    name = "gangster-dice"
    title = "Gangster Dice"
    table_sizes = TABLE_SIZES
    bot_class = Bot
    view_class = View

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
        return _play_on(_set_up(seats, options, chance))

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

    def choices(self, state: State, seat: int) -> list[Decision]:
        """Return every legal answer in canonical form and order."""
        return list(legality.choices(state, seat, legality.asked_kind(state, seat)))

    def default(self, state: State, seat: int) -> Decision:
        """Return what is played for a seat at fault (G38)."""
        return legality.default(state, seat, legality.asked_kind(state, seat))

    def resolve(
        self, state: State, decisions: Mapping[int, Decision], chance: Chance
    ) -> tuple[State, tuple[Event, ...]]:
        """Take the answers of all seats asked, and play on to the next question or the end."""
        asked = {question.seat for question in state.questions}
        if decisions.keys() != asked:
            raise ValueError(f"seats {sorted(asked)} have to decide now, not {sorted(decisions)}")
        answers = {question.seat: (question.kind, decisions[question.seat]) for question in state.questions}
        table = thaw(state, answers, chance)
        table.questions = ()
        table.last_asked = tuple([table.round if seat in asked else last for seat, last in enumerate(table.last_asked)])
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


GAME: Final = GangsterDice()
