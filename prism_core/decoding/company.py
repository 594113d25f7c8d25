"""What agreement classes say of the words beside a substitute, where the original wants others.

A word that hides in a wider class than its own gets company that it never has, and misses its own:
*el más mejor amigo*, *un bote madera*, *quieres para regresar*.

Entry: ``fit_company``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from prism_core.decoding.decoded import Found
from prism_core.decoding.target_text import TargetText
from prism_core.dictionary import Dictionary, Entry
from prism_core.languages import Language
from prism_core.mechanisms import capitalise
from prism_core.record import Replacement

_LEADS_TO, _LEADS_ON = "to", "that"
"""The frames of behaviour that tell what stands between a word and an infinitive, or a clause."""
_LONGEST_SUBJECT = 4
_COMPARED = {"RBR": "RB", "RBS": "RB", "JJR": "JJ", "JJS": "JJ"}
_FINITE = ("VBZ", "VBP", "VBD", "MD")


def fit_company(
    found: Found,
    substitute: Entry,
    own: Entry | None,
    target: TargetText,
    sent: str,
    record: Sequence[Replacement],
    dictionary: Dictionary,
) -> Found:
    """``found``, with the words right beside it as the class of the original has them.

    Before it those go that the substitute's class has and its own has not (*más*, where the
    translator writes it before *sharpest* but not for *best*), and before an adjective those come
    that its own alone has (*de madera*). Behind it the preposition or conjunction changes where in
    ``sent``, which is x_pub, an infinitive or a clause follows (*piensa que*), also of a verb
    whose substitute was taken for a noun. A sentence begins with the capital that the pronoun of
    the substitute had not: *se quedó*.
    """
    shown = target.text[slice(*found.span)]
    if not found.span[0] and shown[0].islower() and " " in shown and " " not in found.text:
        text = capitalise(found.text) if sent[:1].isupper() else found.text
        found = found._replace(text=text)
    if own is None or own.agreement == substitute.agreement:
        return found
    if own.tag == substitute.tag:
        found = _fit_before(found, substitute, own, target)
    frame = _find_frame(substitute.word, sent, record, dictionary.language)
    theirs, wanted = find_link(
        *(_frame_of(entry, frame, dictionary.language) for entry in (substitute, own))
    )
    if theirs == wanted:
        return found
    end = found.span[1] + len(theirs)
    if wanted and target.text[end:].startswith(f"{wanted} "):
        return found
    if target.text[found.span[1] : end] != theirs or target.text[end : end + 1] != " ":
        return found
    return found._replace(span=(found.span[0], end), text=found.text + wanted)


def add_company(text: str, own: Entry | None, dictionary: Dictionary) -> str:
    """``text`` with what ``own``, a comparative, has before it (*más tarde*), for a substitute that
    the translator does not know, so that it was left alone."""
    if own is None or own.tag not in _COMPARED:
        return text
    known = Counter(one.agreement for one in dictionary.by_tag.get(_COMPARED[own.tag], ()))
    usual = max(filter(None, known), key=lambda agreement: known[agreement], default="")
    lacking = find_extra_company(own.agreement, usual)
    return f"{lacking} {text}" if lacking else text


def _find_frame(word: str, sent: str, record: Sequence[Replacement], language: Language) -> str:
    """The frame that tells what follows ``word`` in ``sent``; empty where neither does."""
    grammar, said = language.grammar, sent.lower()
    marks = [mark for mark, of in grammar.modals.items() if of == "infinitive"]
    if any(f"{word} {to} " in said for to in marks):
        return _LEADS_TO
    before, is_there, after = said.partition(f"{word} ")
    if not is_there or before[-1:].isalnum():
        return ""
    finite = {one.substitute.lower() for one in record if one.tag in _FINITE}
    finite |= {*grammar.be, *grammar.have, *grammar.modals}.difference(marks)
    words = after.split(" ")[: _LONGEST_SUBJECT + 1]
    no_subject = language.words.before_phrase | grammar.outside_phrases
    for at, one in enumerate(words):
        if at and one in finite:
            return _LEADS_ON
        is_subject = not at or words[0] not in grammar.persons
        if not (is_subject and one.isalpha()) or one in no_subject:
            return ""
    return ""


def _frame_of(entry: Entry, frame: str, language: Language) -> str:
    """What stood around ``entry`` in a frame of behaviour; empty where that was not asked."""
    frames = [one.feature for one in language.frames.behaviour.get(entry.tag, ())]
    shown = (*entry.agreement_parts, "", "")[1].split(" / ")
    return dict(zip(frames, shown, strict=False)).get(frame, "")


def _fit_before(found: Found, substitute: Entry, own: Entry, target: TargetText) -> Found:
    extra = find_extra_company(substitute.agreement, own.agreement)
    span = target.right_before(found.span[0], extra) if extra else None
    if span is not None:
        text = capitalise(found.text) if target.text[span[0]].isupper() else found.text
        return found._replace(span=(span[0], found.span[1]), text=text)
    lacking = find_extra_company(own.agreement, substitute.agreement)
    if lacking and own.tag == "JJ" and found.text.islower():
        return found._replace(text=f"{lacking} {found.text}")
    return found


@lru_cache(maxsize=4096)
def find_extra_company(theirs: str, own: str) -> str:
    """What the frame of one agreement class has before the word, and that of the other has not."""
    frame, own_frame = (known.partition(" | ")[0].partition("_")[0] for known in (theirs, own))
    if not (theirs and own and frame.startswith(own_frame)):
        return ""
    return frame.removeprefix(own_frame).strip()


@lru_cache(maxsize=4096)
def find_link(theirs: str, own: str) -> tuple[str, str]:
    """What two words have between them and what follows in one frame, each with the blank before
    it: `` para`` and nothing. Both are empty where one of them is not known.
    """
    tails = [around.partition("_")[2].split() for around in (theirs, own)]
    longest, shortest = sorted(tails, key=len, reverse=True)
    if not shortest or len(longest) > len(shortest) + 1:
        return "", ""
    same = 0
    while same < len(shortest) and longest[-1 - same] == shortest[-1 - same]:
        same += 1
    links = [tail[: len(tail) - same] for tail in tails]
    if same < 2 or max(map(len, links)) > 1:  # what follows, and the word after that
        return "", ""
    first, second = ("".join(f" {word}" for word in link) for link in links)
    return first, second
