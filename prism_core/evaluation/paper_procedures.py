"""The PRISM paper's own procedures, Algorithms 1 and 2 and equations 1, 14 and 15.

Written from the paper alone and kept apart from ``prism_core``: it shares the tokenizer and tagger,
nothing else. Where the paper is silent, the choice is stated at the place.

Entry: ``paper_dictionary`` (``build``, kept by ``load_or_build``), then ``encode`` (PRISM*) or
``encode_at_random`` (PRISM-R), and ``decode``.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from random import Random

from prism_core.evaluation.corpora import Translate, read_texts, sentences_of
from prism_core.files import make_file, make_folder
from prism_core.language import LanguageModel, Sentence

_MARKS = ".,;:!?¡¿\"'“”()"
CALLS = 32
"""Texts in which each word is translated; 2,000 in the paper's code."""
Key = tuple[str, str]
"""A source word as it is written, and its tag; no tag for PRISM-R."""


@dataclass(frozen=True, slots=True)
class DictionaryPlan:
    """Plan of building the dictionary from D; by eq. 1, without tags, where not ``tagged``."""

    calls: int = CALLS
    forms: int = 10
    seed: int = 1
    tagged: bool = True


@dataclass(frozen=True)
class WordDictionary:
    """L(w, s): target words with p of eq. 14, in decreasing order."""

    forms: dict[Key, list[tuple[str, float]]]

    def confidence(self, key: Key) -> float:
        """c(w, s) = max_v p(w, s, v), eq. 15; 0 for a word that has no entry."""
        found = self.forms.get(key)
        return found[0][1] if found else 0.0

    def digest(self) -> str:
        """Return a digest of all entries."""
        return hashlib.sha256(_as_json(self).encode()).hexdigest()[:16]

    def words_by_tag(self) -> dict[str, list[str]]:
        """Return the words of each tag in decreasing confidence, ties alphabetically."""
        groups: dict[str, list[str]] = defaultdict(list)
        for word, tag in sorted(self.forms, key=lambda key: (-self.confidence(key), key)):
            groups[tag].append(word)
        return groups


def build(
    sentences: Sequence[Sentence],
    words: Iterable[Key],
    translate: Translate,
    plan: DictionaryPlan,
) -> WordDictionary:
    """Eq. 14 over D = ``sentences`` for each of ``words``: p = Pr[v in R_w,s] / Pr[v in R].

    S_w,s are sentences of D in which one word of tag s was replaced by w, R_w,s their
    translations, R those of D. A word v that R never has counts as if one sentence had it. A word
    of no tag replaces any word (eq. 1).
    """
    rng = Random(plan.seed)
    places: dict[str, list[tuple[Sentence, int]]] = defaultdict(list)
    for sentence in sentences:
        for position, token in enumerate(sentence.tokens):
            places[token.tag].append((sentence, position))
            if token.text.isalpha():
                places[""].append((sentence, position))
    keys = sorted(key for key in set(words) if key[1] in places)
    texts = [
        _replace(sentence, {at: word})
        for word, tag in keys
        for sentence, at in rng.choices(places[tag], k=plan.calls)
    ]
    plain = _presence(translate([sentence.text.strip() for sentence in sentences]))
    base = {v: count / len(sentences) for v, count in plain.items()}
    answers = iter(translate(texts))
    forms = {}
    for key in keys:
        present = _presence(islice(answers, plan.calls))
        ratios = {
            v: count / plan.calls / base.get(v, 1 / len(sentences)) for v, count in present.items()
        }
        forms[key] = sorted(ratios.items(), key=lambda pair: (-pair[1], pair[0]))[: plan.forms]
    return WordDictionary(forms)


def load_or_build(
    folder: Path, texts: Sequence[str], plan: DictionaryPlan, make: Callable[[], WordDictionary]
) -> WordDictionary:
    """Return what ``make`` gives, stored in ``folder`` under a name that follows from its input.

    ``texts`` are all that D and the words are read off.
    """
    content = json.dumps([asdict(plan), *texts])
    digest = hashlib.sha256(content.encode()).hexdigest()[:16]
    path = folder / f"reference-{digest}.json"
    if path.is_file():
        rows = json.loads(path.read_text("utf-8"))
        return WordDictionary({(w, tag): [(v, p) for v, p in forms] for w, tag, forms in rows})
    dictionary = make()
    make_folder(folder)
    unfinished = path.with_suffix(".part")
    make_file(unfinished)
    unfinished.write_text(_as_json(dictionary), "utf-8")
    unfinished.replace(path)
    return dictionary


def _as_json(dictionary: WordDictionary) -> str:
    rows = [[word, tag, forms] for (word, tag), forms in dictionary.forms.items()]
    return json.dumps(rows, ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class Substitution:
    """Element of the history: token ``position`` of sentence ``sentence``, (t, u, s)."""

    sentence: int
    position: int
    word: str
    substitute: str
    tag: str


def encode(
    document: Sequence[Sentence], dictionary: WordDictionary, ratio: float
) -> tuple[list[str], list[Substitution]]:
    """Lines 1 to 12: x_pub, one text a sentence, and the history H in the order it was made.

    The ⌈rn⌉ tokens of a document that have the highest confidence are replaced, each by the most
    confident word of its tag that the document has not used. A token whose tag has no word left
    is passed over (not in the paper).
    """
    tokens = [
        (i, at, token)
        for i, sentence in enumerate(document)
        for at, token in enumerate(sentence.tokens)
    ]
    ranked = sorted(tokens, key=lambda item: -dictionary.confidence((item[2].text, item[2].tag)))
    unused = {tag: iter(words) for tag, words in dictionary.words_by_tag().items()}
    history: list[Substitution] = []
    for index, position, token in ranked:
        known = dictionary.confidence((token.text, token.tag)) > 0
        if len(history) >= ratio * len(tokens) or not known:
            break
        substitute = next(unused[token.tag], None)
        if substitute is not None:
            history.append(Substitution(index, position, token.text, substitute, token.tag))
    return _write(document, history), history


def encode_at_random(
    document: Sequence[Sentence], dictionary: WordDictionary, ratio: float, rng: Random
) -> tuple[list[str], list[Substitution]]:
    """Lines 1 to 9 of Algorithm 1: each token becomes any word of L with probability ``ratio``."""
    known = sorted(key for key, forms in dictionary.forms.items() if forms)
    history = [
        Substitution(i, at, token.text, *rng.choice(known))
        for i, sentence in enumerate(document)
        for at, token in enumerate(sentence.tokens)
        if rng.random() < ratio
    ]
    return _write(document, history), history


def _write(document: Sequence[Sentence], history: Iterable[Substitution]) -> list[str]:
    by_sentence: dict[int, dict[int, str]] = defaultdict(dict)
    for substitution in history:
        by_sentence[substitution.sentence][substitution.position] = substitution.substitute
    return [_replace(sentence, by_sentence[i]) for i, sentence in enumerate(document)]


def decode(
    answers: Sequence[str], history: Iterable[Substitution], dictionary: WordDictionary
) -> tuple[list[str], set[Substitution]]:
    """Lines 14 to 19: y_pri, one text a sentence, and the substitutions that were found.

    For each (w, u, s) in turn, the first v of L(u, s) that the text of the document has anywhere,
    inside a word too, is replaced by L(w, s, 1), where it stands first. A token that has no entry,
    as a mark, comes back as it is (not in the paper).
    """
    text = "\n".join(answers)
    found = set()
    for substitution in history:
        own = dictionary.forms.get((substitution.word, substitution.tag))
        for v, _ in dictionary.forms[substitution.substitute, substitution.tag]:
            if v in text:
                text = text.replace(v, own[0][0] if own else substitution.word, 1)
                found.add(substitution)
                break
    return text.split("\n"), found


def _replace(sentence: Sentence, substitutes: dict[int, str]) -> str:
    return "".join(
        substitutes.get(position, token.text) + token.whitespace
        for position, token in enumerate(sentence.tokens)
    ).strip()


def _presence(translations: Iterable[str]) -> Counter[str]:
    """Count in how many texts each word stands, as it is written, without the marks around it."""
    words = ({part.strip(_MARKS) for part in text.split()} - {""} for text in translations)
    return Counter(word for present in words for word in present)


def paper_dictionary(
    data: Path,
    cache: Path,
    translator: str,
    languages: tuple[str, str],
    model: LanguageModel,
    translate: Translate,
    about_to_ask: Callable[[], object] = lambda: None,
    *,
    tagged: bool = True,
    calls: int = CALLS,
) -> WordDictionary:
    """Build an entry for every word of MC160, stored in ``cache``, by 3,400 times ``calls`` texts.

    The words of the test are among them: that is the paper's setting, by the words of its examples,
    and more than an archive's owner has. D, into which the words are put, are the other stories.
    ``about_to_ask`` is called before anything is asked of ``translate``.
    """
    parts = [
        read_texts(f"mctest/mc160.{name}", data, *languages) for name in ("train", "dev", "test")
    ]
    lines = [[line for text in part.documents for line in text.lines] for part in parts]
    others, test = [*lines[0], *lines[1]], lines[2]
    plan = DictionaryPlan(calls, tagged=tagged)

    def make() -> WordDictionary:
        about_to_ask()
        d, known = sentences_of(model, others), sentences_of(model, test)
        words = {
            (t.text, t.tag if tagged else "")
            for sentence in (*d, *known)
            for t in sentence.tokens
            if t.text.isalpha()
        }
        return build(d, words, translate, plan)

    return load_or_build(cache, [translator, *languages, *others, *test], plan, make)
