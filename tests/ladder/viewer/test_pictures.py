"""Pictures and clips: what they show, that they stay within their bounds, and that a name can do nothing to them."""

import re
from dataclasses import replace
from functools import cache
from io import BytesIO
from xml.etree import ElementTree as Xml

import pytest
from PIL import Image, ImageSequence
from tests.golden.store import stored

from gangland.games import GAME_NAMES
from gangland.replay import Replay
from gangland_ladder.viewer import cards, clip_jobs, clips, table_view
from gangland_ladder.viewer.clips import GAME, MAX_BYTES, MAX_IMAGES, MAX_S, FileFormat, clip, render, snapshots_of
from gangland_ladder.viewer.drawing import fonts, table_parts
from gangland_ladder.viewer.drawing.canvas import Box, Canvas, Scheme, colors_of, png_of
from gangland_ladder.viewer.pictures import CLIP, PREVIEW, draw, picture, round_start, sentence_at, snapshot_at
from gangland_ladder.viewer.presentation import presentation_of
from gangland_ladder.viewer.timeline import NoSuchFrame, Timeline, timeline_of

LEAST_S = 2.0
SVG = "{http://www.w3.org/2000/svg}"
SHAPES = {f"{SVG}{name}" for name in ("svg", "rect", "circle", "path", "g", "text")}
NONE_HAS = "\N{REPLACEMENT CHARACTER}"
HOSTILE = ("<b>\x07\u202e\ufffe</title>]]>&amp;\"'", "W" * 100_000, "Z" + "\u0301" * 400, "عصابة النرد")


@cache
def replays(game: str) -> list[Replay]:
    return stored(game)


@cache
def timeline(game: str, seats: int) -> Timeline:
    chosen = max((each for each in replays(game) if each.seats == seats), key=lambda each: len(each.decisions))
    return timeline_of(chosen, [f"bot {seat}" for seat in range(seats)])


@cache
def some_timelines(game: str) -> list[Timeline]:
    return [timeline_of(replay, [f"bot {seat}" for seat in range(replay.seats)]) for replay in replays(game)[::6]]


def texts(timeline: Timeline, index: int) -> list[str]:
    root = Xml.fromstring(draw(timeline, snapshot_at(timeline, index), CLIP, Scheme.DARK).svg())
    return [each.text or "" for each in root.iter(f"{SVG}text")]


@pytest.mark.parametrize("game", GAME_NAMES)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_picture_says_where_it_is_who_decided_what_and_what_everybody_has(game: str, seats: int) -> None:
    shown = timeline(game, seats)
    for index in (0, shown.last // 2, shown.last - 1):
        frame, written = shown.frames[index], texts(shown, index)
        which = f"Round {frame.round}{' of 12' if game == 'gang-of-dice' else ''}"
        assert {shown.title, which, frame.at, *shown.names} <= set(written)
        told = shown.sentence_of(frame)
        with_what_came = [] if told is None else [frame.sentences[told].removeprefix(f"{shown.names[frame.seat]} ")]
        heads = [f"{frame.did}.", *with_what_came]
        assert any(head.startswith(each.removesuffix("…")) for head in heads for each in written if len(each) > 5)
    assert {"won", "The end"} <= set(texts(shown, shown.last))


@pytest.mark.parametrize("game", GAME_NAMES)
def test_a_picture_is_a_png_of_its_size_in_the_scheme_that_was_chosen(game: str) -> None:
    shown = timeline(game, 3)
    light, dark = (picture(shown, snapshot_at(shown, 0), PREVIEW, scheme) for scheme in Scheme)
    assert light != dark
    assert light == picture(shown, snapshot_at(shown, 0), PREVIEW, Scheme.LIGHT)
    with Image.open(BytesIO(light)) as opened:
        assert (opened.format, opened.size) == ("PNG", PREVIEW)


@pytest.mark.parametrize("game", GAME_NAMES)
def test_a_decision_and_what_came_of_it_are_not_told_twice(game: str) -> None:
    shown, once = timeline(game, 3), 0
    for index, frame in enumerate(shown.frames):
        snapshot, name = snapshot_at(shown, index), shown.names[frame.seat]
        if f"{name} {snapshot.head}" in frame.sentences:
            once += 1
            assert sorted([*snapshot.lines, f"{name} {snapshot.head}"]) == sorted(frame.sentences)
        else:
            assert snapshot.head == f"{frame.did}."
            assert list(snapshot.lines) == frame.sentences
    assert once > 20


def test_no_bot_is_given_the_words_of_another_whose_name_begins_like_a_sentence() -> None:
    replay = next(each for each in replays("gangster-dice") if each.seats == 3)
    shown = timeline_of(replay, ["Bo bids", "Al", "Bo"])  # the last to bid is told with what all have bid
    frames = [frame for frame in shown.frames if frame.seat == 2 and frame.kind == "bids"]
    assert any(line.startswith("Bo bids bids ") for frame in shown.frames for line in frame.sentences)
    told = [frame.sentences[at] for frame in frames if (at := shown.sentence_of(frame)) is not None]
    assert not [line for line in told if line.startswith("Bo bids bids ")]


def test_the_end_of_gang_of_dice_shows_who_won_and_nothing_of_how_the_last_round_stood() -> None:
    ends = 0
    for shown in some_timelines("gang-of-dice"):
        ends += len(shown.frames) > 0
        of_round = {"best", "bust", "stands", "starts"} & set(texts(shown, shown.last))
        assert not of_round
    assert ends > 6


@pytest.mark.parametrize("game", GAME_NAMES)
def test_a_clip_has_every_decision_of_the_last_round_by_which_something_was_won_or_lost(game: str) -> None:
    owned, found = presentation_of(game).owned, 0
    for shown in some_timelines(game):
        snapshots = {snapshot.at for snapshot in snapshots_of(shown, None)}
        last = [frame for frame in shown.frames if frame.round == shown.rounds]
        moved = [frame for frame in last if owned(frame.before) != owned(frame.table)]
        assert {frame.at for frame in moved} <= snapshots
        found += len(moved) > 1
    assert found


@pytest.mark.parametrize("game", GAME_NAMES)
def test_what_followed_is_told_in_whole_sentences(game: str) -> None:
    smaller = left_out = 0
    for replay in replays(game)[::30]:
        shown = timeline_of(replay, ["searching_gang", "cautious_gang", "bold_gang", "random_gang"][: replay.seats])
        for index in range(shown.last):
            snapshot = snapshot_at(shown, index)
            root = Xml.fromstring(draw(shown, snapshot, CLIP, Scheme.DARK).svg())
            under = [each for each in root.iter(f"{SVG}text") if float(each.attrib["y"]) > 490]
            below = [each for each in under if float(each.attrib["font-size"]) < 18]  # the decision's is 18
            lines, told = snapshot.lines, " ".join(each.text or "" for each in below)
            assert told.removeprefix("… ") in ("", *(" ".join(lines[first:]) for first in range(len(lines))))
            assert told.startswith("… ") == (told != " ".join(lines))
            assert all(float(each.attrib["y"]) < CLIP.height - 9 for each in below)
            smaller += bool(below) and float(below[0].attrib["font-size"]) < 15
            left_out += told.startswith("… ")
    assert smaller > left_out


def test_a_long_name_leaves_the_decision_room_and_one_from_right_to_left_ends_before_what_follows_it() -> None:
    bids = next(each for each in replays("gangster-dice") if each.seats == 2)
    shown = timeline_of(bids, ["W" * 64] * 2)
    frame = next(index for index, frame in enumerate(shown.frames) if " and the favor " in frame.did)
    assert snapshot_at(shown, frame).head in " ".join(texts(shown, frame))
    shown = timeline_of(bids, ("אבג", "אב"))  # one within the other
    for index in range(shown.last):
        for text in texts(shown, index):
            assert "אב" not in text.replace("אבג\u200e", "").replace("אב\u200e", "")


def test_a_bust_is_struck_out_also_when_its_seat_is_out() -> None:
    bust = 0
    for shown in some_timelines("gang-of-dice"):
        for frame in shown.frames:
            for seat, each in frame.table["seats"].items():
                if each["state"] == "out" and each["bust"]:
                    bust += 1
                    html = presentation_of("gang-of-dice").table_html(
                        table_view.TableView(frame.table, -1, shown.names, "dice.svg")
                    )
                    assert f"<s>{sum(each['roll'])}</s>" in html, seat
    assert bust > 3


@pytest.mark.parametrize("game", GAME_NAMES)
def test_no_name_becomes_anything_but_a_short_line_of_text(game: str) -> None:
    longest = max((each for each in replays(game) if each.seats == 4), key=lambda each: len(each.decisions))
    shown = timeline_of(longest, HOSTILE)
    for index in (0, shown.last // 2, shown.last):
        text = draw(shown, snapshot_at(shown, index), CLIP, Scheme.LIGHT).svg()
        assert len(text) < 100_000
        assert not {"\x07", "\u202e", "\ufffe"} & set(text)
        assert "\u0301" * 3 not in text
        root = Xml.fromstring(text)
        assert {each.tag for each in root.iter()} <= SHAPES
        assert "href" not in text
        for each in root.iter(f"{SVG}text"):
            assert fonts.width_of(each.text or "", float(each.attrib["font-size"])) <= CLIP.width
        assert len(picture(shown, snapshot_at(shown, index), CLIP, Scheme.LIGHT)) < 200_000


@pytest.mark.parametrize("game", GAME_NAMES)
def test_every_die_that_lies_before_a_seat_is_drawn_within_the_picture(game: str) -> None:
    for seats in (2, 3, 4):
        shown = timeline(game, seats)
        most = max(range(shown.last), key=lambda index: max(dice_of(shown, index)))
        crowded = dice_of(shown, most)
        canvas = draw(shown, snapshot_at(shown, most), CLIP, Scheme.LIGHT)
        bodies = re.findall(r"translate\(([0-9.]+) ([0-9.]+)\)[^>]*><g fill=", canvas.svg())
        assert len(bodies) >= sum(min(count, 5) for count in crowded)
        assert all(float(x) < CLIP.width and float(y) < CLIP.height for x, y in bodies)
    for count in (1, 6, 12, 15):
        canvas = Canvas(400, 40, Scheme.LIGHT)
        table_parts.draw_dice_rows(canvas, Box(0, 0, 330, 31), 31, [("white", "gangster", 13)] * count)
        assert canvas.svg().count("×13") == count


def dice_of(shown: Timeline, index: int) -> list[int]:
    return [presentation_of(shown.game).rolled(seat) for seat in shown.frames[index].table["seats"].values()]


def test_when_all_are_at_fault_nobody_has_won_and_a_game_that_nobody_began_is_a_clip_of_its_end() -> None:
    (lost, *_) = (each for each in replays("gangster-dice") if each.reason == "all_at_fault" and each.decisions)
    shown = timeline_of(
        lost, [f"bot {seat}" for seat in range(lost.seats)], notes={lost.faults[0][1] or 0: "bot error"}
    )
    assert "won" not in texts(shown, shown.last)
    assert "tied for place 1" in texts(shown, shown.last)
    assert any(line.startswith("Bot error.") for line in texts(shown, min(shown.marks)))
    replay = next(each for each in replays("gang-of-dice") if not each.decisions)
    (snapshot,) = snapshots_of(timeline_of(replay, [f"bot {seat}" for seat in range(replay.seats)]), None)
    assert snapshot.shows_places
    assert snapshot.lines
    assert all("is at fault from the start" in line for line in snapshot.lines)


def test_dice_that_were_rolled_again_are_marked_also_where_they_show_the_same_face() -> None:
    same = 0
    for shown in some_timelines("gang-of-dice")[::2]:
        for index, frame in enumerate(shown.frames):
            rerolled = () if frame.fault or frame.kind != "reroll" else frame.decision
            if not rerolled:
                continue
            snapshot = snapshot_at(shown, index)
            unmarked = draw(shown, replace(snapshot, rerolled=()), CLIP, Scheme.DARK).svg()
            same += draw(shown, snapshot, CLIP, Scheme.DARK).svg() != unmarked
    assert same > 5


def test_whose_dice_they_become_stays_within_the_pot_when_no_font_has_the_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fonts, "_installed_fonts", dict)
    fonts._file_of.cache_clear()
    try:
        played = next(each for each in replays("gang-of-dice") if each.seats == 4)
        shown = timeline_of(played, ["\u5263" * chars for chars in (9, 11, 13, 15)])
        awards = [frame.aside.get("award") or (None, 0) for frame in shown.frames]
        won = [index for index, (seat, _) in enumerate(awards) if seat is not None]
        for index in won:
            root = Xml.fromstring(draw(shown, snapshot_at(shown, index), CLIP, Scheme.DARK).svg())
            (pot,) = (each.attrib for each in root.iter(f"{SVG}rect") if "stroke-dasharray" in each.attrib)
            (name,) = (
                each
                for each in root.iter(f"{SVG}text")
                if (each.text or "").startswith(NONE_HAS) and each.attrib["font-size"] == "14.0"
            )
            wide = fonts.width_of(name.text or "", 14, fonts.Face.BOLD)
            assert float(pot["x"]) < float(name.attrib["x"]) < float(pot["x"]) + float(pot["width"]) - wide
        assert won
    finally:
        fonts._file_of.cache_clear()


def test_names_at_a_table_of_two_shrink_before_they_are_cut_off() -> None:
    for game in GAME_NAMES:
        names = ("a bot with a long name", "the other one of them")
        played = max(
            (each for each in replays(game) if each.seats == 2),
            key=lambda each: (bool(each.options.get("characters")), len(each.decisions)),
        )
        shown = timeline_of(played, names)
        for index in range(0, shown.last + 1, 3):
            seats = snapshot_at(shown, index).scene["seats"].values()
            characters = {seat["character"] for seat in seats if seat.get("character")}
            assert characters | set(names) <= set(texts(shown, index)), shown.at(index)


def test_no_text_is_wider_than_it_was_measured() -> None:
    for face in fonts.Face:
        for text in ("i" * 40, "l" * 40, "W" * 20, "fi" * 20, "Ñandú Łódź Ωμέγα Юникод"):
            canvas = Canvas(1000, 40, Scheme.LIGHT)
            wide = canvas.text(0, 30, text, 18, "#ffffff", face)
            with Image.open(BytesIO(png_of(canvas, 1000, 40))) as drawing:
                box = drawing.getchannel("A").getbbox()
            assert box is not None
            assert box[2] <= wide + 1, (face, text)


def test_text_is_drawn_alike_on_a_machine_without_fonts(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = timeline("gang-of-dice", 2)
    latin = picture(shown, snapshot_at(shown, 0), CLIP, Scheme.DARK)
    monkeypatch.setattr(fonts, "_installed_fonts", dict)
    fonts._file_of.cache_clear()
    try:
        assert picture(shown, snapshot_at(shown, 0), CLIP, Scheme.DARK) == latin
        assert fonts.one_line("Ω Ж ش 李", 20) == "Ω Ж ش \ufffd"
        assert fonts.readable(fonts.one_line("李李李", 20), "Bot 3") == "Bot 3"
    finally:
        fonts._file_of.cache_clear()


@cache
def middle_round(game: str, form: FileFormat, scheme: Scheme) -> bytes:
    shown = timeline(game, 4)
    return clip(shown, shown.rounds // 2, form, scheme)


@pytest.mark.parametrize(
    ("game", "form"),
    [
        ("gang-of-dice", FileFormat.WEBP),
        ("gangster-dice", FileFormat.GIF),
        pytest.param("gang-of-dice", FileFormat.GIF, marks=pytest.mark.long("both forms of both games")),
        pytest.param("gangster-dice", FileFormat.WEBP, marks=pytest.mark.long("both forms of both games")),
    ],
)
def test_a_round_is_a_clip_that_every_reader_opens(game: str, form: FileFormat) -> None:
    shown = timeline(game, 4)
    number = shown.rounds // 2
    snapshots = snapshots_of(shown, number)
    assert [each.at for each in snapshots[1:]] == [frame.at for frame in shown.frames if frame.round == number]
    with Image.open(BytesIO(middle_round(game, form, Scheme.DARK))) as opened:
        frames = [(each.copy().size, each.info["duration"]) for each in ImageSequence.Iterator(opened)]
        assert opened.info["loop"] == 0
    assert {size for size, _ in frames} == {CLIP}
    assert len(frames) == len(snapshots)
    assert LEAST_S <= sum(duration for _, duration in frames) / 1000 <= MAX_S


@pytest.mark.parametrize("scheme", [Scheme.DARK, pytest.param(Scheme.LIGHT, marks=pytest.mark.long("both schemes"))])
def test_a_gif_keeps_the_colours_that_mean_something(scheme: Scheme) -> None:
    with Image.open(BytesIO(middle_round("gangster-dice", FileFormat.GIF, scheme))) as opened:
        palette = opened.getpalette() or []
    drawn_in = list(zip(palette[::3], palette[1::3], palette[2::3], strict=True))
    for name in ("ink", "paper", "sheet", "felt", "seat1", "seat2", "seat3", "seat4"):
        wanted = bytes.fromhex(colors_of(scheme)[name][1:])
        off = min(max(abs(a - b) for a, b in zip(wanted, each, strict=True)) for each in drawn_in)
        assert off < 10, name


@pytest.mark.parametrize("game", GAME_NAMES)
def test_a_clip_of_a_long_game_keeps_what_matters_within_its_bounds(game: str) -> None:
    shown = timeline(game, 4)
    assert shown.last > MAX_IMAGES
    snapshots = snapshots_of(shown, None)
    kept = [each.at for each in snapshots]
    assert len(kept) == MAX_IMAGES
    assert (snapshots[0].at, kept[-1]) == ("", "end")
    order = [shown.index_of(at) for at in kept[1:]]
    assert order == sorted(set(order))
    assert {shown.at(index) for index in shown.marks} <= set(kept)
    assert shown.at(shown.last - 1) in kept, "the decision that ended the game"
    times = clips.seconds_of(snapshots)
    assert LEAST_S <= sum(times) <= MAX_S + 1e-6
    assert min(times) > 1
    assert sum(times) / len(times) > 2
    assert times[-1] >= 3  # who won is there to be read
    assert LEAST_S <= sum(clips.seconds_of([replace(snapshots[0], head="", lines=[])])) <= MAX_S


def test_a_clip_that_is_too_heavy_has_fewer_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = timeline("gang-of-dice", 2)
    whole = clip(shown, 1, FileFormat.WEBP, Scheme.LIGHT)
    assert len(whole) <= MAX_BYTES
    monkeypatch.setattr(clips, "MAX_BYTES", len(whole) - 1)
    smaller = clip(shown, 1, FileFormat.WEBP, Scheme.LIGHT)
    assert len(smaller) < len(whole)
    assert Image.open(BytesIO(smaller)).size == CLIP
    monkeypatch.setattr(clips, "MAX_BYTES", 10)
    with pytest.raises(clips.ClipTooLarge):
        clip(shown, 1, FileFormat.WEBP, Scheme.LIGHT)


def test_what_is_no_part_of_the_game_is_refused_with_what_there_is() -> None:
    shown = timeline("gang-of-dice", 2)
    for part, form, words in (
        ("r99", FileFormat.WEBP, "has rounds 1 to"), ("r1.s1.d1", FileFormat.GIF, "a decision needs .png"),
        (GAME, FileFormat.PNG, "the whole game needs .webp"), ("r1.s9.d1", FileFormat.PNG, "round 1 has"),
    ):  # fmt: skip
        with pytest.raises(NoSuchFrame, match=words):
            render(shown, part, form, Scheme.LIGHT)
    assert sentence_at(shown, "r1.s1.d1").startswith("bot 0 ")
    assert round_start(shown, 2).at == ""


def test_a_job_is_carried_out_in_a_process_that_ends_when_it_takes_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    played = min(replays("gang-of-dice"), key=lambda each: len(each.decisions))
    job = clip_jobs.ClipJob(played.to_json(), ["a"] * played.seats, {}, "r1", "webp", "dark", "Match 3")
    monkeypatch.setenv("SECRET_KEY", "would be an argument too many")
    assert clip_jobs.run_job(job).startswith(b"RIFF")
    with pytest.raises(clip_jobs.ClipFailed, match="has rounds 1 to"):
        clip_jobs.run_job(clip_jobs.ClipJob(job.replay, job.names, {}, "r999", "webp", "dark"))
    monkeypatch.setattr(clip_jobs, "WALL_S", 0.01)
    with pytest.raises(clip_jobs.ClipFailed, match="took more than"):
        clip_jobs.run_job(job)


@pytest.mark.parametrize(
    "name",
    ["W" * 80, "李 小龍の賭場", "عصابة النرد", "Zoë\u0301 Ⅷ", "😀😀😀", "\U00013000" * 40, "i" * 80],
    ids=["wide", "han", "arabic", "marks", "emoji", "no font", "narrow"],
)
def test_any_name_fits_into_a_preview_card(name: str) -> None:
    name = fonts.one_line(name, 80)
    assert fonts.width_of(fonts.fitted(name, 36, 500), 36) <= 500
    card = cards.Card("Gang of Dice", name, (cards.Row("1", name, "mean place 1.25", True), cards.Row("2", name)), name)
    assert Image.open(BytesIO(cards.draw_card(card))).size == PREVIEW
    assert fonts.readable(fonts.one_line("\U00013000" * 3, 80), "Bot 3") == "Bot 3"
    assert fonts.readable("Steady", "Bot 3") == "Steady"
