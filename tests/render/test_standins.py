from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from cutbook.files import UserFolders
from cutbook.media.ffmpeg import Ffmpeg
from cutbook.render.film import Film, render
from cutbook.render.plan import plan
from tests.render.footage import Clip, edl, film, number, pictures, span

RANGES = ((3, 20), (31, 33), (40, 60))


def test_a_draft_comes_from_proxies_frame_for_frame(
    folders: UserFolders, runner: Ffmpeg, any_ffmpeg: Path, tmp_path: Path
) -> None:
    """A draft shows the very frames of the cut, at its rate and another, though its pictures come from a proxy."""
    wide = film(tmp_path / "wide.mp4", any_ffmpeg, rate=Fraction(30000, 1001), frames=64, size=(960, 540))
    takes = {"wide": wide.take("wide", folders)}
    cut = edl(*(span(f"{n:05d}", takes["wide"], low, high) for n, (low, high) in enumerate(RANGES)))

    def draft(rate: Fraction | None = None) -> Film:
        return render(
            plan(cut, takes, rate=rate),
            takes=takes,
            edit=tmp_path / "edit",
            output=tmp_path / "draft.mp4",
            ffmpeg=runner,
            tier_name="draft",
            pictures=False,
        )

    made = draft()
    assert made.notes[-1] == "Pictures from the proxies of wide."
    assert {file.name for file in (tmp_path / "edit" / "proxies").iterdir()} == {"wide.mp4", "wide.json"}
    expected = [k for low, high in RANGES for k in range(low, high)]
    assert [number(each, (0, 0, 640, 360)) for each in pictures(made.path)] == expected

    assert draft(Fraction(25)).encoded == 3
    shown = [number(each, (0, 0, 640, 360)) for each in pictures(made.path)]
    rate, source = Fraction(25), Fraction(30000, 1001)
    wanted = [
        int((low / source + (k + Fraction(1, 8)) / rate) * source)
        for low, high in RANGES
        for k in range(max(1, round((high - low) / source * rate)))
    ]
    assert shown == wanted


def test_a_short_stay_in_a_long_take_makes_no_proxy(
    clips: dict[str, Clip], folders: UserFolders, one_runner: Ffmpeg, any_ffmpeg: Path, tmp_path: Path
) -> None:
    """No proxy is made of a take of which less than a tenth is kept, nor of one that is small itself."""
    wide = film(tmp_path / "wide.mp4", any_ffmpeg, rate=Fraction(25), frames=64, size=(960, 540), seed=None)
    takes = {"wide": wide.take("wide", folders), "pal": clips["pal"].take("pal", folders)}
    made = render(
        plan(edl(span("00001", takes["wide"], 0, 6), span("00002", takes["pal"], 0, 50)), takes),
        takes=takes,
        edit=tmp_path / "edit",
        output=tmp_path / "draft.mp4",
        ffmpeg=one_runner,
        tier_name="draft",
        pictures=False,
    )
    assert made.proof.ok
    assert not (tmp_path / "edit" / "proxies").exists()
