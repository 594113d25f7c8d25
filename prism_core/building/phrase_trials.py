"""Trials of phrases in running text: replaced as one, and word by word.

A phrase is worth an entry where a translator renders it in its own way (*go back*, *heart rate*),
so that its words, each replaced by another of its class, come back as something else. The
translator itself is tested, in sentences of public text that contain the phrase.

Entry: ``find_phrase_inflections`` of public text; then ``try_phrases`` for phrases with an entry
from frames: ``_find_occurrences`` -> ``_make_probe`` -> ``find_traceless``, as one and in parts.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import NamedTuple

from prism_core.building.carrier_sentences import Swap
from prism_core.building.corpus_occurrences import NOUNS
from prism_core.building.evidence import Trials, find_traceless
from prism_core.building.frame_queries import Translate, is_one_sentence, translate_packed
from prism_core.building.phrase_spans import find_phrases
from prism_core.building.word_candidates import Candidate
from prism_core.dictionary import Entry, target_tokens
from prism_core.language import Sentence, Token, penn_tag
from prism_core.languages import Language

MOST_OCCURRENCES = 5
"""Maximum number of occurrences in which a phrase is tested."""
LONGEST_SENTENCE = 40
"""Maximum number of tokens of a sentence in which a phrase is tested."""
LEAST_TRIED = 2
"""Number of trials below which a phrase is judged by all its inflections together."""
LEAST_GAIN = 0.2
"""Minimum gain in the share without a trace of the phrase over that of its words."""
LEAST_CONFIDENT = 0.5
"""Confidence of a word that may be put in for another in a trial."""

Key = tuple[str, str]


def find_phrase_inflections(sentences: Sequence[Sentence], language: Language) -> list[Candidate]:
    """Find the phrases of ``sentences`` under the tags of their heads, in each inflection."""
    inflected: dict[Key, set[Key]] = defaultdict(set)
    for sentence in sentences:
        for token in sentence.tokens:
            if token.text.isalpha() and token.text.islower():
                inflected[token.lemma.lower(), token.tag[:2]].add((token.text, token.tag))
    found: dict[Key, Candidate] = {}
    for family, spans in find_phrases(sentences, language).items():
        counts: Counter[Key] = Counter()
        for span in spans:
            tokens = sentences[span.sentence].tokens[span.first : span.first + span.length]
            words = [token.text for token in tokens]
            counts[" ".join(words), span.tag] += 1
            head_index = span.head - span.first
            lemma = tokens[head_index].lemma.lower(), span.tag[:2]
            for form, tag in inflected[lemma] if family[0] in "VN" else ():
                counts[" ".join([*words[:head_index], form, *words[head_index + 1 :]]), tag] += 0
        for (text, tag), count in counts.items():
            if tag in language.frames.of_tags:
                found.setdefault((text, tag), Candidate(text, tag, count, family))
    return list(found.values())


class _PhraseOccurrence(NamedTuple):
    phrase: Entry
    sentence: int
    first: int
    length: int


class _Probe(NamedTuple):
    """Occurrence filled twice, ``as_one`` and ``in_parts``, each a text and its swaps."""

    occurrence: _PhraseOccurrence
    as_one: tuple[str, tuple[Swap, ...]]
    in_parts: tuple[str, tuple[Swap, ...]]


def try_phrases(
    phrases: Sequence[Entry],
    words: Mapping[Key, Entry],
    sentences: Sequence[Sentence],
    translate: Translate,
    packed: int,
    rng: Random,
    families: Mapping[Key, str],
) -> list[Entry]:
    """Keep the ``phrases`` that leave less trace replaced as one than word by word.

    Their confidence is the share without a trace; ``words`` are the substitutes. ``packed``
    sentences make a text. A phrase that no sentence tests is left out, unless another inflection of
    it, of the same of ``families``, is tested.
    """
    picker = _SubstitutePicker(words, rng)
    probes = [
        probe
        for occurrence in _find_occurrences(phrases, sentences, rng)
        if (probe := _make_probe(occurrence, sentences[occurrence.sentence], words, picker))
        is not None
    ]
    indices = sorted({probe.occurrence.sentence for probe in probes})
    plain = translate_packed(
        translate, [sentences[index].text.strip() for index in indices], packed
    )
    baseline = dict(zip(indices, map(target_tokens, plain), strict=True))
    as_one, in_parts = (
        translate_packed(translate, texts, packed)
        for texts in (
            [probe.as_one[0] for probe in probes],
            [probe.in_parts[0] for probe in probes],
        )
    )
    trials: dict[Key | str, tuple[Trials, Trials]] = defaultdict(lambda: (Trials(), Trials()))
    for probe, whole_answer, parts_answer in zip(probes, as_one, in_parts, strict=True):
        baseline_tokens = baseline[probe.occurrence.sentence]
        key = probe.occurrence.phrase.word, probe.occurrence.phrase.tag
        for number, (swaps, answer) in enumerate(
            ((probe.as_one[1], whole_answer), (probe.in_parts[1], parts_answer))
        ):
            results = find_traceless(swaps, target_tokens(answer), baseline_tokens)
            for counted in (trials[key], trials[families.get(key, "")]):
                counted[number].add(None if None in results else all(results))
    return list(_select_phrases(phrases, trials, families, 3 / packed))


def find_testable_phrases(phrases: Sequence[Entry], sentences: Sequence[Sentence]) -> set[Key]:
    """Return the word and tag of each of ``phrases`` that ``sentences`` can test."""
    occurrences = _find_occurrences(phrases, sentences, Random(0))
    return {(occurrence.phrase.word, occurrence.phrase.tag) for occurrence in occurrences}


def _select_phrases(
    phrases: Sequence[Entry],
    trials: Mapping[Key | str, tuple[Trials, Trials]],
    families: Mapping[Key, str],
    cost: float,
) -> Iterator[Entry]:
    """Yield the phrases that are worth an entry by their own trials, or those of their families."""
    for phrase in phrases:
        key = phrase.word, phrase.tag
        whole, parts = trials_of_phrase = trials[key]
        if whole.tried < LEAST_TRIED and families.get(key):
            whole, parts = trials[families[key]]
        if whole.tried and whole.share >= parts.share + LEAST_GAIN:
            calls = phrase.calls + cost * trials_of_phrase[0].tried
            yield score_whole_phrase(phrase, whole.share, calls)


def score_whole_phrase(phrase: Entry, confidence: float, calls: float) -> Entry:
    """Return ``phrase`` with the forms of its frames, each of which stands for all of it."""
    forms = [form._replace(score=1.0) for form in phrase.forms]
    return phrase.replace_forms(forms)._replace(confidence=confidence, calls=calls)


def _find_occurrences(
    phrases: Sequence[Entry], sentences: Sequence[Sentence], rng: Random
) -> Iterator[_PhraseOccurrence]:
    """Yield at most ``MOST_OCCURRENCES`` of each phrase, at random, where its head has its tag."""
    by_first: dict[str, list[tuple[list[str], Entry]]] = defaultdict(list)
    for phrase in phrases:
        texts = phrase.word.split()
        by_first[texts[0]].append((texts, phrase))
    found: dict[Key, list[_PhraseOccurrence]] = defaultdict(list)
    for index, sentence in enumerate(sentences):
        if len(sentence.tokens) > LONGEST_SENTENCE or not is_one_sentence(sentence.text.strip()):
            continue
        words = sentence.words
        for first, word in enumerate(words):
            for texts, phrase in by_first.get(word, ()):
                after = first + len(texts)
                if words[first:after] == texts and _has_tag(phrase, sentence.tokens[first:after]):
                    occurrence = _PhraseOccurrence(phrase, index, first, len(texts))
                    found[phrase.word, phrase.tag].append(occurrence)
    for occurrences in found.values():
        yield from rng.sample(occurrences, min(MOST_OCCURRENCES, len(occurrences)))


def _has_tag(phrase: Entry, tokens: Sequence[Token]) -> bool:
    if penn_tag(phrase.tag) in NOUNS:
        return phrase.tag in (tokens[-1].tag, tokens[0].tag)
    return tokens[0].tag == phrase.tag or not phrase.tag.startswith("VB")


class _SubstitutePicker:
    """Picker of substitutes of a tag and class: confident words of the same or a wider class."""

    def __init__(self, words: Mapping[Key, Entry], rng: Random) -> None:
        self._rng = rng
        self._by_class: dict[tuple[str, ...], list[Entry]] = defaultdict(list)
        for word in words.values():
            if word.confidence >= LEAST_CONFIDENT:
                parts = word.agreement_parts
                for length in range(len(parts) + 1):
                    self._by_class[word.tag, *parts[:length]].append(word)

    def pick(self, entry: Entry) -> Entry | None:
        """Pick another word than ``entry``; None if there is none."""
        parts = entry.agreement_parts
        for length in range(len(parts), -1, -1):
            candidates = self._by_class.get((entry.tag, *parts[:length]), [])
            if len(candidates) > 1:
                chosen = self._rng.choice(candidates)
                return chosen if chosen.word != entry.word else self._rng.choice(candidates)
        return None


def _make_probe(
    occurrence: _PhraseOccurrence,
    sentence: Sentence,
    words: Mapping[Key, Entry],
    picker: _SubstitutePicker,
) -> _Probe | None:
    """Fill ``occurrence`` as one, and in parts; None if either is impossible."""
    inside = range(occurrence.first, occurrence.first + occurrence.length)
    whole = picker.pick(occurrence.phrase)
    found = {at: words.get((sentence.tokens[at].text, sentence.tokens[at].tag)) for at in inside}
    parts = {at: entry for at, entry in found.items() if entry is not None}
    drawn = {at: picker.pick(entry) for at, entry in parts.items()}
    if whole is None or not parts or None in drawn.values():
        return None
    swaps = [Swap(parts[at], chosen) for at, chosen in drawn.items() if chosen is not None]
    put_in = {at: swap.substitute.word for at, swap in zip(drawn, swaps, strict=True)}
    as_one = {occurrence.first: whole.word} | dict.fromkeys(inside[1:], "")
    return _Probe(
        occurrence,
        (_fill(sentence, as_one, inside), (Swap(occurrence.phrase, whole),)),
        (_fill(sentence, put_in, ()), tuple(swaps)),
    )


def _fill(sentence: Sentence, put_in: Mapping[int, str], joined: Sequence[int]) -> str:
    """Return the text of ``sentence`` with ``put_in``; no blanks between ``joined`` tokens."""
    pieces = [
        put_in.get(at, token.text) + ("" if at in joined[:-1] else token.whitespace)
        for at, token in enumerate(sentence.tokens)
    ]
    return "".join(pieces).strip()
