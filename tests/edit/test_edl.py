from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutbook.edit.checking import validate
from cutbook.edit.cutlist import parse
from cutbook.edit.edl import Edl, Overlay, dump, settle, write
from cutbook.edit.reading import load, loads
from cutbook.edit.take import Take
from cutbook.errors import EdlError
from tests.edit.making import NTSC, RATES, c0103, piece, take

TAKES = {"C0103": c0103(), "C0108": take("C0108", rate=Fraction(25), frames=1000)}


def written(edit: Path, document: Any) -> Path:
    """Write a document as edl.json and return its folder."""
    edit.mkdir(exist_ok=True)
    (edit / "edl.json").write_text(
        document if isinstance(document, str) else json.dumps(document), encoding="utf-8"
    )
    return edit


def ranged(**keys: Any) -> dict[str, Any]:
    """Return a document with one range that has other values for some keys."""
    return {"version": 2, "ranges": [{"id": "r-aaaaa", "source": "C0103", "start": 2.5, "end": 5.4, **keys}]}


def refused(edit: Path, document: Any) -> str:
    """Return the message that a document gives."""
    with pytest.raises(EdlError) as caught:
        load(written(edit, document), TAKES)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_no_file_is_an_empty_cut_list(tmp_path: Path) -> None:
    """Reading makes nothing."""
    assert load(tmp_path / "edit", TAKES) == Edl()
    assert list(tmp_path.iterdir()) == []


def test_cut_list_comes_back_as_it_was_written(tmp_path: Path) -> None:
    """Frames, words, pads, decisions, settings and the times of overlays."""
    lines = "HOOK C0103 [2.52-5.36] -- “best” — 最好\nC0108 1.0-2.0"
    edl = Edl(
        ranges=parse(lines, TAKES, by="agent"),
        rate=NTSC,
        size=(1080, 1920),
        grade="warm_cinematic",
        overlays=(Overlay(file="slot.mov", start_in_output=Fraction(1, 3), duration=Fraction(1)),),
        captions={"style": "bold-overlay"},
        extra={"chapters": [{"title": "One"}]},
    )
    edl = replace(
        edl,
        ranges=(
            replace(edl.ranges[0], status="accepted", grade="subtle", audio_lead=Fraction(1, 4)),
            edl.ranges[1],
        ),
    )
    edit = tmp_path / "edit"
    write(dump(edl), edit)
    back = load(edit, TAKES)
    assert back.ranges == edl.ranges
    assert back == replace(edl, overlays=back.overlays)
    assert abs(back.overlays[0].start_in_output - Fraction(1, 3)) < Fraction(1, 1_000_000)
    assert dump(back) == dump(edl)
    assert json.loads(dump(edl))["version"] == 2
    assert json.loads(dump(edl))["total_duration_s"] == 4.0


def test_file_of_video_use_is_read_without_a_word(tmp_path: Path) -> None:
    """Version 1 has no ids, frames and statuses; edges go outward to the grid, and ids are the same each time."""
    document = {
        "version": 1,
        "sources": {"C0103": "/footage/C0103.MP4"},
        "ranges": [
            {
                "source": "C0103",
                "start": 2.42,
                "end": 5.43,
                "beat": "HOOK",
                "quote": "Ninety percent",
                "reason": "why",
            },
            {"source": "C0103", "start": 6.0, "end": 6.8, "beat": "SOLUTION"},
        ],
        "grade": "warm_cinematic",
        "overlays": [],
        "subtitles": "edit/master.srt",
        "total_duration_s": 3.9,
    }
    edit = written(tmp_path / "edit", document)
    was = (edit / "edl.json").read_bytes()
    edl = load(edit, TAKES)
    assert [each.frames for each in edl.ranges] == [(72, 163), (180, 204)]
    assert [each.words for each in edl.ranges] == [(1, 4), (5, 7)]
    assert [each.quote for each in edl.ranges] == ["Ninety percent", "We fixed this."]
    assert edl.sources == {"C0103": "/footage/C0103.MP4"}
    assert edl.extra == {"subtitles": "edit/master.srt"}
    assert [each.id for each in load(edit, TAKES).ranges] == [each.id for each in edl.ranges]
    assert (edit / "edl.json").read_bytes() == was


def test_seconds_changed_by_hand_win_over_frames(tmp_path: Path) -> None:
    """End moved to 6.8 with the frames left as they were: the new edge is on the grid, words and quote follow."""
    document = ranged(end=6.8, frames=[75, 162], words=[1, 4], quote="Ninety percent is wasted.")
    (edl,) = load(written(tmp_path / "edit", document), TAKES).ranges
    assert edl.frames == (75, 204)
    assert edl.words == (1, 7)
    assert edl.quote == "Ninety percent is wasted. We fixed this."


def test_frames_are_meant_where_the_seconds_are_their_rounding(tmp_path: Path) -> None:
    """Seconds within half a frame say the same as the frames."""
    (edl,) = load(written(tmp_path / "edit", ranged(start=2.49, end=5.41, frames=[75, 162])), TAKES).ranges
    assert edl.frames == (75, 162)


def test_quote_written_by_hand_stays(tmp_path: Path) -> None:
    """Only the words that cutbook wrote itself are written anew."""
    document = ranged(end=6.8, frames=[75, 162], words=[1, 4], quote="my own note")
    assert load(written(tmp_path / "edit", document), TAKES).ranges[0].quote == "my own note"


def test_words_that_do_not_fit_the_range_any_more_are_found_anew(tmp_path: Path) -> None:
    """After another transcription the numbers of old mean other words."""
    (edl,) = load(written(tmp_path / "edit", ranged(frames=[75, 162], words=[8, 10])), TAKES).ranges
    assert edl.words == (1, 4)


def test_unknown_keys_are_kept_at_every_level(tmp_path: Path) -> None:
    """Of the list, of a range and of an overlay, in the order in which they were."""
    (tmp_path / "edit").mkdir()
    document = ranged(zeta={"a": [1, 2.5, None]}, alpha="x") | {
        "overlays": [{"file": "o.png", "start_in_output": 0, "duration": 1, "opacity": 0.5}],
        "music": {"file": "m.mp3", "gain_db": -20, "duck_db": 8, "mood": "calm"},
    }
    back = json.loads(dump(load(written(tmp_path / "edit", document), TAKES)))
    assert back["ranges"][0]["zeta"] == {"a": [1, 2.5, None]}
    assert list(back["ranges"][0])[-2:] == ["zeta", "alpha"]
    assert back["overlays"][0]["opacity"] == 0.5
    assert back["music"] == {"file": "m.mp3", "gain_db": -20, "duck_db": 8, "mood": "calm"}


def test_take_is_found_by_its_path_where_its_name_changed(tmp_path: Path) -> None:
    """A list whose sources lead to a take that goes by another name now."""
    here = {"C0103": c0103(folder=tmp_path)}
    document = {"sources": {"old": "../C0103.mp4"}, "ranges": [{"source": "old", "start": 1, "end": 2}]}
    edl = load(written(tmp_path / "edit", document), here)
    assert edl.ranges[0].source == "C0103"
    assert edl.sources == {"C0103": "../C0103.mp4"}


@pytest.mark.parametrize(
    ("keys", "says"),
    [
        ({"source": "C0199"}, "range 1 (r-aaaaa): no take is named 'C0199'; the nearest is C010"),
        ({"source": None}, "range 1 (r-aaaaa): source is missing"),
        ({"end": 99}, "range 1 (r-aaaaa): end is 99.00, past the end of C0103, which is 43.00 s long"),
        ({"start": 50, "end": 60}, "range 1 (r-aaaaa): end is 60.00, past the end"),
        ({"start": 5.4}, "range 1 (r-aaaaa): end is 5.40, not after start 5.40"),
        ({"start": 9}, "range 1 (r-aaaaa): end is 5.40, not after start 9.00"),
        ({"start": -1}, "range 1 (r-aaaaa): start is -1.00; times count from 0"),
        ({"start": "2.5"}, "range 1 (r-aaaaa): start must be seconds like 2.52, not '2.5'"),
        ({"start": True}, "range 1 (r-aaaaa): start must be seconds"),
        ({"end": None}, "range 1 (r-aaaaa): end is missing"),
        ({"end": 1e400}, "holds Infinity"),
        ({"end": 1e308}, "range 1 (r-aaaaa): end is no time that footage has"),
        ({"start": float("nan")}, "holds NaN"),
        (
            {"status": "maybe"},
            "range 1 (r-aaaaa): status is 'maybe'; it is one of undecided, accepted, rejected",
        ),
        ({"frames": [1.5, 2]}, "range 1 (r-aaaaa): frames must be two whole numbers"),
        ({"frames": [75]}, "range 1 (r-aaaaa): frames must be two whole numbers"),
        ({"words": "1-4"}, "range 1 (r-aaaaa): words must be two whole numbers"),
        ({"beat": 7}, "range 1 (r-aaaaa): beat must be text, not a number"),
        ({"audio_lead": -0.1}, "range 1 (r-aaaaa): audio_lead is negative"),
    ],
)
def test_range_that_cannot_be_is_named(tmp_path: Path, keys: dict[str, Any], says: str) -> None:
    """Its number, its id, the key and what to do."""
    assert says in refused(tmp_path / "edit", ranged(**keys))


@pytest.mark.parametrize(
    ("document", "says"),
    [
        ('{"ranges": [', "edl.json is no JSON at line 1, column 13"),
        ("", "edl.json is no JSON at line 1, column 1"),
        ("[1, 2]", "a JSON object with ranges is expected, not a list"),
        ("[" * 100_000, "nested too deeply"),
        ('{"total": ' + "9" * 5000 + "}", "holds a value that cannot be read"),
        ('{"music": 1e400}', "holds 1e400, which is too large"),
        ({"version": 3}, "version is 3; this cutbook reads 1 and 2"),
        ({"version": "two"}, "version must be a whole number"),
        ({"ranges": {}}, "edl.json: ranges must be a list, not an object"),
        ({"ranges": ["C0103"]}, "range 1: must be an object, not text"),
        ({"sources": ["a"]}, "edl.json: sources must be an object"),
        ({"sources": {"a": 1}}, "edl.json: sources.a must be text"),
        ({"rate": "fast"}, "edl.json: rate cannot be used"),
        ({"rate": 1e308}, "edl.json: rate cannot be used"),
        ({"rate": [30]}, "edl.json: rate must be frames a second"),
        ({"size": "big"}, "edl.json: size must be width and height"),
        ({"size": [0, 5]}, "edl.json: size must be at least"),
        ({"grade": 5}, "edl.json: grade must be text"),
        ({"overlays": [{"start_in_output": 0, "duration": 1}]}, "overlay 1: file is missing"),
        ({"overlays": [{"file": "a.png", "start_in_output": 0, "duration": 0}]}, "overlay 1: duration must"),
    ],
)
def test_file_edited_into_nonsense_is_one_clear_line(tmp_path: Path, document: Any, says: str) -> None:
    """Whatever is in it, the message says where."""
    assert says in refused(tmp_path / "edit", document)


def test_ids_that_are_there_twice_are_refused(tmp_path: Path) -> None:
    """A range copied by hand keeps its id; the message says which two."""
    document = ranged()
    document["ranges"].append(document["ranges"][0] | {"start": 6, "end": 7})
    assert "ranges 1 and 2 have the same id r-aaaaa" in refused(tmp_path / "edit", document)


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    """A file saved in another encoding is named, not guessed at."""
    with pytest.raises(EdlError, match="not UTF-8 text"):
        loads(b'{"grade": "\xe4"}', tmp_path, TAKES)
    assert loads(b'\xef\xbb\xbf{"grade": "subtle"}', tmp_path, TAKES).grade == "subtle"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"source": "gone"}, "range 1 (r-aaaaa, gone 2.50-5.40): no take is named 'gone'"),
        ({"frames": (75, 75)}, "it has no length"),
        ({"frames": (75, 60)}, "it has no length"),
        ({"frames": (-1, 60)}, "it begins before the take"),
        ({"frames": (75, 1291)}, "it ends past the take, which is 43.00 s long"),
        ({"rate": Fraction(25)}, "counted at 25 a second, but C0103 has 30"),
        ({"status": "maybe"}, "status is 'maybe'"),
        ({"audio_lag": Fraction(-1)}, "seconds from 0 up"),
    ],
)
def test_change_that_makes_no_cut_list_is_refused(tmp_path: Path, change: dict[str, Any], says: str) -> None:
    """Before anything is written, by number, id and place."""
    edl = Edl(ranges=(replace(piece(TAKES["C0103"], (75, 162)), **change),))
    with pytest.raises(EdlError) as caught:
        validate(edl, TAKES, tmp_path)
    assert says in str(caught.value)


def test_overlay_needs_its_file_and_its_place_in_the_film(tmp_path: Path) -> None:
    """Paths count from the edit folder; video-use's own edit/… from the folder above; none beyond the end."""
    edit = tmp_path / "edit"
    edit.mkdir()
    overlay = Overlay(file="slot.mov", start_in_output=Fraction(1), duration=Fraction(2))
    edl = Edl(ranges=(piece(TAKES["C0103"], (0, 90)),), overlays=(overlay,))
    with pytest.raises(EdlError, match=r"overlay 1 \(slot.mov\): there is no such file"):
        validate(edl, TAKES, edit)
    (edit / "slot.mov").touch()
    validate(edl, TAKES, edit)
    validate(replace(edl, overlays=(replace(overlay, file="edit/slot.mov"),)), TAKES, edit)
    with pytest.raises(EdlError, match=r"it ends at 4\.00 s, but the film at 3\.00 s"):
        validate(replace(edl, overlays=(replace(overlay, duration=Fraction(3)),)), TAKES, edit)


def test_sources_are_written_relative_to_the_edit_folder(tmp_path: Path) -> None:
    """A path that leads there already stays as it was found, a stale one is put right, media are fingerprints."""
    edit = tmp_path / "edit"
    here = {"C0103": c0103(folder=tmp_path, digest="ab" * 32)}
    edl = Edl(ranges=(piece(here["C0103"], (0, 90)),))
    assert settle(edl, here, edit).sources == {"C0103": "../C0103.mp4"}
    assert settle(edl, here, edit).media == {"C0103": "1000.abababababab"}
    absolute = str(tmp_path / "C0103.mp4")
    assert settle(replace(edl, sources={"C0103": absolute, "x": "y"}), here, edit).sources == {
        "C0103": absolute,
        "x": "y",
    }
    assert settle(replace(edl, sources={"C0103": "/gone/C0103.mp4"}), here, edit).sources == {
        "C0103": "../C0103.mp4"
    }


def test_name_whose_bytes_are_no_text_is_written_as_an_escape(tmp_path: Path) -> None:
    """A file name from a camera that writes Latin-1 comes back as it was."""
    name = b"caf\xe9".decode("utf-8", "surrogateescape")
    here = {name: take(name)}
    write(dump(Edl(ranges=(piece(here[name], (0, 90)),))), tmp_path)
    assert load(tmp_path, here).ranges[0].source == name


def test_thousand_ranges_are_read_and_checked(tmp_path: Path) -> None:
    """Each comes back as it was."""
    said = take("L", *[(f"w{n}", n, n + Fraction(1, 2)) for n in range(10_000)], frames=300_000)
    lines = "\n".join(f"L #{n}-#{n + 5}" for n in range(1, 10_000, 10))
    ranges = parse(lines, {"L": said})
    write(dump(Edl(ranges=ranges)), tmp_path)
    back = load(tmp_path, {"L": said})
    validate(back, {"L": said}, tmp_path)
    assert back.ranges == ranges


@given(st.sampled_from(RATES), st.integers(0, 5_000_000), st.integers(1, 100_000))
def test_frames_come_back_from_their_seconds_alone(rate: Fraction, first: int, count: int) -> None:
    """Six decimals are enough at any usual rate, days into a take."""
    long = {"A": take("A", rate=rate, frames=6_000_000)}
    document = json.loads(dump(Edl(ranges=(piece(long["A"], (first, first + count)),))))
    del document["ranges"][0]["frames"]
    (back,) = loads(json.dumps(document).encode(), Path("edit"), long).ranges
    assert back.frames == (first, first + count)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["ranges", "source", "start", "end", "frames", "id", "words", "x"]), inner
            )
        ),
        max_leaves=20,
    )
)
def test_any_json_is_a_cut_list_or_one_error(document: Any) -> None:
    """Nothing raises anything else, whatever stands where."""
    takes: dict[str, Take] = TAKES
    times = (
        ranged(start=document, end=document),
        ranged(end=document),
        ranged(frames=document, words=document),
    )
    for whole in (document, {"ranges": [document]}, {"ranges": document}, *times, {"overlays": [document]}):
        try:
            edl = loads(json.dumps(whole).encode(), Path("edit"), takes)
        except EdlError:
            continue
        assert dump(loads(dump(edl).encode(), Path("edit"), takes)) == dump(edl)


@given(
    reasons=st.lists(st.text(), max_size=4),
    extra=st.dictionaries(st.text(min_size=1), st.recursive(st.integers() | st.text(), st.lists), max_size=2),
)
def test_text_is_laid_out_as_json_of_two_spaces(reasons: list[str], extra: dict[str, Any]) -> None:
    """Ranges written one by one make the text that the whole would, but for pairs of numbers on one line."""
    made = tuple(
        piece(TAKES["C0103"], (number, number + 9), id=f"r-{number}", reason=reason, extra=extra)
        for number, reason in enumerate(reasons)
    )
    text = dump(Edl(ranges=made, sources={"C0103": "../C0103.mp4"}, extra={"after": reasons}))
    whole = json.dumps(json.loads(text), ensure_ascii=False, indent=2)
    assert "".join(text.split()) == "".join(whole.split())
    indents = {len(line) - len(line.lstrip(" ")) for line in text.splitlines() if '"reason": ' in line}
    assert indents <= {6}


def test_other_words_of_a_take_are_read_anew(tmp_path: Path) -> None:
    """The same bytes bind to the words that the take has now; what was read before does not stand in the way."""
    edit = written(tmp_path / "edit", ranged(start=6.0, end=6.8))
    assert load(edit, {"C0103": c0103()}).ranges[0].quote == "We fixed this."
    other = take("C0103", ("They", "6.08", "6.3"), ("mended", "6.3", "6.74"))
    assert load(edit, {"C0103": other}).ranges[0].quote == "They mended"
    assert load(edit, {"C0103": take("C0103")}).ranges[0].words is None


def test_same_range_written_otherwise_is_read_anew(tmp_path: Path) -> None:
    """A key that changed is seen, in a take from which the range was read before."""
    takes = {"C0103": c0103()}
    first = load(written(tmp_path / "edit", ranged(reason="one")), takes)
    assert first.ranges[0].reason == "one"
    again = load(written(tmp_path / "edit", ranged(reason="two", grade="subtle")), takes)
    assert (again.ranges[0].reason, again.ranges[0].grade) == ("two", "subtle")
    assert load(written(tmp_path / "edit", ranged(reason="one")), takes) == first
