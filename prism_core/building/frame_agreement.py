"""Gender and number of forms, and the words before nouns, from the answers to frames alone.

Without a treebank of the target language its frames still show both. An adjective was asked for
beside *house* and beside *book*, a noun beside an adjective. The names of the genders are those of
the frames, since nothing tells how a grammar of the language calls them.

How the words before a noun change with its class (*do, da, dos, das*) is asked: the same source
words before nouns of each class (``Frames.preceding``), and what the translator writes before most
of them.

Entry: ``add_agreement`` annotates entries; ``ask_preceding_words`` returns entries tagged
``BEFORE``.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from random import Random
from string import ascii_lowercase
from typing import NamedTuple

from prism_core.building.preceding_words import (
    LEAST_SHARE,
    LEAST_TIMES,
    METHOD,
    MOST_PRECEDING_WORDS,
    WORD,
    collect_function_words,
    find_genders_and_numbers,
    is_vowel,
    join_words,
)
from prism_core.dictionary import AGREEING, BEFORE, Entry, Form, agreement_of
from prism_core.languages import Language
from prism_core.mechanisms import capitalise

NOUNS_OF_CLASS = 12
"""Nouns of one class, and one kind of first letter, that are put into every frame."""
LEAST_OF_GRAMMAR = 6
"""Nouns that a word stands right before to be one of grammar."""
OF_VERB = 0.8
"""Share of the answers to frames that begin alike which have the translation of their verb."""
LEAST_CONFIDENT = 0.8
"""Confidence that such a noun needs."""
_NOUNS = ("NN", "NNS")
_ADJECTIVES = ("JJ", "JJR", "JJS", "VBN")
_PLURAL = "Number=Plur"

_Class = tuple[str, ...]
"""Gender and number of nouns, with the letters that they begin with where these matter."""


def add_agreement(entries: Iterable[Entry], language: Language) -> list[Entry]:
    """Return ``entries`` with the gender and number that frames show of nouns and adjectives.

    A category in which the frames of a form differ is left out: in the target language *house* and
    *book* may have one gender, and an adjective one form for both.
    """
    frames = language.frames.agreement
    if not frames:
        return list(entries)
    described = [_describe_adjective(entry, frames) for entry in entries]
    shown = _find_shown(described)
    return [_describe_noun(entry, shown) for entry in described]


def _describe_adjective(entry: Entry, frames: Mapping[str, _Class]) -> Entry:
    if entry.tag not in _ADJECTIVES:
        return entry
    return entry.replace_forms(
        form._replace(features=(*form.features, *_agree(map(frames.get, form.features))))
        for form in entry.forms
    )


def _agree(stated: Iterable[_Class | None]) -> _Class:
    """Return the features of the categories in which all of ``stated`` agree, sorted."""
    values = {feature for features in stated for feature in features or ()}
    categories = Counter(feature.partition("=")[0] for feature in values)
    return tuple(sorted(value for value in values if categories[value.partition("=")[0]] == 1))


def _find_shown(entries: Iterable[Entry]) -> Mapping[str, _Class]:
    """Return gender and number of each form of an adjective that always has both."""
    found: dict[str, set[_Class]] = defaultdict(set)
    for entry in entries:
        if entry.tag in _ADJECTIVES:
            for form in entry.forms:
                found[form.text].add(agreement_of(form.features))
    certain = ((text, min(stated)) for text, stated in found.items() if len(stated) == 1)
    return {text: features for text, features in certain if len(features) == len(AGREEING)}


def _describe_noun(entry: Entry, shown: Mapping[str, _Class]) -> Entry:
    """Add to the form of the frame what the adjective beside it shows."""
    if entry.tag not in _NOUNS or not entry.agreement:
        return entry
    beside = {shown[word] for word in entry.agreement_parts[0].split() if word in shown}
    if len(beside) != 1:
        return entry
    first, *others = entry.forms
    first = first._replace(features=(*first.features, *min(beside)))
    return entry.replace_forms([first, *others])


class _Asked(NamedTuple):
    """Noun in a frame: the frame, the noun's class and its form in the target language."""

    frame: str
    of_class: _Class
    form: str


def ask_preceding_words(
    entries: Sequence[Entry], language: Language, translate: Callable[[list[str]], list[str]]
) -> list[Entry]:
    """Make an entry for the words before nouns, with those of each class as its forms.

    ``translate`` returns the translations of sentences, in order. The forms have the gender and
    number of the nouns and the letters that these begin with, as ``learn_preceding_words`` has.
    """
    asked, sentences = [], []
    for of_class, nouns in _choose_nouns(entries, language).items():
        kind = "plural" if _PLURAL in of_class else "singular"
        for frame in language.frames.preceding.get(kind, ()):
            for word, form in nouns:
                asked.append(_Asked(frame, of_class, form))
                sentences.append(capitalise(frame.format(word)))
    seen = _count_preceding(asked, translate(sentences), collect_function_words(entries))
    return list(_make_entries(_find_partners(seen)))


def _choose_nouns(
    entries: Sequence[Entry], language: Language
) -> dict[_Class, list[tuple[str, str]]]:
    """Choose nouns of each gender, number and kind of first letter in the target language.

    None of them takes another article than most words of the source language (*an*).
    """
    known, initials = find_genders_and_numbers(entries), _list_initials(entries)
    found: dict[_Class, list[tuple[str, str]]] = defaultdict(list)
    for entry in entries:
        form = entry.forms.texts[0]
        of_class = known.get(form, ()) if entry.confidence >= LEAST_CONFIDENT else ()
        is_usual = entry.tag == ("NNS" if _PLURAL in of_class else "NN")
        is_usual &= (form + entry.word).isalpha() and not language.elides(entry.word)
        if of_class and is_usual:
            found[*of_class, initials[is_vowel(form[0])]].append((entry.word, form))
    return {
        key: Random(0).sample(sorted(nouns), min(NOUNS_OF_CLASS, len(nouns)))
        for key, nouns in sorted(found.items())
    }


def _list_initials(entries: Iterable[Entry]) -> Mapping[bool, str]:
    """Return the features with all consonants and all vowels that forms begin with."""
    letters = {text[:1] for entry in entries for text in entry.forms.texts if text.islower()}
    kinds: dict[bool, list[str]] = {False: [], True: []}
    for letter in sorted({*ascii_lowercase, *filter(str.isalpha, letters)}):
        kinds[is_vowel(letter)].append(letter)
    return {kind: f"Initial={''.join(found)}" for kind, found in kinds.items()}


_Usual = Mapping[tuple[str, int], Mapping[_Class, Counter[str]]]
"""How often each text stands before the nouns of a class, by frame and number of its words."""


def _count_preceding(
    asked: Sequence[_Asked], answers: Iterable[str], functions: frozenset[str]
) -> _Usual:
    """Count the one or two words of grammar right before each noun that stands in its answer.

    A word before many nouns is one of grammar, whether or not it translates a function word. The
    verb of a frame stands in nearly all answers to frames that begin alike.
    """
    heads: list[tuple[_Asked, list[str]]] = []
    """The words before each noun in its answer; none where it does not stand there."""
    for query, answer in zip(asked, answers, strict=True):
        words, noun = WORD.findall(answer.lower().replace("’", "'")), query.form
        heads.append((query, words[: words.index(noun)] if noun in words else []))
    singles = Counter(head[-1] for _, head in heads if head)
    grammar = functions | {word for word, count in singles.items() if count >= LEAST_OF_GRAMMAR}
    of_beginning: dict[str, list[set[str]]] = defaultdict(list)
    for query, head in heads:
        of_beginning[_beginning(query.frame)] += [{*head}] if head else []
    grammar_of = {}
    for beginning, found in of_beginning.items():
        counts = Counter(chain.from_iterable(found))
        verbs = {word for word, count in counts.items() if count >= OF_VERB * len(found)}
        grammar_of[beginning] = grammar - verbs
    seen: dict[tuple[str, int], dict[_Class, Counter[str]]] = defaultdict(
        lambda: defaultdict(Counter)
    )
    for query, head in heads:
        for length in range(1, min(MOST_PRECEDING_WORDS, len(head)) + 1):
            before = head[-length:]
            if grammar_of[_beginning(query.frame)].issuperset(before):
                seen[query.frame, length][query.of_class][join_words(before)] += 1
    return seen


def _beginning(frame: str) -> str:
    """Return subject and verb of a frame, its first two words."""
    return " ".join(frame.split()[:2])


def _find_partners(seen: _Usual) -> Mapping[str, Mapping[_Class, Counter[str]]]:
    """Count what stands before each class where another text stands before some class.

    Only what is usual in its frame counts.
    """
    partners: dict[str, dict[_Class, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    for classes in seen.values():
        chosen = _choose_texts(classes, LEAST_TIMES)
        for before in set(chosen.values()):
            for of_class, text in chosen.items():
                partners[before][of_class][text] += classes[of_class][text]
    return partners


def _choose_texts(classes: Mapping[_Class, Counter[str]], least: int) -> dict[_Class, str]:
    """Choose the text that most nouns of each class have, at ``least`` so many of them.

    Where several are common (*aquela* and *essa* before consonants), it is the one before the other
    nouns of that gender and number, which begin with another kind of letter.
    """
    usual = {
        of_class: text
        for of_class, counts in classes.items()
        for text, count in counts.most_common(1)
        if count >= max(least, LEAST_SHARE * counts.total())
    }
    others = {of_class[:-1]: text for of_class, text in usual.items()}
    rest = {
        of_class: text
        for of_class, counts in classes.items()
        if of_class not in usual
        and (text := others.get(of_class[:-1]))
        and counts[text] >= LEAST_TIMES
    }
    return usual | rest


def _make_entries(partners: Mapping[str, Mapping[_Class, Counter[str]]]) -> Iterator[Entry]:
    rows = {before: _choose_texts(classes, 1) for before, classes in partners.items()}
    for before, row in sorted(rows.items()):
        forms = [
            Form(text, float(partners[before][of_class][text]), of_class)
            for of_class, text in sorted((_compose_texts(before, rows) | row).items())
        ]
        if any(form.text != before for form in forms):
            yield Entry(before, BEFORE, forms, "", 0.0, 0.0, method=METHOD)


def _compose_texts(before: str, rows: Mapping[str, Mapping[_Class, str]]) -> dict[_Class, str]:
    """Compose what two words become before each class, of what each of them becomes.

    A translator may leave the first out (*nossa clínica*, *a nossa ideia*). The answers must show
    such a change before some class, and no other (*de la*, *du*).
    """
    words = before.split(" ")
    parts = [rows[word] for word in words if word in rows]
    if len(words) < MOST_PRECEDING_WORDS or not parts:
        return {}
    composed = {
        of_class: " ".join(rows[word][of_class] if word in rows else word for word in words)
        for of_class in parts[0]
        if all(of_class in part for part in parts)
    }
    answered = {of_class: text for of_class, text in rows[before].items() if of_class in composed}
    agrees = all(composed[of_class] == text for of_class, text in answered.items())
    return composed if agrees and any(text != before for text in answered.values()) else {}
