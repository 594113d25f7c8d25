"""Phrases of parallel text: words that stand together and are translated as one.

A run of words is a phrase when its translation is not made of those of its words: decoding would
miss a word of it by the forms that the word has elsewhere, or its function words are rendered in
their own way (*look for*, *at night*), and one target word or run stands for the whole. Every place
of a phrase becomes one token, under the tag of its head, so that its entry is learned as that of
any word.

Entry: ``join_phrases``; ``find_phrases`` -> ``_Judge.chosen`` (``shares``) -> ``join_tokens`` and
``join_links``.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from prism_core.building.corpus_forms import FormPresence, choose_forms, complete_runs, is_specific
from prism_core.building.corpus_occurrences import (
    PairReader,
    TranslatorOutput,
    Word,
    WordOccurrence,
    collect_occurrences,
)
from prism_core.building.phrase_spans import (
    FUNCTION_LETTERS,
    LEAST_PLACES,
    PhraseSpan,
    are_apart,
    find_phrases,
    join_links,
    join_tokens,
)
from prism_core.building.word_alignment import Links
from prism_core.building.word_candidates import find_candidates
from prism_core.dictionary import FUNCTION_TAG
from prism_core.language import Sentence, Token, penn_tag
from prism_core.languages import Language

LEAST_AS_ONE = 0.5
"""Share of its places where a phrase is found by a form that another sentence shows,"""
LEAST_GAIN = 0.25
"""and by how much that is above the share where each of its words would be found."""
SURE_AS_ONE = 0.8
"""The share from which on it is a phrase because of its function words alone."""
MOST_SHARED = 0.3
"""The share of places where a phrase may have its translation in common with the next word."""
USUAL = 2
"""The commonest translations of a function word, as many as count for its own,"""
LEAST_USUAL = 0.15
"""if they have at least this share."""


def join_phrases(
    sentences: Sequence[Sentence],
    translated: Sequence[TranslatorOutput],
    links: Sequence[Sequence[Links]],
    language: Language,
) -> tuple[list[Sentence], list[list[Links]], set[Word]]:
    """``sentences`` and ``links`` with each place of a phrase as one token, and these words.

    ``links`` are those of all sentences, for each translator.
    """
    found = find_phrases(sentences, language)
    judge = _Judge(sentences, translated, links, language)
    by_sentence: dict[int, list[PhraseSpan]] = defaultdict(list)
    for key in sorted(found, key=lambda key: (-len(key.split()), -len(found[key]), key)):
        free = [
            place
            for place in found[key]
            if all(are_apart(place, other) for other in by_sentence.get(place.sentence, ()))
        ]
        for place in judge.chosen(free):
            by_sentence[place.sentence].append(place)
    joined, moved = list(sentences), [list(own) for own in links]
    for index, places in by_sentence.items():
        joined[index], where = join_tokens(sentences[index], places)
        for own, output in zip(moved, translated, strict=True):
            own[index] = join_links(own[index], where, places, output)
    words = {
        (token.text.lower(), token.tag)
        for index in by_sentence
        for token in joined[index].tokens
        if " " in token.text
    }
    return joined, moved, words


class Shares(NamedTuple):
    """Shares of the places of a phrase: ``as_one`` found by a form of the whole.

    ``content`` are those where its content words are found by themselves, ``parts`` those of them
    where its function words are rendered as usual too, so that nothing tells of the phrase.
    """

    as_one: float
    content: float
    parts: float

    @property
    def is_phrase(self) -> bool:
        """Whether it is surer as one, or as sure but rendered in its own way."""
        if self.as_one >= max(LEAST_AS_ONE, self.content + LEAST_GAIN):
            return True
        return self.as_one >= max(SURE_AS_ONE, self.parts + LEAST_GAIN)


class _Judge:
    """Compares how a phrase is found as one with how its words are found by themselves."""

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
        words = {(word.word, word.tag) for word in find_candidates(sentences, language)}
        self._seen: dict[Word, list[WordOccurrence]] = defaultdict(list)
        for output, own in self._outputs:
            for word, places in collect_occurrences(
                sentences, output, own, words, language
            ).items():
                self._seen[word] += places
        self._of_any_tag: dict[str, list[WordOccurrence]] = defaultdict(list)
        for (text, _), seen in self._seen.items():
            self._of_any_tag[text] += seen

    def chosen(self, places: Sequence[PhraseSpan]) -> Sequence[PhraseSpan]:
        """``places`` when they are of a phrase, else none."""
        if not places:
            return ()
        is_verb = places[0].key[0] == "V" and places[0].ends_in_noun
        if is_verb and all(penn_tag(place.tag) in ("VBG", "VBN") for place in places):
            return ()  # what looks like a verb and its object may be a participle and its noun
        return places if self.shares(places).is_phrase else ()

    def shares(self, places: Sequence[PhraseSpan]) -> Shares:
        """How a phrase with these places is found as one, and in parts, over all translators."""
        seen = [sighting for place in places for sighting in self._sightings_of(place)]
        keys = complete_runs(seen, self._presences)
        found = (form.key for form in choose_forms(seen, keys))
        forms = [key for key in found if is_specific(key, seen, self._presences)]
        if not forms or self._shares_word(places) or self._keeps_last_word(places[0], forms):
            return Shares(0.0, 0.0, 0.0)
        content, parts = self._shares_in_parts(places, [*zip(seen, keys, strict=True)])
        return Shares(self._share_as_one(seen, keys, forms), content, parts)

    def _share_as_one(
        self, seen: Sequence[WordOccurrence], keys: Sequence[str], forms: Sequence[str]
    ) -> float:
        """The share found by an inflection of a form that another sentence shows."""
        where: dict[str, set[int]] = defaultdict(set)
        for one, key in zip(seen, keys, strict=True):
            where[key].add(one.sentence)
        found = sum(
            any(
                where[form] - {one.sentence}
                and self._presences[one.translator].has_stems(one.sentence, form)
                for form in forms
            )
            for one in seen
        )
        return found / len(seen)

    def _sightings_of(self, place: PhraseSpan) -> Iterator[WordOccurrence]:
        """What the phrase became at ``place``, for each translator."""
        sentence = self._sentences[place.sentence]
        joined, where = join_tokens(sentence, [place])
        for output, links in self._outputs:
            if links[place.sentence]:
                moved = join_links(links[place.sentence], where, [place], output)
                reader = PairReader(place.sentence, joined.tokens, output, moved, self._language)
                yield reader.sighting(place.first, place.tag)

    def _keeps_last_word(self, place: PhraseSpan, forms: Sequence[str]) -> bool:
        """Whether the last word of a verb is translated by itself (*deal with*)."""
        if place.key[0] != "V":
            return False
        usual = self._usual(self._tokens_of(place)[-1].text)
        return any(form.split()[-1] in usual for form in forms[:2])

    def _shares_word(self, places: Sequence[PhraseSpan]) -> bool:
        """Whether what it becomes often is what the word after it becomes too: *in order (to)*."""
        shared = total = 0
        for place in places:
            after = place.first + place.length
            tokens = self._sentences[place.sentence].tokens
            is_word = after < len(tokens) and tokens[after].text.isalpha()
            for _, links in self._outputs:
                run = {j for i, j in links[place.sentence] if place.first <= i < after}
                next_word = {j for i, j in links[place.sentence] if i == after}
                total += 1
                shared += is_word and not run.isdisjoint(next_word)
        return shared > MOST_SHARED * total

    def _usual(self, word: str) -> frozenset[str]:
        """What a function word is mostly translated as."""
        if word not in self._usual_heads:
            heads = Counter(one.head for one in self._seen.get((word, FUNCTION_TAG), ()))
            del heads[""]
            least = LEAST_USUAL * heads.total()
            self._usual_heads[word] = frozenset(
                head for head, count in heads.most_common(USUAL) if count >= least
            )
        return self._usual_heads[word]

    def _shares_in_parts(
        self, places: Sequence[PhraseSpan], runs: Sequence[tuple[WordOccurrence, str]]
    ) -> tuple[float, float]:
        """Where every content word is found; and the small words are rendered as usual too.

        The first by what each word becomes outside the phrase; the second within the run.
        """
        known: dict[Word, list[str]] = {}
        by_sentence = {(place.sentence, place.first): place for place in places}
        content = parts = 0
        for one, key in runs:
            place = by_sentence[one.sentence, one.position]
            words = [
                (token.text, token.tag)
                for token in self._tokens_of(place)
                if not self._language.is_function_word(token.text)
            ]
            for word in words:
                if word not in known:
                    known[word] = self._forms_outside(word, place)
            presence = self._presences[one.translator]
            if all(
                any(presence.has_stems(one.sentence, form) for form in known[word])
                for word in words
            ):
                content += 1
                run = key.split()
                # its function words, but articles, which a translator drops and adds
                parts += not run or all(
                    not self._usual(token.text).isdisjoint(run)
                    for token in self._tokens_of(place)
                    if self._language.is_function_word(token.text)
                    and FUNCTION_LETTERS.get(penn_tag(token.tag)) in ("p", "a")
                )
        return content / len(runs), parts / len(runs)

    def _tokens_of(self, place: PhraseSpan) -> Sequence[Token]:
        return self._sentences[place.sentence].tokens[place.first : place.first + place.length]

    def _forms_outside(self, word: Word, place: PhraseSpan) -> list[str]:
        """What ``word`` became where the phrase is not; anywhere if it is seldom elsewhere."""
        seen = self._seen.get(word) or self._of_any_tag.get(word[0], [])
        texts = [token.text for token in self._tokens_of(place)]
        at = texts.index(word[0])

        def is_outside(one: WordOccurrence) -> bool:
            first = max(0, one.position - at)
            beside = self._sentences[one.sentence].tokens[first : first + len(texts)]
            return [token.text.lower() for token in beside] != texts

        outside = [one for one in seen if is_outside(one)]
        if len({one.sentence for one in outside}) < LEAST_PLACES:
            outside = seen
        return [form.key for form in choose_forms(outside, [one.head for one in outside])]
