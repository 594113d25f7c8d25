"""Protocols of translation services: the shapes of their requests and answers.

A program's own plug-in for a service works with PRISM where both have the same shapes.

Entry: ``DIALECTS`` by name; ``Fields`` are what a request holds in its JSON, form or query.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from prism_core.cat.loopback import RefusedRequest
from prism_core.cat.serving.tagged_text import TaggedText

Fields = Mapping[str, Any]


class AskedTexts(NamedTuple):
    """Texts to translate; an empty language is any. ``is_one``: they were not asked as a list."""

    texts: list[TaggedText]
    source: str = ""
    target: str = ""
    is_one: bool = False


class Served(NamedTuple):
    """The pair of languages of this server, and the number of characters that left it."""

    source: str
    target: str
    characters: int


@dataclass(frozen=True, slots=True)
class Dialect:
    """Shapes of one protocol.

    ``read`` and ``answer`` are for the address ``path``, ``facts`` for those that need no
    translation; those in ``open`` need no key. ``refuse`` makes the body of a refusal. Its HTTP
    status is 200 with ``refuses_as_ok``, where the program shows no message with another.
    """

    path: str
    read: Callable[[Fields], AskedTexts]
    answer: Callable[[AskedTexts, Sequence[str], Served], object]
    refuse: Callable[[int, str], object]
    facts: Mapping[str, Callable[[Fields, Served], object]] = field(default_factory=dict)
    open: frozenset[str] = frozenset()
    refuses_as_ok: bool = False


def find_key(headers: Mapping[str, str], fields: Fields) -> str:
    """Return the key of a request, at the place where any of the dialects has it."""
    scheme, _, key = headers.get("authorization", "").partition(" ")
    named = (fields.get(name) for name in ("auth_key", "api_key", "key"))
    is_key = scheme.lower() in ("bearer", "deepl-auth-key")
    return key.strip() if is_key else str(next(filter(None, named), ""))


def _texts(value: object, markup: object = "", opaque: Sequence[str] = ()) -> list[TaggedText]:
    """Read a field that holds one text or several. Raises ``RefusedRequest``."""
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list) or not texts or not all(isinstance(t, str) for t in texts):
        raise RefusedRequest(400, "the request holds no text")
    known = markup if markup in ("xml", "html") else ""
    return [TaggedText.read(text, str(known), opaque) for text in texts]


def _read_deepl(fields: Fields) -> AskedTexts:
    listed = fields.get("ignore_tags") or []
    opaque = listed.split(",") if isinstance(listed, str) else list(map(str, listed))
    texts = _texts(fields.get("text"), fields.get("tag_handling"), opaque)
    return AskedTexts(texts, fields.get("source_lang") or "", fields.get("target_lang") or "")


def _answer_deepl(asked: AskedTexts, texts: Sequence[str], served: Served) -> object:
    source = (asked.source or served.source).upper()
    facts = {"detected_source_language": source, "billed_characters": 0}
    return {"translations": [{**facts, "text": text} for text in texts]}


def _list_deepl_languages(fields: Fields, served: Served) -> object:
    code = served.target if fields.get("type") == "target" else served.source
    return [{"language": code.upper(), "name": code.upper(), "supports_formality": False}]


def _read_libretranslate(fields: Fields) -> AskedTexts:
    source = fields.get("source") or ""
    texts = _texts(fields.get("q"), fields.get("format"))
    is_one = isinstance(fields["q"], str)
    return AskedTexts(texts, "" if source == "auto" else source, fields.get("target", ""), is_one)


def _read_openai(fields: Fields) -> AskedTexts:
    """Take the last message as the text; instructions before it are not followed."""
    if fields.get("stream"):
        raise RefusedRequest(400, "PRISM answers as a whole: switch streaming off")
    messages = fields.get("messages") or [{}]
    return AskedTexts(_texts(messages[-1].get("content")))


def _answer_openai(_asked: AskedTexts, texts: Sequence[str], served: Served) -> object:
    message = {"role": "assistant", "content": texts[0]}
    return {
        "id": "chatcmpl-prism",
        "object": "chat.completion",
        "created": 0,
        "model": f"prism-{served.source}-{served.target}",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": dict.fromkeys(("prompt_tokens", "completion_tokens", "total_tokens"), 0),
    }


def _list_openai_models(_fields: Fields, served: Served) -> object:
    name = f"prism-{served.source}-{served.target}"
    model = {"id": name, "object": "model", "created": 0, "owned_by": "prism"}
    return {"object": "list", "data": [model]}


def _read_apertium(fields: Fields) -> AskedTexts:
    source, _, target = str(fields.get("langpair", "")).partition("|")
    return AskedTexts(_texts(fields.get("q")), source, target)


def _answer_apertium(status: int, text: str | None, details: str | None) -> object:
    data = {"translatedText": text}
    return {"responseData": data, "responseDetails": details, "responseStatus": status}


DIALECTS: Mapping[str, Dialect] = {
    "deepl": Dialect(
        "/v2/translate",
        _read_deepl,
        _answer_deepl,
        lambda _, message: {"message": message},
        {
            "/v2/usage": lambda _, served: {
                "character_count": served.characters,
                "character_limit": 10**12,
            },
            "/v2/languages": _list_deepl_languages,
            "/v2/glossary-language-pairs": lambda *_: {"supported_languages": []},
        },
    ),
    "libretranslate": Dialect(
        "/translate",
        _read_libretranslate,
        lambda asked, texts, _: {"translatedText": texts[0] if asked.is_one else texts},
        lambda _, message: {"error": message},
        {
            "/languages": lambda _, served: [
                {"code": served.source, "name": served.source, "targets": [served.target]},
                {"code": served.target, "name": served.target, "targets": []},
            ]
        },
        open=frozenset({"/languages"}),
    ),
    "openai": Dialect(
        "/v1/chat/completions",
        _read_openai,
        _answer_openai,
        lambda _, message: {"error": {"message": message, "type": "invalid_request_error"}},
        {"/v1/models": _list_openai_models},
    ),
    "apertium": Dialect(
        "/translate",
        _read_apertium,
        lambda _asked, texts, _served: _answer_apertium(200, texts[0], None),
        lambda status, message: _answer_apertium(status, None, message),
        refuses_as_ok=True,
    ),
}
"""Every dialect by its name."""
