"""Faults of a translation made on this machine, found without knowing what is right.

Firefox models change separators of numbers and codes, add brackets to single words, and repeat
themselves on text they do not know. The checks know few facts of any language and err on the side
of doubt: a fault is a reason to translate anew, and then to have a person look.

Entry: ``find_faults`` -> ``Draft``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import groupby

from prism_core.dictionary import read_exonyms, without_accents
from prism_core.drafts.doubtful_words import read_listed_words, read_source_words
from prism_core.drafts.lost_numbers import (
    MatchedNumbers,
    changes_unit,
    lacks_amount,
    match_numbers,
)
from prism_core.drafts.polarity import Change, find_changes
from prism_core.drafts.wrong_senses import find_wrong_senses
from prism_core.language import PROPER_NOUNS, Sentence, Token
from prism_core.languages import (
    Amount,
    AmountKind,
    Language,
    amount_reader,
    number_format,
    read_words,
)
from prism_core.resources import SHIPPED_LANGUAGES, read_rows
from prism_core.translation_memory import WORD_ALONE
from prism_core.translators import AnswerChecks, AnswerFault

CODE = re.compile(
    r"(?:https?://|www\.)[^\s<>\"]*[\w/]"
    r"|(?:[\w.+-]+|\{[\w.+-]+(?:, ?[\w.+-]+)*\})@[\w-]+(?:\.[\w-]+)+"
    r"|(?<!\d[.,])\b(?=[\w/.-]*\d)(?=[\w/.-]*[A-Z_])\w(?:[\w/.-]*\w)?"
)
"""Addresses, and words with a capital and a digit: *INV-2024/00317*, *COVID-19*."""
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_BEGINNING = re.compile(r"[\W\d_]*([^\W\d_]+)")
"""First word of a text, behind the number or mark of an item."""
_OPENING = "([{<«“"
_SIGNS = "@#<>{}\\^~|=_"
"""Signs that no language writes otherwise; models drop those that they do not know."""
_REACH = 2
"""Number of words to each side of a number in which another may share its thousands."""
_TWO_NUMBERS = AmountKind.CLOCK, AmountKind.FRACTION
"""Amounts that have a second number in digits."""
_SHORTEST_NAME = 3
_LONGEST_BEGINNING, _SHORTEST_BEGINNING = 4, 3
"""Letters at the beginning by which a name is known in another form (*China's*: *chinesa*)."""
_SHORTEST_ENDING = 8
"""Letters at the end by which it is known as another country spells it (*Checoslováquia*)."""
_ENDS = re.compile(r"[^\W\d_]{4,}[.!?]\s+\S")
"""Ends of sentences that are not the last: abbreviations are shorter."""
_FEW_WORDS = 8
"""Fewest words of a text from which the number of words of its translation is compared."""
_SHORTEST, _LONGEST = 0.5, 2.0
"""Bounds of that ratio."""
_COPIED = 4
"""Number of words in lower case in a row that a translation hardly has from its source."""
_SHORTEST_KEPT = 4
"""Fewest letters of a word that is looked for as kept: many shorter ones are codes and units."""
_MOST_REPEATED = 4
"""Length, in words, of the longest phrase that is looked for as repeated."""


class Fault(StrEnum):
    """Kind of fault, as the report names it."""

    NUMBER = "number-changed"
    CODE = "code-changed"
    NAME = "name-changed"
    ADDED = "words-added"
    MISSING = "words-missing"
    REPEATED = "words-repeated"
    UNTRANSLATED = "words-untranslated"
    NEGATION = Change.NEGATION.value
    MODALITY = Change.MODALITY.value
    SIDE = Change.SIDE.value
    ALONE = WORD_ALONE
    TERM = "term-missing"
    INVENTED = "word-invented"
    SENSE = "sense-doubtful"
    UNUSABLE = "answer-unusable"


_ANSWER_FAULTS = {
    AnswerFault.TOO_LONG: Fault.ADDED,
    AnswerFault.TOO_SHORT: Fault.MISSING,
    AnswerFault.UNTRANSLATED: Fault.UNTRANSLATED,
}


@dataclass(frozen=True, slots=True)
class Draft:
    """Translation of a sentence made here, separators of its numbers corrected, and its faults."""

    text: str
    faults: frozenset[Fault] = frozenset()


def find_faults(sentence: Sentence, answer: str, language: Language, target: str) -> Draft:
    """Check ``answer`` as the translation of ``sentence``, in ``language``, into ``target``."""
    source = sentence.text
    if unusable := AnswerChecks().fault_of(source, answer):
        return Draft(answer, frozenset({_ANSWER_FAULTS.get(unusable, Fault.UNUSABLE)}))
    answer = _drop_office(source, answer, language.code, target)
    codes = Counter(CODE.findall(source))
    numbers, changes_number = check_numbers(source, answer, language, target)
    asked, written = _words(source), _words(answer)
    plain_words = {_plain(part) for word in written for part in (word, *word.split("-"))}
    checks = {
        Fault.NUMBER: changes_number,
        Fault.CODE: any(answer.count(code) < count for code, count in codes.items())
        or any(answer.count(sign) < source.count(sign) for sign in _SIGNS),
        Fault.NAME: _lacks_person(sentence, plain_words, language)
        or _lacks_place(sentence, plain_words, language, target)
        or _changes_title(source, answer, language.code, target),
        Fault.ADDED: _count_openings(answer) > _count_openings(source)
        or len(_ENDS.findall(answer)) > len(_ENDS.findall(source))
        or (source.strip() in answer and len(written) > len(asked) + 1),
        Fault.SENSE: bool(find_wrong_senses(source, answer, language.code, target)),
        Fault.REPEATED: _repeats(answer) > _repeats(source),
        Fault.UNTRANSLATED: _copies(source, answer)
        or _keeps_word(sentence, _words(_mask(answer, codes)), language, target),
    }
    if len(asked) >= _FEW_WORDS:
        ratio = len(written) / len(asked)
        checks[Fault.MISSING] = ratio < _SHORTEST
        checks[Fault.ADDED] |= ratio > _LONGEST
    faults = frozenset(fault for fault, is_there in checks.items() if is_there)
    changed = map(Fault, find_changes(source, answer, language.code, target))
    return Draft(_capitalise(source, numbers.correct(answer)), faults.union(changed))


def check_numbers(
    source: str, answer: str, language: Language, target: str
) -> tuple[MatchedNumbers, bool]:
    """Match the numbers of ``source`` with those of ``answer``, its translation into ``target``.

    The second is True if a number, an amount in words or a unit of one is lost or added.
    """
    codes = Counter(CODE.findall(source))
    formats = number_format(language.code), number_format(target)
    amounts = amount_reader(language).find(source)
    texts = [source[amount.start : amount.end] for amount in amounts]
    numbers = match_numbers(_mask(source, codes), _mask(answer, codes), *formats, texts)
    answer = numbers.correct(answer)
    kept = [amount for amount in amounts if not lacks_amount(amount, answer, target)]
    # *400 billion* may be *400.000 millones*, and *three quarters* 3/4.
    texts = [source[amount.start : amount.end] for amount in kept]
    lost = [number for number in numbers.lost if not any(number in text for text in texts)]
    words = (word for part in _words(source) for word in part.split("-"))
    spelled = sum(map(language.numbers.is_number_word, words)) + len(numbers.lost) - len(lost)
    spelled += sum(amount.kind in _TWO_NUMBERS for amount in amounts)
    is_other = bool(lost) or len(kept) < len(amounts) or numbers.added > spelled
    others = _read_number_words(source, amounts, language)
    is_other = is_other or any(lacks_amount(amount, answer, target) for amount in others)
    return numbers, is_other or changes_unit(source, answer)


def _capitalise(source: str, answer: str) -> str:
    """Begin ``answer`` with a capital if ``source`` does: models write headings without."""
    asked, written = _BEGINNING.match(source), _BEGINNING.match(answer)
    if not (asked and written and asked[1].istitle() and written[1].islower()):
        return answer
    place = written.start(1)
    return answer[:place] + answer[place].upper() + answer[place + 1 :]


def _read_number_words(
    source: str, amounts: Sequence[Amount], language: Language
) -> Iterator[Amount]:
    """Yield the numbers of one word beside ``amounts``, far from others: *three or four thousand*.

    With a capital they may be of a name.
    """
    read = amount_reader(language).read_word
    words = list(_WORD.finditer(source))
    is_number = [language.numbers.is_number_word(word[0].lower()) for word in words]
    for number, word in enumerate(words):
        is_alone = sum(is_number[max(0, number - _REACH) : number + _REACH + 1]) == 1
        is_within = any(amount.start <= word.start() < amount.end for amount in amounts)
        if is_alone and word[0].islower() and not is_within and (amount := read(word[0])):
            yield amount


def _mask(text: str, codes: Iterable[str]) -> str:
    """Return ``text`` of the same length without the digits of ``codes``."""
    for code in codes:
        text = text.replace(code, "_" * len(code))
    return text


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def _lacks_person(sentence: Sentence, words: Collection[str], language: Language) -> bool:
    """Return True if the first or the last word of a person's name is not among ``words``.

    Titles and other words that are no names are translated (*Sister Jones*, *Closure Unknown*). Of
    a name of one word the beginning suffices, since many such names have a form in each language,
    or are none; one that begins the sentence is no evidence.
    """
    ordinary, names = read_words(language.plain), read_words(language.names_that_are_words)
    position = 0
    for is_person, group in groupby(sentence.tokens, lambda token: token.entity == "PER"):
        name = [_plain(token.text) for token in group]
        start, position = position, position + len(name)
        own = [
            word
            for word in name
            if word not in language.words.honorifics and (word not in ordinary or word in names)
        ]
        if not is_person or not own:
            continue
        lost = {word for word in (own[0], own[-1]) if len(word) >= _SHORTEST_NAME} - {*words}
        if lost:
            is_weak = len(name) == 1 and start == 0
            beginning = own[0][:_SHORTEST_NAME]
            has_form = len(own) == 1 and any(word.startswith(beginning) for word in words)
            if not (is_weak or has_form):
                return True
    return False


def _lacks_place(
    sentence: Sentence, written: Collection[str], language: Language, target: str
) -> bool:
    """Return True if a place of ``sentence`` has neither its name nor its exonym among ``written``.

    ``written`` are the plain words of the translation. A name of several words is checked if its
    exonym is known: others may be translated word by word, as one that is a word. Abbreviations are
    not checked.
    """
    exonyms = read_exonyms(language.code, target)
    for is_place, group in groupby(sentence.tokens, lambda token: token.entity == "LOC"):
        words = [token.text for token in group]
        exonym = exonyms.get(" ".join(words))
        is_name = len(words) == 1 and words[0].lower() not in read_words(language.plain)
        is_checked = is_name if exonym is None else exonym.people is None
        if is_place and is_checked and words[0][1:].islower():
            names = [*words, *(exonym.text.split() if exonym else ())]
            plain = list(map(_plain, names))
            beginnings = tuple(
                name[: max(_SHORTEST_BEGINNING, min(_LONGEST_BEGINNING, len(name) - 1))]
                for name in plain
            )
            endings = tuple(name[-_SHORTEST_ENDING:] for name in plain)
            if not any(word.startswith(beginnings) or word.endswith(endings) for word in written):
                return True
    return False


def _changes_title(text: str, translation: str, source: str, target: str) -> bool:
    """Return True if a title before a name in ``text`` became one of the other sex."""
    asking, writing = _read_titles(source), _read_titles(target)
    if not (asking and writing):
        return False
    hers, his = (_has_title(text, titles) for titles in asking[:2])
    ours = [bool(re.search(rf"\b(?i:{titles})\b", translation)) for titles in writing[:2]]
    return hers != his and ours == [his, hers]


def _drop_office(text: str, translation: str, source: str, target: str) -> str:
    """Return ``translation`` without an office behind a title that ``text`` has not.

    Models that were trained on debates of a parliament write *senhor deputado* for every *Mr*.
    """
    asking, writing = _read_titles(source), _read_titles(target)
    if not (asking and writing) or re.search(rf"\b(?i:{asking[2]})\b", text):
        return translation
    if not any(_has_title(text, titles) for titles in asking[:2]):
        return translation
    hers, his, office = writing
    return re.sub(rf"\b(?i:({hers}|{his})) (?:{office})(?= [A-ZÀ-Þ])", r"\1", translation)


def _has_title(text: str, titles: str) -> bool:
    return re.search(rf"\b(?i:{titles})\b\.? [A-ZÀ-Þ]", text) is not None


@cache
def _read_titles(language: str) -> Sequence[str]:
    """Read the titles of women, men and members of a parliament; none of unlisted languages."""
    rows = read_rows(SHIPPED_LANGUAGES / "title_words.tsv")
    return {code: titles for code, *titles in rows}.get(language, ())


def _plain(word: str) -> str:
    """Return the letters and digits of ``word`` in lower case, without accents."""
    return "".join(filter(str.isalnum, without_accents(word.lower())))


def _count_openings(text: str) -> int:
    return sum(map(text.count, _OPENING))


def _repeats(text: str) -> int:
    """Count the repetitions of phrases: of one word in threes, of more words in twos."""
    words = re.findall(r"\w+|[^\w\s]", text.lower())
    count = 0
    for size in range(1, _MOST_REPEATED + 1):
        phrases = [tuple(words[n : n + size]) for n in range(len(words) - size + 1)]
        same = [first == second for first, second in zip(phrases, phrases[size:], strict=False)]
        runs = (len(list(run)) for is_same, run in groupby(same) if is_same)
        count += sum(run >= (2 if size == 1 else 1) for run in runs)
    return count


def _keeps_word(
    sentence: Sentence, written: Collection[str], language: Language, target: str
) -> bool:
    """Return True if an ordinary word of ``sentence`` is among ``written`` as it was.

    It has small letters, or stands before a colon, or is no proper noun between words in small
    letters: others are of titles and names. A word that the dictionary has in the target language
    too is a word of both.
    """
    listed = read_listed_words(language.code, target)
    ordinary = read_words(language.plain), read_source_words(language.code)
    unlisted = [word for word in written if word not in listed] if listed else ()
    kept = {word for word in unlisted if any(word in words for words in ordinary)}
    edge = Token("", "", "")
    first, *others = sentence.tokens
    tokens = (edge, first, *others, edge)
    within = (edge, edge, *others, edge)  # the capital of the first is no evidence
    return any(
        token.text.lower() in kept
        and len(token.text) >= _SHORTEST_KEPT
        and (
            token.text.islower()
            or after.text == ":"
            or (
                token.text.lower() in read_words(language.plain)
                and token.tag not in PROPER_NOUNS
                and not (before.text.istitle() or after.text.istitle())
            )
        )
        and not token.entity
        for before, token, after in zip(within, tokens[1:], tokens[2:], strict=False)
    )


def _copies(source: str, answer: str) -> bool:
    """Return True if a run of lower-case words of ``source`` stands in ``answer`` as it was."""
    pattern = re.compile(r"\w+|[^\w\s]")
    words = [word if word.islower() else "" for word in pattern.findall(source)]
    there = f" {' '.join(pattern.findall(answer))} "
    runs = (words[n : n + _COPIED] for n in range(len(words) - _COPIED + 1))
    return any(all(map(str.isalpha, run)) and f" {' '.join(run)} " in there for run in runs)
