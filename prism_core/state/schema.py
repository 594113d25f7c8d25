"""Tables of the state store.

Ids are keyed (HMAC), so they name nothing without the key. ``Sealed`` columns are AES-GCM: paths,
names, text, substitutes, layouts. The rest are counts, times, states and classes.

Entry: the statuses, then the tables; ``check_version`` before anything is read.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TypeVar

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    UniqueConstraint,
    func,
    inspect,
    select,
)

from prism_core.errors import DocumentFailure, StateError
from prism_core.explained import ExplainedEnum

Status = TypeVar("Status", bound=str)
SCHEMA_VERSION = 7
EMPTY = "the state store is empty: the run that made it was stopped at once; run it again"
VERSION = "schema_version"
"""Name in ``meta`` of the version of a store."""


class DocumentStatus(ExplainedEnum):
    """Status of a document. Each run takes it from ``found`` to one of those below ``read``.

    Of a ``pruned`` document the row says when, and names nothing.
    """

    FOUND = "found", "to be read"
    READ = "read", "to be written"
    WRITTEN = "written", "translated by their last run"
    UNCHANGED = "unchanged", "unchanged since they were translated"
    FAILED = "failed", "could not be handled; tried again by the next run"
    GONE = "gone", "no longer in the input; their translations are kept"
    RENAMED = "renamed", "in the input under another name; their translations are kept"
    PRUNED = "pruned", "no longer in the input; their translations are destroyed"

    @property
    def is_absent(self) -> bool:
        """True if the archive no longer has the document."""
        return self in (DocumentStatus.GONE, DocumentStatus.RENAMED, DocumentStatus.PRUNED)

    @property
    def is_waiting(self) -> bool:
        """True if the next run will have to read or write the document."""
        return self in (DocumentStatus.FOUND, DocumentStatus.READ)

    @property
    def is_translated(self) -> bool:
        """True if the next run will skip the document when nothing has changed."""
        return self in (DocumentStatus.WRITTEN, DocumentStatus.UNCHANGED)


class SentenceStatus(ExplainedEnum):
    """Status of a sentence.

    ``new`` → ``encoded`` → ``sent`` → ``answered`` → ``done``. From ``answered`` it may return to
    ``new`` when a substitute could not be restored. Of one that is ``withheld``, ``salvaged`` or
    ``local`` nothing more may be sent. The result of a ``salvaged`` one is that of the weakest
    decoding method. One that is ``recalled`` returns to its earlier status when the user's memory
    no longer has it.
    """

    NEW = "new", "to be encoded"
    ENCODED = "encoded", "to be sent"
    SENT = "sent", "sent, no answer yet"
    ANSWERED = "answered", "answered, to be decoded"
    DONE = "done", "translated"
    RECALLED = "recalled", "translated from your memory"
    REVIEWED = "reviewed", "translated or confirmed by a person"
    SALVAGED = "salvaged", "translated, need a check"
    LOCAL = "local", "not to be sent, translated by the model on this machine"
    WITHHELD = "withheld", "stay in the source language"
    FAILED = "failed", "no usable answer; sent again by the next run"
    REFUSED = "refused", "no usable answer after several attempts; not sent again"

    @property
    def is_translated(self) -> bool:
        """True if the sentence has its translation."""
        return self in (
            SentenceStatus.DONE,
            SentenceStatus.RECALLED,
            SentenceStatus.SALVAGED,
            SentenceStatus.REVIEWED,
            SentenceStatus.LOCAL,
        )

    @property
    def is_pending(self) -> bool:
        """True if the documents of the sentence are not written yet."""
        return self in (
            SentenceStatus.NEW,
            SentenceStatus.ENCODED,
            SentenceStatus.SENT,
            SentenceStatus.ANSWERED,
        )


LOCAL_BETTER = "local-better"
"""Reason of a restored sentence that the model on this machine is likely to translate better."""


class BatchStatus(StrEnum):
    """Status of a batch: on disk before it leaves, with the provider's id, results stored."""

    RECORDED = "recorded"
    SUBMITTED = "submitted"
    COLLECTED = "collected"


TRANSLATED = tuple(status for status in SentenceStatus if status.is_translated)
TRANSLATED_DOCUMENTS = tuple(status for status in DocumentStatus if status.is_translated)
PENDING = tuple(status for status in SentenceStatus if status.is_pending)

Sealed = LargeBinary
Id = String(32)

metadata = MetaData()

meta = Table(
    "meta",
    metadata,
    Column("name", String(40), primary_key=True),
    Column("value", LargeBinary, nullable=False),
)

data_keys = Table(
    "data_keys",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("fingerprint", String(16), primary_key=True),
    Column("purpose", String(12), nullable=False),
    Column("run", String(64), nullable=False, default=""),
    Column("made", Float, nullable=False),
    Column("since", Float, nullable=False),
    Column("wrapped", LargeBinary, nullable=False),
)
"""Keys that seal everything else here, each wrapped ``since`` a time by the user's key named
``fingerprint``; see ``data_keys.py``. No ``number`` is given twice."""

runs = Table(
    "runs",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("stage", String(20), nullable=False, default=""),
    Column("started", Float, nullable=False),
    Column("finished", Float),
    Column("outcome", String(40), nullable=False, default=""),
)

documents = Table(
    "documents",
    metadata,
    Column("id", Id, primary_key=True),
    Column("run", String(64), nullable=False),
    Column("status", String(12), nullable=False),
    Column("fingerprint", String(64), nullable=False, default=""),
    Column("content", String(64), nullable=False, default=""),
    Column("version", String(64), nullable=False, default=""),
    Column("path", Sealed, nullable=False),
    Column("output", Sealed),
    Column("layout", Sealed),
    Column("format", String(20), nullable=False, default=""),
    Column("source", String(8), nullable=False, default=""),
    Column("failure", String(30), nullable=False, default=""),
    Column("advice", String(500), nullable=False, default=""),
    Column("notices", String, nullable=False, default="[]"),
    Column("bytes", BigInteger, nullable=False, default=0),
    Column("segments", Integer, nullable=False, default=0),
    Column("sentences", Integer, nullable=False, default=0),
    Column("left_in_source", Integer, nullable=False, default=0),
    Column("retry", Integer, nullable=False, default=0),
    Column("treatment", String(60), nullable=False, default=""),
    Column("privacy_score", Float),
    Column("prospect", String(300), key="gate", nullable=False, default=""),
    Column("finished", Float),
    Index("documents_by_run", "run", "status"),
)
"""Documents. ``source``: the language of most of its translated text. ``gate``: the gate's
prediction and decision, in JSON without text; empty: none. ``treatment``: the policy of the
document, and how much more strength than it asks. ``retry`` is 1 when a later run may do better
with the same content: sentences ``failed``."""

outputs = Table(
    "outputs",
    metadata,
    Column("id", Id, primary_key=True),
    Column("folded", Id, nullable=False),
    Column("wanted", Id, nullable=False),
    Column("document", Id, ForeignKey("documents.id", ondelete="CASCADE"), nullable=False),
    Column("path", Sealed, nullable=False),
    Column("content", String(64), nullable=False, default=""),
    Index("outputs_by_folded", "folded"),
    Index("outputs_by_document", "document"),
)
"""Names in the output folder, each of one document. ``id`` is keyed over the path, ``folded`` over
the path as a file system without letter case sees it, ``wanted`` over the name that the document
would have if no other had it. ``content`` is the keyed hash of the file that PRISM put there last;
empty before the first time."""

sentences = Table(
    "sentences",
    metadata,
    Column("id", Id, primary_key=True),
    Column("run", String(64), nullable=False),
    Column("status", String(12), nullable=False),
    Column("reason", String(200), nullable=False, default=""),
    Column("source", String(8), nullable=False, default=""),
    Column("annotated", Sealed, nullable=False),
    Column("encoded", Sealed),
    Column("answer", Sealed),
    Column("decoded", Sealed),
    Column("alignment", Sealed),
    Column("earlier", Sealed),
    Column("characters", Integer, nullable=False, default=0),
    Column("checked_with", Id, nullable=False, default=""),
    Column("draws", Integer, nullable=False, default=0),
    Column("sends", Integer, nullable=False, default=0),
    Column("marked", Integer, nullable=False, default=0),
    Column("translator", Id),
    Column("to_restore", Integer, nullable=False, default=0),
    Column("restored", Integer, nullable=False, default=0),
    Column("ways", String(400), nullable=False, default="{}"),
    Column("unsure", Integer, nullable=False, default=0),
    Column("untranslated", Integer, nullable=False, default=0),
    Column("quality", Float),
    Column("contexts", LargeBinary),
    Index("sentences_by_run", "run", "status", "draws"),
)
"""Sentences. ``characters`` counts x_pub; ``draws`` the different encodings recorded as sent;
``sends`` the requests it was part of. ``marked`` is 1 when an answer to x_pub lost a substitute and
it is sent again with marks; ``checked_with`` names what its leak check knew. Of the ``to_restore``
replacements ``restored`` were found; ``ways`` (JSON) counts how. ``unsure`` is 1 for a review, and
``quality`` an estimate. ``earlier``: draws that were not restored. ``contexts``: a module's own."""

reviews = Table(
    "reviews",
    metadata,
    Column("id", Id, primary_key=True),
    Column("translation", Sealed, nullable=False),
    Column("reviewer", Sealed, nullable=False),
    Column("reviewed", Float, nullable=False),
)
"""Translations of sentences that a person gave. ``id`` is keyed over the sentence's text and the
languages: the row outlives that of the sentence, and serves wherever the text occurs again."""

document_sentences = Table(
    "document_sentences",
    metadata,
    Column("document", Id, ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True),
    Column("sentence", Id, ForeignKey("sentences.id"), primary_key=True),
    Index("documents_by_sentence", "sentence"),
    sqlite_with_rowid=False,
)

contexts = Table(
    "contexts",
    metadata,
    Column("context", BigInteger, primary_key=True, autoincrement=False),
    Column("document", Id, ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True),
    Index("contexts_by_document", "document"),
    sqlite_with_rowid=False,
)

decoys = Table(
    "decoys",
    metadata,
    Column("id", Id, primary_key=True),
    Column("document", Id, nullable=False),
    Index("decoys_by_document", "document"),
)
"""Public sentences that are sent with those of ``document``; each is a row of ``sentences`` too,
under the same id. The row here outlives that one: a decoy is used once."""

identifiers = Table(
    "identifiers",
    metadata,
    Column("id", Id, primary_key=True),
    Column("form", Sealed, nullable=False),
    sqlite_with_rowid=False,
)

document_identifiers = Table(
    "document_identifiers",
    metadata,
    Column("document", Id, ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True),
    Column("identifier", Id, ForeignKey("identifiers.id"), primary_key=True),
    Index("documents_by_identifier", "identifier"),
    sqlite_with_rowid=False,
)

requests = Table(
    "requests",
    metadata,
    Column("id", Id, primary_key=True),
    Column("run", String(64), nullable=False),
    Column("status", String(40), nullable=False),
    Column("provider", String(40), nullable=False),
    Column("endpoint", String(253), nullable=False),
    Column("texts", Integer, nullable=False),
    Column("characters", Integer, nullable=False),
    Column("recorded", Float, nullable=False),
    Column("answered", Float),
    Column("again", Integer, nullable=False, default=0),
    Column("shard", Integer, nullable=False, default=0),
    Index("requests_by_run", "run", "recorded"),
)

leases = Table(
    "leases",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("holder", Id, nullable=False, default=""),
    Column("run", String(64), nullable=False),
    Column("phase", String(12), nullable=False),
    Column("until", Float, nullable=False, default=0.0),
    Column("outcome", String(40), nullable=False, default=""),
    Column("account", Sealed),
    UniqueConstraint("number", "holder"),
)
"""Shards of the phase of a run. Each is held by ``holder``, empty for nobody, ``until`` a moment of
the database's clock, and has ended when it has an ``outcome``: ``complete``, or the class of the
error that its ``account`` holds, beside the seconds that were spent."""

batches = Table(
    "batches",
    metadata,
    Column("id", Id, primary_key=True),
    Column("run", String(64), nullable=False),
    Column("status", String(12), nullable=False),
    Column("endpoint", String(253), nullable=False),
    Column("translator", Id, nullable=False),
    Column("batch", String(200), nullable=False, default=""),
    Column("requests", Sealed, nullable=False),
    Column("recorded", Float, nullable=False),
)
"""Batches that a provider works on, or keeps files of. ``id`` is random and goes into the batch,
``batch`` is the provider's id, empty until it is known. ``requests`` holds the sentences of each
request, each with a keyed hash of the text that was sent."""


def default_values(table: Table, *names: str) -> dict[str, object]:
    """Return the default values of the columns ``names`` of ``table``."""
    defaults = {name: table.c[name].default for name in names}
    return {name: getattr(default, "arg", None) for name, default in defaults.items()}


def check_version(connection: Connection) -> None:
    """Raise ``StateError`` unless the store is of this version, and has its tables."""
    if not inspect(connection).has_table(meta.name):
        raise StateError(EMPTY)
    query = select(meta.c.value).where(meta.c.name == VERSION)
    found = int(connection.execute(query).scalar() or b"0")
    if found != SCHEMA_VERSION:
        raise StateError(
            f"the state store has version {found}, this PRISM works with {SCHEMA_VERSION}; use the "
            "PRISM that wrote it, or move the .prism folder away to start afresh"
        )


def count_empty(connection: Connection, run: str) -> int:
    """Count the documents of ``run`` with nothing to translate: they are stored as failed."""
    nothing = [failure for failure in DocumentFailure if failure.is_nothing]
    is_empty = documents.c.failure.in_(nothing)
    query = select(func.count()).where(documents.c.run == run, is_empty)
    return connection.execute(query).scalar_one()


def count_by_status(
    connection: Connection, table: Table, status_type: type[Status], run: str | None = None
) -> dict[Status, int]:
    """Count the rows of ``table`` by status; of one ``run`` without decoys, by indexes alone."""
    query = select(table.c.status, func.count()).group_by(table.c.status)
    if run is not None:
        query = query.where(table.c.run == run)
        if table is sentences:
            query = query.where(sentences.c.id.not_in(select(decoys.c.id)))
    return {status_type(status): count for status, count in connection.execute(query)}
