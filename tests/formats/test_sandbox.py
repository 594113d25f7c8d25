"""The child process around a format: whatever a document does there, the batch goes on."""

import os
import signal
import statistics
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats import read_document, run_on_document
from prism_core.formats.sandbox import Sandbox, SandboxLimits
from tests.formats import sandboxed
from tests.formats.pdf_samples import drawn_pdf, lines
from tests.interrupting import heed_interrupts

SANDBOX = Sandbox()
run = SANDBOX.call

ROOT = Path(__file__).parents[2]


def limited(**limits):
    return replace(SANDBOX, limits=SandboxLimits(**limits))


def failure_of(function, *args, **limits):
    with pytest.raises(DocumentError) as caught:
        limited(**limits).call(function, *args)
    return caught.value


def wait_until(condition, seconds=20.0):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return False


def is_alive(pid):
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def test_a_result_comes_back():
    assert run(sandboxed.double, 21) == 42


def test_a_refusal_comes_back_with_its_class_and_advice():
    error = failure_of(sandboxed.refuse)
    assert (error.failure, error.advice) == (DocumentFailure.SCAN, "Run OCR.")


def test_a_foreign_exception_counts_as_corrupt_and_brings_no_text_along():
    error = failure_of(sandboxed.fail_quoting_the_document)
    assert error.failure is DocumentFailure.CORRUPT
    assert "Alice" not in str(error)
    assert error.__cause__ is None
    assert error.__context__ is None


@pytest.mark.parametrize("call", [(sandboxed.spin,), (time.sleep, 60)], ids=["busy", "idle"])
def test_a_document_that_takes_too_long_is_stopped(call):
    started = time.monotonic()
    assert failure_of(*call, seconds=1.0).failure is DocumentFailure.TIMED_OUT
    assert time.monotonic() - started < 15


def test_a_call_may_be_given_several_times_the_seconds():
    sandbox = Sandbox(SandboxLimits(seconds=0.5))
    try:
        with pytest.raises(DocumentError) as raised:
            sandbox.call(sandboxed.work, 1.0)
        assert raised.value.failure is DocumentFailure.TIMED_OUT
        assert sandbox.with_time_for_size(0, 4).call(sandboxed.work, 1.0) == "done"
    finally:
        sandbox.close()


def test_a_document_that_needs_too_much_memory_is_out_of_memory():
    assert failure_of(sandboxed.fill_memory).failure is DocumentFailure.OUT_OF_MEMORY


def test_memory_within_the_limit_is_granted():
    assert limited(memory_mb=256).call(sandboxed.touch_memory, 200) == 200_000_000
    error = failure_of(sandboxed.touch_memory, 300, memory_mb=256)
    assert error.failure is DocumentFailure.OUT_OF_MEMORY


@pytest.mark.parametrize("function", [sandboxed.recurse, sandboxed.fault, sandboxed.leave])
def test_a_child_that_breaks_down_is_a_crash_and_the_next_call_works(function):
    assert failure_of(function).failure is DocumentFailure.CRASHED
    assert run(sandboxed.double, 2) == 4


def read_in(sandbox: Sandbox, file: Path) -> tuple[str, int]:
    """The format of ``file`` and the process that read it."""
    size = file.stat().st_size
    return run_on_document(sandbox, size, sandboxed.detect_here, file.parent, file.name)


def test_short_texts_share_a_child_and_nothing_else_does(tmp_path):
    page = b"<!DOCTYPE html><html><body><p>Good morning.</p></body></html>"
    contents = [b"The cat sat.\n", b"# Cats\n\nThey *sat*.\n", page, b"Latin-1 caf\xe9.\n"]
    contents += [b"A bell\x07 rang.\n", b"The dog barked at us. " * 10_000, b"The end.\n"]
    files = [tmp_path / f"{number}.txt" for number in range(len(contents))]
    with closing(Sandbox()) as sandbox:
        for file, content in zip(files, contents, strict=True):
            file.write_bytes(content)
        found = [read_in(sandbox, file) for file in files]
    processes = [process for _, process in found]
    assert processes[0] == processes[1]
    assert len({*processes[1:6]}) == 5
    assert found[2][0] == "html"
    assert processes[0] not in processes[2:5]


def test_a_shared_child_that_breaks_down_costs_no_document(tmp_path):
    file = tmp_path / "a.txt"
    file.write_bytes(b"The cat sat.\n")
    with closing(Sandbox()) as sandbox:
        _, before = read_in(sandbox, file)
        os.kill(before, signal.SIGKILL)
        assert read_in(sandbox, file)[0] == "txt"
        assert read_in(sandbox, file)[1] not in (before, read_in(Sandbox(), file)[1])
        assert sandbox.call_warm(sandboxed.fault) is None
        assert sandbox.call_warm(sandboxed.double, 2) == 4


def test_nobody_waits_for_a_child_that_cut_itself_off():
    started = time.monotonic()
    failure_of(sandboxed.cut_off)
    assert time.monotonic() - started < 30
    assert run(sandboxed.double, 2) == 4


def test_nothing_a_child_prints_is_seen(capfd):
    assert run(sandboxed.speak) == "done"
    assert capfd.readouterr() == ("", "")


def test_a_file_over_the_limit_is_too_large(tmp_path):
    limited(file_mb=1).call(sandboxed.write_file, tmp_path / "small", 900_000)
    error = failure_of(sandboxed.write_file, tmp_path / "large", 2_000_000, file_mb=1)
    assert error.failure is DocumentFailure.TOO_LARGE


def test_a_result_over_the_limit_is_too_large():
    error = failure_of(sandboxed.many_bytes, 3_000_000, result_mb=1)
    assert error.failure is DocumentFailure.TOO_LARGE


def test_what_may_be_written_and_given_back_grows_with_what_documents_may_be():
    usual = SandboxLimits()
    assert usual.for_sizes(100, 100_000) == usual
    large = usual.for_sizes(1500, 2_000_000)
    assert (large.file_mb, large.result_mb) == (3000, 2000)
    assert (large.seconds, large.memory_mb) == (usual.seconds, usual.memory_mb)


def test_a_result_that_would_run_code_here_is_refused():
    assert failure_of(sandboxed.return_a_trap).failure is DocumentFailure.CRASHED


def test_secrets_of_the_environment_do_not_reach_the_child(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    assert "sk-secret" not in run(sandboxed.environment).values()


def test_relative_paths_mean_what_they_mean_to_the_caller(tmp_path, monkeypatch):
    run(sandboxed.double, 0)
    monkeypatch.chdir(tmp_path)
    run(sandboxed.write_file, Path("relative"), 3)
    assert (tmp_path / "relative").read_bytes() == bytes(3)


def test_no_module_of_the_folder_it_is_started_in_is_loaded(tmp_path):
    (tmp_path / "pickle.py").write_text("raise SystemExit")
    program = "from prism_core.formats import Sandbox; print(Sandbox().call(len, 'four'))"
    done = subprocess.run(
        [sys.executable, "-P", "-c", program],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert done.stdout == "4\n"


def test_threads_can_call_at_the_same_time():
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda number: run(sandboxed.double, number), range(24))) == [
            2 * number for number in range(24)
        ]


def test_a_stopped_child_leaves_no_temporary_file(tmp_path):
    note = tmp_path / "name"
    failure_of(sandboxed.leave_a_temporary_file, note, seconds=0.5)
    left = Path(note.read_text())
    assert wait_until(lambda: not left.exists() and not left.parent.exists())


def test_no_core_is_dumped_and_a_lost_server_is_replaced():
    (core, server) = run(sandboxed.core_limit_and_server)
    assert core == (0, 0)
    os.kill(server, signal.SIGKILL)
    assert run(sandboxed.double, 4) == 8
    assert run(sandboxed.core_limit_and_server)[1] != server


def test_its_server_ends_when_a_sandbox_is_closed_and_another_starts_with_the_next_call():
    sandbox = Sandbox()
    server = sandbox.call(sandboxed.core_limit_and_server)[1]
    sandbox.close()
    assert not is_alive(server)
    assert sandbox.call(sandboxed.double, 4) == 8
    sandbox.close()


def test_a_child_ends_with_its_server_and_is_tried_again_once(tmp_path):
    note = tmp_path / "pid"
    with ThreadPoolExecutor(1) as pool:
        call = pool.submit(limited(seconds=30.0).call, sandboxed.sleep_noting_its_process, note)
        for _ in range(2):
            assert wait_until(lambda: note.exists() and note.read_text())
            child = int(note.read_text())
            note.unlink()
            os.kill(run(sandboxed.core_limit_and_server)[1], signal.SIGKILL)
            assert wait_until(lambda child=child: not is_alive(child), seconds=10)
        assert isinstance(call.exception(), DocumentError)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_server_and_child_end_with_their_caller(tmp_path, how):
    note = tmp_path / "pid"
    program = (
        "import sys, pathlib; from prism_core.formats import Sandbox; "
        "from tests.formats import sandboxed; "
        "Sandbox().call(sandboxed.sleep_noting_its_process, pathlib.Path(sys.argv[1]))"
    )
    caller = subprocess.Popen(
        [sys.executable, "-c", program, str(note)],
        cwd=ROOT,
        stderr=subprocess.DEVNULL,
        preexec_fn=heed_interrupts,
    )
    assert wait_until(lambda: note.exists() and note.read_text())
    child = int(note.read_text())
    server = int(Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()[1])
    caller.send_signal(how)
    caller.wait(timeout=20)
    assert wait_until(lambda: not is_alive(child))
    assert wait_until(lambda: not is_alive(server))


def test_the_server_keeps_no_memory_of_documents():
    def resident():
        server = run(sandboxed.core_limit_and_server)[1]
        return int(Path(f"/proc/{server}/statm").read_text().split()[1]) * 4096

    before = resident()
    for _ in range(10):
        run(sandboxed.touch_memory, 60)
    assert resident() - before < 10_000_000


def test_fonts_are_loaded_once_for_all_documents_behind_the_first(tmp_path):
    path = drawn_pdf(tmp_path / "a.pdf", lines("Some words"))
    with closing(Sandbox()) as sandbox:
        assert sandbox.call(sandboxed.count_fonts) == 0
        assert sandbox.call(read_document, path).segments
        assert wait_until(lambda: sandbox.call(sandboxed.count_fonts) > 3)


def test_a_warm_call_costs_little():
    run(sandboxed.double, 0)
    times = []
    for number in range(15):
        started = time.perf_counter()
        run(len, "x" * number)
        times.append(time.perf_counter() - started)
    assert statistics.median(times) < 0.2  # about .007 s on an idle machine
