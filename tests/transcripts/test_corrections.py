from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from cutbook.transcripts.corrections import Corrections, load, parse
from cutbook.transcripts.model import Transcript, read_scribe


def said(text: str) -> Transcript:
    """Return a word a second, by two speakers in turn."""
    words = [
        {"text": word, "start": n, "end": n + 1, "type": "word", "speaker_id": f"speaker_{n % 2}"}
        for n, word in enumerate(text.split())
    ]
    return read_scribe({"words": words}, duration=Fraction(1000))


def corrected(text: str, lines: str, take: str = "C0103") -> tuple[str, tuple[str, ...]]:
    """Return the corrected text and what did not fit."""
    transcript, misfits = parse(lines).applied(said(text), take)
    return " ".join(word.text for word in transcript.words), misfits


def test_one_word_is_corrected_in_its_own_punctuation() -> None:
    """A correction of one word keeps the comma or the dash that stands at it."""
    assert corrected("eat Cairrot, twice", "C0103#2: Cairrot -> Carrot") == ("eat Carrot, twice", ())


def test_a_correction_is_for_its_take_alone() -> None:
    """Another take's correction changes nothing and is no misfit."""
    assert corrected("eat Cairrot", "C0108#2: Cairrot -> Carrot") == ("eat Cairrot", ())


def test_a_word_that_moved_is_found_nearby() -> None:
    """After a new transcription the nearest such word is meant, not the one at the old number."""
    assert corrected("well um eat Cairrot", "C0103#2: Cairrot -> Carrot") == ("well um eat Carrot", ())


def test_what_no_longer_fits_is_reported() -> None:
    """A correction whose word is gone names its line; one that the new transcript made needless is silent."""
    text, misfits = corrected("eat apples", "\nC0103#2: Cairrot -> Carrot")
    assert text == "eat apples"
    assert misfits == ("corrections.md, line 2: C0103#2 is not 'Cairrot' any more",)
    assert corrected("eat Carrot", "C0103#2: Cairrot -> Carrot") == ("eat Carrot", ())


def test_everywhere_means_every_take_and_every_place() -> None:
    """A correction everywhere may span words, and one without an arrow spells a name."""
    lines = "- wet site -> web site (everywhere)\n- Most High (everywhere)\n"
    assert corrected("the wet site of the most high, wet", lines) == (
        "the web site of the Most High, wet",
        (),
    )


def test_one_word_may_become_two() -> None:
    """A word corrected to two stays one token, so that numbers hold."""
    assert corrected("a bookshop today", "C0103#2: bookshop -> book shop") == ("a book shop today", ())


def test_two_words_do_not_become_one() -> None:
    """A correction to fewer words than were said is not applied, and says so."""
    text, misfits = corrected("ice leap", "ice leap -> sleep (everywhere)")
    assert text == "ice leap"
    assert misfits == ("corrections.md, line 1: fewer words than were said; correct them one by one",)


def test_speakers_get_names_by_label_or_id() -> None:
    """Front matter names speakers by S0 or speaker_1."""
    found = parse("---\nspeakers:\n  S0: Mara\n  speaker_1: Theo\nkeyterms: [Feather]\n---\n")
    assert found.keyterms == ("Feather",)
    transcript, _ = found.applied(said("a b c"), "T")
    assert [word.speaker for word in transcript.words] == ["Mara", "Theo", "Mara"]


def test_comments_headings_and_empty_lines_say_nothing() -> None:
    """Headings and comments are for people; a line that is none of these is named."""
    found = parse("# Corrections\n\n<!-- mine -->\nfix the names\n")
    assert found.fixes == ()
    assert found.problems == (
        "corrections.md, line 4 is not understood; write it like C0103#14: wrong -> right",
    )


def test_broken_front_matter_is_a_problem_not_an_error() -> None:
    """YAML that does not parse is named, and the lines below it hold."""
    found = parse("---\nspeakers: [\n---\nC0103#1: a -> b\n")
    assert len(found.fixes) == 1
    assert "front matter is not understood" in found.problems[0]


def test_no_file_corrects_nothing(tmp_path: Path) -> None:
    """A project without the file, or with one that is no text, has its words as they are."""
    assert load(tmp_path) == Corrections()
    (tmp_path / "corrections.md").write_bytes(b"\xff\xfe\x00")
    assert "cannot be read" in load(tmp_path).problems[0]


def test_a_word_said_once_is_found_however_far_it_moved() -> None:
    """Bound to the word, not to its number: a new transcript with twenty words more before it keeps the correction."""
    before = " ".join(f"w{n}" for n in range(20))
    text, misfits = corrected(f"{before} the Cairrot", "C0103#2: Cairrot -> Carrot")
    assert (text, misfits) == (f"{before} the Carrot", ())


def test_a_word_said_twice_far_away_is_not_guessed() -> None:
    """Which of two is meant cannot be known, so neither is changed, and it is said."""
    before = " ".join(f"w{n}" for n in range(20))
    text, misfits = corrected(f"{before} wet and wet", "C0103#2: wet -> web")
    assert text == f"{before} wet and wet"
    assert misfits == ("corrections.md, line 1: C0103#2 is not 'wet' any more",)


def test_speakers_are_merged() -> None:
    """Two numbers with one name are one person; one may also be said to be another, named or not."""
    for lines, expected in (
        ("S0: Mara\n  S1: Mara", "Mara"),
        ("S1: S0\n  S0: Mara", "Mara"),
        ("S1: S0", "speaker_0"),
    ):
        transcript, _ = parse(f"---\nspeakers:\n  {lines}\n---\n").applied(said("a b c"), "T")
        (one,) = {word.speaker for word in transcript.words}
        assert one == expected


def test_speakers_of_one_take_have_names_of_their_own() -> None:
    """The first speaker of one take need not be the first of another."""
    found = parse("---\nspeakers:\n  S0: Mara\n  C0103: {S0: Theo}\n---\n")
    names = {
        take: [word.speaker for word in found.applied(said("a b"), take)[0].words] for take in ("C0103", "B")
    }
    assert names == {"C0103": ["Theo", "speaker_1"], "B": ["Mara", "speaker_1"]}


@pytest.mark.parametrize("part", [" ", "a#1:", "#1 : a ->", "->", "a -> ", "#1: x", "1", "→ "])
def test_a_long_line_of_anything_is_read_to_its_end(part: str) -> None:
    """A line of 20,000 characters is understood or is a problem, as a short one is."""
    for end in ("", "#2: wet -> web", " (everywhere)", ")"):
        found = parse(f"x{(part * 20_000)[:20_000]}{end}\n")
        assert len(found.fixes) + len(found.problems) == 1


def test_a_correction_without_a_wrong_word_is_not_understood() -> None:
    """Nothing before the arrow corrects nothing; the last place that has words and an arrow counts."""
    assert parse("C0103#3: -> x\n").problems
    (fix,) = parse("take #4: it#12 : is this -> was that -> or what\n").fixes
    assert (fix.take, fix.number) == ("take #4: it", 12)
    assert (fix.wrong, fix.right) == (("is", "this"), ("was", "that", "->", "or", "what"))
