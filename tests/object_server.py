"""A small store of objects that speaks S3 on loopback, and fails as a test says.

It knows what PRISM asks: list, get, head, put (If-None-Match, If-Match) and delete, also several at
once; and of Google's dialect what differs there: a version is a number, and a put asks for that.
Names, as the real one's, are bytes of UTF-8, and sorted as such.
"""

from __future__ import annotations

import hashlib
import re
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from time import sleep, time
from typing import Literal, NamedTuple
from urllib.parse import parse_qs, unquote, urlsplit
from xml.sax.saxutils import escape, unescape

Fault = Literal["301", "400", "403", "404", "500", "501", "slow", "cut", "lost"]
"""An answer that is an error; one after a second; half of the content; a request that is done,
unanswered."""
_CODES = {
    "301": "PermanentRedirect",
    "400": "ExpiredToken",
    "403": "InvalidAccessKeyId",
    "404": "NoSuchBucket",
    "500": "InternalError",
    "501": "NotImplemented",
}
OWN = ("out/prism-report/", "out/.prism/")
"""Where an output in ``out/`` has what is PRISM's own."""
Stored = tuple[bytes, float]
"""What an object holds, and since when."""


class Received(NamedTuple):
    """The bytes of a request: its ``line``, which has the ``name`` of an object, head and body."""

    line: str
    name: str
    head: bytes
    body: bytes


class Bucket:
    """What the server holds: ``objects`` by name. ``faults`` happen to the next requests whose
    method and name begin so; ``requests`` are those that came, ``received`` all of their
    bytes; ``overwritten`` the names of objects that were put anew.
    ``heeds``: conditions are kept. ``lag``: seconds for which a list shows what was before."""

    def __init__(self) -> None:
        self.objects: dict[str, Stored] = {}
        self.faults: list[tuple[str, Fault]] = []
        self.requests: list[str] = []
        self.received: list[Received] = []
        self.overwritten: list[str] = []
        self.heeds = True
        self.lag = 0.0
        self.guard = threading.Lock()
        self._before: dict[str, tuple[float, Stored | None]] = {}

    def fault(self, request: str) -> Fault | None:
        for number, (start, fault) in enumerate(self.faults):
            if request.startswith(start):
                del self.faults[number]
                return fault
        return None

    def set(self, name: str, content: bytes | None) -> None:
        """Put or delete an object."""
        now = time()
        if now - self._before.get(name, (0.0, None))[0] > self.lag:
            self._before[name] = now, self.objects.get(name)
        if content is None:
            self.objects.pop(name, None)
        else:
            self.overwritten += [name] if name in self.objects else []
            self.objects[name] = content, now

    def documents(self) -> dict[str, bytes]:
        """What is in ``out/`` and not PRISM's own, by its name there."""
        return {
            name.removeprefix("out/"): content
            for name, (content, _) in self.objects.items()
            if name.startswith("out/") and not name.startswith(OWN)
        }

    def listed(self) -> Mapping[str, Stored]:
        """The objects as a list shows them."""
        shown, now = dict(self.objects), time()
        for name, (since, before) in self._before.items():
            if now - since < self.lag:
                shown.pop(name, None)
                if before is not None:
                    shown[name] = before
        return shown


class _Answers(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # else each content waits for 40 ms
    bucket: Bucket

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        self._answer()

    do_HEAD = do_PUT = do_POST = do_DELETE = do_GET  # noqa: N815 (the library's names)

    def _answer(self) -> None:
        content = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        url = urlsplit(self.path)
        name = unquote(url.path).split("/", 2)[2] if url.path.count("/") > 1 else ""
        asked = parse_qs(url.query)
        request = f"{self.command} {name or ' '.join(['list', *asked.get('prefix', [])])}"
        with self.bucket.guard:
            self.bucket.requests.append(request)
            head = str(self.headers).encode()
            self.bucket.received.append(Received(self.requestline, name, head, content))
            fault = self.bucket.fault(request)
            if fault in _CODES:
                self._send(int(fault), f"<Error><Code>{_CODES[fault]}</Code></Error>".encode())
                return
            status, body, headers = self._do(name, asked, content)
        if fault == "slow":
            sleep(1)
        if fault == "lost":
            self.close_connection = True
        else:
            self._send(status, body, headers, cut=fault == "cut")

    def _do(
        self, name: str, asked: dict[str, list[str]], content: bytes
    ) -> tuple[int, bytes, Mapping[str, str]]:
        there = self.bucket.objects.get(name)
        if self.command == "PUT":
            if self.bucket.heeds and self._is_refused(there):
                return 412, b"<Error><Code>PreconditionFailed</Code></Error>", {}
            self.bucket.set(name, content)
            return 200, b"", _headers(self.bucket.objects[name])
        if self.command == "POST":
            return 200, self._delete(re.findall(r"<Key>(.*?)</Key>", content.decode())), {}
        if self.command == "DELETE":
            self.bucket.set(name, None)
            return 204, b"", {}
        if not name or "list-type" in asked:
            return 200, self._list(asked.get("prefix", [""])[0]), {}
        if there is None:
            return 404, b"<Error><Code>NoSuchKey</Code></Error>", {}
        return 200, there[0], _headers(there)

    def _delete(self, names: list[str]) -> bytes:
        for name in names:
            self.bucket.set(unescape(name), None)
        done = "".join(f"<Deleted><Key>{name}</Key></Deleted>" for name in names)
        return f"<DeleteResult>{done}</DeleteResult>".encode()

    def _is_refused(self, there: Stored | None) -> bool:
        """Whether a put does not find what it asks for."""
        seen = _headers(there) if there else {}
        generation = self.headers.get("x-goog-if-generation-match")
        if generation is not None:
            return seen.get("x-goog-generation", "0") != generation
        tag = self.headers.get("If-Match")
        if tag is not None:
            return seen.get("ETag") != tag
        return self.headers.get("If-None-Match") == "*" and there is not None

    def _list(self, prefix: str) -> bytes:
        found = "".join(
            f"<Contents><Key>{escape(name)}</Key><Size>{len(stored[0])}</Size>"
            f"<ETag>{escape(_headers(stored)['ETag'])}</ETag>"
            f"<LastModified>{_iso(stored[1])}</LastModified></Contents>"
            for name, stored in sorted(self.bucket.listed().items())
            if name.startswith(prefix)
        )
        listed = f"<ListBucketResult><IsTruncated>false</IsTruncated>{found}</ListBucketResult>"
        return listed.encode()

    def _send(
        self, status: int, body: bytes, headers: Mapping[str, str] = {}, *, cut: bool = False
    ) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        for name, said in headers.items():
            self.send_header(name, said)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body[: len(body) // 2] if cut else body)
        self.close_connection = self.close_connection or cut


def _headers(stored: Stored) -> dict[str, str]:
    content, when = stored
    return {
        "ETag": f'"{hashlib.md5(content, usedforsecurity=False).hexdigest()}"',
        "Last-Modified": formatdate(when, usegmt=True),
        "x-goog-generation": str(int(when * 1e6)),
    }


def _iso(when: float) -> str:
    return datetime.fromtimestamp(when, UTC).isoformat(timespec="milliseconds")[:-6] + "Z"


SECRET = "canary-of-the-key-1f6c"
"""The secret that requests are signed with: it is in none of them."""


def credentials(address: str) -> dict[str, str]:
    """The environment of a program that uses the server at ``address``, by ``s3://``."""
    return {
        "AWS_ACCESS_KEY_ID": "id",
        "AWS_SECRET_ACCESS_KEY": SECRET,
        "AWS_ENDPOINT_URL": address,
        "AWS_ALLOW_HTTP": "true",
        "AWS_REGION": "us-east-1",
    }


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: object) -> None:
        """Nothing: whoever asked was killed."""


@contextmanager
def serve_bucket(host: str = "127.0.0.1") -> Iterator[tuple[Bucket, str]]:
    """A bucket and the address of its server, while the block lasts."""
    bucket = Bucket()
    handler = type("Answers", (_Answers,), {"bucket": bucket})
    server = _Server((host, 0), handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield bucket, f"http://{host}:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
