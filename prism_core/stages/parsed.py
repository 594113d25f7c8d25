"""What a document's format parsed, kept from reading to writing so that it is parsed once.

A file for each such document, sealed under the data key of the run, beside the translations that
are being made; it goes when the document is written, and all of them with the run. Without it, or
with one that is damaged, the document is parsed again: nothing depends on it but time.
"""

from __future__ import annotations

from contextlib import suppress

from prism_core.errors import PrismError, WrongKey
from prism_core.stages.run import Run


def keep_parsed(run: Run, document: str, parsed: bytes) -> None:
    """Keep what was ``parsed`` of ``document`` until it is written; a rehearsal writes nothing."""
    if not parsed or run.job.temporary_state is not None:
        return
    folders = run.folders
    sealed = run.store.documents.seal_parsed(document, parsed)
    path = folders.parsed_path(document)
    try:
        folders.make_partial()
        path.write_bytes(sealed)
    except (OSError, PrismError):  # no room; who writes the document says so if there is none
        with suppress(OSError):
            path.unlink(missing_ok=True)


def take_parsed(run: Run, document: str) -> bytes:
    """What ``keep_parsed`` kept, which is deleted; empty where there is none."""
    path = run.folders.parsed_path(document)
    with suppress(OSError, WrongKey):
        sealed = path.read_bytes()
        path.unlink()
        return run.store.documents.open_parsed(document, sealed)
    return b""
