"""Run the stand-in by hand, so that a notebook can be tried with Scribe without an account."""

from __future__ import annotations

import argparse
import contextlib
import sys
import threading

from tests.scribe_double.server import scribe_double


def main() -> None:
    """Serve until interrupted; say what to set, and a line a request."""
    parser = argparse.ArgumentParser(prog="python -m tests.scribe_double", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="a free one unless given")
    parser.add_argument("--at-once", type=int, default=8, help="how many places there are for requests (8)")
    parser.add_argument("--credits", type=int, default=1_000_000, help="how many requests are paid for")
    asked = parser.parse_args()
    with scribe_double(port=asked.port, key=None) as double, contextlib.suppress(KeyboardInterrupt):
        double.at_once, double.credits, double.tell = asked.at_once, asked.credits, _say
        _say(
            "A stand-in for Scribe, which knows the takes of sample_media/. Set this before the notebook starts:\n"
        )
        _say(f"export CUTBOOK_SCRIBE_URL={double.url}\nexport ELEVENLABS_API_KEY=any CUTBOOK_ENGINE=scribe\n")
        _say("Ctrl-C ends it. Nothing leaves this machine and nothing is charged. Requests so far:")
        threading.Event().wait()


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
