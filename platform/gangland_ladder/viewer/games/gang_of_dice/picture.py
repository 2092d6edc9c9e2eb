"""Draw the table of Gang of Dice: the warning, the dice at stake, and each seat's roll and stash."""

from collections import Counter

from gangland_ladder.viewer.drawing import table_parts
from gangland_ladder.viewer.drawing.canvas import TEXT_CHARS, Box
from gangland_ladder.viewer.drawing.fonts import Face, one_line, width_of, wrapped
from gangland_ladder.viewer.table_view import MAX_DICE, flag_new


def draw_seat(drawing: table_parts.Drawing, seat: int, box: Box, u: float) -> None:
    """Draw a seat."""
    player = drawing.scene["seats"][str(seat)]
    content = table_parts.draw_seat_box(drawing, seat, box, u, _badges(drawing, seat))
    end = table_parts.draw_count(drawing, seat, content.x, content.y + 20 * u, u, "die", "dice")
    pile_width = min(190 * u, content.right - end - 14 * u)
    pile_box = Box(end + 14 * u, content.y, pile_width, 30 * u)
    table_parts.draw_pile(drawing.canvas, pile_box, player["dice"], f"seat{seat + 1}")
    if player["roll"] and not drawing.places:
        _draw_roll(
            drawing, seat, Box(content.x, content.y + 37 * u, content.width, content.bottom - content.y - 37 * u), u
        )


def _badges(drawing: table_parts.Drawing, seat: int) -> list[table_parts.Badge]:
    scene, player = drawing.scene, drawing.scene["seats"][str(seat)]
    award = drawing.aside.get("award")
    if drawing.places:
        return []
    badges = [table_parts.Badge("best", "felt")] if not award and scene["best"] == seat else []
    badges += [table_parts.Badge(f"won {award[1]}", "felt")] if award and award[0] == seat else []
    badges += [table_parts.Badge("starts")] if scene["order"][0] == seat else []
    badges += [table_parts.Badge("bust", "blood")] if player["bust"] else []
    return badges + ([table_parts.Badge(player["state"])] if player["state"] not in ("", "bust") else [])


def _draw_roll(drawing: table_parts.Drawing, seat: int, box: Box, u: float) -> None:
    faces: list[int] = [*reversed(drawing.scene["seats"][str(seat)]["roll"])]
    total = str(sum(faces))
    total_width = width_of(total, 28 * u, Face.SERIF)
    is_bust = drawing.scene["seats"][str(seat)]["bust"]
    drawing.canvas.text(
        box.right, box.y + 26 * u, total, 28 * u, "soft" if is_bust else "ink", Face.SERIF, anchor="end"
    )
    if is_bust:  # a bust roll does not count
        drawing.canvas.box(Box(box.right - total_width, box.y + 16 * u, total_width, 2 * u), "soft")
    size = 31 * u
    new_flags: list[bool] = []
    if len(faces) <= MAX_DICE:
        dice = [("white", _mark(face), 1) for face in faces]
        old_roll = faces if drawing.before is None else drawing.before["seats"][str(seat)]["roll"]
        new_flags = (
            flag_new(faces, (Counter(old_roll) - Counter(drawing.rerolled)).elements()) if drawing.turn == seat else []
        )
    else:
        dice = [("white", _mark(face), times) for face, times in Counter(faces).items()]
    dice_box = box._replace(width=box.width - total_width - 12 * u)
    table_parts.draw_dice_rows(drawing.canvas, dice_box, size, dice, new_flags)


def _mark(face: int) -> str:
    return str(face or "gangster")


def draw_center(drawing: table_parts.Drawing, box: Box) -> None:
    """Draw the warning and the dice at stake."""
    half = min(340.0, (box.width - 20) / 2)
    card_x = box.x + (box.width - 2 * half - 20) / 2
    _draw_card(drawing, Box(card_x, box.y, half, box.height))
    _draw_pot(drawing, Box(card_x + half + 20, box.y, half, box.height))


def _draw_card(drawing: table_parts.Drawing, box: Box) -> None:
    canvas, card = drawing.canvas, drawing.scene["card"]
    yellow = card["color"] == "yellow"
    canvas.box(box, "ivory", radius=4)
    id_width = canvas.text(box.x + 12, box.y + 19, card["id"], 14, "coal", Face.BOLD)
    canvas.text(box.x + 18 + id_width, box.y + 19, f"{card['color']} warning", 13, "coal")
    when = "checked after every roll" if yellow else "checked when you stop"
    canvas.text(box.right - 12, box.y + 19, when, 12, "coal", anchor="end")
    canvas.box(Box(box.x + 12, box.y + 25, box.width - 24, 6), "#d9a514" if yellow else "coal")
    size = 18.0
    lines = wrapped(card["words"], size, box.width - 30, 3, Face.SERIF)
    y = box.y + 34 + (box.height - 38 - 22 * len(lines)) / 2
    for line in lines:
        y += 22
        canvas.text(box.x + box.width / 2, y - 5, line, size, "coal", Face.SERIF, anchor="middle")


def _draw_pot(drawing: table_parts.Drawing, box: Box) -> None:
    canvas, scene, award = drawing.canvas, drawing.scene, drawing.aside.get("award")
    if drawing.places and award and award[0] is not None:  # At the end, do not highlight the winner of the last round.
        award = None
    canvas.box(box, "", radius=10, edge="#8fa89c", dashed=True)
    number, unit = str(scene["table"]), "die on the table" if scene["table"] == 1 else "dice on the table"
    text_width = width_of(number, 30, Face.SERIF) + 8 + width_of(unit, 15)
    x = box.x + (box.width - text_width) / 2
    x += canvas.text(x, box.y + 36, number, 30, "table-ink", Face.SERIF) + 8
    canvas.text(x, box.y + 36, unit, 15, "table-ink")
    space = box.height - 72
    step = min(7.8, space / max(1, min(5, -(-scene["table"] // 24))))
    pile_x = box.x + (box.width - min(scene["table"], 24) * step) / 2
    table_parts.draw_pile(canvas, Box(pile_x, box.y + 45, 24 * step, space), scene["table"], "ivory")
    y, middle = box.bottom - 12, box.x + box.width / 2
    if award is None:
        notes = [f"{scene['left']} left over"] if scene["left"] else []
        notes += [f"{scene['bonus']} bonus dice"] if scene["bonus"] else []
        canvas.text(middle, y, ", ".join(notes), 13, "table-ink", anchor="middle")
        return
    seat, dice = award
    dice_text = f"{dice} {'die' if dice == 1 else 'dice'}"
    if seat is None:
        canvas.text(middle, y, f"all bust: nobody takes the {dice_text}", 14, "table-ink", Face.BOLD, anchor="middle")
        return
    max_width, name = box.width - 140, one_line(drawing.names[seat], TEXT_CHARS)
    x = middle - (width_of(f"{dice_text} to ", 14) + 24 + min(width_of(name, 14, Face.BOLD), max_width)) / 2
    x += canvas.text(x, y, f"{dice_text} to", 14, "table-ink") + 14
    table_parts.draw_chip(canvas, x, y - 5, 9, seat)
    canvas.text(x + 14, y, name, 14, "table-ink", Face.BOLD, max_width=max_width)
