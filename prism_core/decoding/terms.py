"""The terms of the user, and those that a document defines, rendered alike in all of it.

Each sentence was restored by itself, and a translator words a term now so, now so. What most
sentences have is put where others have something else: nothing is sent for it, no draw reads it.

Entry: ``unify_terms`` -> ``_find`` every rendering -> ``_choose`` one for each way to write a term
-> ``_replace``. ``write_term``: one of the user's, while its sentence is decoded.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from prism_core.alignment import Match, Span, Translation
from prism_core.decoding.companions import find_company
from prism_core.decoding.target_text import TargetText, put_in
from prism_core.dictionary import Dictionary, Entry, common_start, target_tokens, without_accents
from prism_core.mechanisms import capitalise, in_case_of
from prism_core.record import Replacement

Texts = Mapping[str, tuple[str, Translation | None]]
_MOST_BETWEEN = 2
"""Words that a rendering may have beside those that stand for a word of the term each."""
_ENDING = 2
"""Letters in which two inflections of a word may differ at the end."""
_SHORTEST = 3
_NOUN = "NN"
_SHORT = 3
"""Letters of a word that has no capital in a title (*of*, *del*)."""


class _Rendering(NamedTuple):
    """Where a sentence has ``term`` (its first form) as ``written``, and what stands for it."""

    sentence: str
    term: str
    written: str
    source: Span
    target: Span
    text: str


def unify_terms(texts: Texts, defined: Collection[str], dictionary: Dictionary) -> Texts:
    """``texts`` (source and translation by id) of one document, terms that it ``defined`` alike.

    Only where it is known what stands for every word of a term, and nothing else between: else
    the sentence stays as it is, as one does that no translator was asked for. Two renderings that
    differ in endings alone are alike, since grammar asks for them; their letter case is made one.
    Terms of the user's glossary are as that says already.
    """
    terms = [term for term in defined if not dictionary.glossary.held_by(term)]
    found = _find(texts, terms, dictionary) if terms else []
    wanted = _choose(found)
    changed = dict(texts)
    of_sentence: dict[str, list[_Rendering]] = defaultdict(list)
    for one in found:
        text = wanted.get((one.term, one.written))
        if text is not None and one.text not in (text, capitalise(text)):
            of_sentence[one.sentence].append(one)
    for sentence, ones in of_sentence.items():
        source, translation = texts[sentence]
        assert translation is not None  # noqa: S101 (a rendering was found in it)
        changes = {one: wanted[one.term, one.written] for one in ones}
        changed[sentence] = source, _replace(translation, changes, dictionary)
    return changed


def _find(texts: Texts, terms: Collection[str], dictionary: Dictionary) -> list[_Rendering]:
    """Each place of a term whose whole rendering is known, in the order of ``texts``."""
    longest = sorted(map(re.escape, terms), key=len, reverse=True)
    pattern = re.compile(rf"(?<![\w-])({'|'.join(longest)})(s|es)?(?![\w-])")
    found = []
    for sentence, (source, translation) in texts.items():
        if translation is None or not translation.matches:
            continue
        for match in pattern.finditer(source):
            target = _rendering(match.span(), source, translation, dictionary)
            if target is not None:
                text = translation.text[slice(*target)]
                found.append(_Rendering(sentence, match[1], match[0], match.span(), target, text))
    return found


def _rendering(
    term: Span, source: str, translation: Translation, dictionary: Dictionary
) -> Span | None:
    """What stands in ``translation`` for ``term``, a stretch of ``source``; None if not known."""
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


def _choose(found: Sequence[_Rendering]) -> dict[tuple[str, str], str]:
    """The rendering of each term as it is written (singular, plural): of those that most are like,
    the most frequent one; of several the first."""
    of_term: dict[str, list[_Rendering]] = defaultdict(list)
    for one in found:
        of_term[one.term].append(one)
    chosen = {}
    for term, ones in of_term.items():
        counts = Counter(one.text for one in ones)
        best = max(
            counts, key=lambda text: sum(n for t, n in counts.items() if _are_alike(t, text))
        )
        for written in dict.fromkeys(one.written for one in ones):
            alike = [o.text for o in ones if o.written == written and _are_alike(o.text, best)]
            if alike:
                chosen[term, written] = Counter(alike).most_common(1)[0][0]
    return chosen


def _are_alike(one: str, other: str) -> bool:
    """Whether both have the same words, but for what grammar changes at their ends."""
    words, others = (target_tokens(without_accents(text)) for text in (one, other))
    return len(words) == len(others) and all(
        common_start(word, like)
        >= max(min(_SHORTEST, len(word)), max(len(word), len(like)) - _ENDING)
        for word, like in zip(words, others, strict=True)
    )


def _replace(
    translation: Translation, changes: Mapping[_Rendering, str], dictionary: Dictionary
) -> Translation:
    """``translation`` with other renderings, and articles that fit these."""
    target = TargetText(translation.text)
    found: dict[int, tuple[Span, str]] = {}
    for index, (one, text) in enumerate(changes.items(), start=1):
        if _are_alike(one.text, text) and one.text.lower() != text.lower():
            continue  # grammar asked for its endings
        if one.target[0] == 0:
            text = capitalise(text)
        found[index] = one.target, text
        target.take(one.target)
        company = find_company(one.target, text, _NOUN, target, dictionary, same_word=True)
        if company is not None:
            target.take(company[0])
            found[-index] = company
    text, places = put_in(translation.text, found)
    terms = [Match(one.source, places[i]) for i, one in enumerate(changes, 1) if i in places]
    for match in translation.matches:
        start, end = match.target
        if not any(first <= start < end <= last for (first, last), _ in found.values()):
            shift = sum(len(t) - (b - a) for (a, b), t in found.values() if b <= start)
            terms.append(Match(match.source, (start + shift, end + shift)))
    return Translation(text, terms)


def write_term(target: str, own: Entry, replacement: Replacement, pattern: str) -> str:
    """``target`` of the user's term ``own`` in the case of what it stands for.

    That of one with a capital is as the user gave it, but where a sentence begins. Where several
    words have a capital each, those of ``target`` do that are longer than ``_SHORT``.
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
