"""Words next to a restored word that its agreement class requires or excludes.

A word that is hidden in a wider class than its own gets neighbours that it never has, and lacks
those it has: *el más mejor amigo*, *un bote madera*, *quieres para regresar*.

Entry: ``adjust_neighbours``.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from string import digits

from prism_core.decoding.decoded import Found
from prism_core.decoding.target_text import TargetText
from prism_core.dictionary import (
    FRAME_SEPARATOR,
    PART_SEPARATOR,
    SLOT,
    Dictionary,
    Entry,
    common_start,
)
from prism_core.languages import Language
from prism_core.mechanisms import capitalise
from prism_core.record import Encoded

_LEADS_TO, _LEADS_ON = "to", "that"
"""Frames of behaviour that show what stands between a word and an infinitive, or a clause."""
_LONGEST_SUBJECT = 4
_COMPARED = {"RBR": "RB", "RBS": "RB", "JJR": "JJ", "JJS": "JJ"}
_FINITE = ("VBZ", "VBP", "VBD", "MD")


def adjust_neighbours(
    found: Found,
    substitute: Entry,
    own: Entry | None,
    target: TargetText,
    encoded: Encoded,
    dictionary: Dictionary,
) -> Found:
    """Adjust the words next to a restored word to what the original's agreement class requires.

    Before the word, text goes that only the substitute's class has (*más*), and before an adjective
    comes what only the original's class has (*de madera*). After it, the preposition or conjunction
    changes if an infinitive or a clause follows in x_pub (*piensa que*), also for a verb whose
    substitute was taken for a noun. A sentence begins with a capital if the substitute's pronoun
    took it: *se quedó*.
    """
    shown = target.text[slice(*found.span)]
    if not found.span[0] and shown[0].islower() and " " in shown and " " not in found.text:
        text = capitalise(found.text) if encoded.text[:1].isupper() else found.text
        found = found._replace(text=text)
    if own is None or own.agreement == substitute.agreement:
        return found
    if own.tag == substitute.tag:
        found = _fit_before(found, substitute, own, target)
    frame = _find_frame(substitute.word, encoded, dictionary.language)
    around = []
    for entry in (substitute, own):  # empty if that frame was not asked
        asked = dictionary.language.frames.behaviour.get(entry.tag, ())
        shown_in = (*entry.agreement_parts, "", "")[1].split(FRAME_SEPARATOR)
        texts = zip((known.feature for known in asked), shown_in, strict=False)
        around.append(dict(texts).get(frame, ""))
    theirs, wanted = find_link(*around)
    if theirs == wanted:
        return found
    end = found.span[1] + len(theirs)
    if wanted and target.text[end:].startswith(f"{wanted} "):
        return found
    if target.text[found.span[1] : end] != theirs or target.text[end : end + 1] != " ":
        return found
    return found._replace(span=(found.span[0], end), text=found.text + wanted)


def add_neighbours(text: str, own: Entry | None, dictionary: Dictionary) -> str:
    """Write before ``text`` what ``own``, a comparative, has before it: *más tarde*."""
    if own is None or own.tag not in _COMPARED:
        return text
    known = Counter(entry.agreement for entry in dictionary.by_tag.get(_COMPARED[own.tag], ()))
    usual = max(filter(None, known), key=lambda agreement: known[agreement], default="")
    lacking = find_extra_words(own.agreement, usual)
    return f"{lacking} {text}" if lacking else text


def _find_frame(word: str, encoded: Encoded, language: Language) -> str:
    """Return the frame that fits what follows ``word`` in x_pub; empty if neither does."""
    grammar, said = language.grammar, encoded.text.lower()
    marks = [mark for mark, of in grammar.modals.items() if of == "infinitive"]
    for mark in marks:
        before, is_there, _ = said.partition(f"{word} {mark} ")
        following = encoded.text[len(before) + len(is_there) :].split(" ", 1)[0]
        if is_there and _may_be_infinitive(following, encoded, language):
            return _LEADS_TO
    before, is_there, after = said.partition(f"{word} ")
    if not is_there or before[-1:].isalnum():
        return ""
    words = after.split(" ")[: _LONGEST_SUBJECT + 1]
    for at, word in enumerate(words):
        if at and _is_finite(word, encoded, language):
            return _LEADS_ON
        is_subject = not at or words[0] not in grammar.persons
        if not (is_subject and word.isalpha()):
            return ""
        if word in language.words.before_phrase or word in grammar.outside_phrases:
            return ""
    return ""


def _is_finite(word: str, encoded: Encoded, language: Language) -> bool:
    """Return True for a finite verb that was sent, in lower case; a mark of infinitives is none."""
    grammar = language.grammar
    is_mark = grammar.modals.get(word) == "infinitive"
    if not is_mark and (word in grammar.be or word in grammar.have or word in grammar.modals):
        return True
    return any(
        replacement.tag in _FINITE and replacement.substitute.lower() == word
        for replacement in encoded.record
    )


def _may_be_infinitive(word: str, encoded: Encoded, language: Language) -> bool:
    """Return False if ``word``, after *to*, begins a phrase: *to the judge*, *to Oscar*."""
    grammar = language.grammar
    if word in {*grammar.be, *grammar.have, *grammar.modals}:
        return True
    tags = [known.tag for known in encoded.record if known.substitute == word]
    begins = not word[:1].islower() or word in language.words.function_words
    return not begins and all(tag.startswith("VB") for tag in tags)


def _fit_before(found: Found, substitute: Entry, own: Entry, target: TargetText) -> Found:
    extra = find_extra_words(substitute.agreement, own.agreement)
    span = target.right_before(found.span[0], extra) if extra else None
    if span is not None:
        text = capitalise(found.text) if target.text[span[0]].isupper() else found.text
        return found._replace(span=(span[0], found.span[1]), text=text)
    lacking = find_extra_words(own.agreement, substitute.agreement)
    if lacking and own.tag == "JJ" and found.text.islower():
        return found._replace(text=f"{lacking} {found.text}")
    return found


@lru_cache(maxsize=4096)
def find_extra_words(theirs: str, own: str) -> str:
    """Return the text that only ``theirs`` has before the word in its frame.

    It is empty where the frames end differently: the verb of *a casa era normal* is a frame's
    (*a casa azul estava lá*) that the translator moved, and belongs to no word.
    """
    (frame, _, end), (own_frame, _, own_end) = (
        known.partition(PART_SEPARATOR)[0].partition(SLOT) for known in (theirs, own)
    )
    ends = {text.rstrip(f" {digits}") for text in (end, own_end)}
    if not (theirs and own and len(ends) == 1 and frame.startswith(own_frame)):
        return ""
    return frame.removeprefix(own_frame).strip()


@lru_cache(maxsize=4096)
def find_link(theirs: str, own: str) -> tuple[str, str]:
    """Return what two words have between them and the text that follows, in one frame.

    Each begins with the blank before it: `` para`` and nothing. Both are empty if either word is
    unknown.
    """
    tails = [around.partition(SLOT)[2].split() for around in (theirs, own)]
    longest, shortest = sorted(tails, key=len, reverse=True)
    if not shortest or len(longest) > len(shortest) + 1:
        return "", ""
    same = common_start(longest[::-1], shortest[::-1])
    links = [tail[: len(tail) - same] for tail in tails]
    if same < 2 or max(map(len, links)) > 1:  # what follows, and the word after that
        return "", ""
    first, second = ("".join(f" {word}" for word in link) for link in links)
    return first, second
