"""_GenderNumber of preceding words with a noun: *el* and *la*, *le* and *l'*.

Two translations of one sentence often differ in a word alone: *de la casa allí*, *del hogar allí*.
The words before the noun in the one and in the other, between the same neighbours, are partners.
The article for each noun, and its elision, is thus learned from translators' output.

Entry: ``learn_preceding_words``: ``_index_by_context`` of each translation, ``_pair_translations``,
``_make_forms`` and ``_find_exceptions``.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, permutations, product
from string import ascii_lowercase
from typing import NamedTuple

from prism_core.building.corpus_occurrences import NOUNS
from prism_core.dictionary import (
    BEFORE,
    FUNCTION_TAG,
    GENITIVE,
    Entry,
    Form,
    agreement_of,
    without_accents,
)
from prism_core.language import penn_tag

METHOD = "companions"
MOST_PRECEDING_WORDS = 2
"""Maximum number of words before the noun that may change as one: *de la* and *del*."""
LEAST_TIMES = 3
"""Minimum number of words that a partner must precede to count."""
LEAST_SHARE = 0.75
"""Share of those words that must have the partner rather than the next usual one."""
LEAST_TIMES_ONE_LETTER = 20
"""Same number for one letter, where its kind, vowels or consonants, has no partner."""
MOST_EXCEPTION_RATIO = 4
"""Ratio to its partner's count from which on a preceding word is right before a word."""
LEAST_SHARE_UNCLASSED = 0.9
"""Same share for words of unknown gender and number."""
WORD = re.compile(r"[^\W\d_]+['’]|\w+|[^\w\s]")
_GenderNumber = tuple[str, ...]
"""Gender and number of a word (``agreement_of``), or ``GENITIVE``; empty if they are not known."""
_Beginning = tuple[_GenderNumber, str]
"""Gender and number of a word, and its first letter."""


class _WordInContext(NamedTuple):
    """Word, and the words before it."""

    before: str
    word: str


def learn_preceding_words(
    pairs: Iterable[tuple[str, str]], entries: Iterable[Entry], *, translator: str, built: str = ""
) -> list[Entry]:
    """Make an entry for each preceding word, tagged ``BEFORE``, with its partners as forms.

    Words are in lower case. The features of a partner are the gender and number of the words that
    it precedes, and the letters they begin with (``Initial=aeiou``); without gender and number it
    precedes any word with such a letter. Its score is the number of words it was seen before. A
    form with a ``Word`` alone says that the preceding word stays before this one. ``pairs`` are
    source lines and translations of them; several translations of one line are compared.
    """
    entries = list(entries)
    agreements, functions = find_genders_and_numbers(entries), collect_function_words(entries)
    seen: dict[str, dict[_Beginning, dict[str, set[str]]]] = defaultdict(
        lambda: defaultdict(lambda: defaultdict(set))
    )
    translations: dict[str, set[str]] = defaultdict(set)
    for source, target in pairs:
        translations[source].add(target.lower().replace("’", "'"))
    for variants in translations.values():
        for first, other in permutations(
            [_index_by_context(text, functions) for text in variants], 2
        ):
            for context_word, partner in _pair_translations(first, other):
                for agreement in {agreements.get(partner.word, ()), ()}:
                    key = agreement, partner.word[0]
                    seen[context_word.before][key][partner.before].add(partner.word)
    counts: dict[str, Counter[str]] = defaultdict(Counter)  # how often each before each word
    for text in chain.from_iterable(translations.values()):
        for context_word in filter(None, _index_by_context(text, functions).values()):
            counts[context_word.before][context_word.word] += 1
    found = []
    for before, partners_by_key in sorted(seen.items()):
        forms = [form for form in _make_forms(partners_by_key) if not _adds_word(before, form.text)]
        if any(form.text != before for form in forms):
            forms += _find_exceptions(before, forms, counts, agreements)
            found.append(Entry(before, BEFORE, forms, "", 0.0, 0.0, translator, METHOD, built))
    return found


def _adds_word(before: str, partner: str) -> bool:
    """Return True if one of them has a word more: *de* and *de una* differ in meaning."""
    longer, shorter = sorted((f"{before} ", f"{partner} "), key=len, reverse=True)
    return longer != shorter and longer.startswith(shorter)


def _find_exceptions(
    before: str,
    forms: Iterable[Form],
    counts: Mapping[str, Counter[str]],
    agreements: Mapping[str, _GenderNumber],
) -> Iterator[Form]:
    """Yield the words that ``before`` precedes although ``forms`` give another: *el agua*."""
    forms = list(forms)
    for word, count in sorted(counts[before].items()):
        agreement = agreements.get(word, ())
        partners = {
            form.text
            for form in forms
            if form.features[:-1] == agreement and word[0] in form.features[-1].partition("=")[2]
        } - {before}
        if count >= LEAST_TIMES and any(
            count > MOST_EXCEPTION_RATIO * counts[partner][word] for partner in partners
        ):
            yield Form(before, float(count), (f"Word={word}",))


def collect_function_words(entries: Iterable[Entry]) -> frozenset[str]:
    """Return the translations of function words, of which preceding words are made."""
    return frozenset(
        word
        for entry in entries
        if entry.tag == FUNCTION_TAG
        for text in entry.forms.texts
        for word in text.lower().split()
    )


def find_genders_and_numbers(entries: Iterable[Entry]) -> Mapping[str, _GenderNumber]:
    """Return gender and number of each noun with both known and always the same.

    A genitive form has that feature instead.
    """
    found: dict[str, set[_GenderNumber]] = defaultdict(set)
    for entry in entries:
        if penn_tag(entry.tag) in NOUNS:
            for text, features in zip(entry.forms.texts, entry.forms.features, strict=True):
                values = agreement_of(sorted(features))
                if GENITIVE in features:  # which masculines and neuters share
                    found[text.lower()].add((GENITIVE,))
                elif len(values) == 2:
                    found[text.lower()].add(values)
    return {text: min(values) for text, values in found.items() if len(values) == 1}


_Context = tuple[str, str]


def _index_by_context(
    text: str, functions: frozenset[str]
) -> dict[_Context, _WordInContext | None]:
    """Index the words of ``text`` by their neighbours; None where two have the same.

    The left neighbour stands before the one or two words that precede a word.
    """
    words = ["", *WORD.findall(text), ""]
    found: dict[_Context, _WordInContext | None] = {}
    for length, at in product(range(1, MOST_PRECEDING_WORDS + 1), range(len(words))):
        word = at + 1 + length
        if word + 1 < len(words) and words[word][0].isalpha() and words[word][-1].isalpha():
            preceding = words[at + 1 : word]
            if functions.issuperset(part.strip("'") for part in preceding):
                context = words[at], words[word + 1]
                place = _WordInContext(join_words(preceding), words[word])
                found[context] = None if context in found else place
    return found


def join_words(words: Iterable[str]) -> str:
    """Join ``words`` with blanks, except after an apostrophe."""
    return " ".join(words).replace("' ", "'")


def _pair_translations(
    first: Mapping[_Context, _WordInContext | None], other: Mapping[_Context, _WordInContext | None]
) -> Iterator[tuple[_WordInContext, _WordInContext]]:
    for context, place in first.items():
        partner = other.get(context)
        if place and partner and place.word != partner.word:
            yield place, partner


def _make_forms(partners_by_key: Mapping[_Beginning, Mapping[str, set[str]]]) -> Iterator[Form]:
    """Yield the partners by gender and number, with the letters before which each stands.

    A letter that was not seen, or before which partners differ, follows its kind, vowels or
    consonants, if these agree. Where they do not, it has to be seen before many words itself.
    """
    by_agreement: dict[_GenderNumber, dict[str, Counter[str]]] = defaultdict(dict)
    for (agreement, letter), partners in partners_by_key.items():
        by_agreement[agreement][letter] = Counter(
            {text: len(words) for text, words in partners.items()}
        )
    for agreement, by_letter in sorted(by_agreement.items()):
        kinds: dict[bool, Counter[str]] = defaultdict(Counter)
        for letter, counts in by_letter.items():
            kinds[is_vowel(letter)].update(counts)
        letters: dict[str, list[str]] = defaultdict(list)
        least = LEAST_SHARE if agreement else LEAST_SHARE_UNCLASSED
        for letter in sorted({*ascii_lowercase, *by_letter}):
            of_letter, kind = by_letter.get(letter, Counter[str]()), kinds[is_vowel(letter)]
            usual_of_kind = _choose_usual(kind, LEAST_TIMES, least)
            usual_of_letter = _choose_usual(
                of_letter, LEAST_TIMES if usual_of_kind else LEAST_TIMES_ONE_LETTER, least
            )
            is_rare = of_letter.total() < LEAST_TIMES
            agrees_with_kind = (
                usual_of_kind in of_letter
                if is_rare
                else of_letter.most_common(1)[0][0] == usual_of_kind
            )
            partner = usual_of_letter or (
                usual_of_kind if agrees_with_kind or not of_letter else ""
            )
            if partner:
                letters[partner].append(letter)
        for partner, found in letters.items():
            times = sum(counts[partner] for counts in by_letter.values())
            yield Form(partner, float(times), (*agreement, f"Initial={''.join(found)}"))


def _choose_usual(counts: Counter[str], times: int, share: float) -> str:
    """Return the partner before enough different words; empty if there is none.

    It must have ``share`` of the words that have it or the next usual one.
    """
    (partner, count), (_, next_usual) = [*counts.most_common(2), ("", 0), ("", 0)][:2]
    return partner if count >= max(times, share * (count + next_usual)) else ""


def is_vowel(letter: str) -> bool:
    """Return True if ``letter``, with or without an accent, is one of *aeiou*."""
    return without_accents(letter) in "aeiou"
