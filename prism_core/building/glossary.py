"""The user's own terms: a CSV or TBX file in, entries out that win over every translator.

A row that cannot be used is told by its line and the reason, and the others are taken.

Entry: ``read_glossary`` (``_read_csv``, ``_read_tbx``), then ``glossary_entries``; ``_fault`` says
what is wrong with a row.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

from prism_core.dictionary import GLOSSARY, Entry, Form
from prism_core.errors import ConfigurationError
from prism_core.language import Sentence
from prism_core.languages import Language
from prism_core.safe_xml import Element, elements, language, local_name

Annotate = Callable[[Sequence[str]], Sequence[Sequence[Sentence]]]
"""The language model: the sentences of each text."""

_PLAIN_TAG = {"NNP": "NN", "NNPS": "NNS", "VBP": "VB", "FW": "NN"}
_TAG_OF_CLASS = {"noun": "NN", "verb": "VB", "adjective": "JJ", "adverb": "RB"}
_HEADINGS = {
    **dict.fromkeys(("source", "term", "word"), "source"),
    **dict.fromkeys(("target", "translation"), "target"),
    **dict.fromkeys(("tag", "pos"), "tag"),
}
"""What the columns of a CSV file may be called, beside the languages."""


@dataclass(frozen=True, slots=True)
class Term:
    """A row as it was read: ``targets`` are the translations, the preferred one first."""

    line: int
    source: str
    targets: tuple[str, ...]
    tag: str = ""


@dataclass(frozen=True, slots=True)
class BadTerm:
    """A row that was left out, and why."""

    line: int
    reason: str


def read_glossary(path: Path, source: str, target: str) -> list[Term]:
    """The terms of ``path``: TBX when it ends in ``.tbx`` or ``.xml``, else CSV.

    CSV is UTF-8, with commas, semicolons or tabs, and two columns, or a heading that names
    ``source``, ``target`` (or the languages) and perhaps ``tag`` (Penn, as in docs/dictionary.md).
    Raises ``ConfigurationError`` for a file that is neither.
    """
    is_xml = path.suffix.lower() in (".tbx", ".xml")
    terms = list(_read_tbx(path, source, target) if is_xml else _read_csv(path, source, target))
    if not terms:
        raise ConfigurationError(f"{path} holds no terms from {source} to {target}.")
    return terms


def glossary_entries(
    terms: Sequence[Term],
    known: Sequence[Entry],
    annotate: Annotate,
    source: Language,
    built: str,
) -> tuple[list[Entry], list[BadTerm]]:
    """The entries of ``terms``, and the rows that were left out.

    A term without a tag gets the one that the language model gives it most often. Its agreement
    class and features are those of a word of ``known`` that has the same translation; else its
    class is not known. Of two rows for one word and tag, the translations are joined.
    """
    models = _index_translations(known)
    guesses = _guess_tags([t.source for t in terms if not t.tag], annotate, source)
    entries: dict[tuple[str, str], Entry] = {}
    bad = []
    for term in terms:
        tag = term.tag or guesses.get(term.source, "")
        if reason := _fault(term, tag, source):
            bad.append(BadTerm(term.line, reason))
            continue
        entry = _entry(term, tag, models, built)
        earlier = entries.get((entry.word, tag))
        if earlier is not None:
            known_texts = {form.text for form in earlier.forms}
            added = [form for form in entry.forms if form.text not in known_texts]
            entry = earlier.replace_forms([*earlier.forms, *added])
        entries[entry.word, tag] = entry
    return list(entries.values()), bad


def _fault(term: Term, tag: str, source: Language) -> str:
    """Why ``term`` cannot be an entry; empty when it can."""
    word = term.source
    checks = (
        (not word, "the source term is empty"),
        (not term.targets, "the translation is empty"),
        (len(word.split()) > 1, "the source term is more than one word, and words are replaced"),
        (not word.isalpha(), "the source term holds more than letters"),
        (len(word) == 1, "the source term is a single letter"),
        (
            not word.islower(),
            "the source term has a capital: names are put back as they are, so it needs no entry",
        ),
        (
            source.is_function_word(word),
            "the source term is a function word, which is never replaced",
        ),
        (any(not any(c.isalpha() for c in t) for t in term.targets), "a translation has no letter"),
        (
            bool(term.tag) and tag not in source.frames.of_tags,
            f"the tag {term.tag!r} is not one of the dictionary",
        ),
        (
            tag not in source.frames.of_tags,
            "its part of speech is not clear; say it in a column named tag",
        ),
    )
    return next((reason for is_wrong, reason in checks if is_wrong), "")


def _entry(term: Term, tag: str, models: Mapping[tuple[str, str], Entry], built: str) -> Entry:
    model = models.get((tag, term.targets[0].lower()))
    alike = {form.text: form.features for form in model.forms} if model else {}
    forms = [Form(text, 1.0, alike.get(text.lower(), ())) for text in term.targets]
    if model is not None:  # its other inflections
        given = {form.text.lower() for form in forms}
        forms += [f._replace(score=0.5) for f in model.forms if f.features and f.text not in given]
    return Entry(
        word=term.source,
        tag=tag,
        forms=tuple(forms),
        agreement=model.agreement if model else "",
        confidence=1.0,
        calls=0.0,
        translator=GLOSSARY,
        method="glossary",
        built=built,
    )


def _index_translations(known: Sequence[Entry]) -> dict[tuple[str, str], Entry]:
    """For each tag and translation the most confident word that is translated so."""
    found: dict[tuple[str, str], Entry] = {}
    for entry in sorted(known, key=lambda entry: (entry.confidence, entry.word)):
        if entry.agreement:
            found[entry.tag, entry.forms[0].text] = entry
    return found


def _guess_tags(words: Sequence[str], annotate: Annotate, source: Language) -> dict[str, str]:
    """The tag each word has in most of the contexts; no entry where the model sees two words."""
    contexts = source.frames.term_contexts
    different = [word for word in dict.fromkeys(words) if word.isalpha()]
    texts = [context.format(word) for word in different for context in contexts]
    shown = iter(annotate(texts))
    guesses = {}
    for word in different:
        tags: Counter[str] = Counter()
        for _ in contexts:
            tokens = [token for sentence in next(shown) for token in sentence.tokens]
            tags.update(_PLAIN_TAG.get(t.tag, t.tag) for t in tokens if t.text == word)
        if tags:
            guesses[word] = tags.most_common(1)[0][0]
    return guesses


def _read_csv(path: Path, source: str, target: str) -> Iterator[Term]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ConfigurationError(f"{path} is not UTF-8 text; save it as CSV in UTF-8.") from None
    if "\0" in text:
        raise ConfigurationError(f"{path} is not a CSV file; save it as CSV in UTF-8.")
    begin = text.partition("\n")[0]
    delimiter = max(",;\t", key=begin.count)
    if delimiter not in begin:
        raise ConfigurationError(f"{path} has no two columns: a comma, semicolon or tab is needed.")
    rows = csv.reader(StringIO(text), delimiter=delimiter)
    headings = {source: "source", target: "target", **_HEADINGS}
    first = [cell.strip().lower() for cell in next(rows)]
    columns = [headings.get(cell, "") for cell in first]
    if not {"source", "target"}.issubset(columns):  # no heading
        columns = ["source", "target", "tag"][: max(2, len(first))]
        rows = csv.reader(StringIO(text), delimiter=delimiter)
    for row in rows:
        cells: dict[str, str] = {}
        for column, cell in zip(columns, row, strict=False):
            cells.setdefault(column, cell.strip())
        if any(cell.strip() for cell in row):
            targets = tuple(filter(None, [cells.get("target")]))
            yield Term(
                rows.line_num, cells.get("source", ""), targets, cells.get("tag", "").upper()
            )


def _read_tbx(path: Path, source: str, target: str) -> Iterator[Term]:
    for concept in elements(path, ("termEntry", "conceptEntry")):
        sides: dict[str, list[str]] = {}
        for section in concept:
            if local_name(section) in ("langSet", "langSec"):
                sides.setdefault(language(section), []).extend(_terms(section))
        tag = _TAG_OF_CLASS.get(_word_class(concept), "")
        line = int(str(concept.sourceline))
        targets = tuple(sides.get(target, ()))
        for word in sides.get(source, ()) if targets else ():
            yield Term(line, word, targets, tag)


def _terms(section: Element) -> list[str]:
    found = (
        "".join(map(str, inner.itertext()))
        for inner in section.iter()
        if local_name(inner) == "term"
    )
    return [" ".join(text.split()) for text in found if text.strip()]


def _word_class(concept: Element) -> str:
    notes = (e for e in concept.iter() if local_name(e) in ("termNote", "partOfSpeech"))
    found = (
        (note.text or "").strip().lower()
        for note in notes
        if local_name(note) == "partOfSpeech" or note.get("type") == "partOfSpeech"
    )
    return next(found, "")
