"""The child process of the local engine: ``python -m cutbook.transcripts.worker``, fed over its pipes.

Jobs come pickled on standard input, answers go pickled to standard output: ``("progress", seconds)``,
``("answer", raw, meta)`` or ``("error", error)``. It ends when its standard input does: it never outlives its parent.
"""

from __future__ import annotations

import os
import pickle
import queue
import signal
import sys
import threading
import traceback
from fractions import Fraction
from typing import BinaryIO

from cutbook.errors import CutbookError
from cutbook.transcripts import local
from cutbook.transcripts.hearing import Job, Recogniser


def _read(source: BinaryIO, jobs: queue.SimpleQueue[Job]) -> None:
    while True:
        try:
            jobs.put(pickle.load(source))  # noqa: S301 - written by the parent of this very process
        except (EOFError, OSError):
            os._exit(0)  # in the midst of whatever it computes: nobody waits for it any more


def main() -> None:
    """Answer jobs until the parent closes the pipe or dies."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    jobs: queue.SimpleQueue[Job] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(sys.stdin.buffer, jobs), daemon=True).start()
    recognisers: dict[str, Recogniser] = {}

    def send(*message: object) -> None:
        pickle.dump(message, answers)
        answers.flush()

    def progress(done: Fraction) -> None:
        send("progress", done)

    while True:
        job = jobs.get()
        try:
            if job.model not in recognisers:
                recognisers[job.model] = local.load(job.model)
            raw, aligned = recognisers[job.model].hear(job, progress)
        except CutbookError as error:
            send("error", error)
        else:
            send("answer", raw, {"versions": local.engine_versions(), "aligned": aligned})


if __name__ == "__main__":
    try:
        main()
    except BaseException:  # noqa: BLE001 - its last line is what the parent shows
        traceback.print_exc()
        sys.stderr.flush()
        # An ordinary exit would be held up by the thread that reads.
        os._exit(1)
