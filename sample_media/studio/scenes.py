"""The rooms: a background for each speaker, and where heads and bodies stand in it."""

from __future__ import annotations

from dataclasses import dataclass

from PIL import Image

from studio.canvas import Canvas, mixed
from studio.people import body, feather


@dataclass(frozen=True, kw_only=True)
class Seat:
    """Where a character's head is (output pixels), how large, and how far it turns to the right."""

    who: str
    centre: tuple[float, float]
    size: float = 1.0
    turn: int = 0


@dataclass(frozen=True, kw_only=True)
class Scene:
    """A still background with everybody's body in it, and the seats of the heads that move over it."""

    backdrop: Image.Image
    seats: tuple[Seat, ...]
    ink: str


def scene_of(speakers: tuple[str, ...], size: tuple[int, int]) -> Scene:
    """Build the room for a take's speakers."""
    if len(speakers) > 1:
        return _interview(size)
    builder = {"mara": _studio, "theo": _workshop, "lily": _bakery, "pip": _night}[speakers[0]]
    return builder(size)


def _seated(canvas: Canvas, seats: tuple[Seat, ...], ink: str) -> Scene:
    backdrop = canvas.finished()
    for seat in seats:
        figure = Canvas((640, 800), origin=(320, 230))
        body(figure, seat.who)
        picture = figure.finished(seat.size)
        x, y = seat.centre
        backdrop.alpha_composite(picture, (round(x - 320 * seat.size), round(y - 230 * seat.size)))
    return Scene(backdrop=backdrop.convert("RGB"), seats=seats, ink=ink)


def _window(canvas: Canvas, corner: tuple[float, float], size: tuple[float, float], sky: str) -> None:
    (x, y), (w, h) = corner, size
    canvas.card((x - 12, y - 12), (w + 24, h + 24), "#f6f1e6", radius=8)
    canvas.card((x, y), (w, h), sky, radius=3)
    canvas.oval((x + w * 0.30, y + h * 0.30), (w * 0.12, w * 0.12), "#fff6d8", alpha=0.9)
    for dx, dy, r in ((0.52, 0.66, 0.17), (0.68, 0.62, 0.20), (0.82, 0.68, 0.14)):
        canvas.oval((x + w * dx, y + h * dy), (w * r, w * r * 0.42), "#ffffff", alpha=0.75)
    canvas.card((x + w / 2 - 4, y), (8, h), "#f6f1e6")
    canvas.card((x, y + h * 0.48 - 4), (w, 8), "#f6f1e6")
    canvas.card((x - 24, y + h + 8), (w + 48, 16), "#e8e0cf", radius=4)


def _plant(canvas: Canvas, foot: tuple[float, float], size: float, leaf: str, pot: str) -> None:
    x, y = foot
    for index, (dx, dy, bend) in enumerate(
        (
            (-96, -150, -40),
            (-56, -226, -28),
            (2, -262, 6),
            (60, -222, 30),
            (100, -146, 42),
            (-118, -86, -34),
            (120, -84, 34),
        )
    ):
        tone = mixed(leaf, "#ffffff", 0.10) if index % 2 else leaf
        tip = (x + dx * size, y + (dy - 90) * size)
        base = (x + bend * 0.3 * size, y - 84 * size)
        middle = ((tip[0] + base[0]) / 2, (tip[1] + base[1]) / 2)
        across = (base[1] - tip[1], tip[0] - base[0])
        length = max(1.0, (across[0] ** 2 + across[1] ** 2) ** 0.5)
        nx, ny = across[0] / length * 23 * size, across[1] / length * 23 * size
        canvas.blob([base, (middle[0] + nx, middle[1] + ny), tip, (middle[0] - nx, middle[1] - ny)], tone)
        canvas.line([base, middle, tip], mixed(leaf, "#10302a", 0.25), 2.0 * size)
    canvas.polygon(
        [
            (x - 56 * size, y - 92 * size),
            (x + 56 * size, y - 92 * size),
            (x + 42 * size, y),
            (x - 42 * size, y),
        ],
        pot,
    )
    canvas.card(
        (x - 62 * size, y - 104 * size), (124 * size, 26 * size), mixed(pot, "#ffffff", 0.12), radius=6 * size
    )


def _light(canvas: Canvas, points: list[tuple[float, float]], fill: str, alpha: float) -> None:
    canvas.polygon(points, fill, alpha=alpha, blur=10)


def _poster(
    canvas: Canvas, corner: tuple[float, float], size: tuple[float, float], paper: str, mark: str
) -> None:
    (x, y), (w, h) = corner, size
    canvas.card((x + 4, y + 8), (w, h), "#1d2b2b", radius=6, alpha=0.16, blur=6)
    canvas.card((x, y), (w, h), paper, radius=5)
    feather(canvas, (x + w / 2, y + h * 0.44), w / 150, mark)
    canvas.card((x + w * 0.3, y + h * 0.82), (w * 0.4, 5), mark, radius=2, alpha=0.6)


def _studio(size: tuple[int, int]) -> Scene:
    canvas = Canvas(size)
    canvas.wash("#8fb3ad", "#a9c6bd")
    _light(canvas, [(760, -20), (1080, -20), (820, 740), (420, 740)], "#fff5dc", 0.16)
    _light(canvas, [(1120, -20), (1200, -20), (980, 740), (880, 740)], "#fff5dc", 0.13)
    _poster(canvas, (968, 150), (176, 232), "#f7efe0", "#d9694f")
    canvas.card((-20, 604), (360, 140), "#c98f5f")
    canvas.card((-20, 596), (372, 18), "#dba775", radius=6)
    _plant(canvas, (176, 598), 1.0, "#3f7a62", "#f2e6d2")
    return _seated(canvas, (Seat(who="mara", centre=(640, 318), size=1.08),), "#21413d")


def _workshop(size: tuple[int, int]) -> Scene:
    canvas = Canvas(size)
    canvas.wash("#e3b59a", "#eccab3")
    _window(canvas, (118, 128), (232, 270), "#bfe0e2")
    _light(canvas, [(360, 150), (420, 150), (860, 740), (520, 740)], "#fff3dd", 0.22)
    for y in (256, 420):
        canvas.card((930, y), (290, 14), "#8b5a44", radius=4)
    for x, height, fill in (
        (950, 96, "#3f6b62"),
        (982, 116, "#d9694f"),
        (1016, 88, "#f3e3c4"),
        (1046, 108, "#5a4a6a"),
    ):
        canvas.card((x, 256 - height), (24, height), fill, radius=4)
    canvas.oval((1150, 218), (36, 36), "#f3e3c4")
    canvas.oval((1150, 218), (24, 24), "#e0c08c")
    canvas.card((962, 340), (118, 80), "#f3e3c4", radius=8)
    canvas.card((970, 348), (102, 64), "#37505a", radius=4)
    feather(canvas, (1021, 380), 0.42, "#f2b48c")
    canvas.polygon([(1126, 372), (1186, 372), (1178, 420), (1134, 420)], "#d9694f")
    for dx in (-18, 0, 18):
        canvas.line([(1156 + dx * 0.4, 374), (1156 + dx, 344), (1156 + dx * 1.5, 326)], "#4e8a6c", 7)
    return _seated(canvas, (Seat(who="theo", centre=(640, 322), size=1.08),), "#5d3527")


def _interview(size: tuple[int, int]) -> Scene:
    canvas = Canvas(size)
    canvas.wash("#b9bfdb", "#d3d3e6")
    _light(canvas, [(250, -20), (470, -20), (250, 740), (-60, 740)], "#fff8e6", 0.20)
    _window(canvas, (520, 96), (240, 250), "#cfe6ee")
    canvas.card((500, 600), (280, 150), "#9a6b58")
    canvas.card((486, 590), (308, 18), "#b58570", radius=6)
    _plant(canvas, (640, 592), 0.74, "#4b7d6c", "#f4ede2")
    seats = (
        Seat(who="mara", centre=(318, 350), size=0.98, turn=13),
        Seat(who="theo", centre=(962, 350), size=0.98, turn=-13),
    )
    return _seated(canvas, seats, "#3a3c5c")


def _bakery(size: tuple[int, int]) -> Scene:
    canvas = Canvas(size)
    canvas.wash("#f0cf8e", "#f6e0b4")
    _light(canvas, [(470, -20), (690, -20), (300, 1300), (-60, 1300)], "#fffbe8", 0.30)
    for row, y in enumerate((330, 520)):
        canvas.card((-10, y), (740, 18), "#a8683f", radius=4)
        canvas.card((-10, y + 18), (740, 8), "#8d5532", alpha=0.35)
        for index in range(5):
            x = 66 + index * 148 + row * 20
            if (index + row) % 2:
                canvas.oval((x, y - 34), (54, 36), "#c98346")
                canvas.card((x - 54, y - 30), (108, 30), "#c98346", radius=12)
                for dx in (-24, 0, 24):
                    canvas.line([(x + dx - 7, y - 50), (x + dx + 7, y - 34)], "#f0c98f", 6, curved=False)
            else:
                canvas.oval((x, y - 26), (46, 28), "#dca05c")
                canvas.line([(x - 26, y - 32), (x, y - 40), (x + 26, y - 32)], "#f3d3a0", 6)
    return _seated(canvas, (Seat(who="lily", centre=(360, 640), size=1.22),), "#6b421f")


def _night(size: tuple[int, int]) -> Scene:
    canvas = Canvas(size)
    canvas.wash("#3a3f6b", "#59598c")
    canvas.oval((640, 340), (330, 330), "#7a78ad", alpha=0.35)
    canvas.oval((640, 340), (245, 245), "#8d8abd", alpha=0.35)
    for x, y, r in (
        (150, 170, 3),
        (236, 330, 2),
        (330, 120, 2.5),
        (92, 430, 2),
        (1010, 140, 3),
        (1130, 280, 2),
        (1190, 420, 2.5),
        (930, 90, 2),
        (1080, 520, 2),
        (210, 540, 2.5),
        (400, 260, 2),
        (900, 250, 2.4),
    ):
        canvas.oval((x, y), (r, r), "#f6efd6", alpha=0.85)
    canvas.blob([(-60, 760), (-40, 640), (160, 600), (360, 650), (480, 760)], "#4a4d80")
    canvas.blob([(800, 760), (900, 650), (1100, 590), (1320, 640), (1340, 760)], "#454878")
    return _seated(canvas, (Seat(who="pip", centre=(640, 350), size=1.0),), "#f3eedd")
