"""ElevenLabs Scribe, through its SDK: words, speakers and audio events for money, verbatim.

The sound is uploaded as 16 kHz mono FLAC on take time, so that Scribe's seconds are the take's. One request is one
request: the SDK's own retries are off, since their second attempt loses every form field.
"""

from __future__ import annotations

import importlib.util
import tempfile
import threading
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cutbook.errors import EngineMissing, EngineRefused, MayBeBilled, TranscriptDamaged, TranscriptError
from cutbook.media.probe import Media
from cutbook.timebase import Span
from cutbook.transcripts.engine import Answer, Progress
from cutbook.transcripts.entries import payload
from cutbook.transcripts.model import read_scribe

if TYPE_CHECKING:
    import httpx

    from cutbook.media.ffmpeg import Ffmpeg

RATE = 16_000
"""Samples a second of what is uploaded."""

LONGEST = 36_000
"""Seconds: Scribe takes 10 hours at most."""

LARGEST = 3_000_000_000
"""Bytes that Scribe takes at most."""

_BLOCK = 600
_CONNECT, _READ, _WRITE = 60.0, 1800.0, 300.0
_LOCKED_OUT = frozenset({401, 402, 403})


class ScribeEngine:
    """Transcribe with ElevenLabs Scribe; ``url`` is where it is asked, ``price_per_hour`` is in dollars.

    The key is sent to ``url`` and nowhere else: it is in no message, file, log or traceback.
    """

    name = "scribe"
    recipe = 1

    def __init__(
        self,
        *,
        key: str | None,
        url: str = "https://api.elevenlabs.io",
        model: str = "scribe_v2",
        price_per_hour: float = 0.40,
        keyterms: tuple[str, ...] = (),
        ffmpeg: Ffmpeg | None = None,
    ) -> None:
        self._key = key
        self._url = url
        self._model = model
        self._price = price_per_hour
        self._keyterms = keyterms
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
        """Dollars an hour of sound."""
        return self._price

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
        """Look whether there is a key and the SDK.

        Raises:
            EngineMissing: the SDK is not installed.
            EngineRefused: there is no key.
        """
        if importlib.util.find_spec("elevenlabs") is None:
            msg = "Scribe's SDK is not installed; run: pip install elevenlabs"
            raise EngineMissing(msg)
        if not self._key:
            msg = "Scribe needs a key: set ELEVENLABS_API_KEY (or .env beside the footage), or use --engine local"
            raise EngineRefused(msg)

    def transcribe(
        self,
        media: Media,
        track: int,
        *,
        language: str | None = None,
        speakers: int | None = None,
        progress: Progress | None = None,
        cancel: threading.Event | None = None,
    ) -> Answer:
        """Upload one sound track and give Scribe's answer, bytes as they came.

        Raises:
            EngineMissing, EngineRefused: as ``prepare``; also where Scribe refuses the key or the quota is used up.
            MayBeBilled: the upload went out and no answer came back.
            TranscriptError: Scribe refused the request or cannot be reached; nothing was billed.
        """
        self.prepare()
        if not 0 < media.duration <= LONGEST:
            msg = f"{media.path.name} is {float(media.duration):.0f} s long; Scribe takes sound of up to 10 hours"
            raise TranscriptError(msg)
        with tempfile.TemporaryDirectory(prefix="cutbook-") as folder:
            upload = self._flac(media, track, Path(folder), cancel)
            if upload.stat().st_size > LARGEST:
                msg = f"{media.path.name} is over 3 GB as FLAC, more than Scribe takes; cut it in two"
                raise TranscriptError(msg)
            if cancel is not None and cancel.is_set():
                msg = f"{media.path.name} was stopped before the upload"
                raise TranscriptError(msg)
            raw = self._ask(upload, language=language, speakers=speakers)
        _checked(raw, media)
        if progress is not None:
            progress(media.duration)
        return Answer(raw, {"versions": _versions()})

    def close(self) -> None:
        """Let go of nothing: each request has its own connection."""

    def _flac(self, media: Media, track: int, folder: Path, cancel: threading.Event | None) -> Path:
        from cutbook.media.ffmpeg import Needs, find

        ffmpeg = self._ffmpeg or find(None, Needs(encoders=frozenset({"flac"})))
        sound, upload = folder / "take.s16", folder / "take.flac"
        with sound.open("wb") as file:
            for block in _blocks(media, track):
                file.write(block)
        raw = ["-f", "s16le", "-ar", str(RATE), "-ac", "1"]
        ffmpeg.run([*raw, "-i", str(sound), "-c:a", "flac", "-y", str(upload)], cancel=cancel)
        sound.unlink()
        return upload

    def _ask(self, upload: Path, *, language: str | None, speakers: int | None) -> bytes:
        import httpx
        from elevenlabs.client import ElevenLabs
        from elevenlabs.core.api_error import ApiError

        heard: list[bytes] = []

        def keep(response: httpx.Response) -> None:
            heard.append(response.read())

        patience = httpx.Timeout(_CONNECT, read=_READ, write=_WRITE)
        # A redirect would carry the key to another host.
        with httpx.Client(
            timeout=patience, follow_redirects=False, event_hooks={"response": [keep]}
        ) as client:
            asking: Any = ElevenLabs(
                api_key=self._key,
                base_url=self._url,
                httpx_client=client,
                timeout=patience,  # type: ignore[arg-type]
            )
            try:
                with upload.open("rb") as file:
                    asking.speech_to_text.convert(
                        model_id=self._model,
                        file=("take.flac", file, "audio/flac"),
                        **self.options(language=language, speakers=speakers),
                        request_options={"max_retries": 0},
                    )
            except ApiError as error:
                raise self._refusal(error.status_code or 0, error.body) from None
            except (httpx.ConnectError, httpx.ConnectTimeout, httpx.WriteError, httpx.WriteTimeout) as error:
                msg = f"Scribe at {self._url} cannot be reached ({type(error).__name__}); nothing was billed, try again"
                raise TranscriptError(msg) from None
            except httpx.HTTPError as error:
                msg = (
                    f"the connection to Scribe was lost after the upload ({type(error).__name__}); it may have been "
                    "billed: look at your usage there, then ask again with --force"
                )
                raise MayBeBilled(msg) from None
        return heard[-1] if heard else b""

    def _refusal(self, status: int, body: object) -> TranscriptError:
        said = _said(body)
        if self._key:
            said = said.replace(self._key, "…")
        msg = f"Scribe refused ({status}): {said}"
        if status in _LOCKED_OUT:
            return EngineRefused(f"{msg}; look at the key and its quota")
        return TranscriptError(msg)


def _said(body: object) -> str:
    """Give the server's own words, one line: ``detail`` may be a mapping, a list, a text or missing."""
    detail = body.get("detail", body) if isinstance(body, Mapping) else body
    if isinstance(detail, Mapping):
        parts = [detail.get("status") or detail.get("code"), detail.get("message")]
        text = ": ".join(str(part) for part in parts if part)
    elif isinstance(detail, list):
        text = "; ".join(
            f"{'.'.join(str(part) for part in entry.get('loc', ()))} {entry.get('msg', '')}".strip()
            for entry in detail
            if isinstance(entry, Mapping)
        )
    else:
        text = str(detail or "")
    return " ".join(text.split())[:300] or "it gave no reason"


def _checked(raw: bytes, media: Media) -> None:
    try:
        read_scribe(payload(raw), duration=media.duration)
    except TranscriptDamaged:
        msg = (
            f"Scribe answered {media.path.name} with no words list; it may have been billed: "
            "look at your usage there, then ask again with --force"
        )
        raise MayBeBilled(msg) from None


def _blocks(media: Media, track: int) -> Iterator[bytes]:
    """Give the take's sound as 16-bit PCM on take time, ten minutes at once."""
    import numpy as np

    from cutbook.media.sound import samples

    at = Fraction(0)
    while at < media.duration:
        until = min(media.duration, at + _BLOCK)
        part = samples(media, track, rate=RATE, span=Span(at, until))
        yield (np.clip(part, -1.0, 1.0) * 32767).astype("<i2").tobytes()
        at = until


def _versions() -> dict[str, str]:
    from importlib.metadata import version

    return {"cutbook": version("cutbook"), "elevenlabs": version("elevenlabs")}
