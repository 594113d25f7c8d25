"""Azure's two interfaces in front of a Firefox model: how much alignment and marks bring back.

    python -m benchmarks.azure_provider en pt 5056

It serves at loopback until it is stopped. Version 3.0 answers with the alignment of a second model
pass. Version 2026-06-06 has none: where the text has tags, each is put around the words that the
same alignment gives, as providers that keep markup do. Point ``translator.base_url`` there, with
``api_version`` and ``marks`` as they are to be compared.
"""

from __future__ import annotations

import html
import re
import sys
from collections.abc import Sequence
from typing import Any

from prism_core.alignment import Match, Span
from prism_core.drafts.aligner import ForcedAligner
from prism_core.translators.adapters.firefox import FirefoxSettings
from scripts.loopback_provider import LoopbackProvider

_TAG = re.compile(r'<span id="(\d+)">(.*?)</span>')


class AzureProvider(LoopbackProvider):
    """Server with the paths and bodies of Azure Translator, for both versions."""

    def __init__(self, source: str, target: str, port: int = 0) -> None:
        super().__init__(source, target, port)
        file = FirefoxSettings(name="firefox").model_file(source, target)
        if file is None:
            raise SystemExit(f"There is no model of {source}-{target}: prism models add.")
        self._aligner = ForcedAligner.load(file.parent)

    def reply(self, path: str, asked: Any) -> Any:
        """Return the answer to the JSON of a request; see ``LoopbackProvider``."""
        if isinstance(asked, list):
            return self._answer_v3([item["Text"] for item in asked], "includeAlignment" in path)
        tagged = [item["textType"] == "html" for item in asked["inputs"]]
        answers = self._answer_tagged([item["text"] for item in asked["inputs"]], tagged)
        return {"value": [{"translations": [{"text": one}]} for one in answers]}

    def _answer_v3(self, texts: list[str], aligned: bool) -> Any:
        answers = self.answer(texts)
        found = self._align(texts, answers) if aligned else [[] for _ in texts]
        return [
            {
                "translations": [
                    {"text": answer, "alignment": {"proj": " ".join(map(_write, links))}}
                ]
            }
            for answer, links in zip(answers, found, strict=True)
        ]

    def _answer_tagged(self, texts: Sequence[str], tagged: Sequence[bool]) -> list[str]:
        parsed = [
            _remove_tags(t) if tags else (t, {}) for t, tags in zip(texts, tagged, strict=True)
        ]
        plain = [text for text, _ in parsed]
        answers = self.answer(plain)
        if not any(tagged):
            return answers
        return [
            _put_tags(answer, {numbers[m.source]: m.target for m in links if m.source in numbers})
            for answer, (_, numbers), links in zip(
                answers, parsed, self._align(plain, answers), strict=True
            )
        ]

    def _align(self, texts: Sequence[str], answers: Sequence[str]) -> list[list[Match]]:
        return [
            list(links) for links in self._aligner.align(list(zip(texts, answers, strict=True)))
        ]


def _write(link: Match) -> str:
    """Write ``link`` as Azure does: first and last character of both."""
    (start, end), (first, last) = link
    return f"{start}:{end - 1}-{first}:{last - 1}"


def _remove_tags(text: str) -> tuple[str, dict[Span, str]]:
    """Return ``text`` without tags, and the number of the tag of each word that had one."""
    plain, done, numbers = "", 0, {}
    for tag in _TAG.finditer(text):
        plain += html.unescape(text[done : tag.start()])
        word = html.unescape(tag[2])
        numbers[len(plain), len(plain) + len(word)] = tag[1]
        plain, done = plain + word, tag.end()
    return plain + html.unescape(text[done:]), numbers


def _put_tags(answer: str, places: dict[str, Span]) -> str:
    """Return ``answer`` as HTML with a tag of each number at its place; overlapping ones go."""
    pieces, done = [], 0
    for (start, end), number in sorted((place, number) for number, place in places.items()):
        if start >= done:
            word = html.escape(answer[start:end], quote=False)
            pieces += (
                html.escape(answer[done:start], quote=False),
                f'<span id="{number}">{word}</span>',
            )
            done = end
    return "".join(pieces) + html.escape(answer[done:], quote=False)


def main() -> None:
    """Serve until the process is stopped."""
    source, target, port = sys.argv[1:]
    AzureProvider(source, target, int(port)).serve_forever()


if __name__ == "__main__":
    main()
