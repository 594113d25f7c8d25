"""Sentences and tokens as all other modules see them, and their changes after annotation.

They are plain data, no spaCy objects. Tokens are cut and joined by ``cut_at`` and ``join_letters``;
``correct_noun_tags`` corrects tags that the article excludes (no noun after *das* is feminine);
``split_clauses`` splits sentences that are too long.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, chain, compress, count, pairwise, takewhile
from operator import add, attrgetter, not_
from typing import NamedTuple

from prism_core.languages import Language


class Token(NamedTuple):
    """A token of a sentence; a tuple, because archives have millions of them.

    ``tag`` is the Penn Treebank tag (spaCy's ``tag_``; ``_SP`` for white space), followed by a
    hyphen and further agreement features in some languages (``NN-F``). ``morph`` has the Universal
    Dependencies features (``Number=Sing|Person=3``); ``entity`` is ``PER``, ``ORG``, ``LOC`` or
    empty.
    """

    text: str
    whitespace: str
    tag: str
    lemma: str = ""
    morph: str = ""
    entity: str = ""


_TEXT = attrgetter("text")
_WHITESPACE = attrgetter("whitespace")
_WITH_WHITESPACE = attrgetter("text", "whitespace")


PROPER_NOUNS = ("NNP", "NNPS")


def penn_tag(tag: str) -> str:
    """Return the Penn tag without further features: NN for ``NN-F``."""
    return tag.partition("-")[0] or tag


class FoundIdentifiers(NamedTuple):
    """Identifiers found in a sentence, stored so that they are detected once.

    ``by`` identifies the detector and its data. Each of ``spans`` is a start and an end in the
    text; each of ``names`` is a position and a number of tokens, after these were cut at the spans.
    Label and kind follow in both.
    """

    by: str
    spans: tuple[tuple[int, int, str, str], ...] = ()
    names: tuple[tuple[int, int, str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence; its ``text`` is the source byte for byte, trailing white space included.

    ``found`` belongs to these very ``tokens``; it is None before detection.
    """

    tokens: tuple[Token, ...]
    found: FoundIdentifiers | None = field(default=None, compare=False, repr=False)

    @classmethod
    def join(cls, sentences: Iterable[Sentence]) -> Sentence:
        """Return ``sentences`` as one, without what was found in them."""
        return cls(tuple(chain.from_iterable(sentence.tokens for sentence in sentences)))

    @property
    def text(self) -> str:
        """Source text of the sentence."""
        return "".join(chain.from_iterable(map(_WITH_WHITESPACE, self.tokens)))

    @property
    def words(self) -> list[str]:
        """Text of each token."""
        return list(map(_TEXT, self.tokens))

    def offsets(self) -> list[tuple[int, int]]:
        """Return the ``(start, end)`` of each token in ``text``, white space excluded."""
        lengths = list(map(len, self.words))
        gaps = map(len, map(_WHITESPACE, self.tokens))
        starts = list(accumulate(map(add, lengths, gaps), initial=0))[:-1]
        return list(zip(starts, map(add, starts, lengths), strict=True))


_PARTS = re.compile(r"[^\W\d_]+|\s+|.", re.DOTALL)


def cut_at(sentence: Sentence, borders: Iterable[int]) -> Sentence:
    """Split the tokens of ``sentence`` at character offsets ``borders``; its text stays the same.

    A part that is a word keeps the token's tag; parts are split into letters and marks.
    """
    offsets = sentence.offsets()
    starts = [start for start, _ in offsets]
    cuts: dict[int, list[int]] = defaultdict(list)
    for border in sorted(set(borders)):
        index = bisect_right(starts, border) - 1
        if index >= 0 and starts[index] < border < offsets[index][1]:
            cuts[index].append(border)
    tokens: list[Token] = []
    done = 0
    for index, within in cuts.items():
        (start, end), token, parts = offsets[index], sentence.tokens[index], list[str]()
        for left, right in pairwise([start, *within, end]):
            part = token.text[left - start : right - start]
            parts += [part] if any(map(str.isnumeric, part)) else _PARTS.findall(part)
        pieces = [token._replace(text=part, whitespace="", lemma=part.lower()) for part in parts]
        pieces[-1] = pieces[-1]._replace(whitespace=token.whitespace)
        tokens += [*sentence.tokens[done:index], *pieces]
        done = index + 1
    return Sentence((*tokens, *sentence.tokens[done:]))


def join_letters(sentence: Sentence, language: Language) -> Sentence:
    """Join tokens that run into each other letter to letter (*it*, *s* in a misspelt *its*).

    A substitute for one part would be glued to the other, and the decoder could not find it. Parts
    that are all function words (*can*, *not*) stay apart, and so do clitics (*n't*). Phrases
    abbreviated to letters (*z. B.*) become one token too.
    """
    sentence = _join_abbreviations(sentence, language.words.abbreviations)
    tokens = sentence.tokens
    gaps = map(attrgetter("whitespace"), tokens[:-1])
    glued = compress(count(), map(not_, gaps))
    if not any(_is_run_together(tokens[i], tokens[i + 1], language) for i in glued):
        return sentence
    joined: list[Token] = []
    for token in sentence.tokens:
        if joined and _is_run_together(joined[-1], token, language):
            before = joined.pop()
            text = before.text + token.text
            token = before._replace(text=text, whitespace=token.whitespace, lemma=text.lower())
        joined.append(token)
    return Sentence(tuple(joined))


def _join_abbreviations(sentence: Sentence, pattern: str) -> Sentence:
    text = sentence.text if pattern else ""
    found = [span.span() for span in re.finditer(pattern, text)] if "." in text else []
    if not found:
        return sentence
    joined: list[Token] = []
    inside = -1
    for token, (start, end) in zip(sentence.tokens, sentence.offsets(), strict=True):
        within = next(
            (number for number, span in enumerate(found) if span[0] <= start and end <= span[1]), -1
        )
        if within >= 0 and within == inside:
            before = joined.pop()
            whole = before.text + before.whitespace + token.text
            token = token._replace(text=whole, tag="RB", lemma=whole.lower(), entity="")
        joined.append(token)
        inside = within
    return Sentence(tuple(joined))


def _is_run_together(before: Token, token: Token, language: Language) -> bool:
    if before.whitespace or not (before.text[-1:].isalpha() and token.text[:1].isalpha()):
        return False
    if token.text.lower() in language.words.clitics:
        return False
    return not (language.is_function_word(before.text) and language.is_function_word(token.text))


FEWEST = 4
"""Words of a part: translators do badly with fewer."""
_OPENING = dict(zip("([{“«", ")]}”»", strict=True)) | {'"': '"'}
_SUBJECT = frozenset(("PRP", "DT", "EX"))
_FINITE = frozenset(("VBD", "VBZ", "VBP", "MD"))
_NEVER_LAST = frozenset(("IN", "CC", "TO", "DT"))
"""Tags of words that end no part."""


def split_clauses(sentence: Sentence, language: Language) -> list[Sentence]:
    """Split ``sentence`` at its clauses; the texts of the parts, joined, are its text.

    It is split after ``;``, after a comma before a subject or a word that begins a clause
    (``clause_first``: *and*, *which*), and before *that* or *when* (``clause_within``), where a
    finite verb follows before the next mark. It is never split within quotes or brackets, nor
    before a capital or a number, because a name is harder to recognise at the start of a sentence.
    Each part has at least ``FEWEST`` words.
    """
    parts: list[Sentence] = []
    start = 0
    for start_of_next in _clause_starts(sentence.tokens, language):
        left, right = sentence.tokens[start:start_of_next], sentence.tokens[start_of_next:]
        if min(_words(left), _words(right)) < FEWEST:
            continue
        before_mark = takewhile(lambda token: token.text not in (",", ";"), right)
        if left[-1].text == ";" or any(penn_tag(token.tag) in _FINITE for token in before_mark):
            parts.append(Sentence(left))
            start = start_of_next
    return [*parts, Sentence(sentence.tokens[start:])]


def _clause_starts(tokens: Sequence[Token], language: Language) -> Iterator[int]:
    """Yield the positions at which a clause may begin, in order."""
    first_words, within = language.boundaries.clause_first, language.boundaries.clause_within
    closing: list[str] = []
    for position, (token, after) in enumerate(pairwise(tokens), start=1):
        if closing and token.text == closing[-1]:
            closing.pop()
        elif token.text in _OPENING:
            closing.append(_OPENING[token.text])
        if closing or not token.whitespace or not after.text[0].islower():
            continue
        if token.text == ",":
            begins = after.text in first_words or after.tag in _SUBJECT
        else:
            begins = after.text in within and token.text.isalnum() and token.tag not in _NEVER_LAST
        if begins or token.text == ";":
            yield position


def _words(tokens: Sequence[Token]) -> int:
    return sum(any(map(str.isalpha, token.text)) for token in tokens)


_MOST_ADJECTIVES = 4
"""Adjectives between article and noun that are skipped."""


def correct_noun_tags(sentence: Sentence, language: Language) -> Sentence:
    """Return ``sentence`` with noun tags that ``Grammar.noun_slots`` allows after their article.

    Of the allowed tags the first that fits the form of the word is taken, preferring one of the
    same number. Names, and nouns without an article before them, stay as they are.
    """
    slots, forms = language.grammar.noun_slots, language.frames.forms
    if not slots:
        return sentence
    tokens = list(sentence.tokens)
    for position, token in enumerate(tokens):
        if position and penn_tag(token.tag) in ("NN", "NNS") and token.tag not in PROPER_NOUNS:
            before = position - 1
            first = max(0, position - _MOST_ADJECTIVES)
            while before > first and tokens[before].tag.startswith("JJ-"):
                before -= 1
            article = tokens[before].text.lower()
            between = tokens[position - 1].tag if before < position - 1 else ""
            allowed = slots.get(f"{article} {between}") or slots.get(article, ())
            if token.tag in allowed or token.tag.startswith("NN-A"):
                continue
            lower = token.text.lower()
            fitting = [tag for tag in allowed if re.fullmatch(forms.get(tag, ".*"), lower)]
            alike = [tag for tag in fitting if penn_tag(tag) == penn_tag(token.tag)]
            tokens[position] = token._replace(tag=next(iter(alike or fitting), token.tag))
    return Sentence(tuple(tokens))
