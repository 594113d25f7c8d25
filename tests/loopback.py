"""A server on loopback for tests: real HTTP, every byte kept, answers made by a subclass.

As a context manager it listens on a free port in threads of this process; anything that speaks
HTTP, a command run as a subprocess too, reaches it at ``url``. Made inside a host of
``tests.hosts`` it listens there, at the host's address.
"""

from __future__ import annotations

import json
import socket
import struct
import threading
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit


@dataclass(frozen=True, slots=True)
class Request:
    """What came: ``query`` and ``form`` have the first value of each name."""

    path: str
    query: Mapping[str, str]
    headers: Message
    body: bytes
    method: str = "POST"

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True, slots=True)
class Reply:
    """What goes back. ``cut`` stops in the middle of the body, ``reset`` sends nothing but RST.

    ``drip``: seconds before each byte.
    """

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    kind: str = "application/json"
    cut: bool = False
    reset: bool = False
    drip: float = 0.0

    @classmethod
    def of_json(cls, content: object, status: int = 200, **more: Any) -> Reply:
        return cls(status, json.dumps(content).encode(), **more)


def headers_of(received: bytes) -> dict[str, str]:
    """The headers of a request, names in lower case."""
    lines = received.partition(b"\r\n\r\n")[0].decode().split("\r\n")[1:]
    return {name.lower(): value for name, _, value in (each.partition(": ") for each in lines)}


class LoopbackServer(ABC):
    """``received``: every byte of each request. ``bodies``: their bodies alone."""

    def __init__(self, address: str = "127.0.0.1") -> None:
        self.received: list[bytes] = []
        self.bodies: list[bytes] = []
        self._closing = threading.Event()
        self._http = _Listener(self, address)

    @abstractmethod
    def answer(self, request: Request) -> Reply:
        """The reply to one POST; called in a thread of its own."""

    def answer_other(self, request: Request) -> Reply:  # noqa: ARG002 - for subclasses
        """The reply to one GET or DELETE."""
        return Reply.of_json({"error": {"code": "not_found"}}, 404)

    @property
    def url(self) -> str:
        return "http://{}:{}".format(*self._http.server_address[:2])

    def __enter__(self) -> Any:
        threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.set()
        self._http.shutdown()
        self._http.server_close()

    def pause(self, seconds: float) -> None:
        """Be slow, but not when the server is to end."""
        self._closing.wait(seconds)


class _Listener(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, api: LoopbackServer, address: str) -> None:
        self.api = api
        super().__init__((address, 0), _Handler)

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that went away is no news."""


class _Recorder:
    """A readable that keeps what was read."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self.kept = bytearray()

    def read(self, size: int = -1) -> bytes:
        return self._keep(self._stream.read(size))

    def readline(self, limit: int = -1) -> bytes:
        return self._keep(self._stream.readline(limit))

    def close(self) -> None:
        self._stream.close()

    @property
    def closed(self) -> bool:
        return self._stream.closed

    def _keep(self, data: bytes) -> bytes:
        self.kept += data
        return data


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 30
    disable_nagle_algorithm = True
    server: _Listener

    def setup(self) -> None:
        super().setup()
        self.rfile = _Recorder(self.rfile)

    def handle_one_request(self) -> None:
        try:
            super().handle_one_request()
        finally:
            self._record()

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.server.api.bodies.append(body)
        self._record()
        self._write(self.server.api.answer(self._request(body)))

    def do_GET(self) -> None:
        self._write(self.server.api.answer_other(self._request(b"")))

    def do_DELETE(self) -> None:
        self.do_GET()

    def _request(self, body: bytes) -> Request:
        address = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(address.query).items()}
        return Request(address.path, query, self.headers, body, self.command)

    def log_message(self, *_: object) -> None:
        pass

    def _record(self) -> None:
        if self.rfile.kept:
            self.server.api.received.append(bytes(self.rfile.kept))
            self.rfile.kept.clear()

    def _write(self, reply: Reply) -> None:
        if reply.reset:
            return self._reset()
        self.send_response(reply.status)
        self.send_header("Content-Type", reply.kind)
        self.send_header("Content-Length", str(len(reply.body)))
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.end_headers()
        if reply.drip:
            self._drip(reply)
        else:
            self.wfile.write(reply.body[: len(reply.body) // 2] if reply.cut else reply.body)
        self.close_connection = self.close_connection or reply.cut
        return None

    def _drip(self, reply: Reply) -> None:
        for place in range(len(reply.body)):
            self.server.api.pause(reply.drip)
            self.wfile.write(reply.body[place : place + 1])

    def _reset(self) -> None:
        """Close with RST instead of FIN."""
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close_connection = True
