"""Logs as agents and people write them: every one odd in its own way, with the sessions that are in it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Odd:
    """A log's bytes, the numbers of its sessions, and how many entries are read from it."""

    data: bytes
    sessions: tuple[int, ...]
    entries: int


def odd(text: str, *sessions: int, entries: int) -> Odd:
    """Give a log of a text."""
    return Odd(text.encode(), sessions, entries)


FULL = (
    "## Session {n} — 2026-04-1{n}\n\n**Strategy:** Open on the number.\n\n**Decisions:**\n- Hook is C0103: calm.\n"
    "- No grade.\n\n**Reasoning log:**\n- The others hum.\n\n**Outstanding:**\n- Logo.\n\n"
)
"""A session exactly as video-use lays it out: four entries."""

ONE, TWO = FULL.format(n=1), FULL.format(n=2)

ODD: dict[str, Odd] = {
    "nothing": odd("", entries=0),
    "one line end": odd("\n", entries=0),
    "blanks": odd("  \n\t\n   ", entries=0),
    "as it should be": odd(ONE + TWO, 1, 2, entries=8),
    "without a last line end": odd((ONE + TWO).rstrip(), 1, 2, entries=8),
    "an em dash and a hyphen": odd(ONE + TWO.replace("—", "-"), 1, 2, entries=8),
    "an em dash, then a hyphen without outstanding": odd(
        ONE + TWO.replace("—", "-").partition("**Outstanding")[0], 1, 2, entries=7
    ),
    "an en dash": odd(ONE.replace("—", "–"), 1, entries=4),
    "two hyphens": odd(ONE.replace("—", "--"), 1, entries=4),
    "no dash": odd(ONE.replace("— ", ""), 1, entries=4),
    "a colon": odd(ONE.replace(" —", ":"), 1, entries=4),
    "no date": odd(ONE.replace(" — 2026-04-11", ""), 1, entries=4),
    "a German date": odd(ONE.replace("2026-04-11", "11.04.2026"), 1, entries=4),
    "an American date": odd(ONE.replace("2026-04-11", "April 11, 2026"), 1, entries=4),
    "a date that does not exist": odd(ONE.replace("2026-04-11", "2026-02-31"), 1, entries=4),
    "a title behind the date": odd(ONE.replace("-11\n", "-11 — the opening, again\n", 1), 1, entries=4),
    "level one": odd(ONE.replace("## ", "# "), 1, entries=4),
    "level three": odd(ONE.replace("## ", "### "), 1, entries=4),
    "level four is no session": odd(ONE.replace("## ", "#### "), entries=0),
    "underlined headings are none": odd(ONE.replace("## Session 1 — 2026-04-11", "Session 1\n---------"), entries=0),
    "a title above": odd("# Launch film\n\nNotes of the cut.\n\n" + ONE, 1, entries=4),
    "front matter": odd("---\ntitle: Launch\ntags: [a, b]\n---\n\n" + ONE, 1, entries=4),
    "broken front matter": odd("---\ntitle: 'Launch\n: ]\n---\n\n" + ONE, 1, entries=4),
    "front matter that never ends": odd("---\ntitle: Launch\n\n" + ONE, 1, entries=4),
    "a list as front matter": odd("---\n- a\n- b\n---\n\n" + ONE, 1, entries=4),
    "rules between sessions": odd(f"{ONE}---\n\n{TWO}***\n", 1, 2, entries=8),
    "numbers that fall": odd(TWO + ONE, 2, 1, entries=8),
    "one number twice": odd(ONE + ONE, 1, 1, entries=8),
    "a gap in the numbers": odd(ONE + TWO.replace("Session 2", "Session 40"), 1, 40, entries=8),
    "session zero": odd(ONE.replace("Session 1", "Session 0"), 0, entries=4),
    "small letters": odd(ONE.replace("## Session", "## session"), 1, entries=4),
    "no outstanding": odd(ONE.partition("**Outstanding")[0] + TWO, 1, 2, entries=7),
    "strategy alone": odd("## Session 1 — 2026-04-11\n\n**Strategy:** Look at everything.\n", 1, entries=0),
    "a heading alone": odd("## Session 1", 1, entries=0),
    "a plain note in place of fields": odd("## Session 1 — 2026-04-11\n\nCut the intro. Felt long.\n", 1, entries=0),
    "a field nobody knows": odd(ONE.replace("**Strategy", "**Mood:** tired\n\n**Strategy"), 1, entries=4),
    "the colon outside the bold": odd(ONE.replace(":**", "**:"), 1, entries=4),
    "underscores for bold": odd(ONE.replace("**", "__"), 1, entries=4),
    "fields as headings": odd(
        "## Session 1\n\n### Strategy\nOpen hard.\n\n### Decisions\n- Hook is C0103.\n\n### Outstanding\n- Logo.\n",
        1, entries=2,
    ),
    "stars and plus for bullets": odd(ONE.replace("- Hook", "* Hook").replace("- No", "+ No"), 1, entries=4),
    "numbered decisions": odd(ONE.replace("- Hook", "1. Hook").replace("- No", "2) No"), 1, entries=4),
    "nested bullets": odd(
        ONE.replace("- No grade.", "  - take two of it\n    - the calm one\n- No grade."), 1, entries=4
    ),
    "tick boxes": odd(ONE.replace("- Logo.", "- [ ] Logo.\n- [x] Music."), 1, entries=5),
    "a table of decisions": odd(
        ONE.replace("- Hook is C0103: calm.\n", "| take | why |\n|---|---|\n| C0103 | calm |\n\n"), 1, entries=4
    ),
    "a table with a session in it": odd(ONE + "| ## Session 9 | x |\n|---|---|\n| 1 | 2 |\n", 1, entries=5),
    "a code block with a session in it": odd(
        ONE.replace("- No grade.", "- No grade:\n\n```md\n## Session 7 — 2026-01-01\n\n**Decisions:**\n- none\n```"),
        1, entries=4,
    ),
    "tildes with a session in them": odd(f"~~~\n{ONE}~~~\n{TWO}", 2, entries=4),
    "a code block that never closes": odd(f"{ONE}```json\n{{}}\n\n{TWO}", 1, 2, entries=9),
    "four backticks around three": odd(f"{ONE}````\n```\n{TWO}```\n````\n", 1, entries=4),
    "an indented session": odd(f"{ONE}    {TWO}", 1, entries=8),
    "HTML": odd(
        ONE.replace("- No grade.", "- <b>No</b> grade<br/>\n<details><summary>why</summary>\n\nlate\n</details>"),
        1, entries=5,
    ),
    "comments of other tools": odd(ONE.replace("calm.", "calm. <!-- id: 44 --> <!---->"), 1, entries=4),
    "a comment that never ends": odd(ONE.replace("calm.", "calm. <!-- m d-aaaaa"), 1, entries=4),
    "a machine part made up": odd(
        ONE.replace("calm.", "calm. <!-- m d-zzzzz words:C0103#1-2=nothing media:C0103 supersedes: what:ever -->"),
        1, entries=4,
    ),
    "emphasis, links and pictures": odd(
        ONE.replace("calm.", "**calm**, _really_ ([take](C0103.MP4), ![x](a.png), `cut --at 2.5`)."), 1, entries=4
    ),
    "nothing outstanding, said": odd(ONE.replace("- Logo.", "- None."), 1, entries=3),
    "Chinese": odd(
        "# 项目\n\n## Session 1 — 2026年4月11日\n\n**Strategy：** 先说数字。\n\n"
        "**Decisions：**\n- 开头用 C0103：最冷静。\n- 不要跳剪。\n\n**Outstanding：**\n- 无\n", 1, entries=2,
    ),
    "Arabic and emoji": odd(
        ONE.replace("calm", "هادئ 🎬👩🏽‍💻").replace("hum", "e\u0301 \u202e gnorw \u202c"), 1, entries=4
    ),
    "odd line ends inside": odd(ONE.replace("calm", "calm\u2028## Session 5\x0b\x0c\x85- x"), 1, entries=4),
    "CRLF": odd((ONE + TWO).replace("\n", "\r\n"), 1, 2, entries=8),
    "CR alone, so one line": odd(ONE.replace("\n", "\r"), 1, entries=0),
    "some CRLF": odd(ONE + TWO.replace("\n", "\r\n"), 1, 2, entries=8),
    "a BOM": odd("\ufeff" + ONE, 1, entries=4),
    "a BOM, front matter and CRLF": odd(("\ufeff---\ntitle: x\n---\n" + ONE).replace("\n", "\r\n"), 1, entries=4),
    "a BOM in the middle": odd(f"{ONE}\ufeff{TWO}", 1, entries=9),
    "a merge that was never ended": odd(f"<<<<<<< HEAD\n{ONE}=======\n{TWO}>>>>>>> b\n", 1, 2, entries=8),
    "control characters": odd(ONE.replace("calm", "ca\x00l\x07m\x1b[31m"), 1, entries=4),
    "Latin-1": Odd(ONE.replace("calm", "süß").encode("latin-1", "replace"), (1,), 4),
    "a title that is no text": Odd(ONE.replace("-11\n", "-11: s\xfc\xdf\n", 1).encode("latin-1", "replace"), (1,), 4),
    "half a character": Odd(ONE.encode() + "無".encode()[:2], (1,), 5),
    "no text at all": Odd(bytes(range(256)) * 8, (), 0),
    "two megabytes": odd("".join(FULL.format(n=1).replace("Session 1", f"Session {n}") for n in range(1, 12_001)),
                         *range(1, 12_001), entries=48_000),
    "two megabytes in one bullet": odd(ONE.replace("calm", "calm and " * 260_000), 1, entries=4),
}  # fmt: skip
