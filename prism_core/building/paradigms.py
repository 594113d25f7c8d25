"""Inflections that a row was never seen with, made as other rows make theirs.

A text of some ten thousand lines shows few adjectives in every gender and number, or with every
ending. How one form is made of another is learned from the rows that have both, by how they end
(*-if, -ives*; *-bel, -blen*), and applied where it hardly ever fails.

Entry: ``complete``, with the ``_InflectionRules`` of all rows.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Sequence

from prism_core.building.treebank import ENDING, NO_ENDING
from prism_core.dictionary import FUNCTION_TAG, Entry, Form, common_start, differing

LONGEST_REST = 3
"""Letters of a form after what it shares with another of its row, at most."""
SHORTEST_START = 3
MOST_CONTEXT = 4
"""So many letters before these tell how they change."""
LEAST_TIMES = 5
LEAST_SHARE = 0.9
"""A change counts that was seen in so many rows, and in this share of those it might have been in,
with all longer endings too;"""
LEAST_TIMES_ALONE = 10
LEAST_SHARE_ALONE = 0.98
LEAST_LETTERS_ALONE = 5
"""and in these, where no text has the word that it makes, of verbs is a future
or conditional (*fournira*), and shorter than what it is made of only where an adjective loses its
ending."""
STEMS = 2
"""So many of an entry's forms are looked at: later ones may be another word."""
_FINITE = ("Mood", "Number", "Person", "Tense", "VerbForm")
_CELLS = {"JJ": ("Gender", "Number", ENDING), "NN": ("Gender", "Case"), "VB": _FINITE}
"""The categories in which forms of one row differ, by kind; a participle is as an adjective."""
_WANTED = {"JJ": ("Gender", "Number", ENDING), "NN": ("Case=Gen",), "VB": ("VerbForm",)}
"""What is wanted of a form that is made: two that differ in number alone mean different things, but
of adjectives."""
_OF_INFINITIVE = frozenset({"Tense=Fut", "Mood=Cnd"})
_STEM = f"{ENDING}={NO_ENDING}"

_Cell = tuple[str, ...]


def complete_paradigms(entries: Iterable[Entry], attested: Container[str]) -> Iterator[Entry]:
    """``entries``, those read off texts with the inflections of nouns (their genitive), adjectives
    and participles that follow from what they have; ``attested`` are the words of those texts.

    Such a form comes last. A form that is there, but of which less is told, gets what is.
    """
    entries = list(entries)
    rules = _InflectionRules(entries)
    for entry in entries:
        kind = _kind_of(entry)
        yield rules.complete_paradigms(entry, kind, attested) if kind else entry


def _kind_of(entry: Entry) -> str:
    """``JJ`` or ``NN`` for what is made here; empty for anything else."""
    if entry.method != "corpus":
        return ""
    kinds = {"JJ": "JJ", "VBN": "JJ", "NN": "NN", "VB": "VB", "VBP": "VB", "VBZ": "VB", "VBD": "VB"}
    return kinds.get(entry.tag, "")


def _cell(form: Form, kind: str) -> _Cell:
    told = tuple(sorted(one for one in form.features if one.partition("=")[0] in _CELLS[kind]))
    is_whole = kind != "VB" or "VerbForm=Inf" in told or len(told) == len(_FINITE)
    return told if is_whole else ()


class _InflectionRules:
    """By how a form of one cell ends, how the form of another cell does."""

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
            kind = _kind_of(entry)
            forms = [form for form in entry.forms if self._is_usual(form, kind)] if kind else []
            for form in forms:
                cell = _cell(form, kind)
                self._cells[kind][cell] += 1
                for other in forms:
                    theirs = _cell(other, kind)
                    pair = form.text, other.text
                    if cell and theirs and cell != theirs and pair not in seen:
                        seen.add(pair)
                        self._learn(kind, cell, theirs, *pair)

    def _learn(self, kind: str, cell: _Cell, theirs: _Cell, text: str, other: str) -> None:
        shared = common_start(text, other)
        rest = max(len(text), len(other)) - shared
        if shared < SHORTEST_START or rest > LONGEST_REST:
            return
        for start in range(max(0, shared - MOST_CONTEXT), shared + 1):
            self._changes[kind, cell, theirs, text[start:]][other[start:]] += 1

    def _is_usual(self, form: Form, kind: str) -> bool:
        """Whether it is one word that may be inflected as others of its kind are: no word of
        grammar, and for an adjective no noun of a language in which these have capitals."""
        is_word = " " not in form.text and form.text.lower() not in self._grammar
        return is_word and (kind != "JJ" or form.text.islower())

    def complete(self, entry: Entry, kind: str, attested: Container[str]) -> Entry:
        """``entry`` with the forms that its own ones make."""
        forms = list(entry.forms)
        for cell, _ in self._cells[kind].most_common():
            if not any(one.startswith(_WANTED[kind]) for one in cell):
                continue
            if any(_is_of(form, cell, kind) for form in forms):
                continue
            text = self._make(forms[:STEMS], kind, cell, attested)
            if text:
                forms = _with_form(forms, text, cell)
        return entry.replace_forms(forms) if forms != list(entry.forms) else entry

    def _make(self, forms: Sequence[Form], kind: str, cell: _Cell, attested: Container[str]) -> str:
        """The form of ``cell``; empty where none is sure."""
        made = (
            self._change(form, kind, cell, attested)
            for form in forms
            if _cell(form, kind) and self._is_usual(form, kind)
        )
        return next(filter(None, made), "")

    def _change(self, form: Form, kind: str, cell: _Cell, attested: Container[str]) -> str:
        """What ``form`` is in ``cell`` by the longest ending that tells it surely; empty where
        longer ones differ, or none does."""
        made: set[str] = set()
        for start in range(len(form.text) + 1):
            changes = self._changes.get((kind, _cell(form, kind), cell, form.text[start:]))
            if not changes:
                continue
            ((end, count),) = changes.most_common(1)
            text, share = form.text[:start] + end, count / changes.total()
            made.add(text)
            if len(made) > 1 or share < LEAST_SHARE:
                return ""
            is_sure = share >= LEAST_SHARE_ALONE and count >= LEAST_TIMES_ALONE
            is_sure &= kind != "VB" or not _OF_INFINITIVE.isdisjoint(cell)
            shortest = min(len(form.text), len(text))
            is_sure &= shortest >= LEAST_LETTERS_ALONE and (
                len(form.text) <= len(text) or _STEM in cell
            )
            if is_sure or (count >= LEAST_TIMES and text.lower() in attested):
                return text
        return ""


def _is_of(form: Form, cell: _Cell, kind: str) -> bool:
    """Whether ``form`` is as good as one of ``cell``: it tells all that, or is the same in both."""
    own = _cell(form, kind)
    own = own if kind != "VB" else tuple(one for one in form.features if "=" in one)
    return bool(own) and not differing(own, cell) and (len(own) >= len(cell) or kind == "JJ")


def _with_form(forms: Sequence[Form], text: str, cell: _Cell) -> list[Form]:
    """``forms`` with one in ``cell``, last, or with what that tells of one that is there."""
    known = [form.text for form in forms]
    if text not in known:
        return [*forms, Form(text, min(form.score for form in forms) / 2, cell)]
    at = known.index(text)
    form = forms[at]
    if differing(form.features, cell):
        return list(forms)
    features = tuple(dict.fromkeys((*form.features, *cell)))
    return [*forms[:at], form._replace(features=features), *forms[at + 1 :]]
