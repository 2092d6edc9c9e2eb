"""Events as English sentences."""

from __future__ import annotations

from gangland.game import Event
from gangland.gangster_dice import events as e
from gangland.gangster_dice.cards import COLOUR_NAMES, SYMBOL_NAMES, TOKEN_NAMES, Dice, of_color
from gangland.words import join_and

Names = tuple[str, ...]


def sentence(event: Event, names: Names) -> str | None:
    """Return the event as a sentence, or None if it needs none; `names` are the seats' names in seat order."""
    match typed_event := e.typed(event):
        case e.Round():
            return None  # stories show the round themselves
        case e.Seated(seat):
            return f"{names[seat]} is {typed_event.character.name}."
        case e.Dealt(seat, cards):
            values = join_and([str(card) if card < 4 else "+4" for card in cards])
            return f"{names[seat]} is dealt the favor{'' if len(cards) == 1 else 's'} {values}."
        case e.Rolled(seat, faces):
            dice = [
                f"{color} {', '.join(SYMBOL_NAMES[face] for face in dice_faces)}"
                for color, dice_faces in zip(COLOUR_NAMES, faces, strict=True)
                if dice_faces
            ]
            return f"{names[seat]} rolls {'; '.join(dice)}."
        case e.Rerolled(seat, color, old, new):
            rerolled = f"{COLOUR_NAMES[color]} {SYMBOL_NAMES[old]}"
            return f"{names[seat]} rerolls a {rerolled}: it shows a {SYMBOL_NAMES[new]}."
        case e.Revealed(seat, bids):
            bid_texts = [
                f"on the {TOKEN_NAMES[token]} with {_favor(favor)}, scoring {score}" for token, favor, score in bids
            ]
            return f"{names[seat]} bids {', and '.join(bid_texts)}."
        case e.Won(token, seat, score, over):
            if over:
                rivals = f"{join_and([names[rival] for rival in over])} at {score}"
                return f"{names[seat]} ties with {rivals}, has the last word and wins the {TOKEN_NAMES[token]}."
            return f"{names[seat]} wins the {TOKEN_NAMES[token]} with {score}."
        case e.Tied(token, seats, score):
            tied = join_and([names[seat] for seat in seats])
            return f"{tied} tie for the {TOKEN_NAMES[token]} at {score}: nobody wins it."
        case e.Took(token, seat, previous):
            if previous is None:
                return f"{names[seat]} takes control of the {TOKEN_NAMES[token]}."
            return f"{names[seat]} takes the {TOKEN_NAMES[token]} from {names[previous]}."
        case e.Moved(previous, seat):
            if previous is None:
                return f"The Investigator turns up at {names[seat]}'s door."
            return f"The Investigator moves on from {names[previous]} to {names[seat]}."
        case e.Exchanged(seat, old_dice, new_dice):
            if not sum(old_dice):
                return f"{names[seat]} exchanges nothing at the Speakeasy."
            return f"{names[seat]} gives {_dice(old_dice)} to the Speakeasy for {_dice(new_dice)}."
        case e.Staked(seat, color):
            die = "no" if color is None else f"a {COLOUR_NAMES[color]}"
            return f"{names[seat]} puts {die} die on the Streets."
        case e.Dumped(seat, color, count):
            if color is None:
                return f"{names[seat]} has no die to pin on the Investigator."
            if not count:
                return f"{names[seat]} names {COLOUR_NAMES[color]} and pins nothing on the Investigator."
            return f"{names[seat]} pins {_dice(of_color(color, count))} on the Investigator."
        case e.Placed(seat, placed):
            return f"{names[seat]} picks {_dice(placed)} and pins them on the Investigator."
        case e.Swapped(seat, old, new):
            if old is None or new is None:
                return f"{names[seat]} swaps no die."
            return f"{names[seat]} slips a {COLOUR_NAMES[old]} die to the Speakeasy for a {COLOUR_NAMES[new]} one."
        case e.Special(seat):
            return f"The Lawyer gets {names[seat]} a +4 favor."
        case e.Reshuffled(cards):
            return f"The favor deck has run out: the {cards} discards are shuffled."
        case e.Paired(seat, cards):
            return f"{names[seat]} looks at {join_and(list(map(_favor, cards)))}."
        case e.Passed(seat, favor):
            return f"{names[seat]} does not keep {_favor(favor)}."
        case e.Drew(seat, cards):
            return f"{names[seat]} draws {join_and(list(map(_favor, cards)))}."
        case e.Dropped(seat, favor):
            return f"{names[seat]} buys the Investigator off with {_favor(favor)}: no die, and a smaller hand."
        case e.Received(seat, color):
            return f"{names[seat]} takes a {COLOUR_NAMES[color]} die from the Investigator."
        case e.Declined(seat):
            return f"{names[seat]} is protected by the Lawyer and takes no die from the Investigator."
        case e.Emptied(seats):
            return f"{join_and([names[seat] for seat in seats])} {'has' if len(seats) == 1 else 'have'} no dice left."
        case e.LimitReached(number):
            return f"Round {number} was the last, by house rule: the fewest dice win."


def _favor(card: int) -> str:
    return f"a {card}" if card < 4 else "a +4"


def _dice(dice: Dice) -> str:
    return join_and(
        [
            f"{count} {color} {'die' if count == 1 else 'dice'}"
            for count, color in zip(dice, COLOUR_NAMES, strict=True)
            if count
        ]
    )
