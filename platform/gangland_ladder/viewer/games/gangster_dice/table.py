"""The table of Gangster Dice: its scene, updated event by event, and its HTML."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from gangland.game import Event
from gangland.games import game_named
from gangland.gangster_dice import cards
from gangland.gangster_dice import events as e
from gangland.gangster_dice.views import Player, View
from gangland.replay import Step, StepAnswer
from gangland_ladder.viewer import table_view as html
from gangland_ladder.viewer.games.gangster_dice.sentences import discards_text, favor_name
from gangland_ladder.viewer.scenes import Aside, RunningTable, Scene, deep_copy


def scene_of(view: View) -> Scene:
    """Return a view as a scene."""
    bids = view.bids or ((),) * view.seats
    return {
        "deck": view.deck,
        "discards": list(view.discards),
        "specials": view.specials,
        "tokens": {
            str(int(token.token)): {"dice": list(token.dice), "holder": token.holder, "winner": token.winner}
            for token in view.tokens
        },
        "seats": {
            str(player.seat): _seat_scene(view, player, [[int(b.token), b.favor, b.score] for b in bids[player.seat]])
            for player in view.players
        },
        "own": {
            "locked": list(view.locked),
            "exchanged": view.exchanged and [list(side) for side in view.exchanged],
            "staked": view.staked,
            "pair": list(view.pair),
        },
    }


def _seat_scene(view: View, player: Player, bids: list[list[int]]) -> Scene:
    return {
        "dice": list(player.dice),
        # Dice that the seat gave away are the last ones of their color.
        "faces": [list(map(int, faces[:left])) for faces, left in zip(player.faces, player.dice, strict=True)],
        "hand": list(view.hand) if player.seat == view.seat else None,
        "favors": player.hand_size,
        "specials": player.specials,
        "character": player.character.name if player.character else None,
        "bids": bids,
        "fault": player.defaulting,
    }


# The running table, which shows the end of a round before the next round begins.


class BiddingTable(RunningTable):
    """The running scene.  In the aside, `laid` has each seat's hidden bids, each a token and a favor.

    Events contain less than the scene shows, so this class remembers the faces of dice, the favors played and passed,
    and the +4s that each seat drew unseen by the others.
    """

    laid: dict[str, list[list[int]]]

    def begin(self, step: Step) -> None:
        super().begin(step)
        seats = self.scene["seats"]
        options = game_named(self.replay.game).options(self.replay.options)
        self.spent_favor = options.spent_favor  # where a played +4 goes (G28)
        self.laid = {}
        self.from_stack: int | None = None
        self.hidden_specials = [0] * len(seats)
        self.faces: dict[str, list[list[int]]] = {
            number: [list(faces) for faces in seat["faces"]] for number, seat in seats.items()
        }
        self.played: list[int] = [bid[1] for seat in seats.values() for bid in seat["bids"]]
        self.passed: list[int] = []
        self.pair: list[int] = []

    def _full_aside(self) -> Aside:
        return {**super()._full_aside(), "laid": deep_copy(self.laid)}

    def _add_plan(self, answer: StepAnswer, text: str) -> None:
        if answer.kind != "bids":
            super()._add_plan(answer, text)
            return
        decision: Any = answer.decision
        number, seat = str(answer.seat), self.scene["seats"][str(answer.seat)]
        self.laid[number] = [list(bid) for bid in decision]
        seat["hand"] = list(seat["hand"])
        for _, favor in decision:
            seat["hand"].remove(favor)

    def clear_plans(self, *, incomplete: bool) -> None:
        """Return hidden bids to the hands; the events that reveal the bids follow."""
        for number, bids in self.laid.items():
            seat = self.scene["seats"][number]
            seat["hand"] = sorted([*seat["hand"], *(favor for _, favor in bids)])
        self.laid = {}
        super().clear_plans(incomplete=incomplete)

    def apply_state(self, step: Step) -> None:
        """Do nothing: events update the scene."""

    def apply(self, event: Event) -> None:
        happened = e.typed(event)
        if isinstance(happened, (e.Special, e.Reshuffled, e.Paired, e.Drew)):
            # Played favors are discarded before the draw (G40).
            for favor in self.played:
                if favor != cards.SPECIAL or self.spent_favor == "discards":
                    self.scene["discards"][favor] += 1
                elif self.spent_favor == "stack":
                    self.scene["specials"] += 1
            self.played = []
        handler = getattr(self, f"_on_{type(happened).__name__.lower()}", None)
        if handler is not None:
            handler(happened)

    def _seat(self, seat: int) -> Scene:
        player: Scene = self.scene["seats"][str(seat)]
        return player

    def _token(self, token: int) -> Scene:
        scene: Scene = self.scene["tokens"][str(token)]
        return scene

    def _set_hand(self, seat: int, hand: Sequence[int]) -> None:
        favors = sorted(hand)
        public_specials = favors.count(cards.SPECIAL) - self.hidden_specials[seat]
        self._seat(seat).update(hand=favors, favors=len(favors), specials=public_specials)

    def _show_specials(self, seat: int, count: int) -> None:
        """Forget +4s that leave a hand face up, starting with those that all seats saw arrive (G28)."""
        specials = self._seat(seat)["hand"].count(cards.SPECIAL)
        self.hidden_specials[seat] = specials - count - max(0, specials - self.hidden_specials[seat] - count)

    def _draw(self, seat: int, favors: Sequence[int]) -> None:
        self.hidden_specials[seat] += list(favors).count(cards.SPECIAL)
        self._set_hand(seat, [*self._seat(seat)["hand"], *favors])

    def _change_stash(self, seat: int, change: Sequence[int], token: int | None) -> None:
        player = self._seat(seat)
        player["dice"] = [count + gain for count, gain in zip(player["dice"], change, strict=True)]
        player["faces"] = [
            faces[:dice_left] for faces, dice_left in zip(self.faces[str(seat)], player["dice"], strict=True)
        ]
        if token is not None:
            token_scene = self._token(token)
            token_scene["dice"] = [count - gain for count, gain in zip(token_scene["dice"], change, strict=True)]

    def _on_round(self, _: e.Round) -> None:
        for token in self.scene["tokens"].values():
            token["winner"] = None
        for seat in self.scene["seats"].values():
            seat["bids"] = []

    def _on_rolled(self, happened: e.Rolled) -> None:
        self.faces[str(happened.seat)] = [list(faces) for faces in happened.faces]
        self._change_stash(happened.seat, (0, 0, 0), None)

    def _on_rerolled(self, happened: e.Rerolled) -> None:
        faces = self.faces[str(happened.seat)][happened.colour]
        faces[faces.index(happened.old)] = happened.new
        self._change_stash(happened.seat, (0, 0, 0), None)

    def _on_revealed(self, happened: e.Revealed) -> None:
        seat = self._seat(happened.seat)
        hand = list(seat["hand"])
        self._show_specials(happened.seat, [favor for _, favor, _ in happened.bids].count(cards.SPECIAL))
        for _, favor, _ in happened.bids:
            hand.remove(favor)
            self.played.append(favor)
        seat["bids"] = [list(bid) for bid in happened.bids]
        self._set_hand(happened.seat, hand)

    def _on_won(self, happened: e.Won) -> None:
        self._token(happened.token)["winner"] = happened.seat

    def _on_took(self, happened: e.Took) -> None:
        self._token(happened.token)["holder"] = happened.seat

    def _on_moved(self, happened: e.Moved) -> None:
        self._token(cards.INVESTIGATOR)["holder"] = happened.seat

    def _on_exchanged(self, happened: e.Exchanged) -> None:
        change = [taken - given for given, taken in zip(happened.given, happened.taken, strict=True)]
        self._change_stash(happened.seat, change, cards.SPEAKEASY)

    def _on_staked(self, happened: e.Staked) -> None:
        if happened.colour is not None:
            self._change_stash(happened.seat, cards.of_color(happened.colour, -1), cards.STREETS)

    def _on_dumped(self, happened: e.Dumped) -> None:
        if happened.colour is not None:
            self._change_stash(happened.seat, cards.of_color(happened.colour, -happened.dice), cards.INVESTIGATOR)

    def _on_placed(self, happened: e.Placed) -> None:
        self._change_stash(happened.seat, [-count for count in happened.dice], cards.INVESTIGATOR)

    def _on_swapped(self, happened: e.Swapped) -> None:
        if happened.given is not None and happened.taken is not None:
            self._on_exchanged(
                e.Exchanged(happened.seat, cards.of_color(happened.given), cards.of_color(happened.taken))
            )

    def _on_special(self, happened: e.Special) -> None:
        self.scene["specials"] -= 1
        self.from_stack = happened.seat
        self._set_hand(happened.seat, [*self._seat(happened.seat)["hand"], cards.SPECIAL])

    def _on_reshuffled(self, happened: e.Reshuffled) -> None:
        self.scene["deck"] += happened.cards
        self.scene["discards"] = [0] * len(self.scene["discards"])

    def _on_paired(self, happened: e.Paired) -> None:
        self.scene["deck"] -= len(happened.cards)
        self.pair = list(happened.cards)

    def _on_passed(self, happened: e.Passed) -> None:
        self.pair.remove(happened.favor)
        self.passed.append(happened.favor)
        self._draw(happened.seat, self.pair)

    def _on_drew(self, happened: e.Drew) -> None:
        if not self.pair:
            favors = happened.cards[self.from_stack == happened.seat :]  # an earlier event added the stack's card
            self.scene["deck"] -= len(favors)
            self._draw(happened.seat, favors)
        self.pair, self.from_stack = [], None
        if happened.seat == len(self.faces) - 1:
            for favor in self.passed:
                self.scene["discards"][favor] += 1
            self.passed = []

    def _on_dropped(self, happened: e.Dropped) -> None:
        hand = list(self._seat(happened.seat)["hand"])
        self._show_specials(happened.seat, int(happened.favor == cards.SPECIAL))
        hand.remove(happened.favor)
        self._set_hand(happened.seat, hand)
        if happened.favor == cards.SPECIAL:
            self.scene["specials"] += 1
        else:
            self.scene["discards"][happened.favor] += 1

    def _on_received(self, happened: e.Received) -> None:
        self._change_stash(happened.seat, cards.of_color(happened.colour), cards.INVESTIGATOR)


# HTML: the four tokens, the cards, and each seat's dice, favors and bids.


def html_parts(table: html.TableView) -> list[html.Html]:
    """Return the middle of the table and the seats."""
    seats = [_seat(table, seat) for seat in range(len(table.names))]
    tokens = [_token(table, int(number)) for number in table.scene["tokens"]]
    return [html.element("div", "v-center", html.element("div", "v-tokens", *tokens), _cards(table.scene)), *seats]


def _counts_text(counts: Sequence[int]) -> str:
    parts = [f"{number} {cards.COLOUR_NAMES[color]}" for color, number in enumerate(counts) if number]
    return ", ".join(parts) or "no dice"


def _counted(table: html.TableView, counts: Sequence[int], kind: str = "") -> html.Html:
    """Return counts by color as dice; the dice can be chosen if a decision has parts of this kind."""
    dice = [
        html.element(
            "span",
            "v-many",
            html.die(table, cards.COLOUR_NAMES[color], "", "small"),
            str(number),
            **table.part(table.seat, f"{kind}:{color}"),
        )
        for color, number in enumerate(counts)
        if number
    ]
    return html.picture("v-counts", _counts_text(counts), *dice)


def _token(table: html.TableView, number: int) -> html.Html:
    token = table.scene["tokens"][str(number)]
    holder = token["holder"]
    moved = table.before is not None and table.before["tokens"][str(number)]["holder"] != holder
    holder_line = (
        html.element("p", "v-holder", "nobody's")
        if holder is None
        else html.element(
            "p",
            f"v-holder seat{holder + 1}",
            html.element("span", "chip", str(holder + 1)),
            html.short("bdi", "v-name", table.names[holder]),
        )
    )
    kind = {cards.SPEAKEASY: "take", cards.INVESTIGATOR: "die" if table.kind == "take" else ""}.get(number, "")
    return html.element(
        "div",
        f"v-token{' moved' if moved else ''}",
        html.symbol(table, "v-medal", f"mark-{cards.SYMBOL_NAMES[number]}"),
        html.short("p", "v-token-name", cards.TOKEN_NAMES[number]),
        holder_line,
        html.element("p", "v-token-foot", _counted(table, token["dice"], kind)),
        **table.part(table.seat, f"token:{number}"),
    )


def _cards(scene: Scene) -> html.Html:
    discards = discards_text(scene["discards"])
    counts = (("Deck ", scene["deck"]), ("+4 stack ", scene["specials"]), ("Discards ", discards))
    return html.element(
        "p", "v-cards", *(html.element("span", "", name, html.element("b", "", str(value))) for name, value in counts)
    )


def _seat(table: html.TableView, seat: int) -> html.Html:
    player, own = table.scene["seats"][str(seat)], table.scene.get("own")
    character = player["character"] and html.short("span", "v-role", player["character"])
    bids = [_bid(table, seat, *bid) for bid in player["bids"]]
    stash = _counted(table, player["dice"], "all" if seat == table.seat else "")
    return html.seat_place(
        table,
        seat,
        [_held_tokens(table, seat)],
        html.element("div", "v-stash", html.count(sum(player["dice"])), stash, _hand(table, seat, player)),
        html.element("div", "v-roll", _rolled(table, seat)),
        html.element("div", "v-hand", character, html.element("span", "v-bids", *bids) if bids else None),
        html.element("p", "v-own", _own_text(own)) if own and player["hand"] is not None else None,
    )


def _rolled(table: html.TableView, seat: int) -> html.Html:
    faces: list[list[int]] = table.scene["seats"][str(seat)]["faces"]
    previous = table.rolled(seat)
    is_grouped = sum(map(len, faces)) > html.MAX_DICE
    texts, dice = [], []
    for color, row in enumerate(faces):
        name = cards.COLOUR_NAMES[color]
        texts += [f"{name} {', '.join(cards.SYMBOL_NAMES[face] for face in row)}"] if row else []
        new_flags = [False] * len(row) if previous is None else html.flag_new(row, previous["faces"][color])
        if is_grouped:
            dice += [
                html.element(
                    "span", "v-many", _die(table, seat, color, face), f"×{times}", **_part(table, seat, color, face)
                )
                for face, times in Counter(row).items()
            ]
        else:
            pairs = zip(row, new_flags, strict=True)
            dice += [_die(table, seat, color, face, "fresh" if is_new else "") for face, is_new in pairs]
    return html.picture("v-dice", "; ".join(texts) or "no dice", *dice)


def _die(table: html.TableView, seat: int, color: int, face: int, name: str = "") -> html.Html:
    return html.die(table, cards.COLOUR_NAMES[color], cards.SYMBOL_NAMES[face], name, **_part(table, seat, color, face))


def _part(table: html.TableView, seat: int, color: int, face: int) -> dict[str, str]:
    """Return the part that a click on a die chooses: this die to reroll, give or put down, or all dice of its color."""
    die_ids = [] if table.kind == "take" else [f"die:{color}"]  # for "take", `die` means a die on the Investigator
    return table.part(seat, f"rolled:{color}:{face}", f"give:{color}", *die_ids, f"all:{color}")


def _hand(table: html.TableView, seat: int, player: Scene) -> html.Html:
    if (hand := player["hand"]) is not None:
        favors = [
            _card(favor_name(card), "special" if card == cards.SPECIAL else "", **_favor_part(table, seat, card))
            for card in hand
        ]
        return html.picture("v-favors", f"favors {', '.join(map(favor_name, hand)) or 'none'}", *favors)
    favors, specials = player["favors"], player["specials"]
    label = f"{favors} favors, hidden" + (f"; {specials} of them +4" if specials else "")
    backs = [_card("", "back")] * max(0, favors - specials)
    return html.picture("v-favors", label, *backs, *[_card("+4", "special")] * specials)


def _favor_part(table: html.TableView, seat: int, card: int) -> dict[str, str]:
    # The pair of cards in a "keep" question is not in the hand yet.
    return {} if table.kind == "keep" else table.part(seat, f"favor:{card}")


def _card(text: str, name: str, **attributes: str) -> html.Html:
    return html.element("span", f"v-favor {name}", text, **attributes)


def _held_tokens(table: html.TableView, seat: int) -> html.Html | None:
    tokens = [int(number) for number, token in table.scene["tokens"].items() if token["holder"] == seat]
    if not tokens:
        return None
    medals = [html.symbol(table, "v-medal small", f"mark-{cards.SYMBOL_NAMES[token]}") for token in tokens]
    return html.picture("v-held-tokens", f"has {', '.join(cards.TOKEN_NAMES[token] for token in tokens)}", *medals)


def _bid(table: html.TableView, seat: int, token: int, favor: int, score: int) -> html.Html:
    wins = table.scene["tokens"][str(token)]["winner"] == seat
    return html.picture(
        f"v-bid{' wins' if wins else ''}",
        f"bids {favor_name(favor)} on the {cards.TOKEN_NAMES[token]}, {score} in all{', and wins it' if wins else ''}",
        html.symbol(table, "v-medal small", f"mark-{cards.SYMBOL_NAMES[token]}"),
        _card(favor_name(favor), "special" if favor == cards.SPECIAL else ""),
        f"{score}{' ✓' if wins else ''}",
    )


def _own_text(own_values: Scene) -> str:
    parts = [f"locked: {_counts_text(own_values['locked'])}"] if any(own_values["locked"]) else []
    if own_values["exchanged"]:
        gives, takes = own_values["exchanged"]
        parts.append(f"exchange: {_counts_text(gives)} for {_counts_text(takes)}")
    parts += [] if own_values["staked"] is None else [f"stakes a {cards.COLOUR_NAMES[own_values['staked']]} die"]
    parts += [f"keeps one of {' and '.join(map(favor_name, own_values['pair']))}"] if own_values["pair"] else []
    return "; ".join(parts)
