"""Result of one method on one corpus in sums over documents, stored as they come.

Everything that is said of a method (shares, chrF, BLEU) is worked out from such sums. So what is
stored of a run holds no text, and an interval is a matter of adding up other documents: any choice
of them has its chrF and BLEU (``metrics``).

A run of one method is one line of JSON. It has a key that covers all it depends on, so a sweep that
was stopped, however it was, goes on with what is missing.

Entry: ``tally`` counts, a row a document; ``span`` finds the columns of a metric. ``Results`` of a
folder: it reads lines with ``_read``, and ``add`` writes one.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prism_core.errors import ConfigurationError, OutputError, StateError
from prism_core.evaluation.corpora import Corpus, CorpusDocument
from prism_core.evaluation.error_classes import ERRORS, count_untranslated, errors_of
from prism_core.evaluation.methods import SentenceOutcome
from prism_core.evaluation.metrics import METRICS, Metric
from prism_core.evaluation.panels import Panel, PanelVerdict
from prism_core.evaluation.surviving import surviving_identifiers
from prism_core.files import make_file, make_folder

SCHEMA = 1
FILE = "results.jsonl"
ARCHIVED = "results.jsonl.gz"
"""Compressed file as it lies in ``docs/evaluation``: it is read and never written."""


@dataclass(frozen=True, slots=True)
class Measurement:
    """Method at one strength, with one seed, over one corpus, judged by one panel.

    The digests say over what: texts, number of documents, dictionary and code, language model.
    """

    corpus: str
    corpus_digest: str
    documents: int
    method: str
    setting: str
    version: str
    seed: int
    panel: str
    translator: str
    languages: str
    model: str

    @property
    def key(self) -> str:
        """Digest of all of it, and of what is counted."""
        named = json.dumps([SCHEMA, VERSION, COLUMNS, asdict(self)], sort_keys=True)
        return hashlib.sha256(named.encode()).hexdigest()[:24]


@dataclass(frozen=True, slots=True)
class Provenance:
    """Place and time (ISO 8601) of a run, and what it took.

    ``signatures`` are sacrebleu's, by metric; results of earlier versions have none.
    """

    machine: str
    versions: dict[str, str]
    date: str
    seconds: float
    cpu_seconds: float
    signatures: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Result:
    """Run with its sums: ``table`` has a row a document, in the order of ``names``."""

    run: Measurement
    provenance: Provenance
    names: tuple[str, ...]
    table: Table


class Results:
    """Results of one folder, whose file is only appended to; one writer at a time.

    A last line that was cut off by a kill is dropped, and its run made again; so is one whose key
    is another than this version of PRISM gives its run: it was counted otherwise. Raises
    ``StateError`` for a file that is of another kind, ``OutputError`` when it cannot be written.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE
        self._known = {
            result.run.key: result
            for path in (folder / ARCHIVED, self.path)
            for result in _read(path)
        }

    @classmethod
    def required(cls, folder: Path) -> Results:
        """Read the results of ``folder``. Raises ``ConfigurationError`` where there are none."""
        if not (found := cls(folder))._known:
            raise ConfigurationError(
                f"{folder} holds no results of this version of PRISM: make some with prism "
                f"evaluate --out {folder}."
            )
        return found

    def __iter__(self) -> Iterator[Result]:
        return iter(self._known.values())

    def __contains__(self, run: Measurement) -> bool:
        return run.key in self._known

    def add(self, result: Result) -> None:
        """Store ``result``; it is on disk when this returns."""
        row = {
            "schema": SCHEMA,
            "key": result.run.key,
            "run": asdict(result.run),
            "provenance": asdict(result.provenance),
            "columns": COLUMNS,
            "documents": [
                # Whole numbers without a point; others (shares of a guess) to six places.
                [name, *(int(v) if float(v).is_integer() else round(float(v), 6) for v in sums)]
                for name, sums in zip(result.names, result.table, strict=True)
            ],
        }
        line = json.dumps(row, ensure_ascii=False, separators=(",", ":"))
        try:
            make_folder(self.path.parent)
            make_file(self.path)
            with self.path.open("ab+") as file:
                if file.tell() and os.pread(file.fileno(), 1, file.tell() - 1) != b"\n":
                    file.write(b"\n")  # behind a line that was cut off begins a new one
                file.write(line.encode() + b"\n")
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise OutputError(f"{self.path} cannot be written: {error.strerror}.") from None
        self._known[result.run.key] = result


def _read(path: Path) -> Iterator[Result]:
    if not path.is_file():
        return
    content = path.read_bytes()
    try:
        lines = (gzip.decompress(content) if path.suffix == ".gz" else content).split(b"\n")
    except (OSError, EOFError, zlib.error):
        raise StateError(f"{path} cannot be unpacked: move the file away.") from None
    for number, line in enumerate(lines, start=1):
        try:
            row = json.loads(line) if line.strip() else None
        except ValueError:
            continue  # cut off by a kill: it is made again
        if row is None:
            continue
        try:
            if row["schema"] != SCHEMA or tuple(row["columns"]) != COLUMNS:
                continue  # of another version of PRISM: it is made again
            run = Measurement(
                **{field.name: row["run"][field.name] for field in fields(Measurement)}
            )
            if row["key"] != run.key:
                continue  # of another way to count: it is made again
            rows = row["documents"]
            table = np.array([sums[1:] for sums in rows], dtype=np.float64)
            if table.shape != (run.documents, len(COLUMNS)) or not np.isfinite(table).all():
                raise ValueError
            names = tuple(str(sums[0]) for sums in rows)
            yield Result(run, _provenance(row["provenance"]), names, table)
        except (KeyError, TypeError, ValueError):
            raise StateError(
                f"Line {number} of {path} is no result of an evaluation: move the file away."
            ) from None


def _provenance(row: dict[str, Any]) -> Provenance:
    """Parse a provenance. Raises ``TypeError`` or ``ValueError`` for what is none."""
    datetime.fromisoformat(row["date"])
    return Provenance(
        machine=str(row["machine"]),
        versions={str(name): str(number) for name, number in dict(row["versions"]).items()},
        date=row["date"],
        seconds=float(row["seconds"]),
        cpu_seconds=float(row["cpu_seconds"]),
        signatures={str(name): str(s) for name, s in dict(row.get("signatures", {})).items()},
    )


Table = NDArray[np.float64]
"""Row a document, column for each of ``COLUMNS``."""

VERSION = "3"
"""Version, raised when the same outcomes would be counted differently."""

_SENTENCES = ("sentences", "sent", "sends", "restored_at_once", "left", "withheld", "characters")
_QUESTIONS = ("questions", "adversary_right", "adversary_unread", "reader_right", "reader_unread")
_WORDS = ("content_words", "untranslated_words", "identifiers", "surviving_identifiers")


AGAINST = ("", "human_")
"""Prefixes of a comparison with T(x_pri), and of one with a person's translation."""
_COMPARISONS = tuple(
    f"{against}{metric.name}_{i}"
    for against in AGAINST
    for metric in METRICS
    for i in range(metric.counts)
)
COLUMNS = (*_QUESTIONS, *_SENTENCES, *_WORDS, *_COMPARISONS, "sentences_with_errors", *ERRORS)
PLACES: Mapping[str, int] = {name: place for place, name in enumerate(COLUMNS)}


def span(metric: Metric, against: str = "") -> slice:
    """Return the columns of the counts of ``metric`` in a comparison (``AGAINST``)."""
    first = PLACES[f"{against}{metric.name}_0"]
    return slice(first, first + metric.counts)


def tally(corpus: Corpus, outcomes: Sequence[SentenceOutcome], panel: Panel) -> Table:
    """Sum the ``outcomes``, one a sentence of ``corpus``, a row a document."""
    verdicts = panel.verdicts(corpus, outcomes)
    left, direct = iter(outcomes), iter(corpus.direct)
    rows = []
    for document, verdict in zip(corpus.documents, verdicts, strict=True):
        own = list(islice(left, len(document.sentences)))
        theirs = list(islice(direct, len(own)))
        rows.append(_row(document, own, theirs, verdict, corpus))
    return np.array(rows)


def _row(
    document: CorpusDocument,
    outcomes: Sequence[SentenceOutcome],
    direct: Sequence[str],
    verdict: PanelVerdict,
    corpus: Corpus,
) -> list[float]:
    row, texts = np.zeros(len(COLUMNS)), [outcome.text for outcome in outcomes]
    numbers = {**_count(document, outcomes, direct, corpus), **verdict.counts()}
    for name, number in numbers.items():
        row[PLACES[name]] = number
    left = iter(texts)
    lines = [" ".join(islice(left, len(line))) for line in document.lines]
    for metric in METRICS:
        row[span(metric)] = metric.count(texts, direct)
        if document.references:
            row[span(metric, "human_")] = metric.count(lines, document.references)
    return row.tolist()


def _count(
    document: CorpusDocument,
    outcomes: Sequence[SentenceOutcome],
    direct: Sequence[str],
    corpus: Corpus,
) -> dict[str, float]:
    """Count sentences, words, identifiers and errors, by column."""
    private = [sentence.text.strip() for sentence in document.sentences]
    names = corpus.names
    triples = list(zip(private, [outcome.text for outcome in outcomes], direct, strict=True))
    content, untranslated = count_untranslated(triples, names.rare)
    sent = [" ".join(outcome.sent) for outcome in outcomes]
    surviving = surviving_identifiers(zip(private, sent, strict=True), names)
    errors = [errors_of(*triple, names) for triple in triples]
    return {
        "sentences": len(outcomes),
        "sent": sum(bool(o.sent) for o in outcomes),
        "sends": sum(len(o.sent) for o in outcomes),
        "restored_at_once": sum(o.restored_at_once for o in outcomes),
        "left": sum(
            bool(o.sent) and o.text == own for o, own in zip(outcomes, private, strict=True)
        ),
        "withheld": sum(o.withheld for o in outcomes),
        "characters": sum(map(len, sent)),
        "content_words": content,
        "untranslated_words": untranslated,
        "identifiers": surviving.names + surviving.numbers,
        "surviving_identifiers": surviving.names_visible + surviving.numbers_visible,
        "sentences_with_errors": sum(bool(found) for found in errors),
        **{name: sum(found[name] for found in errors) for name in ERRORS},
    }
