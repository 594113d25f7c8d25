"""Protocols of translation services, each as the shapes of its requests and answers.

A ``Dialect`` takes the key and the texts out of a request, and makes an answer or a refusal as the
service does, so that a program's own plug-in works with PRISM.

Entry: ``DIALECTS`` by name; ``Fields``, what a request holds in its JSON, form or query.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from prism_core.loopback import RefusedRequest
from prism_core.serving.tagged_text import TaggedText, Tags

Fields = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Question:
    """Texts to translate; an empty ``source`` is any. ``single``: not asked for as a list."""

    texts: tuple[TaggedText, ...]
    source: str
    target: str
    single: bool = False


@dataclass(frozen=True, slots=True)
class Service:
    """Facts about this server that programs ask for."""

    source: str
    target: str
    characters: int = 0


@dataclass(frozen=True, slots=True)
class Dialect:
    """Shapes of one protocol.

    ``key`` finds the key in the headers and the fields of a request. ``read`` and ``answer`` are
    for the address ``translate``, ``facts`` for those that need no translation; those in ``open``
    need no key. ``refuse`` makes the body of a refusal; with ``refuses_as_ok`` its
    HTTP status is 200, because the program shows no message with another.
    """

    translate: str
    key: Callable[[Mapping[str, str], Fields], str]
    read: Callable[[Fields], Question]
    answer: Callable[[Question, Sequence[str], Service], object]
    refuse: Callable[[int, str], object]
    facts: Mapping[str, Callable[[Fields, Service], object]] = field(default_factory=dict)
    open: frozenset[str] = frozenset()
    refuses_as_ok: bool = False


def _texts(value: object) -> list[str]:
    """Return the texts of a field that holds one or several. Raises ``RefusedRequest``."""
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list) or not texts or not all(isinstance(t, str) for t in texts):
        raise RefusedRequest(400, "the request holds no text")
    return texts


def _names(value: object) -> list[str]:
    """Return the names of a field that lists them, or joins them by commas."""
    listed = value if isinstance(value, list) else [value or ""]
    return [name.strip() for names in listed for name in str(names).split(",") if name.strip()]


def _read_deepl(fields: Fields) -> Question:
    markup = fields.get("tag_handling") or ""
    if markup not in ("", "xml", "html"):
        raise RefusedRequest(400, "tag_handling is xml or html")
    opaque, tags = _names(fields.get("ignore_tags")), _tags(markup)
    texts = tuple(TaggedText.read(text, tags, opaque) for text in _texts(fields.get("text")))
    return Question(texts, str(fields.get("source_lang") or ""), str(fields.get("target_lang", "")))


def _tags(markup: object) -> Tags:
    known: dict[object, Tags] = {"xml": "xml", "html": "html"}
    return known.get(markup, "")


def _answer_deepl(question: Question, texts: Sequence[str], service: Service) -> object:
    source = (question.source or service.source).upper()
    facts = {"detected_source_language": source, "billed_characters": 0}
    return {"translations": [{**facts, "text": text} for text in texts]}


def _list_deepl_languages(fields: Fields, service: Service) -> object:
    code = service.target if fields.get("type") == "target" else service.source
    return [{"language": code.upper(), "name": code.upper(), "supports_formality": False}]


def _read_libretranslate(fields: Fields) -> Question:
    value = fields.get("q")
    tags = _tags(fields.get("format"))
    texts = tuple(TaggedText.read(text, tags) for text in _texts(value))
    source = str(fields.get("source") or "")
    source = "" if source == "auto" else source
    return Question(texts, source, str(fields.get("target", "")), isinstance(value, str))


def _answer_libretranslate(question: Question, texts: Sequence[str], _service: Service) -> object:
    return {"translatedText": texts[0] if question.single else list(texts)}


def _list_libretranslate_languages(_fields: Fields, service: Service) -> object:
    pair = {service.source: [service.target], service.target: []}
    return [{"code": code, "name": code, "targets": targets} for code, targets in pair.items()]


def _read_openai(fields: Fields) -> Question:
    """Take the last message as the text; instructions before it are not followed."""
    if fields.get("stream"):
        raise RefusedRequest(400, "PRISM answers as a whole: switch streaming off")
    messages = fields.get("messages")
    last = messages[-1] if isinstance(messages, list) and messages else None
    content = last.get("content") if isinstance(last, dict) else None
    if isinstance(content, list):
        content = "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    (text,) = _texts(content)
    return Question((TaggedText.read(text),), "", "", single=True)


def _answer_openai(_question: Question, texts: Sequence[str], service: Service) -> object:
    message = {"role": "assistant", "content": texts[0]}
    return {
        "id": "chatcmpl-prism",
        "object": "chat.completion",
        "created": 0,
        "model": _model(service),
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0},
    }


def _model(service: Service) -> str:
    return f"prism-{service.source}-{service.target}"


def _list_openai_models(_fields: Fields, service: Service) -> object:
    model = {"id": _model(service), "object": "model", "created": 0, "owned_by": "prism"}
    return {"object": "list", "data": [model]}


def _read_apertium(fields: Fields) -> Question:
    source, _, target = str(fields.get("langpair", "")).partition("|")
    (text,) = _texts(fields.get("q"))
    return Question((TaggedText.read(text),), source, target, single=True)


def _bearer(scheme: str, headers: Mapping[str, str]) -> str:
    given, _, key = headers.get("authorization", "").partition(" ")
    return key.strip() if given.lower() == scheme else ""


DIALECTS: Mapping[Literal["deepl", "libretranslate", "openai", "apertium"], Dialect] = {
    "deepl": Dialect(
        "/v2/translate",
        lambda headers, fields: (
            _bearer("deepl-auth-key", headers) or str(fields.get("auth_key", ""))
        ),
        _read_deepl,
        _answer_deepl,
        lambda _status, message: {"message": message},
        {
            "/v2/usage": lambda _, service: {
                "character_count": service.characters,
                "character_limit": 10**12,
            },
            "/v2/languages": _list_deepl_languages,
            "/v2/glossary-language-pairs": lambda *_: {"supported_languages": []},
        },
    ),
    "libretranslate": Dialect(
        "/translate",
        lambda _, fields: str(fields.get("api_key", "")),
        _read_libretranslate,
        _answer_libretranslate,
        lambda _status, message: {"error": message},
        {"/languages": _list_libretranslate_languages},
        open=frozenset({"/languages"}),
    ),
    "openai": Dialect(
        "/v1/chat/completions",
        lambda headers, _: _bearer("bearer", headers),
        _read_openai,
        _answer_openai,
        lambda _status, message: {
            "error": {
                "message": message,
                "type": "invalid_request_error",
                "param": None,
                "code": None,
            }
        },
        {"/v1/models": _list_openai_models},
    ),
    "apertium": Dialect(
        "/translate",
        lambda _, fields: str(fields.get("key", "")),
        _read_apertium,
        lambda _question, texts, _service: {
            "responseData": {"translatedText": texts[0]},
            "responseDetails": None,
            "responseStatus": 200,
        },
        lambda status, message: {
            "responseData": None,
            "responseDetails": message,
            "responseStatus": status,
        },
        refuses_as_ok=True,
    ),
}
"""Every dialect by its name."""
