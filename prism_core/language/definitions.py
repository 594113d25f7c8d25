"""Defined terms of a document: capitalised once in a definition, then used throughout.

Entry: ``defined_terms`` of the texts of one document.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from prism_core.languages import Language

_CAPITAL = r"[^\W\d_a-z][\w’'&-]*"
_TERM = rf"({_CAPITAL}(?: (?:[a-z]{{1,3}} )?{_CAPITAL}){{0,5}})"
_QUOTED = re.compile(rf"[“„«\"'‘](?:[a-z]+ )?{_TERM}[”“»\"'’]")
_BEGINS = re.compile(rf"(?:[A-Z][a-z]{{0,2}} )?{_TERM}")
_IN_BRACKETS = re.compile(r"\([^()]*$")
_LONGEST = 60


def defined_terms(texts: Iterable[str], language: Language) -> frozenset[str]:
    """Return the terms that ``texts`` define, as written, without quotes and article.

    Each word of a term begins with a capital, except short ones within it. The term is in quotes,
    and its meaning follows (*“Goods” means …*), or a naming phrase precedes it (*hereinafter the
    “Buyer”*), or it is in brackets (*the “Buyer”*); or a text begins with the term and its meaning.
    """
    means = re.compile(rf" (?:{language.words.means})\b")
    called = re.compile(rf"\b(?:{language.words.called})(?: [a-z]+)? $")
    found = set[str]()
    for text in texts:
        for match in _QUOTED.finditer(text):
            before = text[max(0, match.start() - _LONGEST) : match.start()]
            if (
                means.match(text, match.end())
                or called.search(before)
                or _IN_BRACKETS.search(before)
            ):
                found.add(match[1])
        begins = _BEGINS.match(text)
        if begins and means.match(text, begins.end()):
            found.add(begins[1])
    return frozenset(found)
