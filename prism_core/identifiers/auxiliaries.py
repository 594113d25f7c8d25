"""Auxiliaries that are names because no verb follows as one must: *Memo to Will*, *ask will*.

Entry: ``is_no_auxiliary`` for a word with a capital, ``lacks_verb`` for one in any case.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from prism_core.identifiers.name_words import BEGINS_ANEW, get_cell, stands_out
from prism_core.language import Token
from prism_core.languages import Language

Tokens = tuple[Token, ...]
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
    if _is_cell_of_capitals(tokens, index):
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


def _is_cell_of_capitals(tokens: Tokens, index: int) -> bool:
    """Return True if the word begins a cell of two or three capitalised words: *Will May*.

    None of them may be a verb, since the cell may then be a question.
    """
    cell = get_cell(tokens, index, _MOST_IN_CELL)
    return (
        len(cell) > 1
        and cell[0] is tokens[index]
        and all(token.text.istitle() and not token.tag.startswith("VB") for token in cell)
    )


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
