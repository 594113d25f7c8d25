"""Trials of phrases in running text: as one, and word by word.

A phrase is worth an entry where a translator renders it in its own way (*go back*, *heart rate*),
so that its form stands in the translation of a sentence that has it, and the forms of its words do
not. The translator itself is asked for sentences of public text that contain the phrase.

Entry: ``find_phrase_inflections`` of public text; then ``try_phrases`` for phrases with an entry
from frames: ``_find_occurrences``, whose forms are looked for as one and in parts.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import NamedTuple

from prism_core.building.corpus_occurrences import NOUNS
from prism_core.building.evidence import PhraseTrials, has_any
from prism_core.building.frame_queries import Translate, is_one_sentence, translate_packed
from prism_core.building.phrase_spans import find_phrases
from prism_core.building.word_candidates import WordCandidate
from prism_core.dictionary import Entry, WordKey, target_tokens
from prism_core.language import Sentence, Token, penn_tag
from prism_core.languages import Language

MOST_OCCURRENCES = 5
"""Maximum number of occurrences in which a phrase is tested."""
LONGEST_SENTENCE = 40
"""Maximum number of tokens of a sentence in which a phrase is tested."""
LEAST_TRIED = 2
"""Number of trials below which a phrase is judged by all its inflections together."""
LEAST_GAIN = 0.2
"""Minimum gain in the share of sentences with the phrase's form over that with its words' forms."""
LEAST_CONFIDENT = 0.5
"""Minimum confidence of an entry that stands in for words of its class in a trial."""


def find_phrase_inflections(
    sentences: Sequence[Sentence], language: Language
) -> list[WordCandidate]:
    """Find the phrases of ``sentences`` under the tags of their heads, in each inflection."""
    inflected: dict[WordKey, set[WordKey]] = defaultdict(set)
    for sentence in sentences:
        for token in sentence.tokens:
            if token.text.isalpha() and token.text.islower():
                inflected[token.lemma.lower(), token.tag[:2]].add((token.text, token.tag))
    found: dict[WordKey, WordCandidate] = {}
    for family, spans in find_phrases(sentences, language).items():
        counts: Counter[WordKey] = Counter()
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
                found.setdefault((text, tag), WordCandidate(text, tag, count, family))
    return list(found.values())


class _PhraseOccurrence(NamedTuple):
    phrase: Entry
    sentence: int
    first: int
    length: int


def try_phrases(
    phrases: Sequence[Entry],
    words: Mapping[WordKey, Entry],
    sentences: Sequence[Sentence],
    translate: Translate,
    packed: int,
    rng: Random,
    families: Mapping[WordKey, str],
) -> list[Entry]:
    """Keep the ``phrases`` whose form is found more often than the forms of all of their ``words``.

    Their confidence is the share of sentences in which it is. ``packed`` sentences make a text. A
    phrase that no sentence tests is left out, unless another inflection of it, of the same of
    ``families``, is tested.
    """
    occurrences: list[tuple[_PhraseOccurrence, list[Entry]]] = []
    for occurrence in _find_occurrences(phrases, sentences, rng):
        after = occurrence.first + occurrence.length
        tokens = sentences[occurrence.sentence].tokens[occurrence.first : after]
        known = (words.get((token.text, token.tag)) for token in tokens)
        if parts := [entry for entry in known if entry is not None]:
            occurrences.append((occurrence, parts))
    indices = sorted({occurrence.sentence for occurrence, _ in occurrences})
    texts = [sentences[index].text.strip() for index in indices]
    answers = map(target_tokens, translate_packed(translate, texts, packed))
    translations = dict(zip(indices, answers, strict=True))
    trials: dict[WordKey | str, tuple[PhraseTrials, PhraseTrials]] = defaultdict(
        lambda: (PhraseTrials(), PhraseTrials())
    )
    for occurrence, parts in occurrences:
        phrase, answer = occurrence.phrase, translations[occurrence.sentence]
        as_one = has_any(answer, phrase.forms.texts)
        in_parts = all(has_any(answer, part.forms.texts) for part in parts)
        key = phrase.key
        for whole, word_by_word in (trials[key], trials[families.get(key, "")]):
            whole.add(as_one)
            word_by_word.add(in_parts)
    return list(_select_phrases(phrases, trials, families, 1 / packed))


def find_testable_phrases(phrases: Sequence[Entry], sentences: Sequence[Sentence]) -> set[WordKey]:
    """Return the word and tag of each of ``phrases`` that ``sentences`` can test."""
    occurrences = _find_occurrences(phrases, sentences, Random(0))
    return {(occurrence.phrase.word, occurrence.phrase.tag) for occurrence in occurrences}


def _select_phrases(
    phrases: Sequence[Entry],
    trials: Mapping[WordKey | str, tuple[PhraseTrials, PhraseTrials]],
    families: Mapping[WordKey, str],
    cost: float,
) -> Iterator[Entry]:
    """Yield the phrases that are worth an entry by their own trials, or those of their families."""
    for phrase in phrases:
        key = phrase.key
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
    found: dict[WordKey, list[_PhraseOccurrence]] = defaultdict(list)
    for index, sentence in enumerate(sentences):
        if len(sentence.tokens) > LONGEST_SENTENCE or not is_one_sentence(sentence.text.strip()):
            continue
        words = sentence.words
        for first, word in enumerate(words):
            for texts, phrase in by_first.get(word, ()):
                after = first + len(texts)
                if words[first:after] == texts and _has_tag(phrase, sentence.tokens[first:after]):
                    occurrence = _PhraseOccurrence(phrase, index, first, len(texts))
                    found[phrase.key].append(occurrence)
    for occurrences in found.values():
        yield from rng.sample(occurrences, min(MOST_OCCURRENCES, len(occurrences)))


def _has_tag(phrase: Entry, tokens: Sequence[Token]) -> bool:
    if penn_tag(phrase.tag) in NOUNS:
        return phrase.tag in (tokens[-1].tag, tokens[0].tag)
    return tokens[0].tag == phrase.tag or not phrase.tag.startswith("VB")
