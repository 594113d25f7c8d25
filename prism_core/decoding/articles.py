"""Articles, elisions and conjunctions before restored words: *la casa* becomes *el libro*.

The translator wrote them to fit the substitute, so they do not always fit the original. How it
changes such words was learned from its own output (``Dictionary.companion``).

Entry: ``find_articles`` -> ``find_article``; ``find_before`` is what stands before a place.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise

from prism_core.alignment import Span
from prism_core.decoding.agreement import describe_both, describe_noun
from prism_core.decoding.decoded import Found
from prism_core.decoding.target_text import TargetText
from prism_core.dictionary import ASKED_IN_FRAMES, SLOT, Dictionary
from prism_core.languages import Language
from prism_core.mechanisms import capitalise, in_case_of
from prism_core.record import Encoded, Kind, Replacement

_KINDS = ("NN", "JJ")
"""POS tags of words that the article before them agrees with."""
_DAYS = ("WEEKDAY", "WEEKDAYS")
_PLURAL = "Number=Plur"
_GENDER_AND_NUMBER = {"Gender", "Number"}
_WORD_BEFORE = re.compile(r"(?<!\w)([^\W\d_]{1,3}) [^\w\s]?$")
_LONGEST = 24
"""Maximum number of characters before a word in which its article is searched for."""


def join_names(encoded: Encoded, found: dict[int, Found | None], answer: str) -> None:
    """Join double names that came back apart, in ``found``: *Riley dijo-Tyler*."""
    names = [replacement for replacement in encoded.record if replacement.kind is Kind.NAME]
    for first, second in pairwise(names):
        former, latter = found[first.position], found[second.position]
        if former is None or latter is None or found.get(first.position + 1) is not None:
            continue
        (start, end), (hyphen, stop) = former.span, (latter.span[0] - 1, latter.span[1])
        were_joined = f"{first.substitute}-{second.substitute}" in encoded.text
        parted = answer[end : end + 1] == " " and answer[hyphen : hyphen + 1] == "-"
        if were_joined and parted and 0 < start < end < hyphen:
            found[first.position] = former._replace(span=(start, end + 1), text="")
            joined = f" {former.text}-{latter.text}"
            found[second.position] = latter._replace(span=(hyphen, stop), text=joined)


def find_articles(
    record: Sequence[Replacement],
    found: Mapping[int, Found],
    target: TargetText,
    dictionary: Dictionary,
) -> dict[int, tuple[Span, str]]:
    """Find the articles to write before the originals, with spans, by -1 - position."""
    mended: dict[int, tuple[Span, str]] = {}
    if not dictionary.companions:
        return mended
    for replacement in record:
        place = found.get(replacement.position)
        if place is not None and replacement.kind in (Kind.WORD, Kind.UNKNOWN):
            tag = place.tag_for(replacement)
            shown = target.text[slice(*place.span)].lower()
            about = tag, target, dictionary
            both: Sequence[Collection[str]] = ((), ())
            if _agree_alike(replacement, shown, tag, dictionary):
                told = describe_noun(place.text, replacement.word, tag, dictionary)
                if not (told and tag.startswith("NN")):
                    continue
                both = told, told
            elif tag in _DAYS:
                days = replacement.substitute, replacement.word
                both = tuple(_describe_day(day, tag, dictionary) for day in days)
            elif tag.startswith("NN"):
                both = describe_both(replacement, place, *about)
            adjacent = find_article(place.span, place.text, *about, both=both)
            if adjacent is not None:
                target.take(adjacent[0])
                mended[-1 - replacement.position] = adjacent
    return mended


def _agree_alike(replacement: Replacement, shown: str, tag: str, dictionary: Dictionary) -> bool:
    """Return True if the translator wrote the same text around the original and its substitute.

    Both must have been asked for in frames, and ``shown``, what came back, must be the form that
    stood there: not *a cidadã* of *citizen*. This is surer than what endings tell of gender.
    """
    original = dictionary.find(replacement.word, tag)
    if original is None or original.method not in ASKED_IN_FRAMES or not original.agreement:
        return False
    drawn = dictionary.find(replacement.substitute, tag)
    if drawn is None or drawn.method not in ASKED_IN_FRAMES:
        return False
    is_other = shown in map(str.lower, drawn.forms.texts[1:])
    return not is_other and original.agreement_parts[:1] == drawn.agreement_parts[:1]


def adjust_articles(
    found: Mapping[int, Found], target: TargetText, dictionary: Dictionary
) -> dict[int, tuple[Span, str]]:
    """Find the indefinite articles to change (*a* to *an*) before originals, by -1 - position.

    The same applies to conjunctions (*y* to *e*).
    """
    language = dictionary.target_language
    mended: dict[int, tuple[Span, str]] = {}
    if language is None:
        return mended
    if not language.words.indefinite_articles:
        return _adjust_conjunctions(found, target, language.words.conjunctions)
    for position, place in found.items():
        first = max(0, place.span[0] - _LONGEST)
        before = _WORD_BEFORE.search(target.text[first : place.span[0]])
        if place.text and before and language.is_indefinite_article(before[1]):
            fitting = language.fitting_article(place.text)
            span = first + before.start(1), first + before.end(1)
            # no grade, no vitamin
            is_article = before[1].islower() or target.begins_sentence(span[0])
            if is_article and fitting != before[1].lower() and target.is_free(span):
                mended[-1 - position] = span, in_case_of(fitting, before[1])
    return mended


def _adjust_conjunctions(
    found: Mapping[int, Found], target: TargetText, pairs: Sequence[tuple[str, str, str]]
) -> dict[int, tuple[Span, str]]:
    """Find the conjunctions to change before each original in ``found``, by -1 - position."""
    mended: dict[int, tuple[Span, str]] = {}
    starts = {place.span[0]: position for position, place in found.items() if place.text}
    for usual, other, sound in pairs:
        pattern = rf"(?<!\w)({usual}|{other}) (?=([^\w\s]?))"
        for written in re.finditer(pattern, target.text):
            for start in starts.keys() & {written.end(), written.end(2)}:
                position = starts[start]
                asks_other = re.match(sound, found[position].text.lower()) is not None
                fitting = other if asks_other else usual
                if fitting != written[1] and target.is_free(written.span(1)):
                    mended[-1 - position] = written.span(1), fitting
    return mended


def find_article(
    span: Span,
    text: str,
    tag: str,
    target: TargetText,
    dictionary: Dictionary,
    *,
    same_word: bool = False,
    both: Sequence[Collection[str]] = ((), ()),
) -> tuple[Span, str] | None:
    """Find the span right before ``span``, and the text that must stand there before ``text``.

    Returns None if what is there fits ``text`` as well, or if nothing is known of either. With
    ``same_word``, when both stand for the same word, gender and number of the one are enough.
    ``both`` holds the features known of each beside what their endings tell.
    """
    for place in find_before(target.text, span[0]) if text else ():
        before = target.text[slice(*place)].strip()
        known = before.lower().replace("’", "'")
        if known in dictionary.companions:
            shown = target.text[slice(*span)]
            seen = _describe(shown, tag, dictionary, both[0])
            fits = dictionary.companion(known, *seen) == known
            word, features = _describe(text, tag, dictionary, both[1])
            partner = dictionary.companion(known, word, features)
            fits |= same_word and set(map(_name_of, features)) >= _GENDER_AND_NUMBER
            if not fits and tag.startswith("NN") and both[1] and len(known) > 1:
                # A translator may give the substitute another gender: *do capital*.
                fits = any(number in features for number in _numbers_of(known, dictionary))
            if tag.startswith("NN"):
                partner = partner and _fit_sound(partner, text, dictionary.target_language)
            if fits and partner is None and " " in known:
                continue  # what is known of the last word alone (*los*) holds for both (*de los*)
            if not fits or partner in (None, known) or not target.is_free(place):
                return None
            place, partner = _extend(place, partner, word, features, target, dictionary)
            if not partner:
                return None
            before = target.text[slice(*place)]
            written = capitalise(partner) if before[:1].isupper() else partner
            written = written.replace("'", "’") if "’" in before else written
            return place, written if written.endswith(("'", "’")) else f"{written} "
    return None


def _extend(
    place: Span,
    partner: str,
    word: str,
    features: tuple[str, ...],
    target: TargetText,
    dictionary: Dictionary,
) -> tuple[Span, str]:
    """Extend ``place`` and ``partner`` by a word before that changes too: *todos os outros*.

    The text is empty where the word before always contracts with the first of it: *de el*.
    """
    first = target.text[: place[0]].lower().removesuffix(" ").rpartition(" ")[2]
    pairs = {pair for pair in dictionary.companions if pair.startswith(f"{first} ")}
    head, _, rest = partner.partition(" ")
    if not pairs or not pairs.isdisjoint((f"{first} {head}", f"{first} {partner}")):
        return place, partner
    article = target.text[place[0] :].lower().split()[0]
    both = dictionary.companion(f"{first} {article}", word, features) or ""
    wider = place[0] - len(first) - 1, place[1]
    if both.partition(" ")[2] != head or not target.is_free(wider):
        return place, ""
    return wider, f"{both} {rest}".rstrip()


def _fit_sound(before: str, noun: str, language: Language | None) -> str:
    """Write ``before`` as the first sound of ``noun`` requires: *al agua*, not *a la*."""
    if language is None or not (language.words.elides_at_nouns_alone and language.elides(noun)):
        return before
    *head, article = before.split(" ")
    row = next((row for row in language.words.agreeing if article == row[1]), None)
    if row is None:
        return before
    joins = {parts: short for short, parts in language.words.contracted.items()}
    joined = joins.get((head[-1], row[3])) if head else None
    return " ".join([*head[:-1], joined] if joined else [*head, row[3]])


def find_before(text: str, end: int) -> list[Span]:
    """Return the spans of the two words right before ``end``, and of the last, if adjacent."""
    offset = max(0, end - _LONGEST)
    head = text[offset:end]
    if head[-1:] not in (" ", "'", "’"):
        return []
    parts = head.removesuffix(" ").split(" ")
    last = parts[-1]
    if not last.rstrip("'’").isalpha():
        return []
    start = end - len(last) - head.endswith(" ")
    is_whole = len(parts) > 2 or (len(parts) == 2 and not offset)
    two = [(start - len(parts[-2]) - 1, end)] if is_whole and parts[-2].isalpha() else []
    return [*two, (start, end)]


def _describe_day(word: str, tag: str, dictionary: Dictionary) -> tuple[str, ...]:
    """Return gender and number of a weekday, which the word before it in its frame tells (*na*)."""
    entry = dictionary.find(word, tag)
    before = "".join(entry.agreement_parts[:1]).partition(SLOT)[0].split() if entry else []
    forms = dictionary.companions.get(before[-1], ()) if before else ()
    told = {form.features[:-1] for form in forms if form.text == before[-1] and form.features[1:]}
    features = told.pop() if len(told) == 1 else ()  # what that word alone tells
    if tag == _DAYS[1]:
        return tuple(_PLURAL if feature.startswith("Number=") else feature for feature in features)
    return features


def _describe(
    text: str, tag: str, dictionary: Dictionary, told: Collection[str]
) -> tuple[str, tuple[str, ...]]:
    """Return the first word of ``text`` and its features: from ``told``, else its ending."""
    word = text.lower().split()[0] if text.strip() else ""
    if tag[:2] not in _KINDS and not told:
        return word, ()
    find = dictionary.form_index.features
    features = find(text, tag) or find(word, tag)
    agreeing = {feature for feature in told if _name_of(feature) in _GENDER_AND_NUMBER}
    kept = [feature for feature in features if _name_of(feature) not in map(_name_of, agreeing)]
    return word, tuple(sorted({*kept, *agreeing}))


def _numbers_of(before: str, dictionary: Dictionary) -> set[str]:
    """Return the number of the words that ``before`` stands before: of one or both."""
    forms = dictionary.companions.get(before, ())
    told = {feature for form in forms if form.text == before for feature in form.features}
    return {feature for feature in told if _name_of(feature) == "Number"}


def _name_of(feature: str) -> str:
    return feature.partition("=")[0]
