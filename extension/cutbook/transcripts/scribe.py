"""ElevenLabs Scribe, through its SDK: words, speakers and audio events for money, verbatim.

The sound is uploaded as 16 kHz mono on take time, so that Scribe's seconds are the take's. A request that did not get
through is sent again; one that may have been billed never is.
"""

from __future__ import annotations

import importlib.util
import ipaddress
import tempfile
import threading
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from cutbook.errors import EngineMissing, EngineRefused, TranscriptError
from cutbook.media.probe import Media
from cutbook.transcripts.answers import judged
from cutbook.transcripts.asking import PATIENT, Patience, Say, ask
from cutbook.transcripts.engine import Answer, Progress
from cutbook.transcripts.key import Key
from cutbook.transcripts.line import Line
from cutbook.transcripts.upload import Form, Handle, Upload, extract

if TYPE_CHECKING:
    import httpx

    from cutbook.media.ffmpeg import Ffmpeg

MOST_SPEAKERS = 32
MOST_KEYTERMS = 1000
KEYTERMS_COST = 1.2
"""Keyterms cost a fifth more (and, like the limits here, stand in the SDK's own documentation of 2.78)."""

_UNSAID = frozenset("<>{}[]\\")


class ScribeEngine:
    """Transcribe with ElevenLabs Scribe; ``url`` is where it is asked, ``price_per_hour`` is in dollars.

    ``keyterms`` are words that Scribe should know, ``upload`` is ``flac`` or (for slow lines) ``opus``. The key is
    sent to ``url`` and nowhere else: it is in no message, file, log, traceback or pickle. An engine may be asked from
    several threads at once.
    """

    name = "scribe"
    recipe = 1
    at_once = 2
    """Takes that may be under way together: one of over eight minutes takes up to four of an account's places."""

    def __init__(
        self,
        *,
        key: str | Key | None,
        url: str = "https://api.elevenlabs.io",
        model: str = "scribe_v2",
        price_per_hour: float = 0.40,
        keyterms: tuple[str, ...] = (),
        upload: Form = "flac",
        patience: Patience = PATIENT,
        ffmpeg: Ffmpeg | None = None,
    ) -> None:
        self._key = key if isinstance(key, Key) else Key(key)
        self._url = url
        self._model = model
        self._price = price_per_hour
        self._keyterms = tuple(" ".join(term.split()) for term in keyterms)
        self._upload: Form = upload
        self._patience = patience
        self._ffmpeg = ffmpeg

    def __repr__(self) -> str:
        """Name the engine without its key."""
        return f"ScribeEngine(model={self._model!r}, url={self._url!r})"

    @property
    def model_name(self) -> str:
        """Scribe's model."""
        return self._model

    @property
    def price_per_hour(self) -> float | None:
        """Dollars an hour of sound; keyterms make it dearer."""
        return self._price * (KEYTERMS_COST if self._keyterms else 1)

    def options(self, *, language: str | None, speakers: int | None) -> Mapping[str, object]:
        """Give every option that is sent; none is left to the server's defaults, which move."""
        asked: dict[str, object] = {
            "diarize": True,
            "tag_audio_events": True,
            "timestamps_granularity": "word",
            "no_verbatim": False,
        }
        if language is not None:
            asked["language_code"] = language
        if speakers is not None:
            asked["num_speakers"] = speakers
        if self._keyterms:
            asked["keyterms"] = list(self._keyterms)
        return asked

    def prepare(self) -> None:
        """Look whether there is a key and the SDK, and whether Scribe would take the keyterms.

        Raises:
            EngineMissing: the SDK is not installed.
            EngineRefused: there is no key, or one that cannot be sent; a keyterm that Scribe does not take.
        """
        if importlib.util.find_spec("elevenlabs") is None:
            msg = "Scribe's SDK is not installed; run: pip install elevenlabs"
            raise EngineMissing(msg)
        if not self._key:
            msg = "Scribe needs a key: set ELEVENLABS_API_KEY (or .env beside the footage), or use --engine local"
            raise EngineRefused(msg)
        if not self._key.sendable:
            msg = "the key holds a space or a sign that no key has; copy ELEVENLABS_API_KEY again, without quotes"
            raise EngineRefused(msg)
        if len(self._keyterms) > MOST_KEYTERMS:
            msg = f"{len(self._keyterms)} keyterms are more than Scribe takes; keep {MOST_KEYTERMS} of them"
            raise EngineRefused(msg)
        for term in self._keyterms:
            if not 0 < len(term) <= 50 or len(term.split()) > 5 or _UNSAID & set(term):
                msg = f"the keyterm {term!r:.60} is none for Scribe: 1 to 50 letters, up to 5 words, none of <>{{}}[]\\"
                raise EngineRefused(msg)

    def transcribe(
        self,
        media: Media,
        track: int,
        *,
        language: str | None = None,
        speakers: int | None = None,
        sending: Callable[[], None] | None = None,
        progress: Progress | None = None,
        cancel: threading.Event | None = None,
    ) -> Answer:
        """Upload one sound track and give Scribe's answer, bytes as they came.

        Its meta holds ``versions``, ``upload`` (form, bytes, seconds) and, where the sound is not what the file says,
        ``warnings``.

        Raises:
            EngineMissing, EngineRefused: as ``prepare``; also where Scribe refuses the key.
            QuotaUsedUp: the account has no credit left.
            MayBeBilled: the upload went out and no transcript came back.
            TranscriptError: Scribe refused the request or cannot be reached; nothing was billed.
            NoSound, FfmpegError: there is nothing to be sent.
        """
        self.prepare()
        if speakers is not None and not 1 <= speakers <= MOST_SPEAKERS:
            msg = f"Scribe tells 1 to {MOST_SPEAKERS} speakers apart, not {speakers}; leave --speakers out"
            raise TranscriptError(msg)
        say = _teller(progress)
        say("extracting the sound")
        with tempfile.TemporaryDirectory(prefix="cutbook-") as folder:
            upload = extract(
                media, track, Path(folder), form=self._upload, ffmpeg=self._ffmpeg, cancel=cancel
            )
            if cancel is not None and cancel.is_set():
                msg = f"{media.path.name} was stopped before the upload; nothing was billed"
                raise TranscriptError(msg)
            options = self.options(language=language, speakers=speakers)
            size = upload.path.stat().st_size
            if sending is not None:
                sending()
            raw = self._asked(upload, options, media.duration, say, cancel)
        if progress is not None:
            progress(media.duration)
        meta: dict[str, object] = {
            "versions": _versions(),
            "upload": {"form": self._upload, "bytes": size, "seconds": round(float(upload.seconds), 3)},
        }
        if upload.warnings:
            meta["warnings"] = list(upload.warnings)
        return Answer(raw, meta)

    def close(self) -> None:
        """Let go of nothing: each request has its own connection."""

    def _asked(
        self,
        upload: Upload,
        options: Mapping[str, object],
        duration: Fraction,
        say: Say,
        cancel: threading.Event | None,
    ) -> bytes:
        hide = self._key.hidden

        def call(client: httpx.Client, timeout: httpx.Timeout, handle: Handle) -> None:
            self._convert(client, timeout, (upload.name, handle, upload.mime), options)

        def once() -> bytes:
            line = Line(call, upload.path, patience=self._patience, direct=_here(self._url), hide=hide)
            return judged(line.response(say=say, cancel=cancel), duration=duration, hide=hide)

        return ask(once, patience=self._patience, say=say, cancel=cancel)

    def _convert(
        self,
        client: httpx.Client,
        timeout: httpx.Timeout,
        file: tuple[str, Handle, str],
        options: Mapping[str, Any],
    ) -> None:
        from elevenlabs.client import ElevenLabs

        # The SDK reads the environment when it is imported: a key set later would be missed.
        asking = ElevenLabs(
            api_key=self._key.reveal(),
            base_url=self._url,
            httpx_client=client,
            timeout=timeout,  # type: ignore[arg-type]
        )
        asking.speech_to_text.convert(
            model_id=self._model,
            file=file,
            **options,
            request_options={"max_retries": 0},
        )


def _teller(progress: Progress | None) -> Say:
    def say(line: str) -> None:
        if progress is not None:
            progress(Fraction(0), line)

    return say


def _here(url: str) -> bool:
    """Tell whether an address is this machine's, which no proxy is to see."""
    host = urlsplit(url).hostname or ""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _versions() -> dict[str, str]:
    from importlib.metadata import version

    return {"cutbook": version("cutbook"), "elevenlabs": version("elevenlabs")}
