"""One server for all forked children: they share what it loaded, and none outlives its caller."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from prism_core.processes import ForkServer, KernelLimits, ServerLostError
from tests.processes import answers

FENCES = KernelLimits(processor_seconds=30, clock_seconds=60, memory=2**28, file=2**20)


def served(answer: Callable[[bytes], bytes], load: Callable[[], object] | None) -> ForkServer:
    return ForkServer(answer, lambda: {"PATH": os.environ["PATH"]}, load)


@pytest.fixture
def server() -> Iterator[ForkServer]:
    opened = served(answers.who, answers.load)
    yield opened
    opened.stop()


@pytest.fixture
def hostile() -> Iterator[ForkServer]:
    opened = served(answers.misbehave, None)
    yield opened
    opened.stop()


def ids(server: ForkServer) -> tuple[int, ...]:
    with closing(server.connect()) as child:
        return asked(child.connection)


def asked(connection) -> tuple[int, ...]:
    connection.send_bytes(b"who")
    return tuple(map(int, connection.recv_bytes().split()))


def is_alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_children_share_what_the_server_loaded_once(server: ForkServer) -> None:
    (one, parent, loader), (other, again, same) = ids(server), ids(server)
    assert one != other
    assert parent == again == loader == same


def test_what_loading_left_over_is_given_back_before_children_share_it() -> None:
    opened = served(answers.held, answers.load_much)
    with closing(opened.connect()) as child:
        child.connection.send_bytes(b"")
        assert int(child.connection.recv_bytes()) < 32_000
    opened.stop()


def test_a_child_answers_until_its_connection_is_closed(server: ForkServer) -> None:
    with closing(server.connect(FENCES)) as child:
        first = asked(child.connection)
        assert asked(child.connection) == first
    until = time.monotonic() + 20
    while is_alive(first[0]):
        assert time.monotonic() < until


def test_none_is_left_when_the_server_was_stopped(server: ForkServer) -> None:
    children = [server.connect(), server.connect(FENCES)]
    processes = [asked(child.connection)[0] for child in children]
    server.stop()
    assert not any(map(is_alive, processes))
    with pytest.raises(ServerLostError):
        children[0].exit_code(10)


def test_a_lost_server_is_replaced_and_its_children_are_gone(server: ForkServer) -> None:
    with closing(server.connect()) as child:
        process, parent, _ = asked(child.connection)
        os.kill(parent, signal.SIGKILL)
        with pytest.raises((EOFError, ConnectionError)):
            child.connection.recv_bytes()
        until = time.monotonic() + 20
        while is_alive(process):
            assert time.monotonic() < until
    assert ids(server)[1] != parent


def test_how_a_child_ended_is_told(hostile: ForkServer) -> None:
    for request, code in ((b"killed", -signal.SIGKILL), (b"left", 7)):
        with closing(hostile.connect(FENCES)) as child:
            child.connection.send_bytes(request)
            with pytest.raises((EOFError, ConnectionError)):
                child.connection.recv_bytes()
            assert child.exit_code(10) == code


def test_a_child_that_cuts_itself_off_is_ended(hostile: ForkServer) -> None:
    with closing(hostile.connect(FENCES)) as child:
        child.connection.send_bytes(b"cut off")
        with pytest.raises((EOFError, ConnectionError)):
            child.connection.recv_bytes()
        assert child.exit_code(10) == -signal.SIGKILL


def test_waiting_for_a_silent_child_ends(hostile: ForkServer) -> None:
    with closing(hostile.connect(FENCES)) as child:
        child.limit_waiting(0.3)
        child.connection.send_bytes(b"stay")
        with pytest.raises(BlockingIOError):
            child.connection.recv_bytes()
        assert child.exit_code(0.1) is None


def test_only_a_fenced_child_is_kept_from_the_network(hostile: ForkServer) -> None:
    with closing(hostile.connect()) as child:
        child.connection.send_bytes(b"connect")
        assert child.connection.recv_bytes() == b"connected"
    with closing(hostile.connect(FENCES)) as child:
        child.connection.send_bytes(b"connect")
        with pytest.raises((EOFError, ConnectionError)):
            child.connection.recv_bytes()
