"""Servers on loopback that behave like providers of translation: their requests, answers, limits
and every error they document. See ``ProviderServer``.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from tests.loopback import Reply, Request
from tests.provider_server import KEY, ProviderServer


def _deepl(status: int, message: str, headers: Mapping[str, str] | None = None) -> Reply:
    return Reply.of_json({"message": f"{message} QUOTE"}, status, headers=headers or {})


class DeepLServer(ProviderServer):
    NAME = "deepl"
    KEY_VARIABLE = "DEEPL_AUTH_KEY"
    REFUSALS: ClassVar[Mapping[str, Reply]] = {
        "bad request": _deepl(400, "Bad request"),
        "no markup": _deepl(400, "Tag handling parsing failed, please check input."),
        "unknown target": _deepl(400, "Value for 'target_lang' not supported."),
        "unknown source": _deepl(400, "Value for 'source_lang' not supported."),
        "wrong key": _deepl(403, "Authorization failed"),
        "no such address": _deepl(404, "Not found"),
        "too large": _deepl(413, "Request Entity Too Large"),
        "address too long": _deepl(414, "URI Too Long"),
        "too fast": _deepl(429, "Too many requests"),
        "too fast, with a wait": _deepl(429, "Too many requests", {"Retry-After": "7"}),
        "quota": _deepl(456, "Quota Exceeded"),
        "internal": _deepl(500, "Internal error"),
        "unavailable": _deepl(503, "Resource currently unavailable"),
        "gateway": Reply(504, b"<html>Gateway Time-out</html>", kind="text/html"),
        "too fast too": _deepl(529, "Too many requests"),
        "garbled error": Reply.of_json({"message": 5}, 456),
        "list for an error": Reply.of_json(["QUOTE"], 400),
    }

    def understood(self, request: Request) -> list[str] | str:
        if request.headers["Authorization"] != f"DeepL-Auth-Key {KEY}":
            return "wrong key"
        if request.path != "/v2/translate":
            return "no such address"
        if len(request.body) > 128 * 1024:
            return "too large"
        asked = request.json
        if asked["target_lang"] not in {"ES", "DE", "EN-US", "PT-PT", "PT-BR"}:
            return "unknown target"
        if asked["source_lang"] not in {"EN", "ES", "DE"}:
            return "unknown source"
        if self.takes_tags(request):
            assert asked["tag_handling_version"] == "v2"
            assert asked["outline_detection"] is False
            assert asked["non_splitting_tags"] == ["w"]
            if not all(map(_is_xml, asked["text"])):
                return "no markup"
        return asked["text"] if 0 < len(asked["text"]) <= 50 else "bad request"

    def takes_tags(self, request: Request) -> bool:
        return request.json.get("tag_handling") == "xml"

    def shaped(self, answers: Sequence[Any]) -> object:
        more = {"detected_source_language": "EN", "billed_characters": 1}
        return {"translations": [{"text": answer, **more} for answer in answers]}


def _is_xml(text: str) -> bool:
    try:
        ET.fromstring(f"<t>{text}</t>")  # noqa: S314 - what our own adapter sent
    except ET.ParseError:
        return False
    return True


def _azure(code: int, headers: Mapping[str, str] | None = None) -> Reply:
    body = {"error": {"code": code, "message": "About QUOTE"}}
    return Reply.of_json(body, code // 1000, headers=headers or {})


AZURE_CODES = [
    *(400000, 400001, 400002, 400003, 400004, 400005, 400006, 400018, 400019, 400020, 400021),
    *(400023, 400035, 400036, 400042, 400043, 400050, 400064, 400070, 400071, 400072, 400073),
    *(400074, 400075, 400077, 400079, 400080, 401000, 401015, 403000, 403001, 405000, 408001),
    *(408002, 415000, 429000, 429001, 429002, 500000, 503000),
]
"""Every code of its reference, for both versions."""
_AZURE_TARGETS = [["es"], ["de"], ["zh-Hans"], ["pt-BR"]]


class AzureServer(ProviderServer):
    NAME = "azure"
    KEY_VARIABLE = "AZURE_TRANSLATOR_KEY"
    SETTINGS: ClassVar[Mapping[str, Any]] = {"region": "westeurope"}
    REFUSALS: ClassVar[Mapping[str, Reply]] = {
        **{str(code): _azure(code) for code in AZURE_CODES},
        "too fast, with a wait": _azure(429000, {"Retry-After": "7"}),
        "key without a body": Reply(401),
        "forbidden without a body": Reply(403),
        "no such address": Reply.of_json(
            {"error": {"code": "404", "message": "Resource not found"}}, 404
        ),
    }

    def understood(self, request: Request) -> list[str] | str:
        if request.headers["Ocp-Apim-Subscription-Key"] != KEY:
            return "401000"
        if request.headers["Ocp-Apim-Subscription-Region"] != "westeurope":
            return "401000"
        if request.path not in ("/translate", "/translator/text/v3.0/translate"):
            return "no such address"
        if request.query.get("api-version") != "3.0":
            return "400021"
        if request.query["to"] not in {"es", "de", "zh-Hans", "pt-BR"}:
            return "400036"
        if request.query["from"] not in {"en", "es"}:
            return "400035"
        texts = [item["Text"] for item in request.json]
        if len(texts) > 1_000:
            return "400072"
        length = sum(len(text.encode("utf-16-le")) // 2 for text in texts)
        return "400077" if length > 50_000 else texts

    def translated(self, text: str, request: Request) -> str:
        answer = _Aligned(self._translate(text))
        if request.query.get("includeAlignment") == "true":
            answer.proj = self.lie(_alignment(text, self._translate))
        return answer

    def shaped(self, answers: Sequence[Any]) -> object:
        return [{"translations": [{"text": answer, "to": "es", **_told(answer)}]}
                for answer in answers]  # fmt: skip


class Azure2026Server(AzureServer):
    VERSION = "-2026-06-06"
    SETTINGS: ClassVar[Mapping[str, Any]] = {**AzureServer.SETTINGS, "api_version": "2026-06-06"}

    def understood(self, request: Request) -> list[str] | str:
        if request.headers["Ocp-Apim-Subscription-Key"] != KEY:
            return "401000"
        if request.headers["Ocp-Apim-Subscription-Region"] != "westeurope":
            return "401000"
        if request.path not in ("/translate", "/translator/text/translate"):
            return "no such address"
        if request.query != {"api-version": "2026-06-06"}:
            return "400021"
        asked = request.json["inputs"]
        if not all([t["language"] for t in one["targets"]] in _AZURE_TARGETS for one in asked):
            return "400036"
        if not all(one["language"] in {"en", "es"} for one in asked):
            return "400035"
        if len({one["textType"] for one in asked} & {"plain", "html"}) != 1:
            return "400071"
        texts = [one["text"] for one in asked]
        if len(texts) > 1_000:
            return "400072"
        return "400077" if sum(map(len, texts)) > 50_000 else texts

    def takes_tags(self, request: Request) -> bool:
        return request.json["inputs"][0]["textType"] == "html"

    def translated(self, text: str, request: Request) -> str:
        return ProviderServer.translated(self, text, request)

    def shaped(self, answers: Sequence[Any]) -> object:
        told = {"language": "es", "sourceCharacters": 9}
        return {"value": [{"translations": [{"text": one, **told}]} for one in answers]}


class _Aligned(str):
    """An answer, and what its alignment is."""

    proj: str | None = None


def _told(answer: Any) -> dict[str, Any]:
    proj = getattr(answer, "proj", None)
    return {} if proj is None else {"alignment": {"proj": proj}}


def _alignment(text: str, translate: Callable[[str], str]) -> str:
    """First and last code unit of each word, and of what became of it."""

    def last(until: str) -> int:
        return len(until.encode("utf-16-le")) // 2

    words = [match.span() for match in re.finditer(r"\w+|[^\w\s]", text)]
    return " ".join(
        f"{last(text[:start])}:{last(text[:end]) - 1}-"
        f"{last(translate(text[:start]))}:{last(translate(text[:end])) - 1}"
        for start, end in words
    )


def _google(status: int, code: str, message: str = "", reason: str | None = None) -> Reply:
    error: dict[str, Any] = {"code": status, "message": f"{message} QUOTE", "status": code}
    if reason:
        kind = "type.googleapis.com/google.rpc.ErrorInfo"
        error["details"] = [{"@type": "other"}, {"@type": kind, "reason": reason}]
    return Reply.of_json({"error": error}, status)


class GoogleServer(ProviderServer):
    NAME = "google"
    KEY_VARIABLE = "GOOGLE_ACCESS_TOKEN"
    SETTINGS: ClassVar[Mapping[str, Any]] = {"project": "loopback-1"}
    REFUSALS: ClassVar[Mapping[str, Reply]] = {
        "bad argument": _google(400, "INVALID_ARGUMENT", "Text is too long."),
        "unknown language": _google(400, "INVALID_ARGUMENT", "Target language is invalid."),
        "precondition": _google(400, "FAILED_PRECONDITION"),
        "out of range": _google(400, "OUT_OF_RANGE"),
        "no token": _google(401, "UNAUTHENTICATED"),
        "old token": _google(401, "UNAUTHENTICATED", reason="ACCESS_TOKEN_EXPIRED"),
        "denied": _google(403, "PERMISSION_DENIED"),
        "role": _google(403, "PERMISSION_DENIED", reason="IAM_PERMISSION_DENIED"),
        "api disabled": _google(403, "PERMISSION_DENIED", reason="SERVICE_DISABLED"),
        "billing": _google(403, "PERMISSION_DENIED", reason="BILLING_DISABLED"),
        "project": _google(403, "PERMISSION_DENIED", reason="USER_PROJECT_DENIED"),
        "daily limit": _google(403, "PERMISSION_DENIED", "Daily Limit Exceeded"),
        "rate limit": _google(403, "PERMISSION_DENIED", "User Rate Limit Exceeded"),
        "not found": _google(404, "NOT_FOUND"),
        "aborted": _google(409, "ABORTED"),
        "too large": Reply(413, b"<html>too large</html>", kind="text/html"),
        "exhausted": _google(429, "RESOURCE_EXHAUSTED", reason="RATE_LIMIT_EXCEEDED"),
        "exhausted, unsaid": _google(429, "RESOURCE_EXHAUSTED"),
        "exhausted for the day": _google(
            429, "RESOURCE_EXHAUSTED", "Quota exceeded for 'characters per day'", "OTHER"
        ),
        "cancelled": _google(499, "CANCELLED"),
        "internal": _google(500, "INTERNAL"),
        "unknown": _google(500, "UNKNOWN"),
        "unimplemented": _google(501, "UNIMPLEMENTED"),
        "bad gateway": Reply(502, b"<html>502</html>", kind="text/html"),
        "unavailable": _google(503, "UNAVAILABLE"),
        "deadline": _google(504, "DEADLINE_EXCEEDED"),
    }

    def is_known(self, authorization: str, project: str | None) -> bool:
        """Whether these are a token and the project that is to be charged."""
        return (authorization, project) == (f"Bearer {KEY}", "loopback-1")

    def understood(self, request: Request) -> list[str] | str:
        headers = request.headers
        if not self.is_known(headers["Authorization"], headers["X-Goog-User-Project"]):
            return "no token"
        if request.path not in (
            "/v3/projects/loopback-1/locations/global:translateText",
            "/v3/projects/loopback-1/locations/europe-west1:translateText",
        ):
            return "not found"
        asked = request.json
        if asked["targetLanguageCode"] not in {"es", "de", "zh-CN", "pt-BR"}:
            return "unknown language"
        texts = asked["contents"]
        return "bad argument" if len(texts) > 1_024 or sum(map(len, texts)) > 30_720 else texts

    def takes_tags(self, request: Request) -> bool:
        return request.json.get("mimeType", "text/html") == "text/html"

    def shaped(self, answers: Sequence[Any]) -> object:
        return {"translations": [{"translatedText": answer, "model": "nmt"} for answer in answers]}


def _libre(status: int, message: str, headers: Mapping[str, str] | None = None) -> Reply:
    return Reply.of_json({"error": message}, status, headers=headers or {})


class LibreServer(ProviderServer):
    NAME = "libretranslate"
    KEY_VARIABLE = "LIBRETRANSLATE_API_KEY"
    REFUSALS: ClassVar[Mapping[str, Reply]] = {
        "bad request": _libre(400, "Invalid request: missing q parameter"),
        "too many": _libre(400, "Invalid request: request (26) exceeds text limit (25)"),
        "unknown language": _libre(400, "xx is not supported"),
        "no such pair": _libre(400, "X (x) is not available as a target language from English"),
        "no key": _libre(400, "Please contact the server operator to get an API key"),
        "no key, with a link": _libre(400, "Visit https://example.org to get an API key"),
        "wrong key": _libre(403, "Invalid API key"),
        "banned": _libre(403, "Too many request limits violations"),
        "no such address": Reply(404, b"<html>404</html>", kind="text/html"),
        "too large": Reply(413, b"<html>413</html>", kind="text/html"),
        "too fast": _libre(429, "Slowdown: 80 per 1 minute"),
        "too fast, with a wait": _libre(429, "Slowdown: 80 per 1 minute", {"Retry-After": "7"}),
        "too much for a day": _libre(429, "Slowdown: 1000 per 1 day"),
        "internal": _libre(500, "Cannot translate text: QUOTE"),
        "starting": Reply(503, b"", {"Retry-After": "7"}),
    }

    def understood(self, request: Request) -> list[str] | str:
        asked = request.json
        if request.path != "/translate":
            return "no such address"
        if "api_key" not in asked:
            return "no key"
        if asked["api_key"] != KEY:
            return "wrong key"
        if {asked["source"], asked["target"]} - {"en", "es", "de", "zh-Hans"}:
            return "unknown language"
        assert asked["format"] in ("text", "html")
        return "too many" if len(asked["q"]) > 25 else asked["q"]

    def takes_tags(self, request: Request) -> bool:
        return request.json["format"] == "html"

    def shaped(self, answers: Sequence[Any]) -> object:
        return {"translatedText": list(answers)}


PROVIDERS: Mapping[str, type[ProviderServer]] = {
    server.NAME + server.VERSION: server
    for server in (*(DeepLServer, AzureServer, Azure2026Server, GoogleServer, LibreServer),)
}
