from __future__ import annotations

import hashlib
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cutbook.errors import EdlError, InputError, TimeError, UnknownTake
from cutbook.memory.anchors import Anchor, capture, edl_anchor, letters, read_anchor, words_anchor
from cutbook.timebase import Span
from tests.memory.helpers import HOOK, edl, kept, take


def sha(text: str) -> str:
    """Hash by the book: the first 12 hex characters of sha256 over UTF-8."""
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def words(said: object, start: str = "2.52", end: str = "5.36") -> str | None:
    """Give the hash of the words of a take in a span."""
    return words_anchor(take("C0103", said), Span(Fraction(start), Fraction(end))).value  # type: ignore[arg-type]


def test_the_three_hashes_as_they_lie_in_files() -> None:
    """The tokens of a decision are the vectors that the format promises, worked out here with hashlib alone."""
    c0103 = take("C0103")
    cut = edl(kept("r-x1y2z", "C0103", 2.52, 5.36, beat="HOOK"))
    tokens = capture(takes={"C0103": c0103}, take="C0103", span=("2.52", "5.36"), beat="HOOK", edl=cut)
    assert tokens == (
        "media:C0103=48210944.9f2c11aa03be",
        f"words:C0103#2.52-5.36={sha('ninetypercentiswasted')}",
        f"edl:HOOK={sha('48210944.9f2c11aa03be' + chr(10) + 'ninetypercentiswasted')}",
        "range:r-x1y2z",
    )
    assert sha("ninetypercentiswasted") == "0e0aba35f781"


def test_another_engine_changes_no_words_hash() -> None:
    """20 ms, punctuation, case, hyphens, apostrophes, event tokens and how tokens are cut change nothing."""
    later = [
        (text, str(Fraction(a) + Fraction(1, 50)), str(Fraction(b) + Fraction(1, 50))) for text, a, b in HOOK
    ]
    same = [
        ("ninety-", "2.60", "2.90"),
        ("Percent,", "2.95", "3.40"),
        ("is…", "3.50", "3.60"),
        ("WASTED!", "3.70", "4.20"),
    ]
    assert words(HOOK) == words(later) == words(same)
    assert words([("don't", "3", "3.2")]) == words([("Don\u2019t", "3", "3.2")])
    assert words([("另", "3", "3.1"), ("一。", "3.1", "3.2")]) == words([("另一", "3", "3.2")])


def test_another_word_changes_the_hash() -> None:
    """A word that is said differently, missing or added gives another hash; one outside the span does not."""
    assert words([*HOOK[:3], ("wanted.", "3.70", "4.20")]) != words(HOOK)
    assert words(HOOK[:3]) != words(HOOK)
    assert words([*HOOK, ("more", "5.40", "5.80")]) == words(HOOK)


@pytest.mark.parametrize(
    ("start", "end", "inside"), [("5.10", "5.62", False), ("5.10", "5.60", True), ("5.10", "5.61", True)]
)
def test_a_words_middle_decides_against_the_span_as_written(start: str, end: str, inside: bool) -> None:  # noqa: FBT001
    """A word belongs to the span when its middle lies before the end as two decimals say it."""
    said = [*HOOK, ("edge", start, end)]
    assert (words(said, end="5.3594") != words(HOOK)) is inside


def test_frames_pads_beats_and_ids_do_not_matter_to_the_cut() -> None:
    """The cut's hash holds the file's content and the words kept, nothing else."""
    source = take("C0103")
    one = edl_anchor(source, kept("r-aaaaa", "C0103", 2.52, 5.36, beat="HOOK"))
    other = edl_anchor(source, kept("r-bbbbb", "C0103", 2.56, 5.0))
    assert one.value == other.value
    assert (one.name, other.name) == ("HOOK", "r-bbbbb")
    assert edl_anchor(source, kept("r-aaaaa", "C0103", 2.52, 3.6)).value != one.value
    assert edl_anchor(take("C0103", size=1), kept("r-aaaaa", "C0103", 2.52, 5.36)).value != one.value


def test_a_take_without_a_transcript_has_no_words_anchor() -> None:
    """Where nothing was transcribed, the span is kept without a hash, and the file is anchored."""
    tokens = capture(takes={"B roll": take("B roll", None)}, take="B roll", span=(1, 2))
    assert tokens == ("media:B%20roll=48210944.9f2c11aa03be", "span:B%20roll#1.00-2.00")
    assert read_anchor(tokens[1]) is None


def test_what_does_not_exist_is_refused() -> None:
    """An unknown take or beat, a span past the end, turned round or without a take: each its own error."""
    takes = {"C0103": take("C0103")}
    with pytest.raises(UnknownTake, match="no take 'C9'; there are C0103"):
        capture(takes=takes, take="C9")
    with pytest.raises(TimeError, match=r"past the end of C0103 at 60\.00"):
        capture(takes=takes, take="C0103", span=("59", "61"))
    for span in (("5", "5"), ("5", "4"), ("-1", "4"), (float("nan"), 4)):
        with pytest.raises(TimeError):
            capture(takes=takes, take="C0103", span=span)
    with pytest.raises(InputError, match="a span needs the take"):
        capture(takes=takes, span=("1", "2"))
    cut = edl(
        kept("r-aaaaa", "C0103", 1, 2, beat="HOOK"),
        kept("r-bbbbb", "C0103", 3, 4, beat="END", status="rejected"),
    )
    with pytest.raises(EdlError, match="no beat 'END'; it has HOOK"):
        capture(takes=takes, beat="END", edl=cut)
    with pytest.raises(EdlError, match="it has none"):
        capture(takes=takes, beat="HOOK", edl=None)


@given(st.text(min_size=1), st.integers(0, 10**6), st.integers(0, 10**6))
def test_anchors_are_read_as_they_were_written(name: str, start: int, length: int) -> None:
    """Any take name and span comes back from its token."""
    name = name.encode("utf-8", "replace").decode()
    span = Span(Fraction(start, 100), Fraction(start + length, 100))
    anchor = Anchor("words", name, "0123456789ab", span)
    assert read_anchor(anchor.token) == anchor


@pytest.mark.parametrize(
    ("token", "value"),
    [
        ("media:C1=12.0123456789ab", "12.0123456789ab"),
        ("media:C1=unknown", None),
        ("edl:HOOK=0123456789AB", None),
    ],
)
def test_a_hash_that_is_none_leaves_the_anchor_without_a_value(token: str, value: str | None) -> None:
    """A damaged hash is unanchored, never "changed"."""
    anchor = read_anchor(token)
    assert anchor is not None
    assert anchor.value == value


@pytest.mark.parametrize(
    "token", ["upto:e-aaaaa", "words:C1=0123456789ab", "words:C1#5.00-4.00=0123456789ab", "edl:=", "x"]
)
def test_other_tokens_are_no_anchors(token: str) -> None:
    """What is not understood is no anchor."""
    assert read_anchor(token) is None


def test_letters_are_what_a_word_is_without_its_dress() -> None:
    """A word is casefolded, composed, and loses punctuation, symbols and spaces anywhere in it."""
    assert letters("Cafe\u0301-STRASSE’s $43,000!") == "caféstrasses43000"
    assert letters("ß") == "ss"


def test_corrections_count_as_the_words_shown() -> None:
    """The hash is of the words that the take shows, which hold the corrections."""
    shown = take("C0103")
    assert shown.transcript is not None
    corrected = tuple(
        replace(word, text="ninety-nine") if word.number == 1 else word for word in shown.transcript.words
    )
    other = replace(shown, load_transcript=lambda: replace(shown.transcript, words=corrected))  # type: ignore[type-var]
    assert words_anchor(other, Span(Fraction(2), Fraction(5))).value == sha("ninetyninepercentiswasted")
