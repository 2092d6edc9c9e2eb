"""The lesson of Gangster Dice: three rounds for two seats, with two bids per seat and round.

The seed is the first one from 0 that meets all conditions below.  A player who bids as suggested, puts the most
frequent color on the Investigator, and otherwise chooses the last legal answer

1. wins the Investigator and the Speakeasy or the Streets in round 1;
2. puts dice on the Investigator in round 2;
3. puts a die on the Streets or exchanges dice in round 2 or 3, and takes back a die in some round;
4. has fewer dice than Fox at the end.
"""

from collections.abc import Sequence
from functools import partial
from typing import Final, cast

from gangland.game import Decision, Event
from gangland.gangster_dice import cards
from gangland.gangster_dice import events as e
from gangland.gangster_dice.views import View
from gangland.view import View as AnyView
from gangland.words import join_and, join_or
from gangland_ladder.playing.lessons.lesson import FOX, NAMES, PLAYER, Lesson, LessonText


class GangsterDice(Lesson):
    """The lesson's text and Fox's plan."""

    game = "gangster-dice"
    seed = f"{114:064x}"
    rounds = 3
    about = (
        (
            "Your dice are evidence against you: a player without dice at the end of a round wins. You and Fox "
            "begin with six dice each, two of every color."
        ),
        (
            "Each round, you both roll all your dice, then bid in secret on two tokens. The four tokens are the "
            "Lawyer, the Speakeasy, the Streets and the Investigator. You play three rounds."
        ),
    )
    plan = (
        "Fox bids on the two symbols it shows most, with its highest favor on the first. If symbols are tied, the "
        "order is Lawyer, Speakeasy, Streets, Investigator. Fox exchanges nothing. It puts a die on the Streets "
        "whenever it may. It gets rid of the color it has most of. It declines dice if it may."
    )

    def fox_decision(self, view: AnyView, kind: str) -> Decision:
        view = cast(View, view)
        if kind == "bids":
            tokens = sorted(view.legal_tokens, key=lambda token: (-view.symbols[token], token))
            bids = zip(tokens[: view.bids_required], sorted(view.hand, reverse=True), strict=False)
            return tuple(sorted((int(token), favor) for token, favor in bids))
        if kind == "exchange":
            return ((0, 0, 0), (0, 0, 0))
        if kind == "dump":
            return max(view.dump_colours, key=lambda color: (view.spare[color], -color)).value
        legal = view.legal()
        decision = None if kind == "take" else next((answer for answer in legal if answer is not None), None)
        return cast(Decision, decision if decision in legal else legal[0])

    def text(self, view: AnyView, kind: str) -> LessonText:
        texts = {"bids": _bids_text, "exchange": _exchange_text, "stake": _stake_text}
        texts |= {"dump": _dump_text, "take": _take_text}
        return texts[kind](cast(View, view))

    def describe(self, events: Sequence[Event], view: AnyView, number: int) -> list[str]:
        typed_events = [e.typed(event) for event in events]
        bids = {event.seat: event.bids for event in typed_events if isinstance(event, e.Revealed)}
        sentences = [sentence for event in typed_events for sentence in _sentences(event, bids)]
        if any(isinstance(event, _DICE_EVENTS) for event in typed_events):
            sentences.append(_dice_text(cast(View, view)))
        return sentences

    def summary(self, view: AnyView) -> list[str]:
        view = cast(View, view)
        mine, fox = (sum(player.dice) for player in view.players)
        leader_text = "you are ahead" if mine < fox else "Fox is ahead" if fox < mine else "nobody is ahead"
        return [
            f"Fewer dice are better, so {leader_text}.",
            (
                "A full game ends when a player has no dice left after a round. After 100 rounds, the player with the "
                "fewest dice wins."
            ),
            (
                "To get rid of dice, win the Investigator while another player has it. Each round, its holder takes "
                "one of the dice on it unless protected by the Lawyer."
            ),
            "With three or four players, each makes one bid per round.",
        ]


def _suggested_tokens(view: View) -> list[str]:
    """Return the names of the tokens that the lesson suggests; the highest favor goes on the first one."""

    def lead_of_fox(token: int) -> int:
        fox = view.strength(token, FOX) if view.players[FOX].symbols[token] else 0
        return fox - view.strength(token)

    order = sorted(view.legal_tokens, key=lambda token: (token != cards.INVESTIGATOR, lead_of_fox(token), token))
    return [cards.TOKEN_NAMES[token] for token in order[: view.bids_required]]


def _bids_text(view: View) -> LessonText:
    fox = view.players[FOX]
    considerations = [
        (
            "A bid scores your dice with the token's symbol, plus its favor card. The higher score wins the token. "
            "On a tie, the player who began the round with the Streets wins. If neither did, nobody wins."
        )
    ]
    if barred := [f"the {name}" for token, name in enumerate(cards.TOKEN_NAMES) if token not in view.legal_tokens]:
        considerations.append(f"You cannot bid on {join_or(barred)}: none of your dice show that symbol.")
    if free := [f"the {cards.TOKEN_NAMES[token]}" for token in view.legal_tokens if not fox.symbols[token]]:
        considerations.append(
            f"Fox cannot bid on {join_or(free)}: none of its dice show that symbol. Your lowest favor wins there."
        )
    if view.streets_bonus:
        considerations.append(f"You have the Streets: {_dice(view.streets.dice)} on them count for each of your bids.")
    names = _suggested_tokens(view)
    bids = "two tokens, and a card for each" if view.bids_required == 2 else "one token, and a card for it"
    if len(names) == 1:
        suggestion = f"You show only one symbol: bid on the {names[0]}."
    else:
        suggestion = f"Not sure? Put your highest card on the {names[0]}, and another on the {names[1]}."
    spent = "The cards that you play are used up, and you draw the same number of new ones."
    notes = tuple(map(partial(_note, view), view.legal_tokens))
    return LessonText((), tuple(considerations), (f"Choose {bids}. {spent}",), notes, suggestion)


def _note(view: View, token: int) -> str:
    fox = f"and Fox's at {view.strength(token, FOX)}" if view.players[FOX].symbols[token] else "but Fox cannot bid"
    return f"{cards.TOKEN_NAMES[token]}: your bid starts at {view.strength(token)}, {fox}. {_won_effect(view, token)}"


def _won_effect(view: View, token: int) -> str:
    state = view.token(token)
    mine = state.holder == PLAYER
    if token == cards.INVESTIGATOR:
        if state.holder == FOX:
            return "Fox has it: if you win it, you put all your dice of one color on it."
        with_dice = ", with its dice" if any(state.dice) else ""
        return f"{'You have it' if mine else 'Nobody has it'}: if you win it, it goes to Fox{with_dice}."
    if not mine:
        gain = {
            cards.LAWYER: "you may decline dice from the Investigator",
            cards.SPEAKEASY: "you may exchange dice when you win it again",
            cards.STREETS: "from the next round on, you win ties, and its dice count for you",
        }[token]
        return f"If you win it, you hold it: {gain}."
    effects = {
        cards.LAWYER: "you draw a +4 favor card",
        cards.SPEAKEASY: "you may exchange up to three dice",
        cards.STREETS: "you may put a die on it",
    }[token]
    return f"You have it: if you win it again, {effects}."


def _exchange_text(view: View) -> LessonText:
    return LessonText(
        (f"You have won the Speakeasy again. On it: {_dice(view.speakeasy.dice)}. You can give {_dice(view.spare)}.",),
        (
            (
                "You give as many dice as you take, so you get rid of none now. But you can collect one color, and "
                "later put all dice of that color on the Investigator."
            ),
        ),
        ("Choose up to three dice to give, and just as many to take. If you choose none, you exchange nothing.",),
    )


def _stake_text(view: View) -> LessonText:
    return LessonText(
        (f"You have won the Streets again. On them: {_dice(view.streets.dice)}. You can give {_dice(view.spare)}.",),
        (
            (
                "A die on the Streets is one die fewer for you. From the next round on, it adds 1 to every bid of the "
                "holder of the Streets."
            ),
        ),
        ("Choose the color of the die. It is often best to keep the color that you have most of.",),
    )


def _dump_text(view: View) -> LessonText:
    exchanged = view.exchanged is not None and any(view.exchanged[0])
    kept = " You keep the dice that you got in this round's exchange." if exchanged else ""
    return LessonText(
        (f"You have won the Investigator, and Fox has it. You can give {_dice(view.spare)}.",),
        (
            (
                "All your dice of the color that you name go on it. At the end of each round, Fox takes one from it, "
                "unless the Lawyer protects Fox."
            ),
        ),
        (f"The more dice you get rid of, the better. But in the next round, you bid with the ones you keep.{kept}",),
    )


def _take_text(view: View) -> LessonText:
    lawyer = " You have the Lawyer, so you may decline." if view.protected else ""
    return LessonText(
        (f"You have the Investigator. On it: {_dice(view.investigator.dice)}. You hold {_dice(view.dice)}.",),
        (f"At the end of a round, the Investigator's holder takes one of its dice.{lawyer}",),
        (
            (
                "Every die that you take is one more to get rid of. If you must take one, take a color that you have "
                "many of. All dice of one color can go on the Investigator at once."
            ),
        ),
    )


def _sentences(event: e.TypedEvent, bids: dict[int, tuple[tuple[int, int, int], ...]]) -> list[str]:
    match event:
        case e.Revealed(seat=seat, bids=revealed):
            scores = [
                f"the {cards.TOKEN_NAMES[token]} ({score - favor} + {favor} = {score})"
                for token, favor, score in revealed
            ]
            return [f"{NAMES[seat]} bid on {join_and(scores)}."]
        case e.Won():
            return [_won_text(event, bids)]
        case e.Tied(token=token, score=score):
            name = cards.TOKEN_NAMES[token]
            return [f"You both score {score} for the {name}, and neither has the Streets: nobody wins it."]
        case e.Took(token=token, seat=seat):
            gain = {
                cards.LAWYER: f"{NAMES[seat]} may now decline dice from the Investigator.",
                cards.SPEAKEASY: "Its holder may exchange dice after winning it again.",
                cards.STREETS: "From the next round on, they break ties, and the dice on them count for each bid.",
            }[token]
            return [f"{NAMES[seat]} now {_verb(seat, 'have', 'has')} the {cards.TOKEN_NAMES[token]}. {gain}"]
        case e.Moved(seat=seat, previous=previous):
            player = "you, the player" if seat == PLAYER else "Fox, the player"
            reason = "Nobody had it" if previous is None else f"{NAMES[previous]} had it"
            return [f"{reason}, so the Investigator goes to {player} to the winner's left."]
        case e.Exchanged(seat=seat):
            exchange = f"gave {_dice(event.given)} to the Speakeasy for {_dice(event.taken)}"
            return [f"{NAMES[seat]} {exchange if sum(event.given) else 'exchanged nothing at the Speakeasy'}."]
        case e.Staked(seat=seat, colour=color):
            die = "no die" if color is None else f"a {cards.COLOUR_NAMES[color]} die"
            return [f"{NAMES[seat]} put {die} on the Streets."]
        case e.Dumped(seat=seat, colour=color, dice=count):
            dice = _count(count, "" if color is None else cards.COLOUR_NAMES[color]) if count else "no dice"
            return [f"{NAMES[seat]} put {dice} on the Investigator."]
        case e.Special(seat=seat):
            return [f"{NAMES[seat]} already had the Lawyer, so {_verb(seat, 'you draw', 'it draws')} a +4 favor card."]
        case e.Drew(seat=seat, cards=favors):
            return [f"{NAMES[seat]} drew {join_and([_favor(card) for card in favors])} for the cards that were played."]
        case e.Received(seat=seat, colour=color):
            die = f"a {cards.COLOUR_NAMES[color]} die"
            return [f"{NAMES[seat]} took {die} from the Investigator, as its holder."]
        case e.Declined(seat=seat):
            return [f"{NAMES[seat]} took no die from the Investigator, thanks to the Lawyer."]
        case e.Emptied(seats=seats):
            have, win = ("has", "wins") if seats == (FOX,) else ("have", "win")
            return [f"{join_and([NAMES[seat] for seat in seats])} {have} no dice left and {win} the game."]
        case e.Round(number=number):
            return [f"Round {number} begins: all dice are rolled."]
        case _:
            return []


def _won_text(event: e.Won, bids: dict[int, tuple[tuple[int, int, int], ...]]) -> str:
    seat, token = event.seat, cards.TOKEN_NAMES[event.token]
    wins, rival = _verb(seat, "You win", "Fox wins"), 1 - seat
    scores = {bid[0]: bid[2] for bid in bids.get(rival, ())}
    if event.over:
        return f"{wins} the {token}: the scores tie at {event.score}, and {_verb(seat, 'you', 'Fox')} had the Streets."
    if event.token in scores:
        return f"{wins} the {token}: {event.score} against {scores[event.token]}."
    return f"{wins} the {token} with {event.score}: {_verb(rival, 'you', 'Fox')} did not bid on it."


def _verb(seat: int, yours: str, others: str) -> str:
    return yours if seat == PLAYER else others


def _dice_text(view: View) -> str:
    mine, fox = (sum(player.dice) for player in view.players)
    return f"You have {_count(mine)}, Fox {_count(fox)}."


def _count(count: int, color: str = "") -> str:
    name = f"{color} " if color else ""
    return f"{count} {name}{'die' if count == 1 else 'dice'}"


def _dice(dice: cards.Dice) -> str:
    counts = [_count(dice[color], cards.COLOUR_NAMES[color]) for color in cards.COLORS if dice[color]]
    return join_and(counts) or "no dice"


def _favor(card: int) -> str:
    return f"a +{card}" if card == cards.SPECIAL else f"a {card}"


# After these events, `describe` adds the counts of dice.
_DICE_EVENTS: Final = (e.Revealed, e.Exchanged, e.Staked, e.Dumped, e.Received, e.Declined)

LESSON: Final = GangsterDice()
