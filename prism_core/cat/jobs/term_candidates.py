"""Candidate terms of an archive, for a person to edit into a glossary before the first run.

Candidates are noun phrases that stand in the archive more often than chance explains: the chance of
public text (``Plausibility``), and for phrases also that of their words in the archive. The local
model translates them, if there is one. Nothing is sent.

Entry: ``write_candidate_terms`` -> ``find_phrases`` in each sentence -> ``_choose``.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

from prism_core.drafts import draft_sentences
from prism_core.errors import ConfigurationError, Misconfigured
from prism_core.jobs import read_on_scratch_state
from prism_core.language import LanguageModel, Sentence, penn_tag
from prism_core.languages import Language, load_language, source_languages
from prism_core.mechanisms import load_plausibility
from prism_core.settings import AUTO, Job
from prism_core.translation_memory import write_memory

_CLASSES = {"NN": "N", "NNS": "N", "JJ": "A", "VBN": "A", "IN": "P"}
"""Letters of the words of a phrase: nouns, adjectives, and a preposition between two nouns."""
_HYPHENS = "-‐‑"
_LONGEST = 4
_FEWEST_LETTERS = 3
"""Fewest letters of a term of one word."""
_TELLING = 10
"""Times as often as in public text that a term of one word has to stand in the archive."""
_LONGEST_ARTICLE = 3
"""Letters of the longest article that a model writes before a noun (*o paciente*)."""
_CERTAIN = 10.83
"""Log-likelihood ratio (Dunning 1993) above which a count is by chance once in a thousand."""
_MOST_COUNTED = 500_000
"""Phrases after which those that were seen once are forgotten, which bounds memory."""

Phrase = tuple[str, ...]


class CandidateTerm(NamedTuple):
    """Noun phrase, the number of its places in different sentences, and that of its documents."""

    text: str
    places: int
    documents: int


@dataclass(slots=True)
class _PhraseCounts:
    """Counts of words and of phrases; ``classes`` are those of the words of each phrase."""

    words: Counter[str] = field(default_factory=Counter)
    phrases: Counter[Phrase] = field(default_factory=Counter)
    documents: Counter[Phrase] = field(default_factory=Counter)
    classes: dict[Phrase, str] = field(default_factory=dict)

    def add_document(self, sentences: Iterable[Sentence], language: Language) -> None:
        """Count the words and phrases of a document."""
        seen = set[Phrase]()
        for sentence in sentences:
            self.words.update(token.text.lower() for token in sentence.tokens)
            for phrase, classes in find_phrases(sentence, language):
                self.phrases[phrase] += 1
                self.classes.setdefault(phrase, classes)
                seen.add(phrase)
        self.documents.update(seen)
        if len(self.phrases) > _MOST_COUNTED:
            for phrase in [phrase for phrase, count in self.phrases.items() if count == 1]:
                del self.phrases[phrase], self.documents[phrase], self.classes[phrase]

    def is_usual(self) -> Callable[[Phrase], bool]:
        """Return a test if a phrase has the usual order of adjective and noun, and preposition."""
        links, orders = Counter[str](), Counter[str]()
        for phrase, classes in self.classes.items():
            if "P" in classes:
                links[phrase[classes.index("P")]] += self.phrases[phrase]
            orders[classes] += self.phrases[phrase]
        link = max(links, key=lambda word: links[word], default="")
        wrong = re.compile("NA" if orders["AN"] > orders["NA"] else "AN")

        def test(phrase: Phrase) -> bool:
            classes = self.classes[phrase]
            at = classes.find("P")
            return wrong.search(classes) is None and (at < 0 or phrase[at] == link)

        return test


def write_candidate_terms(
    job: Job, file: Path, *, fewest: int = 3, replace: bool = False
) -> tuple[int, int]:
    """Write the candidate terms of the archive to ``file``, a glossary for its owner alone.

    Terms that occur in fewer than ``fewest`` sentences are left out. Nothing is sent; the archive
    is read as for a plan. Returns the number of terms, and of those with a translation. Raises
    ``ConfigurationError`` for an archive without terms, and as ``write_memory``.
    """
    if job.source == AUTO:
        raise ConfigurationError("terms are those of one source language: name it (--from)")
    if file.exists() and not replace:
        raise ConfigurationError(f"{file} exists already; name another file, or add --replace")
    language, counts = load_language(job.source), _PhraseCounts()
    model = LanguageModel.load(job.source, job.settings.language.model)
    with read_on_scratch_state(job) as (run, _):
        for document in run.store.documents.of_run(run.job.run_id):
            texts = (text for _, text in run.store.sentences.source_texts(document.id))
            found = (one for sentences in model.annotate(texts) for one in sentences)
            counts.add_document(found, language)
    terms = _choose(counts, language, fewest)
    if not terms:
        raise ConfigurationError(f"no term stands in {fewest} sentences of the archive or more")
    translations = _translate(job, model, [term.text for term in terms])
    text = io.StringIO()
    writer = csv.writer(text, "excel-tab", lineterminator="\n")
    writer.writerow(("source", "target", "kind", "count", "documents"))
    for term, translation in zip(terms, translations, strict=True):
        writer.writerow((term.text, translation, "noun", term.places, term.documents))
    write_memory(file, iter((text.getvalue().encode("utf-8-sig"),)), None, replace=replace)
    return len(terms), sum(map(bool, translations))


def find_phrases(sentence: Sentence, language: Language) -> Iterator[tuple[Phrase, str]]:
    """Yield the noun phrases of ``sentence`` with the classes of their words (``_CLASSES``).

    Nouns in the plural are in the singular. Names are in no phrase, nor are words of grammar, but
    for a preposition between two nouns.
    """
    words, classes, is_joined = list[str](), list[str](), False
    for token in sentence.tokens:
        kind = _CLASSES.get(penn_tag(token.tag), "-")
        has_capital = language.words.nouns_have_capitals and kind == "N"
        is_usual = token.text[1:].islower() or len(token.text) == 1
        word = token.text.lower() if is_usual and not has_capital else token.text
        is_grammar = language.is_function_word(token.text) != (kind == "P")
        if token.entity or is_grammar or not token.text.isalpha():
            kind = "-"
        if "Number=Plur" in token.morph:
            word = token.lemma if has_capital else token.lemma.lower()
        if is_joined and (token.text in _HYPHENS or words[-1][-1] in _HYPHENS):  # *ground-glass*
            words[-1] += word
            classes[-1] = kind
        else:
            words.append(word)
            classes.append(kind)
        is_joined = bool(words) and not token.whitespace
    for start in range(len(words)):
        for end in range(start + 1, min(start + _LONGEST, len(words)) + 1):
            chosen = "".join(classes[start:end])
            if "-" in chosen or chosen[0] == "P":
                break
            if _is_whole(chosen):
                yield tuple(words[start:end]), chosen


def _is_whole(classes: str) -> bool:
    """Return True if a noun is at one end, and before and behind a preposition."""
    before, link, after = classes.partition("P")
    if link and not (before.endswith("N") and "N" in after and "P" not in after):
        return False
    return "N" in (classes[0], classes[-1])


def _choose(counts: _PhraseCounts, language: Language, fewest: int) -> list[CandidateTerm]:
    """Return the phrases that chance does not explain, the most frequent first.

    A phrase that hardly ever stands outside a longer one is left out.
    """
    plausibility, is_usual = load_plausibility(language), counts.is_usual()
    total = counts.words.total()
    within = Counter[Phrase]()
    kept = list[CandidateTerm]()
    for phrase in sorted(counts.phrases, key=len, reverse=True):
        count, size = counts.phrases[phrase], len(phrase)
        if count - within[phrase] < fewest or not is_usual(phrase):
            continue
        chance = plausibility.chance_of(phrase) if plausibility else 0.0
        if size > 1:
            chance = max(chance, math.prod(counts.words[word.lower()] / total for word in phrase))
        elif len(phrase[0]) < _FEWEST_LETTERS or count < total * chance * _TELLING:
            continue
        if _likelihood_ratio(count, total * chance) < _CERTAIN:
            continue
        kept.append(CandidateTerm(" ".join(phrase), count, counts.documents[phrase]))
        for start, end in combinations(range(size + 1), 2):
            if end - start < size:
                part = phrase[start:end]
                within[part] = max(within[part], count)
    return sorted(kept, key=lambda term: (-term.places, term.text))


def _likelihood_ratio(count: int, expected: float) -> float:
    """Return how much a ``count`` above the ``expected`` one tells, 0 for others."""
    if count <= expected:
        return 0.0
    return 2 * (count * math.log(count / max(expected, 1e-9)) - (count - expected))


def _translate(job: Job, model: LanguageModel, texts: Sequence[str]) -> list[str]:
    """Return the translations of ``texts`` by the local model, empty where there is none."""
    if (local := job.settings.local_translator) is None:
        return [""] * len(texts)
    sentences = list(map(Sentence.join, model.annotate(texts)))
    try:
        drafts = draft_sentences(local, sentences, job.source, job.target)
    except Misconfigured:  # the engine lacks this pair
        return [""] * len(texts)
    found = [
        _clean(draft.text, text) if draft else "" for draft, text in zip(drafts, texts, strict=True)
    ]
    if job.target in source_languages() and load_language(job.target).words.nouns_have_capitals:
        return found
    return [
        text if term[:1].isupper() or text[1:2].isupper() else text[:1].lower() + text[1:]
        for text, term in zip(found, texts, strict=True)
    ]


def _clean(translation: str, term: str) -> str:
    """Return ``translation`` without an article before it, or a stop behind it."""
    words = translation.strip(" .").split()
    has_article = len(words) > len(term.split()) and len(words[0]) <= _LONGEST_ARTICLE
    return " ".join(words[has_article:])
