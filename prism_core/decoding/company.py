"""What agreement classes say of the words beside a substitute, where the original wants others.

A word that hides in a wider class than its own gets company that it never has, and misses its own:
*el más mejor amigo*, *un bote madera*, *quieres para regresar*.

Entry: ``fit_company``.
"""

from __future__ import annotations

from functools import lru_cache

from prism_core.decoding.decoded import Found
from prism_core.decoding.target_text import TargetText
from prism_core.dictionary import Dictionary, Entry
from prism_core.mechanisms import capitalise

_LEADS_TO = "to"
"""The frame of behaviour that tells what stands between a word and an infinitive."""


def fit_company(
    found: Found,
    substitute: Entry,
    own: Entry | None,
    target: TargetText,
    sent: str,
    dictionary: Dictionary,
) -> Found:
    """``found``, with the words right beside it as the class of the original has them.

    Before it those go that the substitute's class has and its own has not (*más*, where the
    translator writes it before *sharpest* but not for *best*), and before an adjective those come
    that its own alone has (*de madera*). Behind it the preposition changes where in ``sent``, which
    is x_pub, an infinitive follows.
    """
    if own is None or own.tag != substitute.tag or own.agreement == substitute.agreement:
        return found
    found = _fit_before(found, substitute, own, target)
    language, said = dictionary.language, sent.lower()
    marks = [mark for mark, of in language.grammar.modals.items() if of == "infinitive"]
    frames = [frame.feature for frame in language.frames.behaviour.get(own.tag, ())]
    if _LEADS_TO not in frames or not any(f"{substitute.word} {to} " in said for to in marks):
        return found
    at = frames.index(_LEADS_TO)
    theirs, wanted = find_link(substitute.agreement, own.agreement, at)
    if theirs == wanted:
        return found
    end = found.span[1] + len(theirs)
    if target.text[found.span[1] : end] != theirs or target.text[end : end + 1] != " ":
        return found
    return found._replace(span=(found.span[0], end), text=found.text + wanted)


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
def find_link(theirs: str, own: str, at: int) -> tuple[str, str]:
    """What words of two agreement classes have between them and an infinitive, each with the blank
    before it: `` para`` and nothing. Both are empty where one of them is not known.

    ``at`` is the number of the frame of behaviour that tells, of those in the second part.
    """
    tails = []
    for agreement in (theirs, own):
        frames = (*agreement.split(" | "), "")[1].split(" / ")
        tails.append(frames[at].partition("_")[2].split() if at < len(frames) else [])
    longest, shortest = sorted(tails, key=len, reverse=True)
    if not shortest or len(longest) > len(shortest) + 1:
        return "", ""
    same = 0
    while same < len(shortest) and longest[-1 - same] == shortest[-1 - same]:
        same += 1
    links = [tail[: len(tail) - same] for tail in tails]
    if same < 2 or max(map(len, links)) > 1:  # the infinitive and what follows it
        return "", ""
    first, second = ("".join(f" {word}" for word in link) for link in links)
    return first, second
