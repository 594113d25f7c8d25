"""A provider on this machine that stands for one elsewhere: LibreTranslate's protocol, one model.

    python -m scripts.loopback_provider en pt 5055

It serves until it is stopped, on loopback alone, and keeps nothing. The demo sends it encodings,
and so can you, to see what PRISM costs without an account.
"""

from __future__ import annotations

import asyncio
import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from prism_core.settings import TranslatorSettings
from prism_core.translators import Translator, make_translator

_LARGEST = 1_000_000


class LoopbackProvider(ThreadingHTTPServer):
    """Server of the model from ``source`` to ``target``, at ``port`` of loopback (0: any).

    A subclass speaks another protocol (``reply``).
    """

    def __init__(self, source: str, target: str, port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.pair = source, target
        self.translator: Translator = make_translator(
            TranslatorSettings.choose(name="firefox"), source, target
        )

    def answer(self, texts: list[str]) -> list[str]:
        """Translate ``texts``."""
        return asyncio.run(self.translator.translate(texts, *self.pair))

    def reply(self, _path: str, asked: Any) -> Any:
        """Return the answer to the JSON of a request; None where it is not understood."""
        texts = asked.get("q")
        if not isinstance(texts, str | list):
            return None
        answers = self.answer([texts] if isinstance(texts, str) else texts)
        return {"translatedText": answers[0] if isinstance(texts, str) else answers}


class _Handler(BaseHTTPRequestHandler):
    server: LoopbackProvider
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        """Answer one request."""
        length = min(int(self.headers.get("Content-Length") or 0), _LARGEST)
        answer = self.server.reply(self.path, json.loads(self.rfile.read(length) or b"{}"))
        if answer is None:
            self._reply(400, {"error": "the texts are missing"})
        else:
            self._reply(200, answer)

    def _reply(self, status: int, content: Any) -> None:
        body = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_arguments: object) -> None:
        """Log nothing: a request holds text."""


def main() -> None:
    """Serve until the process is stopped."""
    source, target, port = sys.argv[1:]
    LoopbackProvider(source, target, int(port)).serve_forever()


if __name__ == "__main__":
    main()
