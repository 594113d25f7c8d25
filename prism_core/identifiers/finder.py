"""All detectors together, on tokens cut so that every identifier consists of whole tokens.

Entry: ``IdentifierFinder.find`` for a sentence and the deny list. ``attach_findings`` computes
beforehand what needs no list, ``collect_denied_forms`` what a sentence adds to the list.
"""

from __future__ import annotations

import hashlib
import json
from bisect import bisect_left
from collections.abc import Iterable, Sequence, Set
from typing import TypeVar

from prism_core.dictionary import Dictionary
from prism_core.identifiers.base import Detector, Identifier, Span, token_positions
from prism_core.identifiers.detectors import blind_labels
from prism_core.identifiers.lists import DenyList, defined_terms, quote_term
from prism_core.identifiers.name_words import is_bare_name_part, names_that_are_words, stands_out
from prism_core.identifiers.names import NameDetector
from prism_core.identifiers.spans import SpanFinder
from prism_core.language import FoundIdentifiers, Sentence, Token, cut_at, join_letters
from prism_core.languages import Language
from prism_core.record import Kind

SHORTEST_DENIED_NUMBER = 5
"""Fewest digits of a denied number: a shorter one identifies nobody, and random ones would match
it."""
Located = TypeVar("Located", Span, Identifier)
_IN_WORDS = ("DATE", "AGE")
"""Labels whose words (*Sept*, *ninety-four*) identify nobody by themselves."""


class IdentifierFinder:
    """Finder of shapes in raw text, then of names, then of forms that the archive denies.

    ``version`` identifies everything that results depend on; without it ``attach_findings`` has no
    key under which a sentence could keep them.
    """

    def __init__(
        self,
        dictionary: Dictionary,
        listed: Iterable[str] = (),
        extra: Sequence[Detector] = (),
        version: str = "",
    ) -> None:
        self._language = dictionary.language
        self._spans = SpanFinder(self._language, extra)
        listed = sorted(listed)
        self._names = NameDetector(dictionary, listed)
        known = json.dumps([version, *listed]).encode()
        self._name = hashlib.sha256(known).hexdigest()[:16] if version else None

    def find(
        self, sentence: Sentence, deny_list: DenyList | None = None
    ) -> tuple[Sentence, list[Identifier]]:
        """Return ``sentence`` with its tokens cut at identifiers, and the identifiers in order."""
        cut, _, found, names = self._find_own(sentence)
        found += names
        if deny_list:
            beside = token_positions(
                identifier for identifier in found if identifier.kind is Kind.NAME
            )
            denied = deny_list.find(cut.words, self.is_ordinary, self._language, names=beside)
            denied += self._names.find_known_grammar_names(cut, deny_list)
            covered = token_positions(found)
            found += [Identifier(i, 1, "NAME", Kind.NAME) for i in {*denied} if i not in covered]
            found = _drop_defined_terms(cut, found, deny_list, self._language)
        return cut, sorted(found)

    def attach_findings(self, sentence: Sentence) -> Sentence:
        """Return ``sentence`` with its own identifiers attached, so that ``find`` reuses them."""
        if self._name is None:
            return sentence
        _, spans, _, names = self._find_own(sentence)
        return Sentence(sentence.tokens, FoundIdentifiers(self._name, tuple(spans), tuple(names)))

    def _find_own(
        self, sentence: Sentence
    ) -> tuple[Sentence, Sequence[Span], list[Identifier], Sequence[Identifier]]:
        """Return ``sentence`` cut at its spans, these spans, their identifiers, and the names."""
        cut, found = join_letters(sentence, self._language), list[Identifier]()
        has_pronouns = not self._language.words.clitics.isdisjoint(map(str.lower, cut.words))
        if has_pronouns and any(
            _count_pronouns(cut, position, self._language) for position in range(1, len(cut.tokens))
        ):
            cut = _join_pronouns(cut, token_positions(self._names.find(cut)), self._language)
        known = sentence.found
        if known is None or known.by != self._name:
            known = None
        spans = (
            [_restore(Span, row) for row in known.spans]
            if known
            else self._spans.find(sentence.text)
        )
        if spans:
            ranges = _find_token_ranges(cut, spans)
            if ranges is None:
                cut = cut_at(cut, [border for span in spans for border in (span.start, span.end)])
                ranges = _find_token_ranges(cut, spans)
            if ranges is None:
                raise ValueError("an identifier is not made of whole tokens")  # without its text
            found = [
                Identifier(*tokens, span.label, span.kind)
                for span, tokens in zip(spans, ranges, strict=True)
            ]
        if known:
            return cut, spans, found, [_restore(Identifier, row) for row in known.names]
        covered = token_positions(found)
        names = [name for name in self._names.find(cut) if name.position not in covered]
        return cut, spans, found, names

    def collect_denied_forms(self, sentence: Sentence) -> tuple[str, ...]:
        """Return what ``sentence`` adds to the archive's deny list: its names and longer codes."""
        cut, identifiers = self.find(sentence)
        found: list[str] = []
        for identifier in identifiers:
            text = identifier.text_in(cut)
            parts = text.split()  # elsewhere what is written apart may be written as one
            forms = (text, *parts, "".join(parts)) if len(parts) > 1 else (text,)
            found += [form for form in forms if self._is_to_deny(identifier, form)]
        may_name, is_grammar = names_that_are_words(self._language), self._language.is_function_word
        for term in defined_terms([sentence.text], self._language):
            words = [word for word in term.split() if not is_grammar(word)]
            is_public = all(
                self._names.is_ordinary(word) and not self._names.is_listed(word) for word in words
            )
            # *Das Auto von Eben ist* defines nothing.
            ends_in_grammar = is_grammar(term.split()[-1])
            if is_public and not (ends_in_grammar or may_name.issuperset(map(str.lower, words))):
                found.append(quote_term(term))
        return tuple(found)

    def retag_ordinary_words(self, cut: Sentence, found: Sequence[Identifier]) -> Sentence:
        """Call ``NameDetector.retag_ordinary_words``; ``found`` are the identifiers of ``cut``."""
        return self._names.retag_ordinary_words(cut, token_positions(found))

    def find_listed(self, sentence: Sentence) -> frozenset[int]:
        """Return the positions of the tokens whose own surface is a word of the user's list."""
        return frozenset(
            i for i, token in enumerate(sentence.tokens) if self._names.is_listed(token.text)
        )

    def is_ordinary(self, word: str) -> bool:
        """Return True for words of the dictionary and function words, whose capital matters."""
        return self._names.is_ordinary(word) or self._language.is_function_word(word)

    def _is_to_deny(self, identifier: Identifier, text: str) -> bool:
        """Return True if the archive should recognise ``text`` in its other sentences.

        An ordinary word that only stands next to a name (*Agreement*) is replaced elsewhere anyway;
        as a denied word it would stay untranslated there. In small letters it counts only next to
        another name and after a title.
        """
        if identifier.kind is Kind.NAME:
            personal = identifier.label in ("PERSON", "PLACE")
            is_grammar = self._language.is_function_word(text) and text.istitle()
            ordinary = (self.is_ordinary(text) and not is_grammar) or is_bare_name_part(text)
            return (
                len(text) > 1 and (personal or not ordinary) and identifier.label not in _IN_WORDS
            )
        if identifier.kind is Kind.NUMBER or identifier.label in blind_labels():
            return sum(c.isdigit() for c in text) >= SHORTEST_DENIED_NUMBER
        return identifier.kind is Kind.CODE and len(text) >= SHORTEST_DENIED_NUMBER


def _drop_defined_terms(
    cut: Sentence, found: list[Identifier], deny_list: DenyList, language: Language
) -> list[Identifier]:
    """Return ``found`` without names inside defined terms (*the next Business Day*).

    A name next to the term is a reason to keep both. A function word inside the term stays a name,
    because it would be sent as it is: *the buyer (the “Will Kitchen”)*.
    """
    names = {identifier.position for identifier in found if identifier.kind is Kind.NAME}
    words, inside = cut.words, set[int]()
    for size in deny_list.term_sizes if names else ():
        for position in range(len(words) - size + 1):
            is_apart = names.isdisjoint((position - 1, position + size))
            if is_apart and deny_list.defines(words[position : position + size]):
                inside.update(range(position, position + size))
    inside = {position for position in inside if not language.is_function_word(words[position])}
    return [
        identifier
        for identifier in found
        if identifier.kind is not Kind.NAME or identifier.position not in inside
    ]


def _restore(position: type[Located], kept: tuple[int, int, str, str]) -> Located:
    start, end, label, kind = kept
    return position(start, end, label, Kind(kind))


def _count_pronouns(sentence: Sentence, first: int, language: Language) -> int:
    """Count the pronouns attached to the word before ``first``: 2 in *dígaselo*."""
    end, tokens, clitics = first, sentence.tokens, language.words.clitics
    while end < len(tokens) and not tokens[end - 1].whitespace and tokens[end].text.isalpha():
        if tokens[end].text.lower() not in clitics:
            break
        end += 1
    return end - first


def _join_pronouns(sentence: Sentence, names: Set[int], language: Language) -> Sentence:
    """Rejoin ``names`` (positions) that the tokenizer cut as verbs: *Testigo: Llévela*.

    Otherwise the rest of a name would be sent as a pronoun (*con Dígalo*).
    """
    tokens, position = list[Token](), 0
    while position < len(sentence.tokens):
        token, end = sentence.tokens[position], position + 1
        if token.text.isalpha() and (position in names or stands_out(sentence.tokens, position)):
            end += _count_pronouns(sentence, end, language)
        if end > position + 1:
            parts = sentence.tokens[position:end]
            whole, blank = "".join(part.text for part in parts), parts[-1].whitespace
            token = token._replace(text=whole, whitespace=blank, tag="NNP")
        tokens.append(token)
        position = end
    return Sentence(tuple(tokens))


def _find_token_ranges(sentence: Sentence, spans: Sequence[Span]) -> list[tuple[int, int]] | None:
    """Return first token and token count of each span; None if one is not whole tokens."""
    starts, ends = zip(*sentence.offsets(), strict=True)
    ranges: list[tuple[int, int]] = []
    for span in spans:
        first = bisect_left(starts, span.start)
        end = bisect_left(starts, span.end, first)
        if first == end or starts[first] != span.start or ends[end - 1] != span.end:
            return None
        ranges.append((first, end - first))
    return ranges
