"""Public names in other languages: places and institutions, and the words for their people.

Nothing that is sent depends on them.

Entry: ``read_exonyms``; ``read_article_endings`` for the articles before other words.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import NamedTuple

from prism_core.resources import SHIPPED_NAMES, read_rows

_PEOPLE, _ENDINGS, _NONE = "people", "endings", "·"
_NO_ARTICLES: Mapping[str, str] = MappingProxyType({})


class Exonym(NamedTuple):
    """Public name in the target language: its ``text``, and the articles before it.

    For each article that may stand before the name, ``articles`` has the text that goes there
    (*la*: *los*, *del*: *de los*).
    """

    text: str
    articles: Mapping[str, str] = _NO_ARTICLES
    people: People | None = None

    def upper(self) -> Exonym:
        """Return the name in capitals."""
        people = self.people and self.people.upper()
        return self._replace(text=self.text.upper(), people=people)


class People(NamedTuple):
    """Word for the people of a place (*Germans*), or for what belongs to it (*French*).

    An adjective has ``forms``: beside a feminine and a masculine noun, and beside their plurals, as
    the frames of English adjectives have them. Of those that stand after the noun, ``genitives``
    are the prepositions that a translator writes before a name there. Alone it stands for one
    person, or after an article for ``several``, with its articles, if that is not empty.
    """

    forms: tuple[str, ...] = ()
    genitives: frozenset[str] = frozenset()
    several: tuple[str, Mapping[str, str]] = ("", _NO_ARTICLES)

    def upper(self) -> People:
        """Return the word in capitals."""
        text, articles = self.several
        forms = tuple(map(str.upper, self.forms))
        return self._replace(forms=forms, several=(text.upper(), articles))


@cache
def read_exonyms(source: str, target: str) -> Mapping[str, Exonym]:
    """Return translations into ``target`` of public names; none for an unlisted pair."""
    articles = _Articles.read(target)
    one, several, order = articles.people
    found: dict[str, Exonym] = {}
    for name, text, use in _read_names(source, target):
        if use in ("man", "men"):
            exonym = Exonym(text, articles.of_nouns(one if use == "man" else several), People())
        elif use:  # the forms of the adjective, and after a stroke of the noun
            forms, _, nouns = text.partition(" / ")
            adjectives = tuple(forms.split())
            noun, plural = nouns.split() if nouns else (adjectives[1], adjectives[3])
            people = People(
                adjectives,
                articles.genitives if order == "after" else frozenset(),
                (plural, articles.of_nouns(several)) if use == "people" else ("", _NO_ARTICLES),
            )
            exonym = Exonym(noun, articles.of_nouns(one), people)
        else:
            text, _, article = text.removesuffix(")").partition(" (")
            exonym = Exonym(text, articles.before.get(article, _NO_ARTICLES))
        if exonym != (name, _NO_ARTICLES, None):
            found.setdefault(name, exonym)
            found.setdefault(name.upper(), exonym.upper())
    return MappingProxyType(found)


@cache
def read_article_endings(language: str) -> frozenset[str]:
    """Return the endings of articles for gender and number; none where they change otherwise."""
    rows = _read_article_rows(language)
    return frozenset(cell for key, *cells in rows if key == _ENDINGS for cell in cells)


def _read_article_rows(language: str) -> list[list[str]]:
    rows = read_rows(SHIPPED_NAMES / "exonyms" / "articles.tsv")
    return [cells for code, *cells in rows if code == language]


class _Articles(NamedTuple):
    """Articles of a language: what goes in the place of others, and those of ``people``."""

    before: Mapping[str, Mapping[str, str]]
    bare: frozenset[str]
    genitives: frozenset[str]
    people: Sequence[str]

    @classmethod
    def read(cls, language: str) -> _Articles:
        """Read the rows of ``language``; nothing is known of one that has none."""
        rows = _read_article_rows(language)
        people = next((cells for key, *cells in rows if key == _PEOPLE), ("", "", ""))
        rows = [row for row in rows if row[0] not in (_PEOPLE, _ENDINGS)]
        before = {
            key: {
                other: own
                for _, *others in rows
                for other, own in zip(others, forms, strict=True)
                if _NONE not in (other, own)
            }
            for key, *forms in rows
            if key != _NONE
        }
        bare = frozenset(form for key, *forms in rows if key == _NONE for form in forms)
        return cls(before, bare, frozenset(row[2] for row in rows), people)

    def of_nouns(self, key: str) -> Mapping[str, str]:
        """Return the articles of ``key`` where another stands: a noun may be without."""
        known = self.before.get(key, {})
        return {other: own for other, own in known.items() if other not in self.bare}


def _read_names(source: str, target: str) -> Iterator[tuple[str, str, str]]:
    """Yield names in both languages and their use, abbreviations last."""
    rows: dict[tuple[str, str], dict[str, str]] = defaultdict(dict)
    for file in ("places.tsv", "by_hand.tsv", "demonyms.tsv"):
        header, *lines = read_rows(SHIPPED_NAMES / "exonyms" / file)
        for line in lines:
            cells = dict(zip(header, line, strict=True))
            use = cells.pop("use", "")
            if not use or source == header[0]:
                rows[line[0], use] |= {code: cell for code, cell in cells.items() if cell}
    found = [
        (cells[source].partition(" (")[0], cells[target], use)
        for (_, use), cells in rows.items()
        if cells.keys() >= {source, target}
    ]
    yield from sorted(found, key=lambda row: row[1].isupper() or "." in row[1])
