"""Errors that PRISM raises on purpose, with the exit code of each.

::

    PrismError
    ├── ConfigurationError          settings, flags, missing key or program
    ├── DocumentError               a document cannot be read or rebuilt (``failure`` says why)
    ├── StateError                  the state store cannot be used
    │   ├── WrongKey                it was written with another key
    │   ├── StoreInUse              another run holds it
    │   └── LeaseLost               another process has taken over this shard of the run
    ├── OutputError                 the output cannot be written (disk full, permissions)
    │   └── StorageError            an object store cannot be used (unreachable, credentials)
    ├── TooManyFailed               more documents failed than a flow of Prefect may complete with
    ├── WorkerLost                  a worker process was killed, twice over the same documents
    ├── InternalFault               a bug of PRISM, without the message of the foreign error
    └── TranslatorError
        ├── Transient               try the same bytes again, after ``retry_after``
        │   ├── RateLimited         the provider asks for a slower pace
        │   ├── TimedOut            no answer came in the time allowed
        │   ├── Unreachable         no reply came: the connection failed, or was closed
        │   └── BadAnswer           an answer came, but it cannot be used
        ├── QuotaExhausted          stop the run; answers so far are kept
        │   └── BudgetReached       the next request would cost more than the user allows
        ├── LosesTooMuch            far more substitutes are missing in its answers than expected
        ├── Rejected                the request itself is refused; ``index`` is the text, if known
        └── Misconfigured           wrong key, address, model or language pair

A message says what happened and what to do. It never quotes a document, a sentence, a substitute or
a key: Prefect, logs and the report copy messages to places that leave the machine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import IntEnum
from hashlib import sha256
from typing import Self, TypeVar

from prism_core.explained import ExplainedEnum

Result = TypeVar("Result")


class ExitCode(IntEnum):
    """Exit code of the ``prism`` command; ``meaning`` is for its help."""

    meaning: str

    def __new__(cls, value: int, meaning: str) -> Self:
        """Create the member for ``value``."""
        member = int.__new__(cls, value)
        member._value_, member.meaning = value, meaning
        return member

    OK = 0, "every document was translated, or had not changed"
    SOME_DOCUMENTS_FAILED = 1, "some documents failed; the class and the advice are shown"
    BAD_CONFIGURATION = (
        2,
        "wrong settings, flags, key or a missing program, or too little would come back; what was "
        "answered is kept",
    )
    TRANSLATOR_FAILED = (
        3,
        "a translator, which the message names with its failures, failed for good, or left out far "
        "more words than expected; what was answered is kept",
    )
    QUOTA_EXHAUSTED = 4, "the translator's quota is used up; what was answered is kept"
    STATE_UNUSABLE = (
        5,
        "the state store, a sealed memory or a shared pace cannot be used "
        "(another run, another key, disk full)",
    )
    OUTPUT_UNWRITABLE = (
        6,
        "the output cannot be written (disk full, permissions), or an object store not be used",
    )
    BUDGET_REACHED = 7, "the budget (--max-cost) is used up; what was answered is kept"
    REPORT_ALTERED = 8, "a report is not as it was written (prism audit verify)"
    TOO_MANY_PARTLY = (
        9,
        "more documents than night.most_partly allows are partly in the source language",
    )
    INTERNAL_ERROR = 70, "a fault of PRISM itself; please report the reference it prints"
    INTERRUPTED = 130, "interrupted; the same command goes on where it stopped"


class DocumentFailure(ExplainedEnum):
    """Class of a document that could not be handled, as the report prints it, and advice."""

    ENCRYPTED = "encrypted", "Remove the password and run again."
    RESTRICTED = "restricted", "The author forbids text extraction; ask for an unrestricted copy."
    SIGNED = "signed", "Signed content is never edited; translate an unsigned copy."
    CORRUPT = "corrupt", "Open and re-save it in the program that made it, then run again."
    TOO_LARGE = "too-large", "Raise the limit in [limits] or split the document."
    BOMB = "bomb", "It expands far beyond its size; check where it came from."
    SCAN = (
        "scan-without-text",
        "It holds images of text; switch OCR on (--ocr), or run OCR on it first.",
    )
    UNSUPPORTED = "unsupported", "Save it as DOCX, XLSX, PPTX, ODT, PDF, EML or HTML."
    EMPTY = "empty", "It holds no text to translate; nothing to do."
    PICTURE = "picture", "It is not read; if it shows text, make a PDF of it and use --ocr."
    OTHER_LANGUAGE = "other-language", "Translate it from the language that it is in."
    IN_TARGET = "in-target-language", "It is in the target language already, and was copied."
    TIMED_OUT = "timed-out", "Raise limits.seconds or simplify the document."
    OUT_OF_MEMORY = "out-of-memory", "Raise limits.memory_mb or split the document."
    CRASHED = "crashed", "The reader ended unexpectedly; re-save the document and run again."
    UNREBUILDABLE = "unrebuildable", "It was read but cannot be rebuilt; convert it to DOCX."
    TRACKED_CHANGES = (
        "tracked-changes",
        "It has tracked changes, which documents.tracked_changes refuses: accept or reject them, "
        "or set it to final or original.",
    )
    OVER_BUDGET = "over-budget", "It is over the budget of its policy; nothing of it was sent."
    WITHHELD = "withheld-by-policy", "Its policy lets no translator see it; nothing of it was sent."
    NOT_WORTH = (
        "withheld-by-gate",
        "Too little of it is expected to come back; nothing of it was sent.",
    )

    @property
    def is_nothing(self) -> bool:
        """True if there is nothing to translate: such a document has not failed."""
        return self in (DocumentFailure.EMPTY, DocumentFailure.PICTURE, DocumentFailure.IN_TARGET)


class PrismError(Exception):
    """Base of all errors: a message for a person, and the exit code of the run."""

    exit_code = ExitCode.INTERNAL_ERROR


class ConfigurationError(PrismError):
    """Error in settings or flags, a missing key or program; the message names the fix."""

    exit_code = ExitCode.BAD_CONFIGURATION


class DocumentError(PrismError):
    """Error of one document. It becomes a row of the report, and never ends a batch."""

    exit_code = ExitCode.SOME_DOCUMENTS_FAILED

    def __init__(self, failure: DocumentFailure, advice: str | None = None) -> None:
        self.failure = failure
        self.advice = advice or failure.meaning
        super().__init__(f"{failure.value}: {self.advice}")

    def __reduce__(self) -> tuple[type[DocumentError], tuple[DocumentFailure, str]]:
        return type(self), (self.failure, self.advice)


class StateError(PrismError):
    """Error raised when the state store cannot be used."""

    exit_code = ExitCode.STATE_UNUSABLE


class WrongKey(StateError):
    """Error raised when the state store was written with another key."""


class StoreInUse(StateError):
    """Error raised when another run holds the state store of this output folder."""


class LeaseLost(StateError):
    """Error raised when a shard belongs to another process: nothing more may be written or sent."""


class OutputError(PrismError):
    """Error raised when the output folder cannot be written."""

    exit_code = ExitCode.OUTPUT_UNWRITABLE


class StorageError(OutputError):
    """Error raised when an object store cannot be used, for reading or for writing."""


class TooManyFailed(PrismError):
    """Error raised when more documents failed than the settings allow a flow to complete with."""

    exit_code = ExitCode.SOME_DOCUMENTS_FAILED


class WorkerLost(PrismError):
    """Error raised when a worker process ended over its documents, and so did its replacement."""


class InternalFault(PrismError):
    """Bug of PRISM: its place in the code and its type, never its message.

    The message of a foreign exception may quote a document, so it is dropped. ``reference`` is the
    same for the same fault, so that a report of it can be found.
    """

    exit_code = ExitCode.INTERNAL_ERROR

    def __init__(self, kind: str, place: str) -> None:
        self.kind = kind
        self.place = place
        self.reference = sha256(f"{kind} {place}".encode()).hexdigest()[:8]
        super().__init__(
            f"internal error {self.reference}: {kind} in {place}; please report it with these words"
        )

    def __reduce__(self) -> tuple[type[InternalFault], tuple[str, str]]:
        return type(self), (self.kind, self.place)

    @classmethod
    def from_exception(cls, error: BaseException) -> InternalFault:
        """Wrap ``error`` without its message; its place is the innermost module and line."""
        trace = error.__traceback__
        while trace is not None and trace.tb_next is not None:
            trace = trace.tb_next
        if trace is None:
            return cls(type(error).__name__, "unknown")
        module = trace.tb_frame.f_globals.get("__name__", "unknown")
        return cls(type(error).__name__, f"{module}:{trace.tb_lineno}")


class TranslatorError(PrismError):
    """Error raised when a translator gave no usable answer."""

    exit_code = ExitCode.TRANSLATOR_FAILED

    def explain(self, context: str) -> None:
        """Put ``context`` before the message."""
        self.args = (f"{context} {self}",)


class Transient(TranslatorError):
    """Failure that may pass: rate limit, time-out, server fault, an answer that fails its checks.

    ``retry_after`` is in seconds, None when the provider did not say.
    """

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class RateLimited(Transient):
    """Request of the provider for a slower pace: all senders wait, then continue more slowly."""


class PaceUnknown(Transient):
    """Failure to reach a shared pace: nothing is sent, and the run stops as for a translator."""

    exit_code = ExitCode.STATE_UNUSABLE


class TimedOut(Transient):
    """Missing answer: the provider is slow or away, or its model does not stop writing."""


class Unreachable(Transient):
    """Missing reply: no connection, or one that was closed before the answer came."""


class BadAnswer(Transient):
    """Unusable answer: wrong count, unknown ids, broken JSON."""


class QuotaExhausted(TranslatorError):
    """Exhausted quota or budget of the account: the run stops and keeps the answers so far."""

    exit_code = ExitCode.QUOTA_EXHAUSTED


class BudgetReached(QuotaExhausted):
    """Exhausted budget of the user: the request that would exceed it was not sent."""

    exit_code = ExitCode.BUDGET_REACHED


class LosesTooMuch(TranslatorError):
    """Loss of far more words in the answers than expected: nothing is sent again for them."""


class Rejected(TranslatorError):
    """Refusal of the request as it stands; ``index`` is the text at fault, if known."""

    def __init__(self, message: str, index: int | None = None) -> None:
        super().__init__(message)
        self.index = index


class Misconfigured(TranslatorError):
    """Wrong key, address, model or language pair: no retry can help."""

    exit_code = ExitCode.BAD_CONFIGURATION


def describe_failures(counts: Mapping[str, int]) -> str:
    """Return classes of failures with their counts, the most frequent first."""
    ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return ", ".join(f"{failure.replace('-', ' ')}: {count:,}" for failure, count in ordered)


def sanitize_errors(work: Callable[[], Result]) -> Result:
    """Run ``work``; its errors can be recorded, as Prefect does, without revealing text.

    A ``PrismError`` is raised again without cause, context and frames; any other exception becomes
    an ``InternalFault``, because its message and its locals may hold text of a document.
    """
    try:
        return work()
    except PrismError as error:
        sanitized = error.with_traceback(None)
    except Exception as error:  # noqa: BLE001 (any fault may quote a document)
        sanitized = InternalFault.from_exception(error)
    sanitized.__cause__ = sanitized.__context__ = None
    raise sanitized from None
