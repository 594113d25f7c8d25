"""Fusion of a restored translation with a draft of the same sentence by the model on this machine.

The translator gave the sentence its structure, for other words; the draft knows the words. So each
word that was put back takes the form that the draft has for it, and a word that no dictionary knows
its translation. Names, numbers and codes stay as they were put back.

What the translator did not see costs quality, the more, the less the fused translation agrees with
the draft, as measured on answers to what is really sent (``python -m benchmarks.chooser``). So it
is written where the translator is better, in clear, by more than that.

Entry: ``Drafter.open``; then ``Drafter.draft`` and ``Drafter.align``, and ``fuse``; ``count_left``
counts what stays in the source language, ``prefers_local`` chooses between the two, and
``Drafter.rate`` estimates their quality.
"""

from __future__ import annotations

import asyncio
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from heapq import nlargest
from typing import NamedTuple, Self

from prism_core.alignment import Match, Span, Translation, put_in
from prism_core.dictionary import Glossary, read_article_endings
from prism_core.drafts.aligner import ForcedAligner, Judged, Links
from prism_core.drafts.checked import find_drafting_model
from prism_core.drafts.doubtful_words import WrittenWord, find_invented
from prism_core.drafts.faults import Fault
from prism_core.drafts.left_out import leaves_out
from prism_core.errors import Misconfigured
from prism_core.languages import load_language
from prism_core.mechanisms import in_case_of
from prism_core.resources import SHIPPED
from prism_core.settings import TranslatorSettings
from prism_core.translators import Translator, make_translator

_WORD = re.compile(r"\w+")
_NO_TERMS = Glossary()
_LAST_SHORT = re.compile(r"(?<!\w)([^\W\d_]{1,4}) $")
LEAST_WEIGHT = 0.5
"""Least weight of a link by which a word of the draft is taken."""
_LONG, _ENDING, _SHORTEST_PREFIX = 6, 2, 2
"""Letters of a word that may lose an ending, of that ending, and of a prefix."""
_LEAST_SURE = 5
LOSS = 30.0
"""Loss of a sentence that has nothing in common with the draft, in chrF against a person's."""


@dataclass(frozen=True, slots=True)
class AlignedDraft:
    """A draft, and the words of it by the words of its source."""

    text: str
    words: Mapping[Span, Span]

    @classmethod
    def of(cls, text: str, links: Links) -> Self:
        """Return the draft ``text`` with those of its ``links`` that are one to one and strong."""
        targets: dict[Span, list[Span]] = {}
        for match, weight in links.items():
            if weight >= LEAST_WEIGHT:
                targets.setdefault(match.source, []).append(match.target)
        return cls(text, {source: found[0] for source, found in targets.items() if len(found) == 1})


class Rating(NamedTuple):
    """Estimated quality of a translation, if known, and faults that the model shows in it."""

    quality: float | None = None
    faults: frozenset[Fault] = frozenset()


class Drafter:
    """Model on this machine that drafts sentences, and aligns them with translations by others."""

    def __init__(
        self, translator: Translator, aligner: ForcedAligner, pair: tuple[str, str]
    ) -> None:
        self._translator, self._aligner, self._pair = translator, aligner, pair

    @classmethod
    def open(cls, settings: TranslatorSettings | None, source: str, target: str) -> Self | None:
        """Load the model of ``settings``; None if it cannot align, or there is none."""
        file = find_drafting_model(settings, source, target)
        if settings is None or file is None:
            return None
        try:
            aligner = ForcedAligner.load(file.parent)
            return cls(make_translator(settings, source, target), aligner, (source, target))
        except Misconfigured:
            return None

    def draft(self, texts: Sequence[str]) -> list[AlignedDraft]:
        """Translate ``texts``, and align the drafts."""
        drafts = asyncio.run(self._translator.translate(texts, *self._pair))
        links = self._aligner.align(list(zip(texts, drafts, strict=True)))
        return [AlignedDraft.of(*draft) for draft in zip(drafts, links, strict=True)]

    def translate(self, texts: Sequence[str]) -> list[Translation]:
        """Translate ``texts`` as a provider without links would."""
        return list(map(Translation, asyncio.run(self._translator.translate(texts, *self._pair))))

    def answer(self, texts: Sequence[str]) -> list[Translation]:
        """Translate ``texts`` as a provider would, with their words linked."""
        return self.align(list(zip(texts, self.translate(texts), strict=True)))

    def rate(
        self, rows: Sequence[tuple[str, str, str]], glossary: Glossary = _NO_TERMS
    ) -> list[Rating]:
        """Rate translations; see ``estimate_quality``, ``find_invented`` and ``leaves_out``.

        Each of ``rows`` has the source, the translation and the draft of the source, which may be
        the same. Words of the terms of ``glossary`` are not doubted.
        """
        judged = self.judge([(source, text) for source, text, _ in rows])
        language, ratings = load_language(self._pair[0]), []
        for (words, read), (source, text, draft) in zip(judged, rows, strict=True):
            agreement = measure_agreement(text, draft)
            quality = estimate_quality(peak_entropy(words), agreement) if words else None
            terms = [term.lower() for *_, term in glossary.list_terms_in(source)]
            known = {*_WORD.findall(" ".join(terms))}
            faults = {Fault.INVENTED} if find_invented(source, words, self._pair, known) else set()
            if leaves_out(read, language):
                faults.add(Fault.MISSING)
            ratings.append(Rating(quality, frozenset(faults)))
        return ratings

    def judge(self, pairs: Sequence[tuple[str, str]]) -> list[Judged]:
        """Return what the model makes of the words of each of ``pairs``."""
        return self._aligner.judge(pairs)

    def align(self, pairs: Sequence[tuple[str, Translation]]) -> list[Translation]:
        """Link the words of each of ``pairs``, unless they are linked already."""
        unlinked = [n for n, (_, answer) in enumerate(pairs) if not answer.matches]
        links = self._aligner.align([(pairs[n][0], pairs[n][1].text) for n in unlinked])
        found = [answer for _, answer in pairs]
        for n, matches in zip(unlinked, links, strict=True):
            found[n] = Translation(found[n].text, tuple(matches))
        return found


def fuse(
    text: str, words: Mapping[Span, Span], draft: AlignedDraft, target: str
) -> dict[Span, str]:
    """Return what to write at places of ``text``: the words of ``draft``, where they differ.

    ``words`` has the places in ``text`` of ordinary words that were put back, by their places in
    the source. A word of the draft that is part of what was put back, in any ending, is not all of
    it, and may say the opposite: *frequente* of *pouco frequente*, *oitavo* of *décimo oitavo*.
    """
    changes = {}
    for source, place in words.items():
        if (drafted := draft.words.get(source)) is not None:
            shown, word = text[slice(*place)], draft.text[slice(*drafted)]
            is_other = word.isalpha() and word.lower() != shown.lower()
            stem = word.lower() if len(word) < _LONG else word.lower()[:-_ENDING]
            is_long = len(stem) >= _LONG - _ENDING
            is_part = is_long and stem in shown.lower()[_SHORTEST_PREFIX:]
            if is_other and not is_part:
                changes[place] = in_case_of(word.lower(), shown)
                before = text[: place[0]], draft.text[: drafted[0]]
                changes |= _fit_article(*before, "|".join(read_article_endings(target)))
    return changes


def _fit_article(before: str, drafted: str, endings: str) -> dict[Span, str]:
    """Return the change of the short word that ends ``before``, if ``drafted`` inflects it.

    In its ending alone, one of ``endings`` (a pattern): *o valor* for *a quantia*, *das* and *do*,
    *uma* and *um*; not *não*.
    """
    shown, wanted = _LAST_SHORT.search(before), _LAST_SHORT.search(drafted)
    if shown is None or wanted is None or shown[1].lower() == wanted[1].lower():
        return {}
    stems = [re.sub(f"(?:{endings})$", "", word[1].lower()) for word in (shown, wanted)]
    is_same = stems[0] == stems[1]
    return {shown.span(1): in_case_of(wanted[1].lower(), shown[1])} if is_same else {}


def count_left(text: str, draft: AlignedDraft, words: Iterable[str]) -> int:
    """Count the ``words`` of a source that its translation ``text`` has, and ``draft`` has not."""
    written, drafted = (set(_WORD.findall(each.lower())) for each in (text, draft.text))
    left = written - drafted
    return sum(w.lower() in left and any(map(str.isalpha, w)) for w in words)


def rewrite(text: str, changes: Mapping[Span, str], places: Sequence[Match]) -> Translation:
    """Return ``text`` with ``changes`` at their places, and ``places`` moved with it."""
    chosen, done = dict[Span, tuple[Span, str]](), 0
    for place in sorted({match.target for match in places} | changes.keys()):
        if place[0] >= done:  # else it overlaps the one before
            chosen[place] = place, changes.get(place, text[slice(*place)])
            done = place[1]
    written, moved = put_in(text, chosen)
    kept = (Match(match.source, moved[match.target]) for match in places if match.target in moved)
    return Translation(written, tuple(kept))


def prefers_local(fused: str, draft: str, lead: float) -> bool:
    """Return True unless the ``fused`` translation is likely to be better than the ``draft``.

    ``lead``: chrF of the translator in clear, less that of the model on this machine.
    """
    return lead <= LOSS * (1 - measure_agreement(fused, draft))


def estimate_quality(entropy: float, agreement: float) -> float:
    """Return the expected likeness, 0 to 1, of a translation to the nearest of three good ones.

    ``entropy`` is that of ``peak_entropy``, ``agreement`` that of ``measure_agreement``; how they
    count was measured (``python -m benchmarks.quality``).
    """
    weights = _read_weights()
    loss = weights["entropy"] * entropy + weights["disagreement"] * (1 - agreement)
    return min(max(weights["best"] - loss, 0.0), 1.0)


def peak_entropy(words: Sequence[WrittenWord]) -> float:
    """Return the mean entropy, in nats, of the words that the model is least sure of.

    The mean of all words finds fewer of the serious errors.
    """
    least_sure = nlargest(_LEAST_SURE, (word.entropy for word in words))
    return sum(least_sure) / len(least_sure)


@cache
def _read_weights() -> dict[str, float]:
    return tomllib.loads((SHIPPED / "data" / "quality.toml").read_text("utf-8"))


def measure_agreement(text: str, draft: str) -> float:
    """Return the share (F1) of the runs of three and of six characters that both have."""
    runs, drafted = _count_runs(text), _count_runs(draft)
    total = runs.total() + drafted.total()
    return 2 * (runs & drafted).total() / total if total else 1.0


def _count_runs(text: str) -> Counter[str]:
    letters = "".join(text.split())
    return Counter(letters[n : n + size] for size in (3, 6) for n in range(len(letters) - size + 1))
