"""How translators change what stands before a word with the word: *el* and *la*, *le* and *l'*.

Two translations of one sentence often differ in a word alone: *de la casa allí*, *del hogar allí*.
What is before the word in the one and in the other, between the same neighbours, are partners. So
which article goes before which noun, and where it is elided, is read off what translators write.

Entry: ``learn_preceding_words``.
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
MOST_WORDS = 2
"""Words before the noun that may change as one: *de la* and *del*."""
LEAST_TIMES = 3
LEAST_SHARE = 0.75
"""A partner counts that stood before so many words, and this share of the words of its place that
have it or the next usual one."""
LEAST_TIMES_APART = 20
"""So many words, where their first letters' kind, vowels or consonants, has no partner."""
MOST_WRONG = 4
"""What stands so many times as often before a word as its partner stands there rightly."""
LEAST_SURE = 0.9
"""That share for words of which gender and number are not known."""
_WORD = re.compile(r"[^\W\d_]+['’]|\w+|[^\w\s]")
_Class = tuple[str, ...]
_Before = tuple[_Class, str]
"""The gender and number of a word, if known, and its first letter."""


class _Place(NamedTuple):
    """A word, and what stands before it."""

    before: str
    word: str


def learn_preceding_words(
    pairs: Iterable[tuple[str, str]], entries: Iterable[Entry], *, translator: str, built: str = ""
) -> list[Entry]:
    """An entry for each companion in lower case, tagged ``BEFORE``, its partners as forms.

    The features of a partner are the gender and number of the words that it stands before, and the
    letters they begin with (``Initial=aeiou``); without gender and number it goes before any word
    with such a letter. Its score is before how many words it was seen. A form with a ``Word`` alone
    says that the companion stays before this one. ``pairs`` are source lines and translations of
    them, of which several of one line are compared.
    """
    entries = list(entries)
    classes, functions = _classes(entries), _function_words(entries)
    seen: dict[str, dict[_Before, dict[str, set[str]]]] = defaultdict(
        lambda: defaultdict(lambda: defaultdict(set))
    )
    translations: dict[str, set[str]] = defaultdict(set)
    for source, target in pairs:
        translations[source].add(target.lower().replace("’", "'"))
    for several in translations.values():
        for one, other in permutations([_places(text, functions) for text in several], 2):
            for place, partner in _partners(one, other):
                for described in {classes.get(partner.word, ()), ()}:
                    key = described, partner.word[0]
                    seen[place.before][key][partner.before].add(partner.word)
    stood: dict[str, Counter[str]] = defaultdict(Counter)  # how often each before each word
    for text in chain.from_iterable(translations.values()):
        for place in filter(None, _places(text, functions).values()):
            stood[place.before][place.word] += 1
    found = []
    for before, of_place in sorted(seen.items()):
        forms = [form for form in _forms(of_place) if not _says_more(before, form.text)]
        if any(form.text != before for form in forms):
            forms += _exceptions(before, forms, stood, classes)
            found.append(Entry(before, BEFORE, forms, "", 0.0, 0.0, translator, METHOD, built))
    return found


def _says_more(before: str, partner: str) -> bool:
    """Whether one of both has a word more: *de* and *de una* say different things."""
    longer, shorter = sorted((f"{before} ", f"{partner} "), key=len, reverse=True)
    return longer != shorter and longer.startswith(shorter)


def _exceptions(
    before: str,
    forms: Iterable[Form],
    stood: Mapping[str, Counter[str]],
    classes: Mapping[str, _Class],
) -> Iterator[Form]:
    """The words that ``before`` stands before although ``forms`` say another: *el agua*."""
    forms = list(forms)
    for word, count in sorted(stood[before].items()):
        told = classes.get(word, ())
        partners = {
            form.text
            for form in forms
            if form.features[:-1] == told and word[0] in form.features[-1].partition("=")[2]
        } - {before}
        if count >= LEAST_TIMES and any(
            count > MOST_WRONG * stood[partner][word] for partner in partners
        ):
            yield Form(before, float(count), (f"Word={word}",))


def _function_words(entries: Iterable[Entry]) -> frozenset[str]:
    """What the translators write for function words: of these companions are made."""
    return frozenset(
        word
        for entry in entries
        if entry.tag == FUNCTION_TAG
        for text in entry.forms.texts
        for word in text.lower().split()
    )


def _classes(entries: Iterable[Entry]) -> Mapping[str, _Class]:
    """Gender and number of each noun of which both are known, and always the same; of a form that
    is a genitive, that it is one."""
    found: dict[str, set[_Class]] = defaultdict(set)
    for entry in entries:
        if penn_tag(entry.tag) in NOUNS:
            for text, features in zip(entry.forms.texts, entry.forms.features, strict=True):
                told = agreement_of(sorted(features))
                if GENITIVE in features:  # which masculines and neuters share
                    found[text.lower()].add((GENITIVE,))
                elif len(told) == 2:
                    found[text.lower()].add(told)
    return {text: min(told) for text, told in found.items() if len(told) == 1}


_Context = tuple[str, str]


def _places(text: str, functions: frozenset[str]) -> dict[_Context, _Place | None]:
    """The words of ``text`` by their neighbours; None where two have the same.

    A word's left neighbour stands before its companion of one or two words.
    """
    words = ["", *_WORD.findall(text), ""]
    found: dict[_Context, _Place | None] = {}
    for length, at in product(range(1, MOST_WORDS + 1), range(len(words))):
        word = at + 1 + length
        if word + 1 < len(words) and words[word][0].isalpha() and words[word][-1].isalpha():
            company = words[at + 1 : word]
            if functions.issuperset(part.strip("'") for part in company):
                context = words[at], words[word + 1]
                place = _Place(join_words(company), words[word])
                found[context] = None if context in found else place
    return found


def join_words(words: Iterable[str]) -> str:
    """``words`` with blanks, but for those after an apostrophe."""
    return " ".join(words).replace("' ", "'")


def _partners(
    one: Mapping[_Context, _Place | None], other: Mapping[_Context, _Place | None]
) -> Iterator[tuple[_Place, _Place]]:
    for context, place in one.items():
        partner = other.get(context)
        if place and partner and place.word != partner.word:
            yield place, partner


def _forms(of_place: Mapping[_Before, Mapping[str, set[str]]]) -> Iterator[Form]:
    """The partners for each class of words, with the letters before which each stands.

    A letter that was not seen, or before which they differ, is taken for one of its kind, vowels or
    consonants, if these agree. Where they do not, it has to be seen before many words itself.
    """
    classes: dict[_Class, dict[str, Counter[str]]] = defaultdict(dict)
    for (told, letter), partners in of_place.items():
        classes[told][letter] = Counter({text: len(words) for text, words in partners.items()})
    for told, by_letter in sorted(classes.items()):
        kinds: dict[bool, Counter[str]] = defaultdict(Counter)
        for letter, counts in by_letter.items():
            kinds[_is_vowel(letter)].update(counts)
        letters: dict[str, list[str]] = defaultdict(list)
        least = LEAST_SHARE if told else LEAST_SURE
        for letter in sorted({*ascii_lowercase, *by_letter}):
            own, kind = by_letter.get(letter, Counter[str]()), kinds[_is_vowel(letter)]
            of_kind = _usual(kind, LEAST_TIMES, least)
            of_own = _usual(own, LEAST_TIMES if of_kind else LEAST_TIMES_APART, least)
            is_rare = own.total() < LEAST_TIMES
            as_kind = of_kind in own if is_rare else own.most_common(1)[0][0] == of_kind
            partner = of_own or (of_kind if as_kind or not own else "")
            if partner:
                letters[partner].append(letter)
        for partner, found in letters.items():
            times = sum(counts[partner] for counts in by_letter.values())
            yield Form(partner, float(times), (*told, f"Initial={''.join(found)}"))


def _usual(counts: Counter[str], times: int, share: float) -> str:
    """What ``counts`` has before enough different words, and before most of those that have it or
    the next usual one; empty if there is none."""
    (partner, count), (_, next_usual) = [*counts.most_common(2), ("", 0), ("", 0)][:2]
    return partner if count >= max(times, share * (count + next_usual)) else ""


def _is_vowel(letter: str) -> bool:
    return without_accents(letter) in "aeiou"
