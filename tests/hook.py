"""A webhook on loopback for tests."""

from __future__ import annotations

from tests.loopback import LoopbackServer, Reply, Request


class Hook(LoopbackServer):
    """Answers with ``reply``, after a while if it is to be slow; keeps the ``requests``."""

    def __init__(self, reply: Reply | None = None, seconds: float = 0) -> None:
        super().__init__()
        self.reply, self.seconds = reply or Reply(204), seconds
        self.requests: list[Request] = []

    def answer(self, request: Request) -> Reply:
        self.requests.append(request)
        self.pause(self.seconds)
        return self.reply
