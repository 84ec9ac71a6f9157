#!/usr/bin/env python3
# /// script
# requires-python = ">=3.11"
# dependencies = ["numpy", "Pillow"]
# ///
"""Make the sample takes and ``script.json``: what is said in them, word by word, and when.

Run ``python sample_media/make.py`` for all, or name takes: ``python sample_media/make.py C0101 C0108``.
Needs ffmpeg, festival with festvox-us-slt-hts, libflite1, libespeak-ng1 and the two typefaces (README.md).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from studio import cutaway, picture
from studio.container import write
from studio.script import CAST, TAKES, Take
from studio.sound import Track, record

FOLDER = Path(__file__).resolve().parent


def main(arguments: list[str]) -> int:
    """Make the takes that are named, or all; returns the exit code."""
    parser = argparse.ArgumentParser(description="Make the sample takes.")
    parser.add_argument("takes", nargs="*", help="names of takes (default: all)")
    parser.add_argument("-o", "--output", type=Path, default=FOLDER, help="the folder to write to")
    parser.add_argument("--script-only", action="store_true", help="write script.json alone")
    options = parser.parse_args(arguments)
    options.output.mkdir(parents=True, exist_ok=True)
    tracks = {take.name: record(take) if take.lines else None for take in TAKES}
    described = {take.name: describe(take, tracks[take.name]) for take in TAKES}
    (options.output / "script.json").write_text(json_text(described), encoding="utf-8")
    if options.script_only:
        return 0
    for take in TAKES:
        if options.takes and take.name not in options.takes:
            continue
        track = tracks[take.name]
        path = options.output / (take.name + take.suffix)
        pictures: Iterator[picture.Frame] = picture.frames(take, track) if track else cutaway.frames(take)
        write(path, take=take, pictures=pictures, track=track)
        print(
            f"{path.name}: {described[take.name]['duration_s']} s, {path.stat().st_size / 1e6:.2f} MB",
            flush=True,
        )
    return 0


def describe(take: Take, track: Track | None) -> dict[str, Any]:
    """Describe a take for ``script.json``; times in seconds on the picture's clock."""
    duration = track.samples.size / track.rate if track else take.silent_s
    frames = round(duration * take.rate)
    wide, tall = take.size
    return {
        "file": take.name + take.suffix,
        "about": take.about,
        "rate": f"{take.rate.numerator}/{take.rate.denominator}",
        "frames": frames,
        "duration_s": round(float(frames / take.rate), 4),
        "shown_size": [wide, tall],
        "stored_size": [tall, wide] if take.quarter_turn else [wide, tall],
        "rotation_clockwise": 90 if take.quarter_turn else 0,
        "audio": {"rate": take.sound_rate, "channels": take.channels} if track else None,
        "voice": [CAST[speaker].voice for speaker in track.speakers] if track else [],
        "speakers": [CAST[speaker].name for speaker in track.speakers] if track else [],
        "said": track.said if track else "",
        "words": [asdict(word) for word in track.words] if track else [],
    }


def json_text(takes: dict[str, dict[str, Any]]) -> str:
    """Write JSON that people can read: one line a field, and one a word."""
    blocks = []
    for name, take in takes.items():
        fields = [
            f"   {json.dumps(key)}: {json.dumps(value)}" for key, value in take.items() if key != "words"
        ]
        words = ",\n".join(f"    {json.dumps(word)}" for word in take["words"])
        fields.append(f'   "words": [\n{words}\n   ]' if words else '   "words": []')
        blocks.append(f"  {json.dumps(name)}: {{\n" + ",\n".join(fields) + "\n  }")
    return '{\n "takes": {\n' + ",\n".join(blocks) + "\n }\n}\n"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
