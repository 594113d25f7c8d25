"""Missing inflections of a row, formed as other rows form theirs.

A text of some ten thousand lines shows few adjectives in every gender and number, or with every
ending. The change from one form to another is learned from rows that have both, by their endings
(*-if, -ives*; *-bel, -blen*), and applied where it hardly ever fails.

A cell is the set of features that tells the forms of one row apart, e.g. gender and number.

Entry: ``complete_paradigms``, with the ``_InflectionRules`` of all rows.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Sequence

from prism_core.building.associations import CORPUS
from prism_core.building.treebank import ENDING, NO_ENDING
from prism_core.dictionary import FUNCTION_TAG, Entry, Form, common_start, differing

LONGEST_REST = 3
"""Maximum letters of a form after the beginning that it shares with another form of its row."""
SHORTEST_START = 3
MOST_CONTEXT = 4
"""Number of letters before these on which the change may depend."""
LEAST_TIMES = 5
"""Number of rows in which a change must be seen to count, if a text has the new word."""
LEAST_SHARE = 0.9
"""Share of the possible rows in which a change must be seen, for all longer endings too."""
LEAST_TIMES_ALONE = 10
"""Number of rows that a change needs if no text has the new word.

Then a verb form must also be a future or conditional (*fournira*), and the new form may be shorter
than its base only where an adjective loses its ending.
"""
LEAST_SHARE_ALONE = 0.98
"""Share of the possible rows that a change needs if no text has the new word."""
LEAST_LETTERS_ALONE = 5
"""Letters that both forms need if no text has the new word."""
STEMS = 2
"""Number of an entry's forms that are compared; later ones may be another word."""
_FINITE = ("Mood", "Number", "Person", "Tense", "VerbForm")
_CELLS = {"JJ": ("Gender", "Number", ENDING), "NN": ("Gender", "Case"), "VB": _FINITE}
"""Categories in which forms of one row differ, by kind; a participle is as an adjective."""
_REQUIRED = {"JJ": ("Gender", "Number", ENDING), "NN": ("Case=Gen",), "VB": ("VerbForm",)}
"""Features required of a new form: two that differ in number alone differ in meaning.

Adjectives are the exception.
"""
_BUILT_ON_INFINITIVE = frozenset({"Tense=Fut", "Mood=Cnd"})
_STEM = f"{ENDING}={NO_ENDING}"

_Cell = tuple[str, ...]


def complete_paradigms(entries: Iterable[Entry], attested: Container[str]) -> Iterator[Entry]:
    """Yield ``entries``, adding inflections to those that were read off texts.

    Added are forms of adjectives, participles and verbs, and genitives of nouns, that follow from
    the forms that are there. ``attested`` are the words of those texts. A new form comes last. An
    existing form with fewer features gets the missing ones.
    """
    entries = list(entries)
    rules = _InflectionRules(entries)
    for entry in entries:
        kind = _get_kind(entry)
        yield rules.add_missing_forms(entry, kind, attested) if kind else entry


def _get_kind(entry: Entry) -> str:
    """Return ``JJ``, ``NN`` or ``VB`` for an entry to complete; empty for any other."""
    if entry.method != CORPUS:
        return ""
    kinds = {"JJ": "JJ", "VBN": "JJ", "NN": "NN", "VB": "VB", "VBP": "VB", "VBZ": "VB", "VBD": "VB"}
    return kinds.get(entry.tag, "")


def _get_cell(form: Form, kind: str) -> _Cell:
    features = tuple(
        sorted(feature for feature in form.features if feature.partition("=")[0] in _CELLS[kind])
    )
    is_whole = kind != "VB" or "VerbForm=Inf" in features or len(features) == len(_FINITE)
    return features if is_whole else ()


class _InflectionRules:
    """Endings of the form in one cell, by the ending of the form in another."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self._grammar = {
            word
            for entry in entries
            if entry.tag == FUNCTION_TAG
            for text in entry.forms.texts
            for word in text.lower().split()
        }
        self._changes: dict[tuple[str, _Cell, _Cell, str], Counter[str]] = defaultdict(Counter)
        self._cells: dict[str, Counter[_Cell]] = defaultdict(Counter)
        seen: set[tuple[str, str]] = set()
        for entry in entries:
            kind = _get_kind(entry)
            forms = [form for form in entry.forms if self._is_usual(form, kind)] if kind else []
            for form in forms:
                cell = _get_cell(form, kind)
                self._cells[kind][cell] += 1
                for other in forms:
                    other_cell = _get_cell(other, kind)
                    pair = form.text, other.text
                    if cell and other_cell and cell != other_cell and pair not in seen:
                        seen.add(pair)
                        self._learn(kind, cell, other_cell, *pair)

    def _learn(self, kind: str, cell: _Cell, other_cell: _Cell, text: str, other: str) -> None:
        shared = common_start(text, other)
        rest = max(len(text), len(other)) - shared
        if shared < SHORTEST_START or rest > LONGEST_REST:
            return
        for start in range(max(0, shared - MOST_CONTEXT), shared + 1):
            self._changes[kind, cell, other_cell, text[start:]][other[start:]] += 1

    def _is_usual(self, form: Form, kind: str) -> bool:
        """Return True for a single word that may be inflected as others of its kind.

        Excluded are function words and, among adjectives, nouns of a language that capitalises
        them.
        """
        is_word = " " not in form.text and form.text.lower() not in self._grammar
        return is_word and (kind != "JJ" or form.text.islower())

    def add_missing_forms(self, entry: Entry, kind: str, attested: Container[str]) -> Entry:
        """Return ``entry`` with the forms that follow from its own."""
        forms = list(entry.forms)
        for cell, _ in self._cells[kind].most_common():
            if not any(feature.startswith(_REQUIRED[kind]) for feature in cell):
                continue
            if any(_fills_cell(form, cell, kind) for form in forms):
                continue
            made = (
                self._apply_rules(form, kind, cell, attested)
                for form in forms[:STEMS]
                if _get_cell(form, kind) and self._is_usual(form, kind)
            )
            if text := next(filter(None, made), ""):
                forms = _add_form(forms, text, cell)
        return entry.replace_forms(forms) if forms != list(entry.forms) else entry

    def _apply_rules(self, form: Form, kind: str, cell: _Cell, attested: Container[str]) -> str:
        """Return the form of ``cell`` made from ``form`` by the longest reliable ending.

        The result is empty where longer endings disagree, or none is reliable.
        """
        made: set[str] = set()
        for start in range(len(form.text) + 1):
            changes = self._changes.get((kind, _get_cell(form, kind), cell, form.text[start:]))
            if not changes:
                continue
            ((end, count),) = changes.most_common(1)
            text, share = form.text[:start] + end, count / changes.total()
            made.add(text)
            if len(made) > 1 or share < LEAST_SHARE:
                return ""
            is_sure = share >= LEAST_SHARE_ALONE and count >= LEAST_TIMES_ALONE
            is_sure &= kind != "VB" or not _BUILT_ON_INFINITIVE.isdisjoint(cell)
            shortest = min(len(form.text), len(text))
            is_sure &= shortest >= LEAST_LETTERS_ALONE and (
                len(form.text) <= len(text) or _STEM in cell
            )
            if is_sure or (count >= LEAST_TIMES and text.lower() in attested):
                return text
        return ""


def _fills_cell(form: Form, cell: _Cell, kind: str) -> bool:
    """Return True if ``form`` has all features of ``cell``, or is the same in both cells."""
    features = _get_cell(form, kind)
    features = (
        features if kind != "VB" else tuple(feature for feature in form.features if "=" in feature)
    )
    return (
        bool(features)
        and not differing(features, cell)
        and (len(features) >= len(cell) or kind == "JJ")
    )


def _add_form(forms: Sequence[Form], text: str, cell: _Cell) -> list[Form]:
    """Return ``forms`` with one for ``cell``: a new form last, or an old one with more features."""
    known = [form.text for form in forms]
    if text not in known:
        return [*forms, Form(text, min(form.score for form in forms) / 2, cell)]
    index = known.index(text)
    form = forms[index]
    if differing(form.features, cell):
        return list(forms)
    features = tuple(dict.fromkeys((*form.features, *cell)))
    return [*forms[:index], form._replace(features=features), *forms[index + 1 :]]
