"""The four characters: how each is drawn, from the shoulders and the head down to the mouth.

All measures are in output pixels around the centre of the head, for a head about 270 pixels tall.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from PIL import Image

from studio.canvas import Canvas, mirrored, mixed

INK = "#2a2230"
HEAD_SIZE = (420, 460)
HEAD_CENTRE = (210.0, 250.0)
MOUTH_STEPS = 10
LID_STEPS = 4


@dataclass(frozen=True, kw_only=True)
class Look:
    """Colours of a character."""

    skin: str
    hair: str
    top: str
    trim: str
    lips: str


LOOKS = {
    "mara": Look(skin="#c98f6b", hair="#3b2a3a", top="#e2b04a", trim="#f1cf84", lips="#b05a54"),
    "theo": Look(skin="#ecc2a0", hair="#7a4a33", top="#3f6b62", trim="#e9e2d0", lips="#c0706a"),
    "lily": Look(skin="#e7b48f", hair="#a9a6b3", top="#f4ede2", trim="#d9694f", lips="#bd5f59"),
    "pip": Look(skin="#eef1f4", hair="#b9c4d0", top="#dfe5ec", trim="#ff9d6c", lips="#7be0d6"),
}


def body(canvas: Canvas, who: str) -> None:
    """Draw what does not move: the hair behind the neck, the neck, the shoulders and the clothes."""
    look = LOOKS[who]
    if who == "pip":
        _robot_body(canvas, look)
        return
    if who == "mara":
        back = [(0, -150), (92, -128), (138, -40), (146, 60), (128, 138), (70, 150), (0, 140)]
        canvas.blob(mirrored(back), mixed(look.hair, "#000000", 0.18))
    if who == "lily":
        canvas.blob(
            mirrored([(0, -140), (96, -110), (122, -20), (112, 60), (60, 96), (0, 90)]),
            mixed(look.hair, "#5d5868", 0.25),
        )
    shade = mixed(look.skin, "#6b3a2a", 0.28)
    canvas.card((-44, 60), (88, 150), shade)
    shoulders = [(0, 170), (56, 174), (120, 196), (210, 230), (262, 300), (284, 420), (290, 520), (0, 540)]
    canvas.blob(mirrored(shoulders), look.top)
    canvas.blob(mirrored([(0, 252), (32, 238), (48, 204), (45, 180), (43, 160), (0, 150)]), shade)
    _clothes(canvas, who, look)


def _clothes(canvas: Canvas, who: str, look: Look) -> None:
    dark = mixed(look.top, INK, 0.16)
    for side in (-1, 1):
        canvas.line([(side * 168, 330), (side * 176, 400), (side * 174, 520)], dark, 4)
    if who == "mara":
        canvas.line(
            [(-50, 174), (-48, 206), (-32, 238), (0, 252), (32, 238), (48, 206), (50, 174)], look.trim, 15
        )
    elif who == "theo":
        for side in (-1, 1):
            collar = [(side * 50, 160), (side * 84, 184), (side * 66, 280), (side * 4, 248), (side * 36, 216)]
            canvas.polygon(collar, mixed(look.top, "#ffffff", 0.14))
        canvas.line([(0, 258), (0, 520)], dark, 4, curved=False)
        for y in (310, 380):
            canvas.oval((14, y), (6, 6), look.trim)
    else:
        canvas.blob(mirrored([(0, 330), (104, 322), (128, 352), (140, 540), (0, 560)]), look.trim)
        for side in (-1, 1):
            canvas.line([(side * 100, 338), (side * 94, 260), (side * 84, 186)], look.trim, 22)


def _robot_body(canvas: Canvas, look: Look) -> None:
    canvas.card((-34, 110), (68, 90), look.hair, radius=14)
    for y in (140, 160, 180):
        canvas.card((-34, y), (68, 5), mixed(look.hair, INK, 0.3), radius=2)
    canvas.blob(mirrored([(0, 190), (120, 194), (188, 224), (214, 320), (224, 540), (0, 560)]), look.top)
    canvas.blob(
        mirrored([(0, 262), (70, 264), (92, 290), (92, 372), (70, 396), (0, 398)]), mixed(look.top, INK, 0.08)
    )
    feather(canvas, (0, 330), 1.0, look.trim)


def feather(canvas: Canvas, centre: tuple[float, float], size: float, fill: str) -> None:
    """Draw the product's mark, a feather about 100 pixels tall at size 1."""
    x, y = centre

    def at(*points: tuple[float, float]) -> list[tuple[float, float]]:
        return [(x + px * size, y + py * size) for px, py in points]

    canvas.blob(
        at((30, -48), (36, -18), (22, 14), (-8, 34), (-20, 30), (-22, 8), (-10, -20), (10, -40)), fill
    )
    canvas.line(at((-32, 48), (-16, 20), (6, -8), (22, -34)), mixed(fill, "#ffffff", 0.65), 3.4 * size)
    for px, py, dx, dy in ((-8, 10, 20, 0), (2, -4, 22, -2), (12, -18, 18, -4)):
        canvas.line(at((px, py), (px + dx, py + dy)), mixed(fill, "#ffffff", 0.65), 2.2 * size, curved=False)


@cache
def head(who: str, *, size: float, mouth: int, lid: int, turn: int = 0, brow: int = 0) -> Image.Image:
    """Draw a head, ``HEAD_SIZE`` times ``size`` pixels large.

    ``mouth`` is 0 (closed) to ``MOUTH_STEPS``, ``lid`` 0 (open eyes) to ``LID_STEPS``, ``turn`` pixels to the
    right, ``brow`` pixels that the brows are lifted.
    """
    canvas = Canvas(HEAD_SIZE, origin=HEAD_CENTRE)
    canvas.image = _bare_head(who, turn).copy()
    look = LOOKS[who]
    if who == "pip":
        _robot_features(canvas, look, mouth=mouth, lid=lid)
    else:
        _features(canvas, who, look, lid=lid, turn=turn, brow=brow)
        _mouth(canvas, look, opened=mouth / MOUTH_STEPS, turn=turn)
    return canvas.finished(size)


@cache
def _bare_head(who: str, turn: int) -> Image.Image:
    canvas = Canvas(HEAD_SIZE, origin=HEAD_CENTRE)
    if who == "pip":
        _robot_head(canvas, LOOKS[who])
    else:
        _face(canvas, who, LOOKS[who], turn)
    return canvas.image


def _face(canvas: Canvas, who: str, look: Look, turn: int) -> None:
    warm = mixed(look.skin, "#a8452f", 0.22)
    for side in (-1, 1):
        if side * turn <= 10:
            x = side * 106 - turn * 0.35
            canvas.oval((x, 8), (19, 27), look.skin)
            canvas.oval((x + side, 10), (10, 16), warm, alpha=0.6)
    face = mirrored([(0, -134), (66, -118), (102, -58), (106, 16), (88, 80), (46, 126), (0, 138)])
    canvas.blob([(x + turn * 0.18 * (y > 0), y) for x, y in face], look.skin)
    for side in (-1, 1):
        canvas.oval((side * 64 + turn, 46), (23, 15), "#d9574a", alpha=0.17, blur=6)
    if who == "theo":
        jaw = [(0, 140), (48, 129), (90, 84), (106, 18), (98, 16), (86, 44), (58, 46), (30, 40), (0, 44)]
        beard = [(x + turn * 0.25, y) for x, y in mirrored(list(reversed(jaw)))]
        canvas.blob(beard, look.hair)
    _hair(canvas, who, look)


def _hair(canvas: Canvas, who: str, look: Look) -> None:
    light = mixed(look.hair, "#ffffff", 0.13)
    if who == "mara":
        canvas.blob(
            [
                (-112, 84),
                (-130, 20),
                (-124, -72),
                (-70, -142),
                (10, -158),
                (84, -134),
                (126, -62),
                (130, 24),
                (112, 84),
                (100, 30),
                (94, -28),
                (62, -66),
                (18, -92),
                (-30, -66),
                (-84, -44),
                (-102, 24),
            ],
            look.hair,
        )
        canvas.line([(-78, -104), (-34, -128), (18, -136)], light, 7)
    elif who == "theo":
        canvas.blob(
            [
                (-106, 4),
                (-116, -48),
                (-106, -108),
                (-56, -150),
                (16, -164),
                (82, -142),
                (116, -92),
                (116, -34),
                (107, 4),
                (98, -30),
                (88, -70),
                (40, -84),
                (-24, -80),
                (-76, -88),
                (-96, -44),
            ],
            look.hair,
        )
        canvas.line([(-50, -128), (4, -142), (58, -128)], light, 7)
    else:
        canvas.oval((0, -168), (54, 46), look.hair)
        canvas.line([(-26, -182), (0, -192), (28, -180)], light, 6)
        canvas.blob(
            [
                (-106, 26),
                (-120, -36),
                (-104, -104),
                (-52, -144),
                (0, -150),
                (52, -144),
                (104, -104),
                (120, -36),
                (106, 26),
                (98, -26),
                (76, -72),
                (30, -92),
                (0, -78),
                (-30, -92),
                (-76, -72),
                (-98, -26),
            ],
            look.hair,
        )
        band = [(-109, -56), (-74, -108), (0, -128), (74, -108), (109, -56)]
        canvas.line(band, look.trim, 20)
        canvas.line([(-92, -88), (-50, -118), (0, -129)], mixed(look.trim, "#ffffff", 0.2), 4)


def _features(canvas: Canvas, who: str, look: Look, *, lid: int, turn: int, brow: int) -> None:
    shut = lid / LID_STEPS
    for side in (-1, 1):
        x = side * 43 + turn
        if shut < 1:
            tall = 15 * (1 - shut) + 2.5 * shut
            canvas.oval((x, -8 + 5 * shut), (11, tall), INK)
            if shut < 0.5:
                canvas.oval((x + 3.6, -13.5), (3.4, 4.2), "#ffffff", alpha=0.95)
        else:
            canvas.line([(x - 13, -4), (x, 2), (x + 13, -4)], INK, 5)
        arch = mixed(look.hair, INK, 0.3)
        y = -46 - brow
        canvas.line([(x - side * 18, y), (x + side * 3, y - 4), (x + side * 20, y + 5)], arch, 6)
        if who == "theo":
            canvas.ring((x, -6), (32, 31), "#33414a", 4.5)
    if who == "theo":
        canvas.line([(-12 + turn, -10), (turn, -15), (12 + turn, -10)], "#33414a", 4.5)
    shade = mixed(look.skin, "#8a3d2a", 0.34)
    canvas.line([(turn * 1.25 - 4, 8), (turn * 1.25 + 7, 28), (turn * 1.25 - 6, 33)], shade, 4.5)


def _mouth(canvas: Canvas, look: Look, *, opened: float, turn: int) -> None:
    x, y = turn * 1.05, 74.0
    if opened < 0.08:
        canvas.line([(x - 29, y - 3), (x, y + 7), (x + 29, y - 3)], mixed(look.lips, INK, 0.25), 6)
        return
    wide, drop = 30 - 5 * opened, 6 + 30 * opened
    lips = [
        (x - wide - 5, y - 3),
        (x - wide * 0.45, y - 8 - 3 * opened),
        (x, y - 6 - 3 * opened),
        (x + wide * 0.45, y - 8 - 3 * opened),
        (x + wide + 5, y - 3),
        (x + wide * 0.74, y + drop * 0.72 + 5),
        (x, y + drop + 6),
        (x - wide * 0.74, y + drop * 0.72 + 5),
    ]
    inside = [
        (x - wide, y - 2),
        (x - wide * 0.45, y - 3 - 3 * opened),
        (x + wide * 0.45, y - 3 - 3 * opened),
        (x + wide, y - 2),
        (x + wide * 0.68, y + drop * 0.72),
        (x, y + drop),
        (x - wide * 0.68, y + drop * 0.72),
    ]
    canvas.blob(lips, look.lips)
    canvas.blob(inside, "#4a1f2b")
    if opened > 0.25:
        teeth = [
            (x - wide * 0.74, y - 2),
            (x, y - 4 - 3 * opened),
            (x + wide * 0.74, y - 2),
            (x + wide * 0.5, y + 5),
            (x, y + 6),
            (x - wide * 0.5, y + 5),
        ]
        canvas.blob(teeth, "#fbf6ee")
    if opened > 0.45:
        canvas.oval((x, y + drop - 6), (wide * 0.42, 5.5), "#c9605f")


def _robot_head(canvas: Canvas, look: Look) -> None:
    canvas.line([(0, -128), (0, -176)], look.hair, 7, curved=False)
    canvas.oval((0, -184), (15, 15), look.trim)
    canvas.oval((-4, -189), (4.5, 4.5), "#ffffff", alpha=0.7)
    for side in (-1, 1):
        canvas.card((side * 138 - 16, -34), (32, 76), look.hair, radius=14)
    canvas.card((-138, -130), (276, 250), look.skin, radius=84)
    canvas.card((-108, -92), (216, 174), "#22304a", radius=58)


def _robot_features(canvas: Canvas, look: Look, *, mouth: int, lid: int) -> None:
    open_eye = 1 - lid / LID_STEPS
    for side in (-1, 1):
        tall = 6 + 40 * open_eye
        canvas.card((side * 48 - 15, -26 - tall / 2), (30, tall), look.lips, radius=min(15, tall / 2))
    for index in range(7):
        shape = 1 - abs(index - 3) / 4.2
        tall = 6 + 34 * shape * mouth / MOUTH_STEPS
        canvas.card((-47.5 + index * 14.2, 42 - tall / 2), (8.6, tall), look.lips, radius=4.3)
