"""Builds a dictionary from a translator and non-sensitive text, and from nothing else.

Frames propose the forms of a word and its agreement class, carriers test them in running text:
confidence is the share of carriers in which a form came back. Everything that is sent is public
text with dictionary words put in.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from random import Random

from prism_core.dictionary.carriers import Carriers, Evidence, weigh
from prism_core.dictionary.entry import Entry, Form
from prism_core.dictionary.frames import FRAMES, Filled, FrameReader
from prism_core.dictionary.tokens import target_tokens
from prism_core.dictionary.vocabulary import Candidate
from prism_core.language.sentence import Sentence

Translate = Callable[[Sequence[str]], list[str]]
"""T for one language pair: as many texts back, in order."""

UNKNOWN_CLASS_SHARE = 0.5
"""In the class of words that T does not know, more than this share comes back unchanged."""
LEAST_SEEN = 3 / 8
"""A form that no frame gave counts when it is new in at least this share of a word's probes."""
MOST_FORMS = 12


@dataclass(frozen=True, slots=True)
class BuildPlan:
    """How much a build costs: ``probes`` a word, from ``carriers`` sentences; ``seed`` for both."""

    probes: int = 8
    carriers: int = 6000
    seed: int = 20240717


class DictionaryBuilder:
    """One build; ``calls`` counts the texts that were translated."""

    def __init__(self, translate: Translate, plan: BuildPlan | None = None) -> None:
        self._translate = translate
        self._plan = plan or BuildPlan()
        self.calls = 0

    def build(self, words: Sequence[Candidate], sentences: Iterable[Sentence]) -> list[Entry]:
        """An entry for every word of ``words`` that T translates; the rest has none."""
        rng = Random(self._plan.seed)
        carriers = Carriers(sentences, rng, most=self._plan.carriers)
        filled = self._fill_frames(words)
        known = [word for word in words if filled.get((word.word, word.tag))]
        evidence, base = self._probe(known, carriers, rng)
        entries = (
            _entry(word, filled[word.word, word.tag], evidence.get((word.word, word.tag)), base)
            for word in known
        )
        return [entry for entry in entries if entry is not None]

    def _ask(self, texts: Sequence[str]) -> list[str]:
        self.calls += len(texts)
        return self._translate(texts)

    def _fill_frames(self, words: Sequence[Candidate]) -> dict[tuple[str, str], list[Filled]]:
        by_tag: dict[str, list[Candidate]] = defaultdict(list)
        for word in words:
            by_tag[word.tag].append(word)
        filled: dict[tuple[str, str], list[Filled]] = defaultdict(list)
        for tag, group in by_tag.items():
            for frame in FRAMES[tag]:
                outputs = self._ask([frame.text.format(word.surface) for word in group])
                shown = FrameReader(frame, outputs).filled()
                for word, one in _known(list(zip(group, shown, strict=True))):
                    filled[word.word, tag].append(one)
        return filled

    def _probe(
        self, words: Sequence[Candidate], carriers: Carriers, rng: Random
    ) -> tuple[dict[tuple[str, str], Evidence], BaseRate]:
        baseline = self._ask([sentence.text.strip() for sentence in carriers.sentences])
        evidence: dict[tuple[str, str], Evidence] = {}
        for _ in range(self._plan.probes):
            probes = carriers.probes(words, rng)
            answers = self._ask([probe.text for probe in probes])
            for probe, answer in zip(probes, answers, strict=True):
                weigh(probe, answer, baseline[probe.carrier], evidence)
        return evidence, BaseRate(baseline)


class BaseRate:
    """Pr[v in R]: how often a target word stands in translations of the untouched text."""

    def __init__(self, translations: Sequence[str]) -> None:
        self._seen = Counter(word for text in translations for word in set(target_tokens(text)))
        self._total = len(translations)

    def __getitem__(self, form: str) -> float:
        """The rate of ``form`` (of its rarest word, for a phrase), smoothed, in (0, 1)."""
        return (min(self._seen[word] for word in form.split()) + 0.5) / (self._total + 1)


def _known(
    pairs: Sequence[tuple[Candidate, Filled | None]],
) -> list[tuple[Candidate, Filled]]:
    """Drop what T left unchanged, unless its residue shows that T knows such words.

    A cognate (*hospital*) stands among known words; a word T does not know falls, with its kind,
    into a residue where nearly everything is unchanged.
    """
    present = [(word, one) for word, one in pairs if one is not None]
    unchanged: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for word, one in present:
        total[one.residue] += 1
        unchanged[one.residue] += one.form == word.word
    return [
        (word, one)
        for word, one in present
        if one.form != word.word
        or unchanged[one.residue] <= UNKNOWN_CLASS_SHARE * total[one.residue]
    ]


def _entry(
    word: Candidate, filled: Sequence[Filled], evidence: Evidence | None, base: BaseRate
) -> Entry | None:
    if evidence is None:
        return None
    features: dict[str, list[str]] = defaultdict(list)
    for one in filled:
        features[one.form].append(one.feature)
    for form, count in evidence.new.items():
        if count >= LEAST_SEEN * evidence.probes and base[form] < 1 / 200:
            features.setdefault(form, [])
    forms = sorted(
        (Form(form, _ratio(form, evidence, base), tuple(seen)) for form, seen in features.items()),
        key=lambda form: (-form.score, form.text),
    )[:MOST_FORMS]
    return Entry(
        word=word.word,
        tag=word.tag,
        forms=tuple(forms),
        agreement=_agreement(filled),
        confidence=_restored_share(forms, evidence),
        calls=evidence.calls + len(FRAMES[word.tag]),
    )


def _ratio(form: str, evidence: Evidence, base: BaseRate) -> float:
    """Eq. 14 with half a sighting added to each side, so that nothing divides by zero."""
    seen = sum(_stands_in(form, tokens) for tokens, _ in evidence.answers)
    return (seen + 0.5) / (evidence.probes + 1) / base[form]


def _restored_share(forms: Sequence[Form], evidence: Evidence) -> float:
    """The share of probes whose answer has a form that the carrier's own translation has not."""
    found = sum(
        any(
            _stands_in(form.text, tokens) and not plain.issuperset(form.text.split())
            for form in forms
        )
        for tokens, plain in evidence.answers
    )
    return (found + 0.5) / (evidence.probes + 1)


def _stands_in(form: str, tokens: Sequence[str]) -> bool:
    words = form.split()
    if len(words) == 1:
        return form in tokens
    return any(list(tokens[i : i + len(words)]) == words for i in range(len(tokens)))


def _agreement(filled: Sequence[Filled]) -> str:
    """The residue of the first frame, and which of the word's forms are alike.

    The pattern of equal forms tells apart words that vary with their neighbours from words that
    do not (``0011`` for *grande, grande, grandes, grandes*).
    """
    order: list[str] = []
    for one in filled:
        if one.form not in order:
            order.append(one.form)
    pattern = "".join(str(order.index(one.form)) for one in filled)
    return f"{filled[0].residue} {pattern}" if len(filled) > 1 else filled[0].residue
