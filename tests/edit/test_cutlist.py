from __future__ import annotations

import re
import unicodedata
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutbook.edit.cutlist import parse
from cutbook.edit.edl import Range
from cutbook.edit.take import Take
from cutbook.errors import CutListError
from cutbook.transcripts.pack import pack, phrases
from tests.edit.making import c0103, spoken_takes, take, words

PACKED = """# Packed transcripts

Phrase-level, grouped on silences ≥ 0.5s or speaker change.
Use `[start-end]` ranges to address cuts in the EDL.

## C0103  (duration: 43.0s, 8 phrases)
  [002.52-005.36] S0 Ninety percent is wasted.
  [006.08-006.74] S0 We fixed this. -- not a reason? yes, it is

## C0108  (duration: 43.0s, 0 phrases)
  (no speech)
"""


def takes(*more: Take) -> dict[str, Take]:
    """Return two takes, and more, by name."""
    known = [c0103(), take("C0108", ("Hello", "1.0", "1.5"), ("there", "1.5", "2.0")), *more]
    return {each.name: each for each in known}


def one(text: str, *more: Take) -> Range:
    """Return the one range of a text."""
    (made,) = parse(text, takes(*more))
    return made


def refused(text: str, *more: Take) -> CutListError:
    """Return the error that a text gives."""
    with pytest.raises(CutListError) as caught:
        parse(text, takes(*more))
    return caught.value


def test_line_has_beat_take_span_text_and_reason() -> None:
    """The whole grammar in one line; the text after a bracketed span says nothing."""
    made = one("HOOK   C0103 [002.52-005.36] S0 something else -- cleanest -- delivery")
    assert (made.source, made.beat, made.reason) == ("C0103", "HOOK", "cleanest -- delivery")
    assert made.frames == (74, 164)
    assert made.words == (1, 4)
    assert made.quote == "Ninety percent is wasted."


@pytest.mark.parametrize(
    ("rest", "reason"),
    [
        ("-- first half -- second half", "first half -- second half"),
        ("S0 some words -- first half -- second half", "first half -- second half"),
        ("– she is calm", "she is calm"),
        ("— she is calm — and quick", "she is calm — and quick"),
        ("S0 some – words -- she is calm", "she is calm"),
        ("S0 half-way there - it seems", ""),
        ("2020–2021", ""),
        ("--calm", ""),
        ("--", ""),
        ("-- Ninety percent is wasted.", "Ninety percent is wasted."),
    ],
)
def test_reason_is_all_behind_the_first_dashes(rest: str, reason: str) -> None:
    """Nothing of a reason is lost, whether its dashes are two hyphens or what a keyboard makes of them."""
    assert one(f"HOOK C0103 [2.52-5.36] {rest}").reason == reason


@pytest.mark.parametrize("dash", ["--", "–", "—"])
def test_dash_that_is_spoken_begins_no_reason(dash: str) -> None:
    """A pasted phrase with a dash in its own words stays a phrase; a reason may follow it."""
    said = take("D", ("Well", "1.0", "1.4"), (dash, "1.4", "1.4"), ("no.", "1.5", "1.9"))
    assert one(f"D [1.0-1.9] S0 Well {dash} no.", said).reason == ""
    assert one(f"D [1.0-1.9] S0 Well {dash} no. -- calm", said).reason.endswith("calm")
    assert one(f'D "well no" {dash} calm', said).reason == "calm"


def test_packed_transcripts_paste_as_they_are() -> None:
    """Title, preamble, headings and a take without speech are no ranges; each phrase keeps just its words."""
    made = parse(PACKED, takes())
    assert [(each.source, each.words) for each in made] == [("C0103", (1, 4)), ("C0103", (5, 7))]


@pytest.mark.parametrize(
    "line",
    [
        "C0103 [002.52-005.36]",
        "C0103 2.52-5.36",
        "C0103 [2.52 – 5.36]",
        "C0103[2.52-5.36]",
        "C0103 [~002.52-005.36] S0",
        "C0103 00:00:02:16-00:00:05:11",
        "C0103 0:02.52-0:05.36",
        "C0103 [00:02.52-00:05.36]",
        "C0103 0:00:02.52 – 0:00:05.36",
        "C0103 2.52-0:05.36",
        "C0103 [00:00:02:16-00:00:05:11]",
        "C0103 #1-#4",
        "C0103 #1-4",
        "- C0103 #1-4",
        "C0103#1-4",
        "C0103 [#1-#4]",
        'C0103 "Ninety percent is wasted"',
        "C0103 “ninety PERCENT is wasted!”",
        '"C0103" "ninety percent is wasted" -- why',
        'HOOK "C0103" 2.52-5.36',
        '"COLD OPEN" C0103 2.52-5.36',
        "\ufeffC0103 2.52-5.36\r",
    ],
)
def test_forms_of_a_span_mean_the_same(line: str) -> None:
    """Seconds, timecode, numbers and words, in brackets or not, give words 1 to 4."""
    assert one(line).words == (1, 4)


def test_line_that_begins_with_a_span_takes_the_last_take() -> None:
    """The take of the line before, or of a heading after it, whichever came last."""
    made = parse(
        'C0108 1.0-2.0\n[1.0-1.5]\n## C0103\n"ninety percent"\n#5-#7 -- numbers\n\n# a comment\n6.08-6.74',
        takes(),
    )
    assert [each.source for each in made] == ["C0108", "C0108", "C0103", "C0103", "C0103"]
    assert [each.words for each in made] == [(1, 2), (1, 1), (1, 2), (5, 7), (5, 7)]


NAMES = [
    "my take",
    'the "best" one',
    "it's",
    "#1",
    "100 %",
    "Käse",
    "片段一",
    "-dash",
    "[A] roll",
    "intro [1-2]",
    "a 1-2",
    "card B/C0103",
    "C0103.MOV",
    "HOOK",
    "x -- y",
]


@pytest.mark.parametrize("name", NAMES)
def test_names_of_any_kind_are_found(name: str) -> None:
    """Unquoted with and without a beat, quoted, and under a packed heading."""
    named = take(name, ("Hello", "1.0", "1.5"))
    assert (one(f"{name} [1.0-1.5]", named).source, one(f"{name} [1.0-1.5]", named).beat) == (name, "")
    assert one(f"B1 {name} 1.0-1.5 -- why", named).beat == "B1"
    escaped = name.replace('"', '\\"')
    assert one(f'"{escaped}" #1-1', named).source == name
    assert one(f"## {name}  (duration: 43.0s, 1 phrase)\n  [001.00-001.50] S0 Hello", named).source == name


@pytest.mark.parametrize("typed", ["c0103", "C0103.mp4", "c0103.MP4", '"c0103"', '"C0103.mp4"'])
def test_take_is_known_in_any_case_and_with_its_suffix(typed: str) -> None:
    """What people type for a take is enough where only one can be meant; headings as well."""
    assert (one(f"HOOK {typed} [2.52-5.36]").source, one(f"{typed} #1-#4").source) == ("C0103", "C0103")
    assert one("## c0103.mp4\n[2.52-5.36]").source == "C0103"


def test_exact_name_wins_and_two_that_fit_are_none() -> None:
    """Of two names that differ by case alone only the exact ones are known."""
    both = [take("Clip", ("Hello", "1.0", "1.5")), take("clip", ("Hello", "1.0", "1.5"))]
    assert [one(f"{name} 1.0-1.5", *both).source for name in ("Clip", "clip")] == ["Clip", "clip"]
    assert "no take is named 'CLIP'" in str(refused("CLIP 1.0-1.5", *both))


def test_one_name_in_two_folders_names_both() -> None:
    """A name that two cards share is refused with both names, whatever stands before it."""
    both = [take(name, ("Hello", "1.0", "1.5")) for name in ("cardA/C0001", "cardB/C0001")]
    for line in ("HOOK C0001 [1.0-1.5]", "C0001 [1.0-1.5]", "## C0001  (duration: 2.0s, 1 phrases)"):
        assert "there are cardA/C0001, cardB/C0001: write one of these" in str(refused(line, *both))


def test_file_that_cannot_be_read_is_no_unknown_take() -> None:
    """A line that names a file which cannot be read says that, and why."""
    with pytest.raises(CutListError, match=r"column 6: the take C0104 cannot be cut.*C0104.mp4 is empty"):
        parse("HOOK C0104 [1-2]", takes(), problems={"C0104": "C0104.mp4 is empty"})


def test_longest_take_name_that_fits_is_meant() -> None:
    """With takes A, A B and B, “A B [1-2]” is the take A B and no beat."""
    named = [take(name, ("Hello", "1.0", "1.5")) for name in ("A", "A B", "B")]
    assert (one("A B [1.0-1.5]", *named).source, one("A B [1.0-1.5]", *named).beat) == ("A B", "")
    assert (one("X B [1.0-1.5]", *named).source, one("X B [1.0-1.5]", *named).beat) == ("B", "X")


def test_decomposed_name_is_the_composed_one() -> None:
    """A Mac writes ä as two characters in file names, people type one."""
    name = unicodedata.normalize("NFD", "Käse")
    assert one("Käse 1.0-1.5", take(name, ("Hello", "1.0", "1.5"))).source == name


def test_timecode_is_the_cameras_where_it_has_one() -> None:
    """A take that starts at 10:00:00:00 is addressed by its own timecode, or from 0."""
    cam = take("CAM", ("Hello", "1.0", "1.5"), rate=Fraction(25), timecode="10:00:00:00")
    assert one("CAM 10:00:01:00-10:00:01:12", cam).words == (1, 1)
    assert one("CAM 00:00:01:00-00:00:01:12", cam).words == (1, 1)


def test_comment_that_begins_like_a_take_is_a_comment() -> None:
    """With a take named #1, “#1 was worse” still says nothing."""
    made = one("#1 was worse\n#1 [1.0-1.5]", take("#1", ("Hello", "1.0", "1.5")))
    assert made.source == "#1"


@pytest.mark.parametrize(
    ("text", "column", "says"),
    [
        ("C0104 [1-2]", 1, "no take is named 'C0104'; the nearest is C010"),
        ("HOOK C01O3 [1-2]", 6, "no take is named 'C01O3'; the nearest is C0103"),
        ("HOOK [1-2]", 1, "no take is named 'HOOK'; the takes are C0103, C0108"),
        ("  [1-2]", 3, "begins with a span, but there is no take above it"),
        ("## Opening\n[1-2]", 1, "the heading “Opening” above it is none"),
        ("## C0199  (duration: 3.0s, 1 phrases)\n  [1-2] S0 x", 4, "no take is named 'C0199'"),
        ("C0103", 6, "after C0103 a span is missing"),
        ("HOOK C0103 -- why", 12, "after C0103 a span is missing"),
        ("just some prose", 1, "no take and span here"),
        ("C0103 [5.0-2.0]", 7, "5.0-2.0 has no length"),
        ("C0103 [2.0-2.0]", 7, "has no length"),
        ("C0103 [2.52-5.36", 7, r"closing \] is missing"),
        ("C0103 [nan-2]", 7, r"\[nan-2\] is no span"),
        ("C0103 [-1-2]", 7, r"\[-1-2\] is no span; write seconds from 0 up"),
        ("C0103 [1e3-2]", 7, "is no span"),
        ("C0103 1,5-2,5", 7, "1,5-2,5 is no span; decimals have a point: write 1.5-2.5"),
        ("C0103 [000,70-003,65]", 7, r"decimals have a point: write \[000.70-003.65\]"),
        ("C0103 0:02,5-0:03", 7, "decimals have a point: write 0:02.5-0:03"),
        ("C0103 [1,2,3-4]", 7, "is no span; write seconds"),
        ("C0103 00:01:10-00:01:20", 7, "past the end of C0103"),
        ("C0103 0:75-0:80", 7, "'0:75' is no time"),
        ("C0103 1:75:00-2:00:00", 7, "an hour has 60 minutes"),
        ("C0103 00:00:02:45-00:00:05:11", 7, "has frame 45, but a second has 30 frames"),
        ("C0103 [42-99]", 7, "99.00 lies past the end of C0103, which is 43.00 s long"),
        ("C0103 " + "9" * 5000 + "-2", 7, "is no span"),
        ("C0103 [#1-#" + "9" * 5000 + "]", 7, "is no span"),
        ("C0103 #4-#2", 7, "ends before it begins"),
        ("C0103 #4-#20", 7, "its words are #1 to #10"),
        ('C0103 "we fixed', 7, "closing quote"),
        ('C0103 " "', 7, "hold no words"),
        ('C0103 "that" and more', 14, "“and more” after the quoted words"),
        ("# only a comment", 1, "names no range"),
        ("", 1, "names no range"),
    ],
)
def test_line_that_cannot_be_used_is_named(text: str, column: int, says: str) -> None:
    """Line, column and the nearest right thing."""
    error = refused(text)
    assert (error.line, error.column) == (max(text.count("\n") + (0 if "duration" in text else 1), 1), column)
    with pytest.raises(CutListError, match=says):
        raise error


def test_one_bad_line_refuses_the_whole_cell() -> None:
    """Two good lines do not save it; the message begins with the bad line's place."""
    error = refused("C0103 #1-4\nC0103 #5-7\n   C0103 [9-8]\nC0108 1.0-2.0")
    assert str(error).startswith("line 3, column 10: ")


def test_words_said_twice_are_listed_with_their_places() -> None:
    """The error has spans that paste, and each of them is one of the places."""
    error = refused('C0103 "we fixed"')
    assert "said 2 times in C0103: [006.08-006.50] (#5-#6), [020.00-020.50] (#8-#9)" in str(error)
    assert one("C0103 [006.08-006.50]").words == (5, 6)
    assert one("C0103 [020.00-020.50]").words == (8, 9)


def test_overlapping_repeats_are_places_of_their_own() -> None:
    """“ha ha” in “ha ha ha” is said twice, at the first and at the second word."""
    laugh = take(
        "L", ("ha", "1.0", "1.2"), ("ha", "1.2", "1.4"), ("ha", "1.4", "1.6"), ("hahaha", "3.0", "3.5")
    )
    assert "2 times in L: [001.00-001.40] (#1-#2), [001.20-001.60] (#2-#3)" in str(
        refused('L "ha ha"', laugh)
    )
    assert one('L "hahaha"', laugh).words == (4, 4)


def test_words_not_said_here_are_shown_where_they_are() -> None:
    """Said in another take, or nearly said in this one."""
    assert "not said in C0103, but in C0108 [001.00-002.00] (#1-#2)" in str(refused('C0103 "hello there"'))
    assert "the nearest is [002.52-003.30] (#1-#2) “Ninety percent”" in str(refused('C0103 "nienty percnt"'))
    assert "Silent has no words yet" in str(refused('Silent "hello"', take("Silent")))


def test_quoted_words_without_spaces_are_found_by_their_characters() -> None:
    """Chinese is typed without spaces and has a token a character, with marks as tokens of their own."""
    said = take(
        "Z",
        ("我", "1.0", "1.2"),
        ("们", "1.2", "1.4"),
        ("，", "1.4", "1.4"),
        ("修", "2.0", "2.2"),
        ("好", "2.2", "2.4"),
    )
    made = one('Z "我们修好"', said)
    assert made.words == (1, 5)
    assert made.quote == "我们，修好"


def test_printed_apostrophe_is_the_typed_one() -> None:
    """Don’t and don't are one word."""
    assert one('D "don\'t stop"', take("D", ("Don’t", "1.0", "1.4"), ("stop.", "1.4", "1.9"))).words == (1, 2)


def test_every_range_has_an_id_of_its_own() -> None:
    """r- and five characters, never the same twice in a list."""
    made = parse("\n".join(["C0103 #1-4"] * 300), takes())
    assert len({each.id for each in made}) == 300
    assert all(len(each.id) == 7 and each.id.startswith("r-") for each in made)


def test_pads_are_those_asked_for() -> None:
    """Without pads the range is the words alone, outward on the grid: 2.52 → 75.6, 5.36 → 160.8."""
    (made,) = parse("C0103 #1-4", takes(), pads=(Fraction(0), Fraction(0)))
    assert made.frames == (75, 161)


def test_cut_before_there_are_words_is_possible_by_seconds() -> None:
    """A take that was not transcribed can be cut by time."""
    made = one("Silent 1-2", take("Silent"))
    assert (made.frames, made.words, made.pads) == ((30, 60), None, None)


@given(spoken_takes(), st.booleans())
def test_packed_take_pastes_to_its_phrases(said: Take, padded: bool) -> None:  # noqa: FBT001 - drawn
    """Whatever is said and at whatever rate, the packed text gives each phrase's words, with or without zeros."""
    text = pack({"C0103": (said.transcript, said.duration)})
    if not padded:
        text = re.sub(r"(?<=[\[-])0+(?=\d)", "", text)
    made = parse(text, {"C0103": said})
    expected = [(each.words[0].number, each.words[-1].number) for each in phrases(said.transcript or words())]
    assert [each.words for each in made] == expected


def test_change_of_speaker_without_a_pause_pastes_too() -> None:
    """Two speakers whose words touch are two phrases, and each line keeps its own words."""
    heard = words(
        ("Why", "1.003", "1.304"),
        ("now?", "1.304", "1.708"),
        ("Because", "1.708", "2.2"),
        ("so.", "2.2", "2.406"),
    )
    turns = tuple(replace(word, speaker=f"speaker_{(word.number - 1) // 2}") for word in heard.words)
    said = Take.given(
        "I", takes()["C0103"].media, takes()["C0103"].fingerprint, transcript=replace(heard, words=turns)
    )
    made = parse(pack({"I": (said.transcript, said.duration)}), {"I": said})
    assert [each.words for each in made] == [(1, 2), (3, 4)]


def test_event_without_length_pastes_as_it_is() -> None:
    """A click has one time for both ends in the packed text; the range is the frames around it."""
    said = take("E", ("Hello", "1.0", "1.5"), ("(click)", "12.0", "12.0"), ("there", "20.0", "20.5"))
    made = parse(pack({"E": (said.transcript, said.duration)}), {"E": said})
    assert [each.words for each in made] == [(1, 1), (2, 2), (3, 3)]
    assert made[1].frames == (358, 363)  # 11.95 → 358.5, 12.08 → 362.4


def outcome(text: str) -> CutListError | tuple[Range, ...]:
    """Return what a text gives: ranges, or the one error that may be."""
    try:
        return parse(text, takes())
    except CutListError as error:
        return error


@given(st.text(max_size=60) | st.text(alphabet='C0103 [2.5-6]#"-\n—x:;~', max_size=40))
def test_any_text_gives_ranges_or_one_error(text: str) -> None:
    """Nothing that can be typed raises anything else, and the place named is in the text."""
    found = outcome(text)
    if isinstance(found, CutListError):
        assert 1 <= found.line <= text.count("\n") + 1
        assert 1 <= found.column <= len(text) + 1
    else:
        assert found
