"""Phrases tried out in running text: replaced as one, and word by word.

A phrase is worth an entry where a translator renders it in its own way (*go back*, *heart rate*),
so that its words, each replaced by another of its class, come back as something else. That is
asked of the translator itself, in sentences of public text that have the phrase.

Entry: ``find_phrase_inflections`` of public text; then ``try_phrases`` for those the frames gave an entry:
``_find_places`` -> ``_probes`` -> ``traceless``, once as one and once in parts.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import NamedTuple

from prism_core.building.carrier_sentences import Swap
from prism_core.building.corpus_occurrences import NOUNS
from prism_core.building.evidence import Trials, traceless
from prism_core.building.frame_queries import Ask, is_one_sentence, translate_packed
from prism_core.building.phrase_spans import find_phrases
from prism_core.building.word_candidates import Candidate
from prism_core.dictionary import Entry, target_tokens
from prism_core.language import Sentence, Token, penn_tag
from prism_core.languages import Language

MOST_PLACES = 5
"""Places in which a phrase is tried."""
LONGEST = 40
"""Tokens of a sentence in which one is tried at most."""
LEAST_TRIED = 2
"""A phrase that was tried less often goes by all inflections of it together."""
LEAST_GAIN = 0.2
"""By how much the share without a trace has to be higher for the phrase than for its words."""
LEAST_CONFIDENT = 0.5
"""Confidence of a word that may be put in for another in a trial."""

Key = tuple[str, str]


def find_phrase_inflections(sentences: Sequence[Sentence], language: Language) -> list[Candidate]:
    """The phrases of ``sentences`` under the tags of their heads, in each inflection of these."""
    inflected: dict[Key, set[Key]] = defaultdict(set)
    for sentence in sentences:
        for token in sentence.tokens:
            if token.text.isalpha() and token.text.islower():
                inflected[token.lemma.lower(), token.tag[:2]].add((token.text, token.tag))
    found: dict[Key, Candidate] = {}
    for family, places in find_phrases(sentences, language).items():
        counts: Counter[Key] = Counter()
        for place in places:
            tokens = sentences[place.sentence].tokens[place.first : place.first + place.length]
            words = [token.text for token in tokens]
            counts[" ".join(words), place.tag] += 1
            at = place.head - place.first
            lemma = tokens[at].lemma.lower(), place.tag[:2]
            for form, tag in inflected[lemma] if family[0] in "VN" else ():
                counts[" ".join([*words[:at], form, *words[at + 1 :]]), tag] += 0
        for (text, tag), count in counts.items():
            if tag in language.frames.of_tags:
                found.setdefault((text, tag), Candidate(text, tag, count, family))
    return list(found.values())


class _Place(NamedTuple):
    phrase: Entry
    sentence: int
    first: int
    length: int


class _Probe(NamedTuple):
    """A place filled twice: ``as_one`` and ``in_parts``, each a text and what was swapped in it."""

    place: _Place
    as_one: tuple[str, tuple[Swap, ...]]
    in_parts: tuple[str, tuple[Swap, ...]]


def try_phrases(
    phrases: Sequence[Entry],
    words: Mapping[Key, Entry],
    sentences: Sequence[Sentence],
    ask: Ask,
    packed: int,
    rng: Random,
    families: Mapping[Key, str],
) -> list[Entry]:
    """Those of ``phrases`` that leave less trace replaced as one than word by word.

    Their confidence is the share that leaves none; ``words`` are what is put in. ``packed``
    sentences make a text. Phrases of which no sentence tells are left out, unless one does of
    another inflection, of the same of ``families``.
    """
    stand_ins = _StandIns(words, rng)
    probes = [
        probe
        for place in _find_places(phrases, sentences, rng)
        if (probe := _probe(place, sentences[place.sentence], words, stand_ins)) is not None
    ]
    indices = sorted({probe.place.sentence for probe in probes})
    plain = translate_packed(ask, [sentences[index].text.strip() for index in indices], packed)
    baseline = dict(zip(indices, map(target_tokens, plain), strict=True))
    as_one, in_parts = (
        translate_packed(ask, texts, packed)
        for texts in ([probe.as_one[0] for probe in probes], [p.in_parts[0] for p in probes])
    )
    trials: dict[Key | str, tuple[Trials, Trials]] = defaultdict(lambda: (Trials(), Trials()))
    for probe, one, parts in zip(probes, as_one, in_parts, strict=True):
        shown = baseline[probe.place.sentence]
        key = probe.place.phrase.word, probe.place.phrase.tag
        for number, (swaps, answer) in enumerate(
            ((probe.as_one[1], one), (probe.in_parts[1], parts))
        ):
            results = traceless(swaps, target_tokens(answer), shown)
            for counted in (trials[key], trials[families.get(key, "")]):
                counted[number].add(None if None in results else all(results))
    return list(_choose(phrases, trials, families, 3 / packed))


def find_testable_phrases(phrases: Sequence[Entry], sentences: Sequence[Sentence]) -> set[Key]:
    """The word and tag of those of ``phrases`` that ``sentences`` have where they can be tried."""
    places = _find_places(phrases, sentences, Random(0))
    return {(place.phrase.word, place.phrase.tag) for place in places}


def _choose(
    phrases: Sequence[Entry],
    trials: Mapping[Key | str, tuple[Trials, Trials]],
    families: Mapping[Key, str],
    cost: float,
) -> Iterator[Entry]:
    """The phrases that are worth it by their own trials, or those of their families."""
    for phrase in phrases:
        key = phrase.word, phrase.tag
        one, parts = own = trials[key]
        if one.tried < LEAST_TRIED and families.get(key):
            one, parts = trials[families[key]]
        if one.tried and one.share >= parts.share + LEAST_GAIN:
            calls = phrase.calls + cost * own[0].tried
            yield score_whole_phrase(phrase, one.share, calls)


def score_whole_phrase(phrase: Entry, confidence: float, calls: float) -> Entry:
    """``phrase`` with the forms of its frames, each of which stands for all of it."""
    forms = [form._replace(score=1.0) for form in phrase.forms]
    return phrase.replace_forms(forms)._replace(confidence=confidence, calls=calls)


def _find_places(
    phrases: Sequence[Entry], sentences: Sequence[Sentence], rng: Random
) -> Iterator[_Place]:
    """At most ``MOST_PLACES`` of each phrase, at random, where its head has its tag."""
    by_first: dict[str, list[tuple[list[str], Entry]]] = defaultdict(list)
    for phrase in phrases:
        texts = phrase.word.split()
        by_first[texts[0]].append((texts, phrase))
    found: dict[Key, list[_Place]] = defaultdict(list)
    for index, sentence in enumerate(sentences):
        if len(sentence.tokens) > LONGEST or not is_one_sentence(sentence.text.strip()):
            continue
        words = sentence.words
        for first, word in enumerate(words):
            for texts, phrase in by_first.get(word, ()):
                after = first + len(texts)
                if words[first:after] == texts and _has_tag(phrase, sentence.tokens[first:after]):
                    place = _Place(phrase, index, first, len(texts))
                    found[phrase.word, phrase.tag].append(place)
    for places in found.values():
        yield from rng.sample(places, min(MOST_PLACES, len(places)))


def _has_tag(phrase: Entry, tokens: Sequence[Token]) -> bool:
    if penn_tag(phrase.tag) in NOUNS:
        return phrase.tag in (tokens[-1].tag, tokens[0].tag)
    return tokens[0].tag == phrase.tag or not phrase.tag.startswith("VB")


class _StandIns:
    """Words to put in for one of a tag and class: the surest of the same, or of a wider class."""

    def __init__(self, words: Mapping[Key, Entry], rng: Random) -> None:
        self._rng = rng
        self._by_class: dict[tuple[str, ...], list[Entry]] = defaultdict(list)
        for word in words.values():
            if word.confidence >= LEAST_CONFIDENT:
                parts = word.agreement_parts
                for length in range(len(parts) + 1):
                    self._by_class[word.tag, *parts[:length]].append(word)

    def for_entry(self, entry: Entry) -> Entry | None:
        """Another word than ``entry``; None where there is none."""
        parts = entry.agreement_parts
        for length in range(len(parts), -1, -1):
            there = self._by_class.get((entry.tag, *parts[:length]), [])
            if len(there) > 1:
                chosen = self._rng.choice(there)
                return chosen if chosen.word != entry.word else self._rng.choice(there)
        return None


def _probe(
    place: _Place, sentence: Sentence, words: Mapping[Key, Entry], stand_ins: _StandIns
) -> _Probe | None:
    """``place`` filled as one, and in parts; None where one of both cannot be."""
    inside = range(place.first, place.first + place.length)
    whole = stand_ins.for_entry(place.phrase)
    found = {at: words.get((sentence.tokens[at].text, sentence.tokens[at].tag)) for at in inside}
    parts = {at: entry for at, entry in found.items() if entry is not None}
    drawn = {at: stand_ins.for_entry(entry) for at, entry in parts.items()}
    if whole is None or not parts or None in drawn.values():
        return None
    swaps = [Swap(parts[at], chosen) for at, chosen in drawn.items() if chosen is not None]
    put_in = {at: swap.substitute.word for at, swap in zip(drawn, swaps, strict=True)}
    as_one = {place.first: whole.word} | dict.fromkeys(inside[1:], "")
    return _Probe(
        place,
        (_fill(sentence, as_one, inside), (Swap(place.phrase, whole),)),
        (_fill(sentence, put_in, ()), tuple(swaps)),
    )


def _fill(sentence: Sentence, put_in: Mapping[int, str], joined: Sequence[int]) -> str:
    """``sentence`` with ``put_in``; between ``joined`` tokens are no blanks."""
    pieces = [
        put_in.get(at, token.text) + ("" if at in joined[:-1] else token.whitespace)
        for at, token in enumerate(sentence.tokens)
    ]
    return "".join(pieces).strip()
