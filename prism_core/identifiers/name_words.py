"""Words of names: public lists, tests that separate names from words, and names of several words.

Entry: ``extend_names``, from the word that was recognised to all words of its name. Names travel:
their particles and legal forms of many languages are recognised in any text. ``is_no_auxiliary``
and ``lacks_verb`` find auxiliaries that are names, because no verb follows as one must: *Memo to
Will*, *ask will*.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Sequence, Set
from functools import cache
from typing import NamedTuple

from prism_core.dictionary import read_names
from prism_core.language import PROPER_NOUNS, Token
from prism_core.languages import Language, read_words
from prism_core.resources import SHIPPED_IDENTIFIERS, SHIPPED_NAMES

Tokens = tuple[Token, ...]
MayJoin = Callable[[Tokens, int], bool]
_LINKS = frozenset("-‐‑–'’+")
_HYPHENS = frozenset("-‐‑")
_FARTHEST_PARTICLES = 3
_INNER_MARKS = ("-", "‐", "‑", "'", "’")
BEGINS_ANEW = frozenset('.:;!?"“‘(-–—•>')
"""Marks after which a capital is no evidence."""
_BARS = frozenset("|\t\n")
"""Characters that separate cells."""


class NameWords(NamedTuple):
    """Words of names, and beside names, in texts of any language; ``names.toml`` explains each."""

    particles: frozenset[str]
    legal_forms: frozenset[str]
    sure_legal_forms: frozenset[str]
    legal_forms_in_capitals: frozenset[str]
    relatives: frozenset[str]
    ands: frozenset[str]
    between_subject_and_verb: frozenset[str]
    have: frozenset[str]
    judges: frozenset[str]
    speaking_for: frozenset[str]
    ages: frozenset[str]
    before_age: frozenset[str]
    against: frozenset[str]
    also_prepositions: frozenset[str]
    opponents: frozenset[str]
    eponyms: frozenset[str]


@cache
def name_words() -> NameWords:
    """Read ``data/identifiers/names.toml``."""
    text = (SHIPPED_IDENTIFIERS / "names.toml").read_text(encoding="utf-8")
    return NameWords(
        **{key: frozenset(words.split()) for key, words in tomllib.loads(text).items()}
    )


def stands_out(tokens: Tokens, index: int) -> bool:
    """Return True if the word's capital is explained by neither a beginning nor the line.

    In a line of capitals, or of words that all begin with one, a capital is no evidence.
    """
    if index == 0 or not tokens[index].text[:1].isupper():
        return False
    before = tokens[index - 1].text
    if not before.strip() or (before[-1:] in BEGINS_ANEW and before != "."):
        return False
    return any(token.text.islower() and len(token.text) > 1 for token in tokens)


def is_label_or_abbreviation(tokens: Tokens, index: int, language: Language) -> bool:
    """Return True if a function word in capitals is no word here: *group A*, *stage I*, *the US*.

    A letter is a label where its capital is not explained and no capital follows, or where nothing
    or a comma follows (*A, a child*). *I* is one between a noun and something other than its verb.
    Several letters are an abbreviation in a line that has small letters too, if tagged so or behind
    a determiner.
    """
    token, text = tokens[index], tokens[index].text
    before = tokens[index - 1] if index else None
    if not (text.isupper() and text.isalpha()):
        return False
    if len(text) > 1:
        is_noun = token.tag.startswith("NN") or token.entity != ""
        is_apart = any(other.text.islower() and len(other.text) > 1 for other in tokens)
        near = [other.text for other in tokens[max(0, index - 1) : index + 2] if other is not token]
        is_apart &= not any(  # *IT IS AGREED that …*
            len(word) > 1 and word.isupper() and language.is_function_word(word) for word in near
        )
        return is_apart and (is_noun or (before is not None and before.tag == "DT"))
    rest = [other for other in tokens[index + 1 :] if other.text.strip()]
    is_last = not any(other.text[:1].isalnum() for other in rest)
    if text in language.words.always_capital:
        leads = not is_last and rest[0].tag.startswith(_AFTER_SUBJECT)
        return before is not None and before.tag.startswith("NN") and not leads
    if before is None:
        return not is_last and rest[0].text == ","
    return is_last or (
        before.text != "." and stands_out(tokens, index) and not rest[0].text[:1].isupper()
    )


def is_eponym(tokens: Tokens, index: int) -> bool:
    """Return True if a word that is tagged as an adverb names something: *down syndrome*."""
    after = "".join(token.text.lower() for token in tokens[index + 1 : index + 2])
    return after in name_words().eponyms and tokens[index].tag in ("RB", "RP")


def get_cell(tokens: Sequence[Token], index: int, most: int) -> Sequence[Token]:
    """Return the words of the cell or line of ``index``; none if it has more than ``most``."""
    cell = [tokens[index]]
    for step in (-1, 1):
        position = index + step
        while 0 <= position < len(tokens) and tokens[position].text not in _BARS:
            if tokens[position].text.strip():
                cell.insert(0 if step < 0 else len(cell), tokens[position])
            if len(cell) > most:
                return ()
            position += step
    return cell


def is_bare_name_part(text: str) -> bool:
    """Return True if ``text`` is a particle or a legal form, which identifies nobody."""
    return (
        text in name_words().particles or text.replace(".", "").lower() in name_words().legal_forms
    )


@cache
def names_that_are_words(language: Language) -> frozenset[str]:
    """Return names that are words too, in lower case (*grace*, *reading*), and all public names."""
    public = (name.lower() for name, _ in read_names(SHIPPED_NAMES))
    return read_words(language.names_that_are_words).union(public)


def extend_names(
    tokens: Tokens,
    names: set[int],
    places: Sequence[int],
    plain: Set[int],
    may_join: MayJoin,
    language: Language,
) -> set[int]:
    """Return ``names`` (positions) together with the other words of these names.

    A capital right after a name is part of it. One right before it is, if it is tagged so or is a
    name too: *Grant* in *Olivia Grant* is a name whatever its tag, but a sentence may begin with
    any word. The same holds for particles between two names or before one (*van der Berg*), legal
    forms (*Holm S.r.l.*), and a head before *of* and a name (*Bank of Holm*). A word in ``plain``,
    whose capital is no evidence, is no part of the person after it (*Daughter Rose*), nor, at the
    beginning, of an abbreviation (*Chest CT*).
    """
    if not names:
        return names
    found = set(names)
    for i in places:
        if i not in found and may_join(tokens, i) and _follows_name(tokens, i, found, language):
            found.add(i)
    for i in reversed(places):
        if i in found or not may_join(tokens, i):
            continue
        is_title = i == 0 and tokens[i].text.istitle()
        is_beside = i in plain and any(
            after.text == "," or after.entity == "PER" or (is_title and after.text.isupper())
            for after in tokens[i + 1 : i + 2]
        )
        if not is_beside and _leads_name(tokens, i, found, language):
            found.add(i)
    for i in sorted(found):
        found |= _find_inner_words(tokens, i)
        found |= _find_particles(tokens, i, found, language)
        found |= _find_legal_forms(tokens, i)
    return found


def _find_inner_words(tokens: Tokens, index: int) -> set[int]:
    """Return small words joined to the name, and the capital after them: *Wells-next-the-Sea*."""
    inner, at = set[int](), index
    while at + 2 < len(tokens) and tokens[at + 1].text in _HYPHENS:
        if tokens[at].whitespace or tokens[at + 1].whitespace:
            break
        at += 2
        if tokens[at].text[:1].isupper():
            return inner | {at} if inner else inner
        inner.add(at)
    return set()


def _follows_name(tokens: Tokens, index: int, names: set[int], language: Language) -> bool:
    """Return True if the word continues a name before it.

    The name stands right before, or before a hyphen, an ampersand or a particle, or with a comma at
    the beginning of a line or a field (*Baker, Rose*).
    """
    if index - 1 in names:
        return True
    before = tokens[index - 1].text if index else ""
    if before == "," and index - 2 in names and (index == 2 or tokens[index - 3].text == ":"):
        return tokens[index].text.lower() in names_that_are_words(language)
    if index - 2 in names and _links_names(tokens, index - 1):
        return True
    last = index - 2  # *Haya de la Torre*: where surnames are so, over several small words
    while (
        language.words.bare_subject_is_name
        and last > 0
        and tokens[last].text in name_words().particles
    ):
        last -= 1
    return before in name_words().particles and last in names and tokens[last].text[:1].isupper()


def _links_names(tokens: Tokens, index: int) -> bool:
    """Return True if the mark at ``index`` joins two names: a hyphen, an ampersand."""
    text = tokens[index].text
    apart = tokens[index].whitespace or (index > 0 and tokens[index - 1].whitespace)
    return text == "&" or (text in _LINKS and not apart)


def _leads_name(tokens: Tokens, index: int, names: set[int], language: Language) -> bool:
    token = tokens[index]
    lower = token.text.lower()
    known = lower in names_that_are_words(language)
    named = token.tag in PROPER_NOUNS or token.entity != "" or known
    if index + 1 in names:
        return named
    after = tokens[index + 1].text if index + 1 < len(tokens) else ""
    if index + 2 in names:
        if after in language.words.of:
            return lower in language.words.heads
        return named and (after in (",", ".") or _links_names(tokens, index + 1))
    return False


def _find_particles(tokens: Tokens, index: int, names: set[int], language: Language) -> set[int]:
    """Return the particles right before the name at ``index`` if a name or title precedes them.

    Hyphens among them (*Aix-en-Provence*) stay as they are.
    """
    first = index
    while first > 0 and index - first < _FARTHEST_PARTICLES:
        text = tokens[first - 1].text
        if not (_is_particle(tokens, first - 1) or text in _INNER_MARKS):
            break
        if text in language.boundaries.clause_first:  # *los Sres. Prado y Campo* are two
            break
        first -= 1
    if first == index:
        return set()
    tells = tokens[first].text in language.words.foreign_particles or tokens[first].entity == "PER"
    words = language.words  # *notario de Cuenca*, but *don de la Cruz*
    titles = words.sure_titles if words.bare_subject_is_name else words.honorifics
    has_title = first > 0 and tokens[first - 1].text.lower().rstrip(".") in titles
    is_filled_in = tokens[first].text.isupper() and first > 0 and tokens[first - 1].text == ":"
    is_capital = tokens[first].text.istitle() and first > 0 and tokens[first - 1].text.islower()
    belongs = tells or has_title or first - 1 in names or is_filled_in or is_capital
    small = (
        position for position in range(first, index) if tokens[position].text not in _INNER_MARKS
    )
    return set(small) if belongs else set()


def _is_particle(tokens: Tokens, index: int) -> bool:
    """Return True if the word is a particle, whatever its case.

    In capitals it is one if the next word is too (*DE LA ROCHE*); with a capital, after a word in
    small letters (*los hermanos Del Río*). A possessive mark (*Scotland's Hotel*) is none.
    """
    text, after = tokens[index].text, tokens[index + 1].text
    if not text[0].isalpha() and index > 0 and not tokens[index - 1].whitespace:
        return False
    if text in name_words().particles:
        return True
    has_capital = text.istitle() and index > 0 and tokens[index - 1].text.islower()
    return (
        text.lower() in name_words().particles
        and len(text) > 1
        and ((text.isupper() and after.isupper()) or has_capital)
    )


def _find_legal_forms(tokens: Tokens, index: int) -> set[int]:
    """Return the positions of the legal form that ends the company name at ``index``."""
    found: set[int] = set()
    position = index + 1
    while position < len(tokens):
        text = tokens[position].text
        form = text.replace(".", "").lower()
        if form in name_words().legal_forms and (found or text != form or form in ("gmbh", "sro")):
            found.add(position)
        elif text not in (",", ".", "/") and form not in ("z", "oo"):
            break
        position += 1
    return found


_AFTER_SUBJECT = ("VB", "MD", "RB", "POS", ",")
"""Tags of what follows *I* where it is the subject of a clause: *the man I saw*."""
_HAS_OBJECT = ("VB", "VBD", "VBG")
_ENDS = frozenset(".!?;")
_SUPPORTS = frozenset("do does did".split())
"""Auxiliaries that no other auxiliary follows."""
_MOST_IN_CELL = 3


def is_no_auxiliary(
    tokens: Tokens, index: int, language: Language, is_infinitive: Callable[[str], bool]
) -> bool:
    """Return True if a word tagged as an auxiliary stands where no auxiliary can.

    Examples: *Memo to Will*, *Will signed*, *Will today signed*, *Will and Grace*, *Ask Will*,
    *From: Will*.
    """
    if tokens[index].tag != "MD":
        return False
    before = tokens[index - 1] if index else None
    if before is not None and before.text.lower() in language.words.before_names:
        return True
    if tokens[index].text.isupper() and len(tokens) > 1:  # *WILL LEFT*, *RE: MAY WELL CALLED*
        if before is not None and before.text[-1:] not in BEGINS_ANEW:
            return False
        verb = next((token for token in tokens[index + 1 :] if token.tag != "RB"), tokens[index])
        return verb.tag in ("VBD", "VBN") and not is_infinitive(verb.text)
    if not tokens[index].text.istitle():
        return False
    if before is not None and before.tag.startswith("VB"):
        return True
    after = tokens[index + 1] if index + 1 < len(tokens) else None
    if after is None or (stands_out(tokens, index) and after.text in (",", ".", "!", "?", ":")):
        return True
    cell = get_cell(tokens, index, _MOST_IN_CELL)
    if (  # a cell of two or three such words (*Will May*); with a verb it may be a question
        len(cell) > 1
        and cell[0] is tokens[index]
        and all(token.text.istitle() and not token.tag.startswith("VB") for token in cell)
    ):
        return True
    verb = next(
        (
            token
            for token in tokens[index + 1 :]
            if token.tag != "RB"
            and not (token.tag == "NN" and language.is_function_word(token.text))
        ),
        after,
    )
    if verb.tag in ("VBD", "VBN", "VBZ", "POS"):
        return not is_infinitive(verb.text)
    return before is None and after.tag == "CC"


def lacks_verb(tokens: Sequence[Token], position: int, before_names: frozenset[str]) -> bool:
    """Return True if the modal at ``position``, in any case, has no verb: *ask will about it*.

    This is so after a verb or a preposition (``before_names``) unless an infinitive follows that
    belongs to no other word: *tell will to call*, *ask will if he can come*. It is also so at the
    beginning, before a finite verb (*will said no*).
    """
    if not position:
        return any(token.tag in ("VBD", "VBZ") for token in tokens[1:2])
    before = tokens[position - 1]
    if before.text.lower() in _SUPPORTS:
        return True  # *did will come*
    if tokens[position].tag != "MD":
        return False
    if before.tag not in _HAS_OBJECT and before.text.lower() not in before_names:
        return False
    is_anothers = False
    for token in tokens[position + 1 :]:
        if token.text in _ENDS:
            break
        if token.tag in ("TO", "MD"):
            is_anothers = True
        elif token.tag in ("VB", "VBP"):
            if not is_anothers:
                return False
            is_anothers = False
    return True
