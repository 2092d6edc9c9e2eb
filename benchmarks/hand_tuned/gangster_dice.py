"""Gangster Dice as one loop: the rulings G1 to G42 with their default options, without characters.

The function is long on purpose.  All data of a round are in local variables, legal answers come from lookups,
and the public part of observations is made once for all seats that are asked together.
"""

from collections.abc import Sequence
from itertools import combinations, permutations, product
from random import Random
from typing import Any

from benchmarks.hand_tuned import Player, Result

ROUNDS = 100
HAND = 3
MAX_DICE = 27
CHUNK = 1024
"""Random bytes drawn at a time; a multiple of 4, so that the stream does not depend on it."""
FAIR = bytes([value % 6 for value in range(256)])
UNFAIR = bytes(range(252, 256))

# Tokens: Lawyer 0, Speakeasy 1, Streets 2, Investigator 3.  The tokens on the raw faces 0 to 5, by color (G39).
WHITE, RED, BLUE = (bytes(faces) + bytes(250) for faces in ((3, 3, 0, 0, 1, 2), (3, 3, 2, 2, 0, 1), (3, 3, 1, 1, 0, 2)))

DECK = (0,) * 6 + (1,) * 12 + (2,) * 12 + (3,) * 6
SPECIAL, SPECIALS = 4, 6
NONE, ONE_EACH, TWO_EACH = (0, 0, 0), (1, 1, 1), (2, 2, 2)
DIE = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
BIT = (1, 2, 4, 8)
ALONE = {1: 0, 2: 1, 4: 2, 8: 3}
OPTIONS = ("any", "stack", "die_first", ROUNDS, "none")

Dice = tuple[int, int, int]
Bids = tuple[tuple[int, int], ...]


class BidOptions(dict[tuple[Any, Any], tuple[Bids, ...]]):
    """All legal bids by (symbols, hand), computed at the first access."""

    def __init__(self, limit: int) -> None:
        super().__init__()
        self.limit = limit

    def __missing__(self, key: tuple[Any, Any]) -> tuple[Bids, ...]:
        symbols, hand = key
        tokens = [token for token in range(4) if symbols[token]]
        count = min(self.limit, len(tokens))
        pairings = product(combinations(tokens, count), sorted(set(permutations(hand, count))))
        self[key] = options = tuple([tuple(zip(*pair, strict=True)) for pair in pairings])
        return options


class ExchangeOptions(dict[tuple[Dice, Dice], tuple[tuple[Dice, Dice], ...]]):
    """All legal exchanges by (stash, dice on the Speakeasy), computed at the first access."""

    def __missing__(self, key: tuple[Dice, Dice]) -> tuple[tuple[Dice, Dice], ...]:
        offers, returns = ([[pick for pick in _picks(dice) if sum(pick) == size] for size in range(4)] for dice in key)
        self[key] = options = tuple([pair for both in zip(offers, returns, strict=True) for pair in product(*both)])
        return options


def _picks(dice: Dice) -> list[Dice]:
    return [(w, r, b) for w in range(dice[0] + 1) for r in range(dice[1] + 1) for b in range(dice[2] + 1)]


ONE_BID, TWO_BIDS, EXCHANGES = BidOptions(1), BidOptions(2), ExchangeOptions()
_YES_NO = (False, True)
COLOURS_OF = {there: tuple([c for c in range(3) if there[c]]) for there in product(_YES_NO, _YES_NO, _YES_NO)}
"""The existing colors, by (white, red, blue)."""
OR_NONE: dict[Any, tuple[int | None, ...]] = {there: (None, *colours) for there, colours in COLOURS_OF.items()}


def play(seats: int, players: Sequence[Player], dice: Random, cards: Random) -> Result:
    """Play one game; every decision gets a new observation of the seat's information (G42)."""
    table = range(seats)
    bid_options, exchanges, shuffled = (TWO_BIDS if seats == 2 else ONE_BID), EXCHANGES, cards.random
    deck = sorted(DECK, key=lambda _: shuffled())
    hands: list[tuple[int, ...]] = [tuple(sorted(deck[HAND * seat : HAND * seat + HAND])) for seat in table]
    top, full = HAND * seats, (HAND,) * seats
    discards, specials, fours = [0, 0, 0, 0], SPECIALS, [0] * seats
    stashes: list[Dice] = [TWO_EACH] * seats
    speakeasy, streets, pinned = ONE_EACH, NONE, NONE
    control: tuple[int | None, ...] = (None, None, None, None)
    records: list[tuple[Any, ...]] = []
    last: tuple[Any, ...] = ()
    decided = [0] * seats
    rolls: list[Any] = [None] * seats
    symbols: list[Any] = [None] * seats
    all_bids: list[Bids] = [()] * seats
    fresh, at = b"", 0
    number = decisions = fewest = 0
    while True:
        number += 1

        # All seats roll (G4, G39).
        if at + MAX_DICE > len(fresh):
            fresh, at = fresh[at:] + dice.randbytes(CHUNK).translate(FAIR, UNFAIR), 0
        for seat in table:
            white, red, blue = stashes[seat]
            to_red = at + white
            to_blue = to_red + red
            end = to_blue + blue
            w = fresh[at:to_red].translate(WHITE)
            r = fresh[to_red:to_blue].translate(RED)
            b = fresh[to_blue:end].translate(BLUE)
            at = end
            rolls[seat] = (w, r, b)
            count = (w + r + b).count
            symbols[seat] = (count(0), count(1), count(2), count(3))

        # All seats bid; a seat without a choice is not asked (G6, G8, G9, G41).
        opening = control
        boss, bonus = opening[2], streets[0] + streets[1] + streets[2]
        lying, piles = (speakeasy, streets, pinned), (len(deck) - top, tuple(discards), specials)
        begun = (OPTIONS, number, tuple(rolls), tuple(symbols), opening, bonus)
        public: tuple[Any, ...] = (begun, (opening, tuple(stashes), lying, full, tuple(fours), piles), ())
        for seat in table:
            hand = hands[seat]
            options = bid_options[symbols[seat], hand]
            if len(options) == 1:
                all_bids[seat] = options[0]
                continue
            past = last if decided[seat] >= number - 1 else tuple(records[decided[seat] - 1 :])
            all_bids[seat] = options[players[seat]((seat, public, hand, NONE, (), past), len(options))]
            decided[seat] = number
            decisions += 1

        # Bids are revealed and scored (G10, G12); the best ones win, ties go to the boss (G13, G14).
        best, tied, revealed = [0, 0, 0, 0], [0, 0, 0, 0], []
        for seat in table:
            own, bit, more = symbols[seat], BIT[seat], bonus if seat == boss else 0
            left, scored = list(hands[seat]), []
            for token, favor in all_bids[seat]:
                score = own[token] + favor + more
                scored.append((token, favor, score))
                if score > best[token]:
                    best[token], tied[token] = score, bit
                elif score == best[token]:
                    tied[token] |= bit
                left.remove(favor)
                if favor == SPECIAL:
                    fours[seat] -= 1
            revealed.append(tuple(scored))
            hands[seat] = tuple(left)
        bids = tuple(revealed)
        ours = 0 if boss is None else BIT[boss]
        lawyer, barman, gunman, finder = winners = tuple(
            [ALONE[bits] if bits in ALONE else boss if bits & ours else None for bits in tied]
        )

        # Tokens change hands at once (G15, G20 to G22).
        holder, dumper = opening[3], None
        if finder is not None:
            if holder is None or holder == finder:
                holder = (finder + 1) % seats
            else:
                dumper = finder
        control = (
            opening[0] if lawyer is None else lawyer,
            opening[1] if barman is None else barman,
            boss if gunman is None else gunman,
            holder,
        )
        trader = barman if barman == opening[1] else None
        staker = gunman if gunman == boss else None

        # Effects: all are chosen before the first is carried out (G16 to G23).
        exchange: Any = None
        stake: Any = None
        dump: Any = None
        incoming = NONE
        if trader is not None or staker is not None or dumper is not None:
            sizes = tuple([len(hand) for hand in hands])
            public = (begun, (control, tuple(stashes), lying, sizes, tuple(fours), piles), (bids, winners))
            answers: tuple[Any, ...]
            if trader is not None:
                trades = exchanges[stashes[trader], speakeasy]
                exchange = trades[0]
                if len(trades) > 1:
                    past = last if decided[trader] >= number - 1 else tuple(records[decided[trader] - 1 :])
                    exchange = trades[players[trader]((trader, public, hands[trader], NONE, (), past), len(trades))]
                    decided[trader] = number
                    decisions += 1
            if staker is not None:
                (white, red, blue), answers = stashes[staker], ()
                if staker == trader:
                    outgoing, answers = exchange[0], (("exchange", exchange),)
                    white, red, blue = white - outgoing[0], red - outgoing[1], blue - outgoing[2]
                stakes = OR_NONE[white > 0, red > 0, blue > 0]
                if len(stakes) > 1:
                    past = last if decided[staker] >= number - 1 else tuple(records[decided[staker] - 1 :])
                    stake = stakes[players[staker]((staker, public, hands[staker], NONE, answers, past), len(stakes))]
                    decided[staker] = number
                    decisions += 1
            if dumper is not None:
                answers = (("exchange", exchange),) if dumper == trader else ()
                if dumper == staker:
                    answers = (*answers, ("stake", stake))
                past = last if decided[dumper] >= number - 1 else tuple(records[decided[dumper] - 1 :])
                dump = players[dumper]((dumper, public, hands[dumper], NONE, answers, past), 3)
                decided[dumper] = number
                decisions += 1

            # The effects are carried out; dice received are locked (G17).
            if trader is not None:
                outgoing, incoming = exchange
                w0, r0, b0 = outgoing[0] - incoming[0], outgoing[1] - incoming[1], outgoing[2] - incoming[2]
                white, red, blue = stashes[trader]
                stashes[trader] = (white - w0, red - r0, blue - b0)
                speakeasy = (speakeasy[0] + w0, speakeasy[1] + r0, speakeasy[2] + b0)
            if stake is not None and staker is not None:
                w0, r0, b0 = DIE[stake]
                white, red, blue = stashes[staker]
                stashes[staker] = (white - w0, red - r0, blue - b0)
                streets = (streets[0] + w0, streets[1] + r0, streets[2] + b0)
            if dumper is not None:
                stash = list(stashes[dumper])
                spare = stash[dump] - (incoming[dump] if dumper == trader else 0)
                if spare:
                    stash[dump] -= spare
                    stashes[dumper] = (stash[0], stash[1], stash[2])
                    stash = list(pinned)
                    stash[dump] += spare
                    pinned = (stash[0], stash[1], stash[2])

        # Played favors are discarded, then all draw in seat order (G27 to G29, G40).
        for seat_bids in all_bids:
            for _, favor in seat_bids:
                if favor == SPECIAL:
                    specials += 1
                else:
                    discards[favor] += 1
        favored = lawyer if specials and lawyer == opening[0] else None
        reshuffled = 0
        for seat in table:
            draws, left = len(all_bids[seat]), list(hands[seat])
            if seat == favored:
                specials -= 1
                fours[seat] += 1
                left.append(SPECIAL)
                draws -= 1
            for _ in range(draws):
                if top == len(deck):
                    rest = [favor for favor in range(4) for _ in range(discards[favor])]
                    deck, top, discards, reshuffled = sorted(rest, key=lambda _: shuffled()), 0, [0, 0, 0, 0], len(rest)
                left.append(deck[top])
                top += 1
            left.sort()
            hands[seat] = tuple(left)

        # The Investigator's holder takes a die, or declines under the Lawyer's protection (G24 to G26).
        done = (exchange, stake, dump, favored, reshuffled)
        take: int | None = None
        if holder is not None and pinned != NONE:
            takes = (OR_NONE if control[0] == holder else COLOURS_OF)[pinned[0] > 0, pinned[1] > 0, pinned[2] > 0]
            take = takes[0]
            if len(takes) > 1:
                lying, piles = (speakeasy, streets, pinned), (len(deck) - top, tuple(discards), specials)
                now = (control, tuple(stashes), lying, full, tuple(fours), piles)
                public = (begun, now, (bids, winners, done))
                answers = (("exchange", exchange),) if holder == trader else ()
                if holder == staker:
                    answers = (*answers, ("stake", stake))
                if holder == dumper:
                    answers = (*answers, ("dump", dump))
                locked = incoming if holder == trader else NONE
                past = last if decided[holder] >= number - 1 else tuple(records[decided[holder] - 1 :])
                take = takes[players[holder]((holder, public, hands[holder], locked, answers, past), len(takes))]
                decided[holder] = number
                decisions += 1
            if take is not None:
                w0, r0, b0 = DIE[take]
                white, red, blue = stashes[holder]
                stashes[holder] = (white + w0, red + r0, blue + b0)
                pinned = (pinned[0] - w0, pinned[1] - r0, pinned[2] - b0)

        # A seat without dice wins (G32); after the last round, the seats with the fewest dice (G33).
        if NONE in stashes:
            break
        if number == ROUNDS:
            fewest = min(map(sum, stashes))
            break
        record = (begun, bids, winners, control, done, take)
        records.append(record)
        last = (record,)
    won = [sum(stash) == fewest for stash in stashes]
    return Result(tuple([1 if mine else 1 + sum(won) for mine in won]), number, decisions)
