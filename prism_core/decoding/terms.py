"""Terms of the user and of a document's definitions, rendered alike in all of the document.

Each sentence was restored alone, and a translator varies the wording of a term. The rendering of
most sentences replaces the others. Nothing is sent for it, and no draw reads it.

Entry: ``unify_terms`` -> ``_find_renderings`` -> ``_choose_renderings`` for each way to write one
-> ``_replace_renderings``. ``write_term``: a user's term, while its sentence is decoded.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from prism_core.alignment import Match, Span, Translation, put_in
from prism_core.decoding.articles import find_article
from prism_core.decoding.target_text import TargetText
from prism_core.dictionary import Dictionary, Entry, common_start, target_tokens, without_accents
from prism_core.mechanisms import capitalise, in_case_of
from prism_core.record import Replacement

Texts = Mapping[str, tuple[str, Translation | None]]
_MOST_BETWEEN = 2
"""Maximum number of words in a rendering beside those that stand for the term's words."""
_ENDING = 2
"""Number of final letters in which two inflections of a word may differ."""
_SHORTEST = 3
_NOUN = "NN"
_SHORT = 3
"""Number of letters of a word that has no capital in a title: *of*, *del*."""


class _Rendering(NamedTuple):
    """Span where a sentence has ``term`` (its first form) as ``written``, and its rendering."""

    sentence: str
    term: str
    written: str
    source: Span
    target: Span
    text: str


def unify_terms(texts: Texts, defined: Collection[str], dictionary: Dictionary) -> Texts:
    """Render the terms that a document ``defined`` alike in its ``texts`` (by id).

    A term changes only if the rendering of each of its words is known, with nothing else between.
    Of two renderings that differ in endings alone, which grammar requires, only the letter case is
    unified. Terms of the user's glossary already follow it.
    """
    terms = [term for term in defined if not dictionary.glossary.list_terms_in(term)]
    found = _find_renderings(texts, terms, dictionary) if terms else []
    wanted = _choose_renderings(found)
    changed = dict(texts)
    of_sentence: dict[str, list[_Rendering]] = defaultdict(list)
    for rendering in found:
        text = wanted.get((rendering.term, rendering.written))
        if text is not None and rendering.text not in (text, capitalise(text)):
            of_sentence[rendering.sentence].append(rendering)
    for sentence, ones in of_sentence.items():
        source, translation = texts[sentence]
        assert translation is not None  # noqa: S101 (a rendering was found in it)
        changes = {rendering: wanted[rendering.term, rendering.written] for rendering in ones}
        changed[sentence] = source, _replace_renderings(translation, changes, dictionary)
    return changed


def _find_renderings(
    texts: Texts, terms: Collection[str], dictionary: Dictionary
) -> list[_Rendering]:
    """List each place of a term whose whole rendering is known, in the order of ``texts``."""
    longest = sorted(map(re.escape, terms), key=len, reverse=True)
    pattern = re.compile(rf"(?<![\w-])({'|'.join(longest)})(s|es)?(?![\w-])")
    found = []
    for sentence, (source, translation) in texts.items():
        if translation is None or not translation.matches:
            continue
        for match in pattern.finditer(source):
            target = _locate_rendering(match.span(), source, translation, dictionary)
            if target is not None:
                text = translation.text[slice(*target)]
                found.append(_Rendering(sentence, match[1], match[0], match.span(), target, text))
    return found


def _locate_rendering(
    term: Span, source: str, translation: Translation, dictionary: Dictionary
) -> Span | None:
    """Return the span in ``translation`` for ``term``, a stretch of ``source``; None if unknown."""
    matches = [m for m in translation.matches if m.target[0] < m.target[1]]
    own = [m for m in matches if m.within(term, (0, len(translation.text)))]
    known = {place for m in own for place in range(*m.source)}
    is_grammar = dictionary.language.is_function_word
    words = [m for m in re.finditer(r"\w+", source[slice(*term)]) if not is_grammar(m[0])]
    if not own or any(term[0] + m.start() not in known for m in words):
        return None
    start, end = min(m.target[0] for m in own), max(m.target[1] for m in own)
    others = (m.target for m in matches if m not in own)
    is_one = not any(first < end and start < last for first, last in others)
    within = target_tokens(translation.text[start:end])
    given = sum(len(target_tokens(translation.text[slice(*m.target)])) for m in own)
    return (start, end) if is_one and len(within) - given <= _MOST_BETWEEN else None


def _choose_renderings(found: Sequence[_Rendering]) -> dict[tuple[str, str], str]:
    """Choose a rendering for each written form of a term (singular, plural).

    It is the most frequent one among those that most are like; of several the first.
    """
    of_term: dict[str, list[_Rendering]] = defaultdict(list)
    for rendering in found:
        of_term[rendering.term].append(rendering)
    chosen = {}
    for term, ones in of_term.items():
        counts = Counter(rendering.text for rendering in ones)
        best = max(
            counts, key=lambda text: sum(n for t, n in counts.items() if _are_alike(t, text))
        )
        for written in dict.fromkeys(rendering.written for rendering in ones):
            alike = [o.text for o in ones if o.written == written and _are_alike(o.text, best)]
            if alike:
                chosen[term, written] = Counter(alike).most_common(1)[0][0]
    return chosen


def _are_alike(one: str, other: str) -> bool:
    """Return True if both have the same words, apart from inflection."""
    words, others = (target_tokens(without_accents(text)) for text in (one, other))
    return len(words) == len(others) and all(
        common_start(word, like)
        >= max(min(_SHORTEST, len(word)), max(len(word), len(like)) - _ENDING)
        for word, like in zip(words, others, strict=True)
    )


def _replace_renderings(
    translation: Translation, changes: Mapping[_Rendering, str], dictionary: Dictionary
) -> Translation:
    """Replace renderings in ``translation``, and adjust the articles before them."""
    target = TargetText(translation.text)
    found: dict[int, tuple[Span, str]] = {}
    for index, (rendering, text) in enumerate(changes.items(), start=1):
        if _are_alike(rendering.text, text) and rendering.text.lower() != text.lower():
            continue  # grammar asked for its endings
        if rendering.target[0] == 0:
            text = capitalise(text)
        found[index] = rendering.target, text
        target.take(rendering.target)
        adjacent = find_article(rendering.target, text, _NOUN, target, dictionary, same_word=True)
        if adjacent is not None:
            target.take(adjacent[0])
            found[-index] = adjacent
    text, places = put_in(translation.text, found)
    terms = [
        Match(rendering.source, places[i]) for i, rendering in enumerate(changes, 1) if i in places
    ]
    for match in translation.matches:
        start, end = match.target
        if not any(first <= start < end <= last for (first, last), _ in found.values()):
            shift = sum(len(t) - (b - a) for (a, b), t in found.values() if b <= start)
            terms.append(Match(match.source, (start + shift, end + shift)))
    return Translation(text, terms)


def write_term(target: str, own: Entry, replacement: Replacement, pattern: str) -> str:
    """Write ``target`` of the user's term ``own`` in the letter case of the text it replaces.

    A term with a capital stays as the user gave it, except at the start of a sentence. Where
    several words have a capital each, those of ``target`` longer than ``_SHORT`` get one.
    """
    written = replacement.word
    if not own.word.islower():
        return in_case_of(target, written) if replacement.position == 0 else target
    words = [word for word in written.split() if len(word) > _SHORT]
    if written.isupper():
        return target.upper()
    if len(words) > 1 and all(word[0].isupper() for word in words):
        capitals = (capitalise(w) if len(w) > _SHORT else w for w in target.split(" "))
        target = " ".join(capitals)
    return in_case_of(target, pattern)
