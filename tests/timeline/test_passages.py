from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from cutbook.timeline.passages import Passages, place, sentence
from cutbook.timeline.scene import Said

LEFT, RIGHT = 100.0, 1100.0


def measure(text: str) -> float:
    """Give seven pixels to each letter."""
    return 7.0 * len(text)


def said(start: float, end: float, text: str, speaker: str | None = None) -> Said:
    """Make a word."""
    return Said(Fraction(round(start * 1000), 1000), Fraction(round(end * 1000), 1000), text, speaker)


def placed(words: list[Said], length: float) -> Passages:
    """Lay words out on a view from second 0."""
    scale = (RIGHT - LEFT) / length
    return place(words, lambda time: LEFT + float(time) * scale, left=LEFT, right=RIGHT, measure=measure)


def shown(passages: Passages) -> list[Said]:
    """Give the words that are written."""
    return [word for run in passages.runs for word in run.words]


def test_words_with_room_stand_at_their_beginnings() -> None:
    """Words far enough apart are all on one row, each at the pixel at which it begins."""
    found = placed([said(n, n + 0.5, "word") for n in range(10)], 10)
    assert [(run.x, run.row) for run in found.runs] == [(LEFT + 100 * n, 0) for n in range(10)]
    assert (found.kind, found.hidden) == ("words", 0)


def test_word_without_room_goes_to_the_second_row() -> None:
    """A word that begins within the one before goes below it, at its own beginning."""
    words = [said(n, n + 0.2, "abcdefgh") for n in range(8)]
    words.insert(4, said(3.2, 3.4, "below"))
    found = placed(words, 10)
    below = next(run for run in found.runs if run.text == "below")
    assert (below.row, below.x) == (1, LEFT + 320)


def test_fast_speech_becomes_passages_that_show_every_word() -> None:
    """Speech with no room for single words is wrapped beneath a bar of its speaker, whole."""
    words = [said(n * 0.25, n * 0.25 + 0.2, f"word{n}", "A" if n < 40 else "B") for n in range(80)]
    found = placed(words, 20)
    assert found.kind == "passages"
    assert shown(found) == words
    assert [(block.speaker, block.left) for block in found.blocks] == [("A", LEFT), ("B", LEFT + 500)]


def test_too_much_for_passages_gives_beginnings_with_their_counts() -> None:
    """An hour shows how each stretch begins, and how many words each mark stands for."""
    words = [said(n * 0.4, n * 0.4 + 0.3, f"w{n}") for n in range(9000)]
    found = placed(words, 3600)
    assert found.kind == "beginnings"
    assert len(shown(found)) + found.hidden == 9000
    first = int(1000 / round(1000 / 190) * 3.6 / 0.4)
    assert shown(found)[0] is words[0]
    assert abs(found.more[0].count + sum(len(run.words) for run in found.runs if run.x < 300) - first) <= 1


def test_no_line_begins_with_a_closing_mark() -> None:
    """In Chinese a full stop stays with the character before it."""
    words = [said(n * 0.1, n * 0.1 + 0.1, "。" if n % 11 == 10 else "水") for n in range(300)]
    found = placed(words, 30)
    assert found.kind == "passages"
    starts = [run.text[0] for run in found.runs if run.x == min(each.x for each in found.runs)]
    assert len(starts) > 1
    assert "。" not in starts


def test_no_words_take_no_rows() -> None:
    """Without words there is no lane."""
    assert placed([], 10) == Passages("words", 0)


def test_sentences_have_spaces_but_between_ideographs() -> None:
    """Latin words are spaced, Chinese ones are not, and where they meet there is a space."""
    words = [said(0, 1, text) for text in ("打开", "文件", "PGS", "ok", "。")]
    assert sentence(words) == "打开文件 PGS ok 。"


@st.composite
def speech(draw: st.DrawFn) -> list[Said]:
    """Draw words in order, of several speakers, some at one time, some with long names."""
    words, now = [], 0
    for _ in range(draw(st.integers(1, 60))):
        now += draw(st.sampled_from([0, 0, 20, 80, 300, 900]))
        end = now + draw(st.integers(0, 400))
        text = draw(
            st.sampled_from(["a", "word", "水", "。", "(laughter)", "incomprehensibilities", "x" * 200])
        )
        speaker = draw(st.sampled_from(["A", "B", None]))
        words.append(Said(Fraction(now, 1000), Fraction(end, 1000), text, speaker))
        now = max(now, end - 50)
    return words


@given(words=speech(), length=st.sampled_from([0.5, 3, 10, 60, 600, 10800]))
def test_every_word_is_shown_or_counted(words: list[Said], length: float) -> None:
    """No word is lost: those that are not written are counted by a mark."""
    view = [word for word in words if word.start < length]
    found = placed(view, length)
    assert len(shown(found)) + found.hidden == len(view)
    assert len({id(word) for word in shown(found)}) == len(shown(found))


@given(words=speech(), length=st.sampled_from([0.5, 3, 10, 60, 600, 10800]))
def test_nothing_is_written_over_something_else(words: list[Said], length: float) -> None:
    """Runs and marks of one row never overlap, and nothing begins left of the axis."""
    found = placed([word for word in words if word.start < length], length)
    rows: dict[int, list[tuple[float, float]]] = {}
    for run in found.runs:
        rows.setdefault(run.row, []).append((run.x, run.x + measure(run.text)))
        assert run.x >= LEFT - 1e-6
    for more in found.more:
        rows.setdefault(more.row, []).append((more.x, more.x + measure(f"+{more.count}")))
    for row in rows.values():
        assert all(a[1] <= b[0] + 1e-6 for a, b in pairwise(sorted(row)))
