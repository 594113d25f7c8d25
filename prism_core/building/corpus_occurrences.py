"""Occurrences of dictionary words in parallel text, with their translations.

Each occurrence has a slot: the inflection that the sentence requires of the translation. Slots are
named like the frames (``she``, ``infinitive``, ``will_they`` …), so that forms read off running
text and forms read off frames are labelled alike.

Entry: ``read_translation``, then ``collect_occurrences``; a ``PairReader`` reads one sentence and
its translation, ``find_slot`` and ``find_noun`` the context of an occurrence.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from prism_core.building.parallel_alignment import Links
from prism_core.dictionary import CALENDAR_TAGS, FUNCTION_TAG, WordKey, target_spans
from prism_core.language import Sentence, Token, penn_tag
from prism_core.languages import Grammar, Language

Spans = list[tuple[str, int, int]]

ADJECTIVES = ("JJ", "JJR", "JJS")
NOUNS = ("NN", "NNS")
APOSTROPHES = ("'", "’")
JOINERS = (*APOSTROPHES, "-")
START = "^"
"""Marker for the position before the first word of a sentence."""
MOST_WORDS = 4
SHORT_WORD = 3
"""Maximum letters of a word that may stand between two of a phrase, whatever it is linked to."""


@dataclass(frozen=True, slots=True)
class WordOccurrence:
    """Occurrence of a word, in one translation.

    Attributes:
        sentence: Index of the sentence.
        translator: Name of the translator.
        position: Index of the source token.
        slot: Name of the slot; empty where the text does not show it.
        head: Target word it became (the rarest of those linked to it); empty when it is linked
            to none, or to one that other content words share (a compound).
        surface: The head as written.
        phrase: Run of adjacent linked words around the head.
        phrase_surface: The phrase as written.
        before: Target word before the head, with its apostrophe (``l'``).
        source_before: Source word before it.
        noun: Position of the noun that an adjective belongs to.
        offset: Number of target words from that noun to the head.
    """

    sentence: int
    translator: str
    position: int
    slot: str
    head: str = ""
    surface: str = ""
    phrase: str = ""
    phrase_surface: str = ""
    before: str = START
    source_before: str = ""
    noun: int | None = None
    offset: int = 0


@dataclass(frozen=True)
class TranslatorOutput:
    """Output of one translator: tokens with positions by sentence, and sentence counts of words."""

    name: str
    lines: Sequence[str]
    spans: Sequence[Spans]
    rate: Counter[str]


def read_translation(name: str, lines: Sequence[str]) -> TranslatorOutput:
    """Tokenise the output of translator ``name``."""
    spans = [target_spans(line) for line in lines]
    rate = Counter(word for words in spans for word in {w for w, _, _ in words})
    return TranslatorOutput(name, lines, spans, rate)


def collect_occurrences(
    sentences: Sequence[Sentence],
    translated: TranslatorOutput,
    links: Sequence[Links],
    words: Collection[WordKey],
    language: Language,
) -> Mapping[WordKey, list[WordOccurrence]]:
    """Collect the occurrences of ``words`` (and of function words) in one translator's output."""
    found: dict[WordKey, list[WordOccurrence]] = defaultdict(list)
    for index, sentence in enumerate(sentences):
        if links[index]:
            reader = PairReader(index, sentence.tokens, translated, links[index], language)
            for word, occurrence in reader.read_all(words):
                found[word].append(occurrence)
    return found


class PairReader:
    """Reader of the occurrences in one sentence and its translation."""

    def __init__(
        self,
        index: int,
        tokens: Sequence[Token],
        translated: TranslatorOutput,
        links: Links,
        language: Language,
    ) -> None:
        self._language = language
        self._index = index
        self._tokens = tokens
        self._translated = translated
        self._spans = translated.spans[index]
        self._line = translated.lines[index]
        self._targets: dict[int, list[int]] = defaultdict(list)
        self._sources: dict[int, list[int]] = defaultdict(list)
        for i, j in links:
            self._targets[i].append(j)
            self._sources[j].append(i)
        self._tags = [find_lookup_tag(token, language) for token in tokens]

    def read_all(self, words: Collection[WordKey]) -> Iterator[tuple[WordKey, WordOccurrence]]:
        """Yield every occurrence of ``words``, and of function words, with its translation.

        A month in small letters is an occurrence of the month and of the noun that it is tagged as.
        """
        in_small = self._language.dates.small_months
        for position, (token, tag) in enumerate(zip(self._tokens, self._tags, strict=True)):
            word = (token.text.lower(), tag)
            if is_dictionary_word(tag, token) and (tag == FUNCTION_TAG or word in words):
                yield word, self.read_occurrence(position, tag)
            if in_small and (day := self._language.calendar_tag(token.text)) not in ("", tag):
                yield (word[0], day), self.read_occurrence(position, day)

    def read_occurrence(self, position: int, tag: str) -> WordOccurrence:
        """Return the occurrence of the token at ``position``, looked up under ``tag``."""
        has_noun = penn_tag(tag) in (*ADJECTIVES, "VBN")
        noun = find_noun(self._tokens, position) if has_noun else None
        label = find_slot(self._tokens, position, self._language) if tag != FUNCTION_TAG else ""
        rarest = self._find_rarest(position, function=tag == FUNCTION_TAG)
        if rarest is None:
            return WordOccurrence(self._index, self._translated.name, position, label)
        head, end = self._find_hyphenated(rarest)
        first, last = self._find_run(position, head, end)
        return WordOccurrence(
            sentence=self._index,
            translator=self._translated.name,
            position=position,
            slot=label,
            head=self._join_words(head, end),
            surface=self._get_surface(head, end),
            phrase=self._join_words(first, last),
            phrase_surface=self._get_surface(first, last),
            before=self._get_word_before(head),
            source_before=self._tokens[position - 1].text.lower() if position else START,
            noun=noun,
            offset=self._compute_offset(noun, head),
        )

    def _find_rarest(self, position: int, *, function: bool) -> int | None:
        linked = [j for j in self._targets.get(position, ()) if self._spans[j][0].isalpha()]
        if not function:
            linked = [
                j
                for j in linked
                if not any(  # shared with another content word
                    self._tags[i] != FUNCTION_TAG and self._tokens[i].text.isalnum()
                    for i in self._sources[j]
                    if i != position
                )
            ]
        rate = self._translated.rate
        return min(linked, key=lambda j: (rate[self._spans[j][0]], j), default=None)

    def _find_hyphenated(self, at: int) -> tuple[int, int]:
        """Return the first and last token of the hyphenated word that token ``at`` is part of."""
        first = last = at
        while self._is_hyphen(first - 1):
            first -= 2
        while self._is_hyphen(last + 1):
            last += 2
        return (first, last) if last - first <= 2 * MOST_WORDS else (at, at)

    def _is_hyphen(self, at: int) -> bool:
        """Return True if token ``at`` is a hyphen between two words, no blank on either side."""
        if not 0 < at < len(self._spans) - 1 or self._spans[at][0] != "-":
            return False
        before, hyphen, after = self._spans[at - 1 : at + 2]
        close = before[2] == hyphen[1] and hyphen[2] == after[1]
        return close and before[0].isalpha() and after[0].isalpha()

    def _find_run(self, position: int, head: int, end: int) -> tuple[int, int]:
        """Find the widest run of words linked to ``position`` around the head, joined ones too.

        Between the words of a phrase's translation, one short or unlinked word may stand.
        """
        linked = set(self._targets[position])
        bridges = " " in self._tokens[position].text
        first, last = head, end
        while (step := self._find_next(first, -1, linked, bridges)) is not None:
            first = step
        while (step := self._find_next(last, 1, linked, bridges)) is not None:
            last = step
        return (first, last) if last - first < MOST_WORDS else (head, end)

    def _find_next(self, at: int, step: int, linked: set[int], bridges: bool) -> int | None:
        near, far = at + step, at + 2 * step
        if near in linked and self._spans[near][0].isalpha():
            return near
        if far not in linked or not (0 <= near < len(self._spans)):
            return None
        is_bridge = self._spans[near][0] in JOINERS or (
            bridges and (near not in self._sources or len(self._spans[near][0]) <= SHORT_WORD)
        )
        return far if is_bridge and self._spans[far][0].isalpha() else None

    def _join_words(self, first: int, last: int) -> str:
        return " ".join(word for word, _, _ in self._spans[first : last + 1])

    def _get_surface(self, first: int, last: int) -> str:
        return self._line[self._spans[first][1] : self._spans[last][2]]

    def _get_word_before(self, first: int) -> str:
        if first == 0:
            return START
        word = self._spans[first - 1][0]
        if word in APOSTROPHES and first > 1:
            return self._spans[first - 2][0] + "'"
        return word

    def _compute_offset(self, noun: int | None, head: int) -> int:
        if noun is None:
            return 0
        nouns = [j for j in self._targets.get(noun, ()) if self._spans[j][0].isalpha()]
        return head - min(nouns, key=lambda j: abs(head - j)) if nouns else 0


FARTHEST_SUBJECT = 6
"""Number of tokens within which a verb's subject is searched."""

_NUMBER_SLOTS = {"NN": "she", "NNP": "she", "NNS": "they", "NNPS": "they"}
_SKIPPED_TAGS = ("RB", "RBR", "RBS", "MD")


def find_lookup_tag(token: Token, language: Language) -> str:
    """Return the tag to look a token up under: months, weekdays, function words have their own."""
    lower = token.text.lower()
    if token.text[:1].isupper() and token.tag == "NNP":
        return language.calendar_tag(lower) or token.tag
    return FUNCTION_TAG if language.is_function_word(lower) else token.tag


def find_slot(tokens: Sequence[Token], position: int, language: Language) -> str:
    """Return the slot of ``tokens[position]``; empty where the text does not show it.

    Adjectives have none here: theirs follows from the noun (``find_noun``). A tag whose frames all
    show one form, as one that encodes agreement, has the slot of its first frame.
    """
    tag, grammar = find_lookup_tag(tokens[position], language), language.grammar
    if tag in ("VBP", "VBD"):
        return _find_subject_slot(tokens, position, grammar)
    if tag == "VB":
        return _find_modal_slot(tokens, position, grammar)
    if tag == "VBG":
        return _find_gerund_slot(tokens, position, grammar)
    if tag == "VBN":
        return _find_participle_slot(tokens, position, grammar)
    frames = language.frames.of_tags.get(tag, ())
    return frames[0].feature if frames and penn_tag(tag) not in ADJECTIVES else ""


def find_noun(tokens: Sequence[Token], position: int) -> int | None:
    """Return the position of the noun that the adjective at ``position`` precedes.

    It is the last noun of its run; None if there is none.
    """
    at = position + 1
    tags = [penn_tag(token.tag) for token in tokens]
    while at < len(tags) and tags[at] in (*ADJECTIVES, "CC", ",", "VBN", "VBG"):
        at += 1
    if at - position > FARTHEST_SUBJECT or at == len(tags) or tags[at] not in NOUNS:
        return None
    while at + 1 < len(tags) and tags[at + 1] in NOUNS:
        at += 1
    return at


def is_dictionary_word(tag: str, token: Token) -> bool:
    """Return True if ``token`` is a possible dictionary word: in lower case or of the calendar."""
    return tag in (*CALENDAR_TAGS, FUNCTION_TAG) or (
        token.text.islower() and token.text.replace(" ", "").isalpha()
    )


def _find_subject_slot(tokens: Sequence[Token], position: int, grammar: Grammar) -> str:
    for at in range(position - 1, max(-1, position - 1 - FARTHEST_SUBJECT), -1):
        token = tokens[at]
        lower = token.text.lower()
        if (
            token.tag in _SKIPPED_TAGS
            or lower in grammar.relative
            or lower in grammar.have
            or lower in grammar.be
        ):
            continue
        if lower in grammar.persons:
            return grammar.persons[lower]
        return _NUMBER_SLOTS.get(penn_tag(token.tag), "")
    return ""


def _find_before(tokens: Sequence[Token], position: int, grammar: Grammar) -> int | None:
    """Return the position of the nearest token to the left that is no adverb."""
    at = position - 1
    while (
        at >= 0
        and tokens[at].tag in _SKIPPED_TAGS
        and tokens[at].text.lower() not in grammar.modals
    ):
        at -= 1
    return at if at >= 0 else None


def _find_modal_slot(tokens: Sequence[Token], position: int, grammar: Grammar) -> str:
    at = _find_before(tokens, position, grammar)
    if at is None:
        return ""
    lower = tokens[at].text.lower()
    if lower in grammar.persons:  # a question: "Did she go?"
        at -= 1
        lower = tokens[at].text.lower() if at >= 0 else ""
    modal = grammar.modals.get(lower, "")
    if modal in ("", "infinitive", "can"):
        return modal
    subject = _find_subject_slot(tokens, at, grammar)
    return f"{modal}_{subject}" if subject else ""


def _find_gerund_slot(tokens: Sequence[Token], position: int, grammar: Grammar) -> str:
    at = _find_before(tokens, position, grammar)
    if at is None:
        return "subject"
    token = tokens[at]
    if token.text.lower() in grammar.be:
        return "progressive"
    return "after" if token.tag == "IN" else ""


def _find_participle_slot(tokens: Sequence[Token], position: int, grammar: Grammar) -> str:
    at = _find_before(tokens, position, grammar)
    if at is None:
        return ""
    lower = tokens[at].text.lower()
    if lower in grammar.have:
        return "perfect"
    if lower in grammar.be:
        subject = _find_subject_slot(tokens, at, grammar)
        return f"passive_{subject}" if subject else ""
    return ""
