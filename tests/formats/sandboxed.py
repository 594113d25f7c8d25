"""What the sandbox tests run in the child: found there by name, as a format's functions are."""

import contextlib
import ctypes
import os
import sys
import tempfile
import time
from pathlib import Path

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.detection import detect


def double(number):
    return 2 * number


def detect_here(folder: Path, name: str):
    """The format of a document, and the process that detected it."""
    return detect(folder / name), os.getpid()


def refuse():
    raise DocumentError(DocumentFailure.SCAN, "Run OCR.")


def fail_quoting_the_document():
    raise ValueError("the patient is Alice")


def sleep_noting_its_process(note: Path):
    with contextlib.suppress(OSError):
        note.write_text(str(os.getpid()))
    time.sleep(60)


def spin():
    while True:
        pass


def work(seconds):
    while time.process_time() < seconds:
        pass
    return "done"


def fill_memory():
    return len(bytearray(4_000_000_000))


def touch_memory(megabytes):
    return len(bytearray(megabytes * 1_000_000))


def recurse(depth=0):
    return recurse(depth + 1) + 1


def fault():
    ctypes.string_at(0)


def leave():
    os._exit(0)


def cut_off():
    os.closerange(3, 256)
    time.sleep(60)


def speak():
    sys.stdout.write("the patient is Alice")
    sys.stderr.write("the patient is Alice")
    os.write(1, b"the patient is Alice")
    return "done"


def write_file(path: Path, size):
    path.write_bytes(bytes(size))


def many_bytes(size):
    return bytes(size)


def environment():
    return dict(os.environ)


def leave_a_temporary_file(note: Path):
    with tempfile.NamedTemporaryFile(delete=False) as file:
        file.write(b"the patient is Alice")
    note.write_text(file.name)
    time.sleep(60)


def core_limit_and_server():
    import resource

    return resource.getrlimit(resource.RLIMIT_CORE), os.getppid()


class Trap:
    def __reduce__(self):
        return (os.system, ("true",))


def return_a_trap():
    return Trap()


def count_fonts():
    """How many fonts this process has loaded, or was forked with."""
    style = sys.modules.get("prism_core.formats.pdf.style")
    return style._load_font.cache_info().currsize if style else 0
