"""A way over loopback that is as long as one between cities: what is sent arrives later."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress


@contextmanager
def delaying_proxy(to_port: int, seconds: float) -> Iterator[int]:
    """A port of this machine from which it takes ``seconds`` to ``to_port``, and as many back.

    Whatever the number of bytes: it is the way that is long, not narrow.
    """
    loop = asyncio.new_event_loop()

    async def carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        under_way: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()

        async def arrive() -> None:
            while True:
                due, sent = await under_way.get()
                await asyncio.sleep(due - loop.time())
                if not sent:
                    writer.close()
                    return
                writer.write(sent)

        arriving = asyncio.ensure_future(arrive())
        sent = b"first"
        while sent:
            try:
                sent = await reader.read(65_536)
            except OSError:
                sent = b""
            under_way.put_nowait((loop.time() + seconds, sent))
        await arriving

    async def connect(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection("127.0.0.1", to_port)
        with suppress(asyncio.CancelledError):
            await asyncio.gather(carry(reader, back), carry(there, writer))

    async def begin() -> asyncio.Server:
        return await asyncio.start_server(connect, "127.0.0.1", 0)

    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    server = asyncio.run_coroutine_threadsafe(begin(), loop).result(10)
    try:
        yield int(server.sockets[0].getsockname()[1])
    finally:
        asyncio.run_coroutine_threadsafe(_end(server), loop).result(10)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
        loop.close()


async def _end(server: asyncio.Server) -> None:
    server.close()
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
