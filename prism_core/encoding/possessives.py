"""Possessive marks behind replaced words, adjusted to the substitutes.

*Jones' claim* is sent as *Easton's stay*. If it were kept, a bare apostrophe would reveal that the
original ends in -s, and *'s* behind a plural that it does not. The adjusted mark follows from the
substitute and its slot, which are sent anyway. Nothing is undone: translators write their own.

Entry: ``fit_possessives``, which calls ``_is_possessive`` for the token behind each replacement.
"""

from __future__ import annotations

from collections.abc import Sequence

from prism_core.language import Sentence, Token
from prism_core.languages import Language
from prism_core.record import Kind, Replacement

_PLURAL = "NNS"
_SINGLE_QUOTES = ("'", "‘", "’", "`")


def fit_possessives(
    sentence: Sentence, record: Sequence[Replacement], language: Language
) -> Sentence:
    """Write each possessive mark behind a replacement as the substitute requires.

    It is *'* behind plurals in -s and *'s* behind all else (*the boss's car*, *Jones's claim*). The
    apostrophe stays straight or curly as it is. A capital *S* is written where everything else is
    in capitals. Behind a digit a bare apostrophe stays: it is a measure (*5'*).
    """
    if not language.words.possessives:
        return sentence
    bare, full = language.words.possessives
    tokens = list(sentence.tokens)
    behind = {
        replacement.position + replacement.length: replacement
        for replacement in record
        if replacement.kind is not Kind.KEPT
    }
    behind = {
        at: replacement
        for at, replacement in behind.items()
        if _is_possessive(tokens, at, language)
    }
    rest = "".join(token.text for at, token in enumerate(tokens) if at not in behind)
    for at, replacement in behind.items():
        last, text = replacement.substitute[-1:].lower(), tokens[at].text
        mark = full.upper() if rest.isupper() else full
        if (_PLURAL in replacement.drawn_as and last == "s") or (
            last.isdigit() and len(text) == len(bare)
        ):
            mark = bare
        tokens[at] = tokens[at]._replace(text=text[0] + mark[1:])
    return Sentence(tuple(tokens))


def _is_possessive(tokens: Sequence[Token], at: int, language: Language) -> bool:
    """Return True if a possessive mark stands at ``at``, by its tag and what else is sent.

    The end of a verb (*he's*) is none. Taggers confuse bare apostrophes and quotation marks: one is
    possessive where no quotation is open and the tag says so, or a word follows.
    """
    if at >= len(tokens) or tokens[at - 1].whitespace:
        return False
    token = tokens[at]
    bare, full = language.words.possessives
    form = token.text.lower().replace("’", "'")
    if form != bare:
        return form == full and token.tag == "POS"
    follows = tokens[at + 1].text if token.whitespace and at + 1 < len(tokens) else ""
    return (token.tag == "POS" or follows[:1].isalnum()) and not _is_quoted(tokens[:at])


def _is_quoted(tokens: Sequence[Token]) -> bool:
    """Return True if the last single quotation mark of ``tokens`` opens a quotation."""
    for at in range(len(tokens) - 1, -1, -1):
        token, before = tokens[at], tokens[at - 1] if at else None
        if token.text[:1] in _SINGLE_QUOTES:
            begins = not (before and before.text[-1:].isalnum() and not before.whitespace)
            if begins and not (len(token.text) == 1 and token.whitespace):
                return True
            if len(token.text) == 1:
                return False
    return False
