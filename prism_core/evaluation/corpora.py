"""Public corpora on which methods are measured: as published, and as methods need them.

Each is read from a folder of the data (``PRISM_SHARED_DATA``), none ships with PRISM. A corpus is
named ``NAME`` or ``NAME/PART``: ``mctest`` (``mc160.test``; any ``mc160`` or ``mc500`` part),
``clinspen`` (``dev``, ``train``), ``wmt`` (``flores-dev``, any other of ``wmt/SOURCE-TARGET``).
The stories of MCTest are in English; in another language their files have its code before the
ending, ``mc160.test.es.tsv``.

Entry: ``read_texts`` gives ``Texts``; ``prepare`` annotates and translates them to a ``Corpus``.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from prism_core.errors import ConfigurationError
from prism_core.evaluation.surviving import GoldNames
from prism_core.language import LanguageModel, Sentence
from prism_core.privacy_score import CHOICES, Question
from prism_core.resources import SHIPPED_NAMES

_LINES_TOGETHER = 10
"""Lines of a set without documents that count as one; adjacent lines mostly share an article."""

_NEWS = ("wmt08", "wmt09", "wmt10", "wmt11", "wmt12")
_LEAST_SMALL = 2

_NEW_LINE, _TAB = "\\newline", "\\tab"
_FIRST_QUESTION = 3
"""Columns of MCTest before the questions: name, author, story."""

PUBLISHED = frozenset(
    {
        "eae8d167c51bcb75d6c28a72194398ee27935b3a1784a094670903835e6b0b4e",  # mc160.test.tsv
        "74730a1eea007ae854170524db5002abb6677e944584666eea194afe3e410416",  # mc160.dev.tsv
        "4a131bb34a3e15f6042792a6771dae860eb31e3fc8ef03244aa080a4f7c57acc",  # mc160.train.tsv
        "76305feb12fb1f194444bbba6a82ba2861a100910013b6567bc669d9d4c3c2d5",  # clinspen/dev.json
        "729b3d5c17570443f27a2054deff5256c5d360565219c2ad94418be5464e7c94",  # clinspen/train.json
        "51a25f527fd81f428b6933d85a2f5e5544af92aa82042c7fbf0c4120327fba0a",  # flores-dev.en
        "612e9fbe87997617c0fa8fa8929654a4f49b728d96738112c2b86ef6a1d78d88",  # flores-test.en
        "80b81d23ddfd16724aa21b288b21f29c825c8838807aecbc65fe8a1b313325de",  # wmt13.en
        "399d1fab76c7e69e7c64fb69aef671803a7fe403e962730aeb8242be18d4ab4b",  # tab/entities.jsonl.gz
    }
)
"""SHA-256 of published source files.

A corpus is known to be public by its content and never by its name: a user's own stories may be
called ``mctest`` too.
"""


@dataclass(frozen=True, slots=True)
class RawDocument:
    """Document as published: its lines, a human translation of each if any, and its questions."""

    name: str
    lines: tuple[str, ...]
    references: tuple[str, ...] = ()
    questions: tuple[Question, ...] = ()

    @property
    def text(self) -> str:
        """Whole document on one line."""
        return " ".join(self.lines)


@dataclass(frozen=True, slots=True)
class Texts:
    """Corpus as it is read. ``public``: its files are those that were published.

    ``digest`` is the SHA-256 of its source file, ``stop_words`` those of the sliding window.
    """

    name: str
    documents: tuple[RawDocument, ...]
    public: bool
    digest: str
    stop_words: tuple[str, ...] = ()

    def first(self, documents: int | None) -> Texts:
        """Return the corpus with at most so many documents."""
        return replace(self, documents=self.documents[:documents])


def read_texts(name: str, data: Path, source: str, target: str) -> Texts:
    """Read the corpus ``name`` from the folder ``data``. Raises ``ConfigurationError``."""
    kind, _, part = name.partition("/")
    if kind not in READERS:
        raise ConfigurationError(
            f"There is no corpus {name}: choose from {', '.join(READERS)}, or NAME/PART."
        )
    if Path(part).name != part:
        raise ConfigurationError(f"{part} is not the name of a part of {kind}.")
    texts = READERS[kind](part, data, (source, target))
    if not any(line.strip() for document in texts.documents for line in document.lines):
        raise ConfigurationError(
            f"{texts.name} holds no text to translate: see whether its files are whole."
        )
    return texts


def read_mctest(stories: Path, answers: Path) -> list[RawDocument]:
    """Read stories for children, each with four questions, and the right answers in another file.

    Raises ``ConfigurationError`` when a file is missing or the two do not belong together.
    """
    try:
        rows = stories.read_text(encoding="utf-8").splitlines()
        keys = answers.read_text(encoding="utf-8").splitlines()
        return [
            _read_story(row.split("\t"), key.split("\t"))
            for row, key in zip(rows, keys, strict=True)
        ]
    except OSError:
        raise ConfigurationError(f"MCTest is not at {stories} and {answers}.") from None
    except (ValueError, IndexError):
        raise ConfigurationError(f"{stories} and {answers} are not a set of MCTest.") from None


def _read_story(columns: Sequence[str], letters: Sequence[str]) -> RawDocument:
    paragraphs = (part.strip() for part in columns[2].replace(_TAB, " ").split(_NEW_LINE))
    questions = []
    starts = range(_FIRST_QUESTION, len(columns), 1 + CHOICES)
    for start, letter in zip(starts, letters, strict=True):
        asked, *choices = map(str.strip, columns[start : start + 1 + CHOICES])
        if len(choices) != CHOICES:
            raise ValueError
        text = asked.partition(":")[2].strip()  # behind *one:* or *multiple:*, sentences needed
        questions.append(Question(text, tuple(choices), "ABCD".index(letter.strip())))
    lines = tuple(part for part in paragraphs if part)
    return RawDocument(columns[0], lines, questions=tuple(questions))


def _mctest(part: str, data: Path, languages: tuple[str, str]) -> Texts:
    part, source = part or "mc160.test", languages[0]
    folder, code = data / "mctest", "" if source == "en" else f".{source}"
    stories, answers, stop = (
        folder / name for name in (f"{part}{code}.tsv", f"{part}{code}.ans", f"stopwords{code}.txt")
    )
    what = (
        "MCTest (Richardson et al. 2013; its authors' archive has mc160 and mc500, and the "
        "stop words of its baseline)"
    )
    if code:
        what += f", in English: for {source} translate it, or choose clinspen or wmt"
    _require([stories, answers, stop], what)
    documents = tuple(read_mctest(stories, answers))
    words = tuple(read_utf8(stop).split())
    return _texts(f"mctest/{part}", documents, stories, words)


def _clinspen(part: str, data: Path, languages: tuple[str, str]) -> Texts:
    """Read clinical cases with a human translation of each line, without questions."""
    part = part or "dev"
    path = data / "clinspen" / f"{part}.json"
    _require([path], "ClinSpEn (WMT22, clinical cases in English and Spanish)")
    source, target = languages
    cases: dict[str, list[Mapping[str, str]]] = {}
    try:
        for row in json.loads(path.read_text("utf-8")):
            if not all(isinstance(row[key], str) for key in ("file_name", source, target)):
                raise TypeError
            cases.setdefault(row["file_name"], []).append(row)
        documents = tuple(
            RawDocument(
                name, tuple(row[source] for row in rows), tuple(row[target] for row in rows)
            )
            for name, rows in cases.items()
        )
    except (ValueError, KeyError, TypeError):
        raise ConfigurationError(
            f"{path} is no list of rows with file_name, {source} and {target}."
        ) from None
    return _texts(f"clinspen/{part}", documents, path)


def _wmt(part: str, data: Path, languages: tuple[str, str]) -> Texts:
    """Read news of WMT or FLORES in documents of ten lines; some parts have a human translation."""
    part = part or "flores-dev"
    source, target = languages
    folder = data / "wmt" / f"{source}-{target}"
    path, reference = folder / f"{part}.{source}", folder / f"{part}.{target}"
    _require([path], f"a set of WMT or FLORES for {source}-{target}")
    lines = read_utf8(path).splitlines()
    translated = read_utf8(reference).splitlines() if reference.is_file() else []
    if translated and len(translated) != len(lines):
        raise ConfigurationError(f"{path} and {reference} have not as many lines.")
    starts = range(0, len(lines), _LINES_TOGETHER)
    documents = tuple(
        RawDocument(
            f"{part}.{start // _LINES_TOGETHER}",
            tuple(lines[start : start + _LINES_TOGETHER]),
            tuple(translated[start : start + _LINES_TOGETHER]),
        )
        for start in starts
    )
    return _texts(f"wmt/{part}", documents, path)


def ordinary_words(data: Path, source: str) -> frozenset[str]:
    """Return words that public news writes in lower case twice or more.

    Raises ``ConfigurationError`` where ``data`` has no news. A list of words would not do: it has
    words that hardly anybody writes (*jack*, *spike*), and every name that is one would not count.
    """
    folders = sorted((data / "wmt").glob(f"{source}-*")) or [data / "wmt" / f"{source}-es"]
    files = [folders[0] / f"{name}.{source}" for name in _NEWS]
    _require(files, "the news of WMT, by which names are told from ordinary words")
    counts = Counter(
        word
        for path in files
        for word in re.findall(r"[^\W\d_]+", read_utf8(path))
        if word.islower()
    )
    return frozenset(word for word, count in counts.items() if count >= _LEAST_SMALL)


READERS: Mapping[str, Callable[[str, Path, tuple[str, str]], Texts]] = {
    "mctest": _mctest,
    "clinspen": _clinspen,
    "wmt": _wmt,
}
"""Readers of corpora by name."""


def _texts(
    name: str, documents: tuple[RawDocument, ...], source: Path, stop_words: tuple[str, ...] = ()
) -> Texts:
    digest = hashlib.sha256(source.read_bytes()).hexdigest()
    return Texts(name, documents, digest in PUBLISHED, digest, stop_words)


def read_utf8(path: Path) -> str:
    """Read the text of ``path``. Raises ``ConfigurationError`` for a file that is no text."""
    try:
        return path.read_text("utf-8")
    except UnicodeDecodeError:
        raise ConfigurationError(
            f"{path} is no text in UTF-8: save it so, or put the file of its authors there again."
        ) from None
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be read: {error.strerror}.") from None


def read_aligned(files: Sequence[Path], most: int | None = None) -> list[tuple[str, ...]]:
    """Read files that agree line by line: a row a line, without those that lack text in one.

    ``most`` is the number of rows. Raises ``ConfigurationError`` when a file has more lines.
    """
    columns = [read_utf8(file).removesuffix("\n").split("\n") for file in files]
    for file, column in zip(files, columns, strict=True):
        if len(column) != len(columns[0]):
            raise ConfigurationError(
                f"{files[0]} has {len(columns[0])} lines and {file} has {len(column)}: they must "
                "have as many lines, since line by line they are a text and its translations."
            )
    return [row for row in zip(*columns, strict=True) if all(map(str.strip, row))][:most]


def _require(files: Sequence[Path], what: str) -> None:
    missing = [path for path in files if not path.is_file()]
    if missing:
        raise ConfigurationError(
            f"{missing[0]} is missing: it is part of {what}, which PRISM may not ship. Put it "
            "there, or name the folder of the corpora with --data or PRISM_SHARED_DATA."
        )


Translate = Callable[[Sequence[str]], list[str]]
"""Translator T: an answer for each text, in order; empty if it gave none that can be used."""


@dataclass(frozen=True)
class CorpusDocument:
    """Document of a corpus.

    ``lines`` are its paragraphs or lines as sentences, ``references`` a human translation of each
    line, or none; ``asked_in_target`` are its questions as T translates them.
    """

    name: str
    lines: tuple[tuple[Sentence, ...], ...]
    references: tuple[str, ...] = ()
    asked: tuple[Question, ...] = ()
    asked_in_target: tuple[Question, ...] = ()

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """All its sentences, in order."""
        return tuple(sentence for line in self.lines for sentence in line)


@dataclass(frozen=True)
class Corpus:
    """Archive: its documents, and T of each sentence in ``direct``.

    ``names`` are found without any of the detectors that protect. ``stop_words`` and
    ``target_stop_words`` are those of the sliding window.
    """

    name: str
    documents: tuple[CorpusDocument, ...]
    direct: tuple[str, ...]
    names: GoldNames
    stop_words: tuple[str, ...] = ()
    target_stop_words: tuple[str, ...] = ()

    @cached_property
    def sentences(self) -> list[Sentence]:
        """All sentences, in order."""
        return [sentence for document in self.documents for sentence in document.sentences]

    @cached_property
    def private(self) -> list[str]:
        """x_pri of each sentence."""
        return [sentence.text.strip() for sentence in self.sentences]

    @cached_property
    def sizes(self) -> list[int]:
        """Number of sentences of each document."""
        return [len(document.sentences) for document in self.documents]


def prepare(
    texts: Texts, model: LanguageModel, translate: Translate, ordinary: frozenset[str]
) -> Corpus:
    """Annotate and translate ``texts``; ``ordinary`` words are no names by a capital."""
    documents = []
    for text in texts.documents:
        in_target = []
        for question in text.questions:
            asked = [question.text, *question.choices]
            answers = zip(asked, translate(asked), strict=True)
            own, *choices = (answer or source for source, answer in answers)
            in_target.append(Question(own, tuple(choices), question.answer))
        lines = _annotate(model, text.lines)
        documents.append(
            CorpusDocument(text.name, lines, text.references, text.questions, tuple(in_target))
        )
    lists = [file.read_text("utf-8").splitlines() for file in SHIPPED_NAMES.glob("*.txt")]
    listed = {word for lines in lists for line in lines if line[:1] != "#" for word in line.split()}
    private = [s.text.strip() for document in documents for s in document.sentences]
    direct = zip(private, translate(private), strict=True)
    return Corpus(
        name=texts.name,
        documents=tuple(documents),
        direct=tuple(answer or source for source, answer in direct),
        names=GoldNames.of(private, ordinary, listed),
        stop_words=texts.stop_words,
        target_stop_words=tuple(translate(texts.stop_words)),
    )


def sentences_of(model: LanguageModel, lines: Iterable[str]) -> tuple[Sentence, ...]:
    """Return the non-empty sentences of ``lines``, in order."""
    return tuple(sentence for line in _annotate(model, lines) for sentence in line)


def _annotate(model: LanguageModel, lines: Iterable[str]) -> tuple[tuple[Sentence, ...], ...]:
    return tuple(
        tuple(sentence for sentence in line if sentence.text.strip())
        for line in model.annotate(list(lines))
    )
