"""Draw the table of Gangster Dice: the four tokens, the cards, and each seat's dice, favors and bids."""

from collections import Counter
from collections.abc import Sequence

from gangland.gangster_dice.cards import COLOUR_NAMES, SPECIAL, SYMBOL_NAMES, TOKEN_NAMES
from gangland_ladder.viewer.drawing import fonts, table_parts
from gangland_ladder.viewer.drawing.canvas import Box, Canvas
from gangland_ladder.viewer.games.gangster_dice.sentences import discards_text, favor_name
from gangland_ladder.viewer.table_view import MAX_DICE, flag_new


def draw_seat(drawing: table_parts.Drawing, seat: int, box: Box, u: float) -> None:
    """Draw a seat."""
    canvas, player = drawing.canvas, drawing.scene["seats"][str(seat)]
    tokens = [int(number) for number, token in drawing.scene["tokens"].items() if token["holder"] == seat]
    content = table_parts.draw_seat_box(drawing, seat, box, u, [], right=25 * u * len(tokens))
    for place, token in enumerate(reversed(tokens), 1):
        x = content.right - 25 * u * place + 4 * u
        table_parts.draw_medal(canvas, SYMBOL_NAMES[token], x, box.y + 7 * u, 21 * u)
    end = table_parts.draw_count(drawing, seat, content.x, content.y + 17 * u, u, "die", "dice")
    end = _draw_counts(canvas, end + 16 * u, content.y + 4 * u, 15 * u, player["dice"], "ink")
    _draw_favors(canvas, content.right, content.y - 1 * u, 23 * u, player["hand"] or [])
    bids_y = content.bottom - 24 * u
    _draw_faces(drawing, seat, Box(content.x, content.y + 28 * u, content.width, bids_y - content.y - 30 * u), u)
    bids_width = _draw_bids(drawing, seat, content.right, bids_y, u)
    if player["character"]:
        width = content.width - bids_width - 10 * u
        canvas.text(content.x, bids_y + 16 * u, player["character"], 13 * u, "soft", max_width=width, min_size=11)


def _draw_counts(canvas: Canvas, x: float, y: float, size: float, counts: Sequence[int], color: str) -> float:
    for number, name in zip(counts, COLOUR_NAMES, strict=True):
        if number:
            table_parts.draw_die(canvas, name, "", x, y, size)
            x += size * 1.15
            x += canvas.text(x, y + size * 0.85, str(number), size * 0.95, color, fonts.Face.BOLD) + size * 0.5
    return x


def _draw_faces(drawing: table_parts.Drawing, seat: int, box: Box, u: float) -> None:
    faces: list[list[int]] = drawing.scene["seats"][str(seat)]["faces"]
    is_grouped = sum(map(len, faces)) > MAX_DICE
    dice: list[tuple[str, str, int]] = []
    new_flags: list[bool] = []
    for color, row in enumerate(faces):
        face_counts = Counter(row).items() if is_grouped else [(face, 1) for face in row]
        dice += [(COLOUR_NAMES[color], SYMBOL_NAMES[face], times) for face, times in face_counts]
        old_row = row if drawing.before is None else drawing.before["seats"][str(seat)]["faces"][color]
        new_flags += flag_new(row, old_row)
    table_parts.draw_dice_rows(drawing.canvas, box, 31 * u, dice, [] if is_grouped else new_flags)


def _draw_card(canvas: Canvas, x: float, y: float, size: float, favor: int) -> float:
    special = favor == SPECIAL
    width = size * (0.95 if special else 0.75)
    canvas.box(Box(x, y, width, size), "#e9c46a" if special else "ivory", radius=3, edge=table_parts.DIE_EDGE)
    text_size = size * (0.55 if special else 0.68)
    canvas.text(x + width / 2, y + size * 0.74, favor_name(favor), text_size, "coal", fonts.Face.SERIF, anchor="middle")
    return width


def _draw_favors(canvas: Canvas, right: float, y: float, size: float, hand: Sequence[int]) -> None:
    for favor in reversed(hand):
        right -= size * (0.95 if favor == SPECIAL else 0.75)
        _draw_card(canvas, right, y, size, favor)
        right -= size * 0.18


def _draw_bids(drawing: table_parts.Drawing, seat: int, right: float, y: float, u: float) -> float:
    """Draw a seat's hidden or revealed bids, aligned at the right; return their width."""
    canvas, scene = drawing.canvas, drawing.scene
    hidden_bids = drawing.aside.get("laid", {}).get(str(seat))
    bids = [(token, favor, None) for token, favor in hidden_bids] if hidden_bids else scene["seats"][str(seat)]["bids"]
    x = right
    for token, favor, score in reversed(bids):
        wins = scene["tokens"][str(token)]["winner"] == seat
        text = "" if score is None else f"{score}{' ✓' if wins else ''}"
        x -= fonts.width_of(text, 14 * u, fonts.Face.BOLD)
        canvas.text(x, y + 16 * u, text, 14 * u, "felt" if wins else "ink", fonts.Face.BOLD)
        x -= 5 * u + 23 * u * (0.95 if favor == SPECIAL else 0.75)
        _draw_card(canvas, x, y, 23 * u, favor)
        x -= 25 * u
        table_parts.draw_medal(canvas, SYMBOL_NAMES[token], x, y + 1 * u, 21 * u)
        x -= 14 * u
    return right - x


def draw_center(drawing: table_parts.Drawing, box: Box) -> None:
    """Draw the four tokens and the cards."""
    gap = 10
    token_width = (box.width - 3 * gap) / 4
    for index, number in enumerate(drawing.scene["tokens"]):
        _draw_token(drawing, int(number), Box(box.x + index * (token_width + gap), box.y, token_width, box.height - 22))
    scene = drawing.scene
    text = f"Deck {scene['deck']} · +4 stack {scene['specials']} · Discards {discards_text(scene['discards'])}"
    canvas = drawing.canvas
    canvas.text(box.x + box.width / 2, box.bottom - 4, text, 13, "table-ink", max_width=box.width, anchor="middle")


def _draw_token(drawing: table_parts.Drawing, number: int, box: Box) -> None:
    canvas, token = drawing.canvas, drawing.scene["tokens"][str(number)]
    holder = token["holder"]
    if drawing.before is not None and drawing.before["tokens"][str(number)]["holder"] != holder:
        canvas.box(Box(box.x - 3, box.y - 3, box.width + 6, box.height + 6), "sign-brass", radius=6)
    canvas.box(box, "sheet", radius=4)
    table_parts.draw_medal(canvas, SYMBOL_NAMES[number], box.x + 8, box.y + 7, 32)
    text_x, width = box.x + 48, box.width - 56
    canvas.text(text_x, box.y + 20, TOKEN_NAMES[number], 15, "ink", fonts.Face.SERIF, max_width=width)
    if holder is None:
        canvas.text(text_x, box.y + 38, "nobody's", 13, "soft")
    else:
        table_parts.draw_chip(canvas, text_x + 8, box.y + 34, 8, holder)
        canvas.text(text_x + 22, box.y + 38, drawing.names[holder], 13, "ink", max_width=width - 22)
    _draw_counts(canvas, box.x + 10, box.bottom - 21, 14, token["dice"], "ink")
