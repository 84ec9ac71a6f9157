"""What the service refuses, and in which words and shapes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tests.scribe_double.multipart import Form
from tests.scribe_double.turns import Turn

MODELS = ("scribe_v1", "scribe_v2")
LARGEST = 3_000_000_000
_FLAGS = ("diarize", "tag_audio_events", "no_verbatim", "use_multi_channel", "webhook")
_TRUTHS = frozenset("true false 1 0 yes no on off t f y n".split())
_GRAINS = ("none", "word", "character")


def refusal(form: Form) -> Turn | None:
    """Give what the service says to a form that it does not take, or None."""
    fields = dict(form.fields)
    wrong = [*_missing(fields), *_flags(fields), *_numbers(fields), *_grain(fields), *_keyterms(form.fields)]
    if wrong:
        return Turn.refusing(422, wrong)
    language = fields.get("language_code", "en")
    faults = (
        (
            form.file is None and not fields.get("cloud_storage_url"),
            ("invalid_request", "Must provide either file or cloud_storage_url parameter."),
        ),
        (
            fields["model_id"] not in MODELS,
            ("invalid_model_id", f"{fields['model_id']!r} is not a valid model_id. Only {list(MODELS)}."),
        ),
        (
            not (language.isalpha() and 2 <= len(language) <= 3),
            ("invalid_language_code", f"Language code {language!r} is not supported."),
        ),
        (form.file is not None and not form.size, ("empty_file", "The uploaded file is empty.")),
    )
    return next((_bad(*said) for is_so, said in faults if is_so), None)


def too_large(length: int) -> Turn | None:
    """Give what is said to a body over what the service takes, by its length alone."""
    if length <= LARGEST:
        return None
    return Turn.refusing(413, {"status": "file_too_large", "message": "The file exceeds the limit of 3.0GB."})


def bad_key(key: str | None) -> Turn:
    """Give what is said to no key, or to a wrong one: the service may repeat it."""
    if not key:
        return Turn.refusing(
            401,
            {
                "status": "needs_authorization",
                "message": "Neither authorization header nor xi-api-key received, please provide one.",
            },
        )
    return Turn.refusing(401, {"status": "invalid_api_key", "message": f"Invalid API key {key}"})


def bad_sound() -> Turn:
    """Give what is said to a file that holds no sound."""
    return _bad("invalid_audio", "File upload is corrupted. Please ensure it is playable audio.")


def _bad(status: str, message: str) -> Turn:
    return Turn.refusing(400, {"status": status, "message": message})


def _error(kind: str, name: str, message: str, value: Any = None) -> dict[str, Any]:
    return {"type": kind, "loc": ["body", name], "msg": message, "input": value}


def _missing(fields: Mapping[str, str]) -> list[dict[str, Any]]:
    return [] if fields.get("model_id") else [_error("missing", "model_id", "Field required")]


def _flags(fields: Mapping[str, str]) -> list[dict[str, Any]]:
    message = "Input should be a valid boolean, unable to interpret input"
    return [
        _error("bool_parsing", name, message, fields[name])
        for name in _FLAGS
        if name in fields and fields[name].lower() not in _TRUTHS
    ]


def _numbers(fields: Mapping[str, str]) -> list[dict[str, Any]]:
    text = fields.get("num_speakers")
    if text is None:
        return []
    try:
        number = int(text)
    except ValueError:
        return [_error("int_parsing", "num_speakers", "Input should be a valid integer", text)]
    if number < 1:
        return [
            _error("greater_than_equal", "num_speakers", "Input should be greater than or equal to 1", text)
        ]
    if number > 32:
        return [_error("less_than_equal", "num_speakers", "Input should be less than or equal to 32", text)]
    return []


def _grain(fields: Mapping[str, str]) -> list[dict[str, Any]]:
    grain = fields.get("timestamps_granularity", "word")
    if grain in _GRAINS:
        return []
    return [
        _error(
            "literal_error", "timestamps_granularity", "Input should be 'none', 'word' or 'character'", grain
        )
    ]


def _keyterms(fields: Sequence[tuple[str, str]]) -> list[dict[str, Any]]:
    terms = [value for name, value in fields if name == "keyterms"]
    wrong = [term for term in terms if len(term) > 50 or len(term.split()) > 5 or set("<>{}[]\\") & set(term)]
    if len(terms) > 1000:
        return [_error("too_long", "keyterms", "List should have at most 1000 items")]
    return [_error("value_error", "keyterms", "Keyterm is not supported", term) for term in wrong]
