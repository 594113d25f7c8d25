"""What all servers on loopback have in common that behave like providers: every fault to rehearse.

The providers themselves: ``tests.provider_servers``.
"""

from __future__ import annotations

import html
import re
from abc import abstractmethod
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Any, ClassVar

from prism_core.settings import TranslatorSettings
from prism_core.translators.adapters.fake import mark_words
from tests.loopback import LoopbackServer, Reply, Request

KEY = "loopback-key"


class Fault(StrEnum):
    """What goes wrong with one request, with any provider."""

    REDIRECT = "307 to another host"
    SLOW = "an answer after three seconds"
    RESET = "connection reset before the answer"
    TRUNCATED_BODY = "connection closed in the middle of the body"
    HTML = "200 with a page of HTML"
    EMPTY_BODY = "200 without a body"
    OTHER_SHAPE = "200 with JSON of another shape"
    DEEP = "200 with JSON that is nested too deeply"
    NOT_ZIPPED = "a body that is not compressed as it says"
    ENDLESS = "a body of 20 MB"
    NO_CONTENT = "204"
    NULL_TEXT = "an answer that is null"
    NUMBER = "an answer that is a number"
    TOO_FEW = "the last answer is missing"
    TOO_MANY = "the first answer comes twice, and then all"
    DOUBLED = "the answer to the first text for the second too"
    REORDERED = "answers in reverse order"
    ECHO_FIRST = "the first answer is its untranslated text"
    EMPTY_FIRST = "the first answer is empty"
    SHORT_FIRST = "the first answer breaks off after one character"


_RAW: Mapping[Fault, Reply] = {
    Fault.REDIRECT: Reply(307, b"", {"Location": "http://elsewhere.invalid/translate"}),
    Fault.RESET: Reply(reset=True),
    Fault.HTML: Reply(200, b"<html>Welcome to the hotel network</html>", kind="text/html"),
    Fault.EMPTY_BODY: Reply(200),
    Fault.OTHER_SHAPE: Reply.of_json({"hello": ["world"]}),
    Fault.DEEP: Reply(200, b"[" * 200_000),
    Fault.NOT_ZIPPED: Reply(200, b"plainly not", {"Content-Encoding": "gzip"}),
    Fault.ENDLESS: Reply(200, b'"' + b"la " * 7_000_000 + b'"'),
    Fault.NO_CONTENT: Reply(204),
}


class ProviderServer(LoopbackServer):
    """``fail`` scripts the next requests: a ``Fault`` or the name of one of ``REFUSALS``.

    ``batches``: the texts of each request that was understood, with their tags. Tags stay on the
    words they wrap, as the documents say, and ``lie`` then does to the answer what users complain
    of.
    """

    NAME: ClassVar[str]
    VERSION: ClassVar[str] = ""
    """Which of several interfaces of one adapter it is."""
    KEY_VARIABLE: ClassVar[str | None] = None
    SETTINGS: ClassVar[Mapping[str, Any]] = {}
    REFUSALS: ClassVar[Mapping[str, Reply]]
    """Every error the provider documents for a translation, by a name for tests."""

    def __init__(self, translate: Callable[[str], str] = mark_words) -> None:
        super().__init__()
        self.batches: list[list[str]] = []
        self.latency = 0.0
        self.lie: Callable[[str], str] = str
        self._translate = translate
        self._faults: deque[str] = deque()

    def settings(self, **more: Any) -> TranslatorSettings:
        """Settings of a translator that talks to this server."""
        given = {"name": self.NAME, "base_url": self.url, **self.SETTINGS, **more}
        return TranslatorSettings.choose(**given)

    def fail(self, *faults: str) -> None:
        """Script the next requests."""
        self._faults.extend(faults)

    @abstractmethod
    def understood(self, request: Request) -> list[str] | str:
        """The texts of a request, or the name of the refusal it earns."""

    def takes_tags(self, request: Request) -> bool:  # noqa: ARG002 - for subclasses
        """Whether the texts of ``request`` are markup."""
        return False

    def translated(self, text: str, request: Request) -> str:
        """The answer to one text of a request."""
        if not self.takes_tags(request):
            return self._translate(text)
        pieces = re.split(r"(<[^>]*>)", text)
        pieces[::2] = [html.escape(self._translate(html.unescape(one))) for one in pieces[::2]]
        return self.lie("".join(pieces))

    @abstractmethod
    def shaped(self, answers: Sequence[Any]) -> object:
        """The provider's answer as JSON."""

    def answer(self, request: Request) -> Reply:
        self.pause(self.latency)
        fault = self._faults.popleft() if self._faults else None
        texts = self.understood(request)
        if isinstance(texts, str):
            return self._quoting(self.REFUSALS[texts])
        if fault in self.REFUSALS:
            return self._quoting(self.REFUSALS[fault])
        if fault in _RAW:
            return _RAW[Fault(fault)]
        self.batches.append(texts)
        if fault == Fault.SLOW:
            self.pause(3)
        answers = _spoilt(texts, [self.translated(text, request) for text in texts], fault)
        return Reply.of_json(self.shaped(answers), cut=fault == Fault.TRUNCATED_BODY)

    def _quoting(self, reply: Reply) -> Reply:
        """A refusal that quotes the request, as some do."""
        said = self.bodies[-1].decode("utf-8", "replace").replace('"', "'").replace("\\", "/")
        return replace(reply, body=reply.body.replace(b"QUOTE", said.encode()))


def _spoilt(texts: Sequence[str], answers: list[Any], fault: str | None) -> list[Any]:
    changed: Mapping[str | None, Callable[[], list[Any]]] = {
        Fault.NULL_TEXT: lambda: [None, *answers[1:]],
        Fault.NUMBER: lambda: [7, *answers[1:]],
        Fault.TOO_FEW: lambda: answers[:-1],
        Fault.TOO_MANY: lambda: [answers[0], *answers],
        Fault.DOUBLED: lambda: [answers[0], answers[0], *answers[2:]],
        Fault.REORDERED: lambda: answers[::-1],
        Fault.ECHO_FIRST: lambda: [texts[0], *answers[1:]],
        Fault.EMPTY_FIRST: lambda: ["", *answers[1:]],
        Fault.SHORT_FIRST: lambda: [answers[0][:1], *answers[1:]],
    }
    return changed[fault]() if fault in changed else answers
