"""Phrases of parallel text: words that stand together and are translated as one.

A run of words is a phrase when its translation is not made of those of its words: decoding would
miss a word of it by the forms that the word has elsewhere, or its function words are rendered in
their own way (*look for*, *at night*), and one target word or run stands for the whole. Every span
of a phrase becomes one token, under the tag of its head, so that its entry is learned as that of
any word.

Entry: ``join_phrases``; ``find_phrases`` -> ``_PhraseJudge.select`` (``measure_shares``) ->
``join_tokens`` and ``join_links``.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from prism_core.building.corpus_forms import FormPresence, choose_forms, complete_runs, is_specific
from prism_core.building.corpus_occurrences import (
    PairReader,
    TranslatorOutput,
    WordOccurrence,
    collect_occurrences,
)
from prism_core.building.parallel_alignment import Links
from prism_core.building.phrase_spans import (
    FUNCTION_LETTERS,
    LEAST_SPANS,
    PhraseSpan,
    are_disjoint,
    find_phrases,
    join_links,
    join_tokens,
)
from prism_core.building.word_candidates import find_candidates
from prism_core.dictionary import FUNCTION_TAG, WordKey
from prism_core.language import Sentence, Token, penn_tag
from prism_core.languages import Language

LEAST_AS_ONE = 0.5
"""Share of its spans in which a phrase must be found by a form that another sentence shows."""
LEAST_GAIN = 0.25
"""Minimum gain over the share where each of its words would be found."""
SURE_AS_ONE = 0.8
"""Share from which on it is a phrase because of its function words alone."""
MOST_SHARED = 0.3
"""Maximum share of spans in which a phrase shares its translation with the next word."""
USUAL = 2
"""Number of the commonest translations of a function word that count as its own."""
LEAST_USUAL = 0.15
"""Share that each of these must have."""


def join_phrases(
    sentences: Sequence[Sentence],
    translated: Sequence[TranslatorOutput],
    links: Sequence[Sequence[Links]],
    language: Language,
) -> tuple[list[Sentence], list[list[Links]], set[WordKey]]:
    """Join each phrase to one token in ``sentences`` and ``links``; return these words too.

    ``links`` are those of all sentences, for each translator.
    """
    found = find_phrases(sentences, language)
    judge = _PhraseJudge(sentences, translated, links, language)
    by_sentence: dict[int, list[PhraseSpan]] = defaultdict(list)
    for key in sorted(found, key=lambda key: (-len(key.split()), -len(found[key]), key)):
        free = [
            span
            for span in found[key]
            if all(are_disjoint(span, other) for other in by_sentence.get(span.sentence, ()))
        ]
        for span in judge.select(free):
            by_sentence[span.sentence].append(span)
    joined, moved = list(sentences), [list(links_of_output) for links_of_output in links]
    for index, spans in by_sentence.items():
        joined[index], positions = join_tokens(sentences[index], spans)
        for links_of_output, output in zip(moved, translated, strict=True):
            links_of_output[index] = join_links(links_of_output[index], positions, spans, output)
    words = {
        (token.text.lower(), token.tag)
        for index in by_sentence
        for token in joined[index].tokens
        if " " in token.text
    }
    return joined, moved, words


class Shares(NamedTuple):
    """Shares of the spans of a phrase: ``as_one`` found by a form of the whole.

    ``content`` is the share where its content words are found by themselves; ``parts`` the share
    where its function words are rendered as usual too, so that nothing indicates a phrase.
    """

    as_one: float
    content: float
    parts: float

    @property
    def is_phrase(self) -> bool:
        """True if it is found more reliably as one, or equally but rendered in its own way."""
        if self.as_one >= max(LEAST_AS_ONE, self.content + LEAST_GAIN):
            return True
        return self.as_one >= max(SURE_AS_ONE, self.parts + LEAST_GAIN)


class _PhraseJudge:
    """Comparison of a phrase found as one with its words found by themselves."""

    def __init__(
        self,
        sentences: Sequence[Sentence],
        translated: Sequence[TranslatorOutput],
        links: Sequence[Sequence[Links]],
        language: Language,
    ) -> None:
        self._sentences = sentences
        self._outputs = [*zip(translated, links, strict=True)]
        self._language = language
        self._presences = {output.name: FormPresence(output) for output in translated}
        self._usual_heads: dict[str, frozenset[str]] = {}
        words = {word.key for word in find_candidates(sentences, language)}
        self._seen: dict[WordKey, list[WordOccurrence]] = defaultdict(list)
        for output, links_of_output in self._outputs:
            for word, of_word in collect_occurrences(
                sentences, output, links_of_output, words, language
            ).items():
                self._seen[word] += of_word
        self._of_any_tag: dict[str, list[WordOccurrence]] = defaultdict(list)
        for (text, _), seen in self._seen.items():
            self._of_any_tag[text] += seen

    def select(self, spans: Sequence[PhraseSpan]) -> Sequence[PhraseSpan]:
        """Return ``spans`` if they are of a phrase, else none."""
        if not spans:
            return ()
        is_verb = spans[0].key[0] == "V" and spans[0].ends_in_noun
        if is_verb and all(penn_tag(span.tag) in ("VBG", "VBN") for span in spans):
            return ()  # what looks like a verb and its object may be a participle and its noun
        return spans if self.measure_shares(spans).is_phrase else ()

    def measure_shares(self, spans: Sequence[PhraseSpan]) -> Shares:
        """Measure how a phrase of these spans is found as one and in parts by all translators."""
        seen = [occurrence for span in spans for occurrence in self._read_occurrences(span)]
        keys = complete_runs(seen, self._presences)
        found = (form.key for form in choose_forms(seen, keys))
        forms = [key for key in found if is_specific(key, seen, self._presences)]
        if (
            not forms
            or self._shares_next_translation(spans)
            or self._keeps_last_word(spans[0], forms)
        ):
            return Shares(0.0, 0.0, 0.0)
        content, parts = self._measure_shares_in_parts(spans, [*zip(seen, keys, strict=True)])
        return Shares(self._measure_share_as_one(seen, keys, forms), content, parts)

    def _measure_share_as_one(
        self, seen: Sequence[WordOccurrence], keys: Sequence[str], forms: Sequence[str]
    ) -> float:
        """Return the share found by an inflection of a form that another sentence shows."""
        sentences_with: dict[str, set[int]] = defaultdict(set)
        for occurrence, key in zip(seen, keys, strict=True):
            sentences_with[key].add(occurrence.sentence)
        found = sum(
            any(
                sentences_with[form] - {occurrence.sentence}
                and self._presences[occurrence.translator].contains_stems(occurrence.sentence, form)
                for form in forms
            )
            for occurrence in seen
        )
        return found / len(seen)

    def _read_occurrences(self, span: PhraseSpan) -> Iterator[WordOccurrence]:
        """Yield the translation of the phrase at ``span``, for each translator."""
        sentence = self._sentences[span.sentence]
        joined, positions = join_tokens(sentence, [span])
        for output, links in self._outputs:
            if links[span.sentence]:
                moved = join_links(links[span.sentence], positions, [span], output)
                reader = PairReader(span.sentence, joined.tokens, output, moved, self._language)
                yield reader.read_occurrence(span.first, span.tag)

    def _keeps_last_word(self, span: PhraseSpan, forms: Sequence[str]) -> bool:
        """Return True if the last word of a verb is translated by itself (*deal with*)."""
        if span.key[0] != "V":
            return False
        usual = self._find_usual_translations(self._get_tokens(span)[-1].text)
        return any(form.split()[-1] in usual for form in forms[:2])

    def _shares_next_translation(self, spans: Sequence[PhraseSpan]) -> bool:
        """Return True if its translation is often that of the next word too: *in order (to)*."""
        shared = total = 0
        for span in spans:
            after = span.first + span.length
            tokens = self._sentences[span.sentence].tokens
            is_word = after < len(tokens) and tokens[after].text.isalpha()
            for _, links in self._outputs:
                run = {j for i, j in links[span.sentence] if span.first <= i < after}
                next_word = {j for i, j in links[span.sentence] if i == after}
                total += 1
                shared += is_word and not run.isdisjoint(next_word)
        return shared > MOST_SHARED * total

    def _find_usual_translations(self, word: str) -> frozenset[str]:
        """Return the most frequent translations of a function word."""
        if word not in self._usual_heads:
            heads = Counter(
                occurrence.head for occurrence in self._seen.get((word, FUNCTION_TAG), ())
            )
            del heads[""]
            least = LEAST_USUAL * heads.total()
            self._usual_heads[word] = frozenset(
                head for head, count in heads.most_common(USUAL) if count >= least
            )
        return self._usual_heads[word]

    def _measure_shares_in_parts(
        self, spans: Sequence[PhraseSpan], runs: Sequence[tuple[WordOccurrence, str]]
    ) -> tuple[float, float]:
        """Return the share where every content word is found, and where small words are usual too.

        Content words count by their translations outside the phrase; small words within the run.
        """
        known: dict[WordKey, list[str]] = {}
        by_sentence = {(span.sentence, span.first): span for span in spans}
        content = parts = 0
        for occurrence, key in runs:
            span = by_sentence[occurrence.sentence, occurrence.position]
            words = [
                (token.text, token.tag)
                for token in self._get_tokens(span)
                if not self._language.is_function_word(token.text)
            ]
            for word in words:
                if word not in known:
                    known[word] = self._find_forms_outside(word, span)
            presence = self._presences[occurrence.translator]
            if all(
                any(presence.contains_stems(occurrence.sentence, form) for form in known[word])
                for word in words
            ):
                content += 1
                run = key.split()
                # its function words, but articles, which a translator drops and adds
                parts += not run or all(
                    not self._find_usual_translations(token.text).isdisjoint(run)
                    for token in self._get_tokens(span)
                    if self._language.is_function_word(token.text)
                    and FUNCTION_LETTERS.get(penn_tag(token.tag)) in ("p", "a")
                )
        return content / len(runs), parts / len(runs)

    def _get_tokens(self, span: PhraseSpan) -> Sequence[Token]:
        return self._sentences[span.sentence].tokens[span.first : span.first + span.length]

    def _find_forms_outside(self, word: WordKey, span: PhraseSpan) -> list[str]:
        """Return the translations of ``word`` outside the phrase; all if it is seldom elsewhere."""
        seen = self._seen.get(word) or self._of_any_tag.get(word[0], [])
        texts = [token.text for token in self._get_tokens(span)]
        at = texts.index(word[0])

        def is_outside(occurrence: WordOccurrence) -> bool:
            first = max(0, occurrence.position - at)
            beside = self._sentences[occurrence.sentence].tokens[first : first + len(texts)]
            return [token.text.lower() for token in beside] != texts

        outside = [occurrence for occurrence in seen if is_outside(occurrence)]
        if len({occurrence.sentence for occurrence in outside}) < LEAST_SPANS:
            outside = seen
        return [
            form.key for form in choose_forms(outside, [occurrence.head for occurrence in outside])
        ]
