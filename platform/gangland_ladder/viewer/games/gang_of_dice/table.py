"""The table of Gang of Dice: its scene, updated event by event, and its HTML."""

from collections import Counter

from gangland.game import Event
from gangland.gang_of_dice import events as gang
from gangland.gang_of_dice.views import Turn, View
from gangland.gang_of_dice.warnings import NUMBER_OF, WARNINGS, WarningCard
from gangland.replay import Step
from gangland_ladder.viewer import table_view as html
from gangland_ladder.viewer.scenes import Aside, RunningTable, Scene


def scene_of(view: View) -> Scene:
    """Return a view as a scene."""
    turns = {turn.seat: turn for turn in view.turns}
    return {
        "card": _card_scene(view.card),
        "left": view.carried,
        "bonus": view.bonus,
        "table": view.table,
        "best": view.best_seat,
        "order": list(view.order),
        "seats": {str(seat): _seat_scene(view, seat, turns.get(seat)) for seat in range(view.seats)},
    }


def _card_scene(card: WarningCard) -> Scene:
    return {"id": card.id, "color": str(card.colour), "words": card.words}


def _seat_scene(view: View, seat: int, turn: Turn | None) -> Scene:
    state = "out" if seat in view.eliminated else ""
    if turn is not None:
        state = "bust" if turn.bust else "stands" if turn.final else f"roll {len(turn.rolls)}"
    return {
        "dice": view.pools[seat],
        "roll": [] if turn is None else list(turn.dice),
        "total": None if turn is None else turn.total,
        "bust": turn is not None and turn.bust,
        "state": state,
        "fault": seat in view.defaulting,
    }


# The running table, which shows the end of a round before the next round begins.


class GangTable(RunningTable):
    """The running scene.  In the aside, `award` has the winner's seat (None if the dice stay) and the round's dice."""

    award: list[int | None] | None = None

    def _full_aside(self) -> Aside:
        return {**super()._full_aside(), "award": self.award}

    def apply_state(self, step: Step) -> None:
        """Do nothing: events update the scene."""

    def apply(self, event: Event) -> None:
        scene, happened = self.scene, gang.typed(event)
        if isinstance(happened, gang.RoundBegan):
            self.award = None
            _begin(scene, happened)
        elif isinstance(happened, gang.Rolled):
            seat = scene["seats"][str(happened.seat)]
            if happened.roll == 1:
                seat["dice"] -= len(happened.dice)
                scene["table"] += len(happened.dice)
            seat |= {"roll": list(happened.dice), "total": sum(happened.dice), "state": f"roll {happened.roll}"}
        elif isinstance(happened, gang.Stood):
            scene["seats"][str(happened.seat)]["state"] = "stands"
            scene["best"] = _leader_after(scene, happened.seat)
        elif isinstance(happened, gang.Busted):
            scene["seats"][str(happened.seat)] |= {"state": "bust", "bust": True}
        elif isinstance(happened, gang.RoundWon):
            self.award = [happened.seat, happened.dice]
            scene["seats"][str(happened.seat)]["dice"] += happened.dice
            scene |= {"table": 0, "left": 0, "bonus": 0}
        elif isinstance(happened, gang.AllBust):
            self.award = [None, happened.dice]
            scene |= {"left": happened.dice, "bonus": 0}
        elif isinstance(happened, gang.Eliminated):
            for number in happened.seats:
                scene["seats"][str(number)]["state"] = "out"


def _begin(scene: Scene, began: gang.RoundBegan) -> None:
    scene |= {
        "card": _card_scene(WARNINGS[NUMBER_OF[began.card]]),
        "left": began.carried,
        "bonus": began.bonus,
        "table": began.carried + began.bonus,
        "best": None,
        "order": list(began.order),
    }
    for number, seat in scene["seats"].items():
        seat |= {"roll": [], "total": None, "bust": False, "state": "" if int(number) in began.order else "out"}


def _leader_after(scene: Scene, seat: int) -> int:
    """Return the leader after a seat stands: a tie goes to more dice, then to the earlier turn (D15)."""
    leader: int | None = scene["best"]
    if leader is None:
        return seat
    own_scene, leader_scene = scene["seats"][str(seat)], scene["seats"][str(leader)]
    return (
        seat
        if (own_scene["total"], len(own_scene["roll"])) > (leader_scene["total"], len(leader_scene["roll"]))
        else leader
    )


# HTML: the warning, the dice at stake, and each seat's roll and stash.


def html_parts(table: html.TableView) -> list[html.Html]:
    """Return the middle of the table and the seats."""
    seats = [_seat(table, seat) for seat in range(len(table.names))]
    return [html.element("div", "v-center", _warning(table), _pot(table)), *seats]


def _warning(table: html.TableView) -> html.Html:
    card = table.scene["card"]
    when = "after every roll" if card["color"] == "yellow" else "when you stop"
    return html.element(
        "section",
        f"v-card {card['color']}",
        html.element("p", "v-card-head", html.element("b", "", card["id"]), f" {card['color']} warning"),
        html.element("p", "v-card-words", card["words"]),
        html.element("p", "v-card-foot", f"checked {when}"),
    )


def _pot(table: html.TableView) -> html.Html:
    scene = table.scene
    notes = [f"{scene['left']} left over"] if scene["left"] else []
    notes += [f"{scene['bonus']} bonus dice"] if scene["bonus"] else []
    return html.element(
        "section",
        "v-pot",
        html.count(scene["table"], "die on the table", "dice on the table"),
        html.pile(scene["table"]),
        html.element("p", "v-besides", ", ".join(notes)),
    )


def _seat(table: html.TableView, seat: int) -> html.Html:
    scene, player = table.scene, table.scene["seats"][str(seat)]
    states = [
        html.badge("best", "good") if scene["best"] == seat else None,
        html.badge("starts") if scene["order"][0] == seat else None,
        html.badge("bust", "bad") if player["bust"] else None,
        html.badge(player["state"]) if player["state"] not in ("", "bust") else None,
    ]
    return html.seat_place(
        table,
        seat,
        states,
        html.element("div", "v-stash", html.count(player["dice"]), html.pile(player["dice"])),
        html.element("div", "v-roll", *_roll(table, seat), _blank_dice(table, seat)),
    )


def _blank_dice(table: html.TableView, seat: int) -> html.Html | None:
    """Return the blank dice that a player clicks to choose how many to roll."""
    numbers = [f"number:{number}" for number in range(1, html.MAX_DICE + 1) if f"number:{number}" in table.parts]
    if not numbers or seat != table.seat:
        return None
    return html.element(
        "span", "v-dice v-choose", *(html.die(table, "white", "", data_part=number) for number in numbers)
    )


def _roll(table: html.TableView, seat: int) -> list[html.Html]:
    faces: list[int] = [*reversed(table.scene["seats"][str(seat)]["roll"])]
    if not faces:
        return []
    previous = table.rolled(seat)
    new_flags = [False] * len(faces) if previous is None else html.flag_new(faces, previous["roll"])
    text = ", ".join(str(face or "gangster") for face in faces)
    label = f"{len(faces)} {'die' if len(faces) == 1 else 'dice'}: {text}"
    dice = (
        [_die(table, seat, face, "fresh" if is_new else "") for face, is_new in zip(faces, new_flags, strict=True)]
        if len(faces) <= html.MAX_DICE
        else [
            html.element("span", "v-many", _die(table, seat, face), f"×{times}", **table.part(seat, f"face:{face}"))
            for face, times in Counter(faces).items()
        ]
    )
    is_bust = table.scene["seats"][str(seat)]["bust"]
    heading = html.element("span", "vh", "bust, total " if is_bust else "total ")
    total = html.element(
        "p", "v-total", heading, html.element("s", "", str(sum(faces))) if is_bust else str(sum(faces))
    )
    return [html.picture("v-dice", label, *dice), total]


def _die(table: html.TableView, seat: int, face: int, name: str = "") -> html.Html:
    return html.die(table, "white", str(face or "gangster"), name, **table.part(seat, f"face:{face}"))
