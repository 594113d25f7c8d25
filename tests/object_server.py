"""A small store of objects that speaks S3 on loopback, and fails as a test says.

It knows what PRISM asks: list, get, head, put (If-None-Match, If-Match) and delete. Names, as the
real one's, are bytes of UTF-8, and sorted as such.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from time import sleep, time
from typing import Literal
from urllib.parse import parse_qs, unquote, urlsplit
from xml.sax.saxutils import escape

Fault = Literal["500", "slow", "cut", "lost"]
"""An error; an answer after a second; half of the content; a request that is done, unanswered."""


class Bucket:
    """What the server holds: ``objects`` by name. ``faults`` happen to the next requests whose
    method and name begin so; ``requests`` are those that came. ``heeds``: conditions are kept."""

    def __init__(self) -> None:
        self.objects: dict[str, tuple[bytes, float]] = {}
        self.faults: list[tuple[str, Fault]] = []
        self.requests: list[str] = []
        self.heeds = True
        self.guard = threading.Lock()

    def fault(self, request: str) -> Fault | None:
        for number, (start, fault) in enumerate(self.faults):
            if request.startswith(start):
                del self.faults[number]
                return fault
        return None


class _Answers(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    bucket: Bucket

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        self._answer()

    do_HEAD = do_PUT = do_DELETE = do_GET  # noqa: N815 (the library's names)

    def _answer(self) -> None:
        content = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        url = urlsplit(self.path)
        name = unquote(url.path).split("/", 2)[2] if url.path.count("/") > 1 else ""
        asked = parse_qs(url.query)
        request = f"{self.command} {name or 'list'}"
        with self.bucket.guard:
            self.bucket.requests.append(request)
            fault = self.bucket.fault(request)
            if fault == "500":
                self._send(500, b"<Error><Code>InternalError</Code></Error>")
                return
            status, body, tag, when = self._do(name, asked, content)
        if fault == "slow":
            sleep(1)
        if fault == "lost":
            self.close_connection = True
        else:
            self._send(status, body, tag, when, cut=fault == "cut")

    def _do(
        self, name: str, asked: dict[str, list[str]], content: bytes
    ) -> tuple[int, bytes, str, float]:
        objects, there = self.bucket.objects, self.bucket.objects.get(name)
        if self.command == "PUT":
            wanted, unless = self.headers.get("If-Match"), self.headers.get("If-None-Match")
            differs = wanted is not None and (there is None or _tag(there[0]) != wanted)
            if self.bucket.heeds and (differs or (unless == "*" and there is not None)):
                return 412, b"<Error><Code>PreconditionFailed</Code></Error>", "", 0
            objects[name] = content, time()
            return 200, b"", _tag(content), 0
        if self.command == "DELETE":
            objects.pop(name, None)
            return 204, b"", "", 0
        if not name or "list-type" in asked:
            return 200, self._list(asked.get("prefix", [""])[0]), "", 0
        if there is None:
            return 404, b"<Error><Code>NoSuchKey</Code></Error>", "", 0
        return 200, there[0], _tag(there[0]), there[1]

    def _list(self, prefix: str) -> bytes:
        found = "".join(
            f"<Contents><Key>{escape(name)}</Key><Size>{len(content)}</Size>"
            f"<ETag>{escape(_tag(content))}</ETag>"
            f"<LastModified>{_iso(when)}</LastModified></Contents>"
            for name, (content, when) in sorted(self.bucket.objects.items())
            if name.startswith(prefix)
        )
        listed = f"<ListBucketResult><IsTruncated>false</IsTruncated>{found}</ListBucketResult>"
        return listed.encode()

    def _send(
        self, status: int, body: bytes, tag: str = "", when: float = 0, *, cut: bool = False
    ) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        if tag:
            self.send_header("ETag", tag)
        self.send_header("Last-Modified", formatdate(when or time(), usegmt=True))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body[: len(body) // 2] if cut else body)
        self.close_connection = self.close_connection or cut


def _tag(content: bytes) -> str:
    return f'"{hashlib.md5(content, usedforsecurity=False).hexdigest()}"'


def _iso(when: float) -> str:
    from datetime import UTC, datetime

    return datetime.fromtimestamp(when, UTC).isoformat(timespec="milliseconds")[:-6] + "Z"


@contextmanager
def serve_bucket() -> Iterator[tuple[Bucket, str]]:
    """A bucket and the address of its server, while the block lasts."""
    bucket = Bucket()
    handler = type("Answers", (_Answers,), {"bucket": bucket})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield bucket, f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
