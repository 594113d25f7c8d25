"""Inspection of dictionaries: reasons for replacing a word, merging several, comparing two.

Entry: ``inspect_file`` for a word (its entries, its pools, the verdict of the settings),
``survey_file`` for a whole dictionary; ``merge_entries`` of several, ``compare_dictionaries`` for
two.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path
from statistics import fmean

from prism_core.dictionary import (
    CLOSED_TAGS,
    DRAWN_FROM,
    Dictionary,
    Entry,
    StoredDictionary,
    load_dictionary,
    read_dictionary,
)
from prism_core.errors import ConfigurationError
from prism_core.mechanisms import Pools, weigh_sureness
from prism_core.recovery import MEASURED, RecoveryRates
from prism_core.settings import MechanismSettings

_MOST_NEAR = 5
TYPICAL_REPLACED_WORDS = 9
"""Number of words that are replaced in a sentence of news, at the default strength."""


@dataclass(frozen=True, slots=True)
class Sense:
    """Entry of the word as the translator in use has it.

    ``pool`` is the number of words it is hidden among, 0 when they are too few. The substitute is
    drawn from ``drawn`` of them.
    """

    entry: Entry
    pool: int
    drawn: int
    replaced: bool
    why: str


@dataclass(frozen=True, slots=True)
class Inspection:
    """Entries that the dictionary has of ``word``.

    A word without an entry has a ``verdict``, and ``near`` lists similar words.
    """

    word: str
    senses: tuple[Sense, ...]
    verdict: str = ""
    near: tuple[str, ...] = ()
    stored: tuple[Entry, ...] = ()


def inspect_file(word: str, path: Path, translator: str, settings: MechanismSettings) -> Inspection:
    """Inspect ``word`` in the dictionary at ``path`` as ``translator`` would use it.

    ``stored`` has every entry of the word that the file holds, of any translator.
    """
    found = inspect(word, load_dictionary(path, translator), settings)
    entries = read_dictionary(path).entries
    return replace(found, stored=tuple(e for e in entries if e.word == word.lower()))


def inspect(word: str, dictionary: Dictionary, settings: MechanismSettings) -> Inspection:
    """Explain the treatment of ``word`` with ``dictionary`` under ``settings``, without a sentence.

    In a sentence an identifier is replaced by a surrogate first, whatever the dictionary contains.
    """
    if dictionary.language.is_function_word(word):
        return Inspection(
            word, (), "It is a function word: it carries grammar and is sent as it is."
        )
    pools = _lay_out_pools(dictionary, settings)
    senses = tuple(_explain_entry(entry, pools, settings) for entry in dictionary.senses(word))
    if senses:
        return Inspection(word, senses)
    kind = next((tag for tag, names in dictionary.names.items() if word in names), None)
    if kind is not None:
        return Inspection(
            word, (), f"It is a public name ({kind.lower()}): a surrogate for others."
        )
    if any(entry.word == word.lower() for left in dictionary.left.values() for entry in left):
        return Inspection(word, (), _LEFT_VERDICT)
    near = get_close_matches(word.lower(), {entry.word for entry in dictionary}, n=_MOST_NEAR)
    return Inspection(word, (), _UNKNOWN_VERDICTS[settings.figures().unknown_words], tuple(near))


@dataclass(frozen=True, slots=True)
class TagOverview:
    """Numbers of words of ``tag`` that are hidden and that may be drawn, and their recovery rate.

    ``rate``, in [0, 1], is the mean over the words that may be drawn, each weighted by its
    probability in a draw without neighbours and counts; 0 where there are none.
    """

    tag: str
    hidden: int
    drawn: int
    rate: float


@dataclass(frozen=True, slots=True)
class DictionaryOverview:
    """Expected recovery with a dictionary and ``translator``, in all and by tag.

    ``first_send``, in [0, 1], is the probability that a sentence of ``TYPICAL_REPLACED_WORDS``
    replaced words is restored whole from one draw. ``corpora`` names the texts on which the rates
    were measured; it is empty where they are estimated.
    """

    translator: str
    tags: tuple[TagOverview, ...]
    first_send: float
    corpora: tuple[str, ...]

    @property
    def drawn(self) -> int:
        """Number of words that may be drawn."""
        return sum(tag.drawn for tag in self.tags)


def survey_file(path: Path, translator: str, settings: MechanismSettings) -> DictionaryOverview:
    """Estimate the recovery of ``translator`` with the dictionary at ``path`` and ``settings``."""
    dictionary = load_dictionary(path, translator)
    pools = _lay_out_pools(dictionary, settings)
    rates, is_even = RecoveryRates(dictionary), settings.figures().draws == "uniform"
    tags = []
    for tag, entries in sorted(dictionary.by_tag.items()):
        if tag not in CLOSED_TAGS:
            drawn = list(pools.list_drawn(tag))
            weights = None if is_even else [weigh_sureness(entry) for entry in drawn]
            rate = fmean(map(rates.rate_of_entry, drawn), weights) if drawn else 0.0
            hidden = sum(map(pools.hides, entries))
            tags.append(TagOverview(tag, hidden, len(drawn), rate))
    words = sum(tag.drawn for tag in tags)
    mean = sum(tag.drawn * tag.rate for tag in tags) / words if words else 0.0
    corpora = () if rates.measured is None else rates.measured.corpora
    return DictionaryOverview(translator, tuple(tags), mean**TYPICAL_REPLACED_WORDS, corpora)


_LEFT_VERDICT = (
    "The translator does not know it and leaves it as it is: another such word is sent, and the "
    "source word put back."
)
_UNKNOWN_VERDICTS = {
    "source": "It is not in the dictionary: another word is sent, and the source word put back.",
    "withhold": "It is not in the dictionary: its sentence is withheld (unknown_words).",
    "keep": "It is not in the dictionary: it is sent in clear (unknown_words).",
}


def _lay_out_pools(dictionary: Dictionary, settings: MechanismSettings) -> Pools:
    return Pools(
        dictionary,
        settings.threshold,
        settings.minimum_pool,
        settings.drawn_from(dictionary.draw_from),
        settings.figures().hidden_words,
    )


def _explain_entry(entry: Entry, pools: Pools, settings: MechanismSettings) -> Sense:
    hidden_words = settings.figures().hidden_words
    if not pools.hides(entry):
        why = f"kept in clear: mechanism.hidden_words is {hidden_words}"
        return Sense(entry, 0, 0, replaced=False, why=why)
    pool = pools.for_entry(entry)
    if not pool.drawn:
        why = (
            f"replaced as an unknown word is: fewer than {settings.minimum_pool} words could "
            "stand for it"
        )
    elif hidden_words != "all":
        why = f"replaced: it tells something; hidden among {len(pool.behind):,} words that do"
    else:
        why = f"replaced: hidden among {len(pool.behind):,} words"
        if entry.confidence < settings.threshold and entry not in pool.drawn:
            why += (
                f"; its confidence {entry.confidence:.2f} is below the threshold "
                f"{settings.threshold:g}, so it is not drawn itself"
            )
    return Sense(entry, len(pool.behind), len(pool.drawn), replaced=True, why=why)


NOTICEABLE = 0.1
"""Change of a confidence from which on it counts as changed."""

_COUNTED = ("calls", "sentences")
"""Provenance fields that count the cost of a build; a merged file has their sums."""

_Key = tuple[str, str, str]


def merge_entries(dictionaries: Sequence[StoredDictionary]) -> tuple[list[Entry], dict[str, str]]:
    """Merge all entries of ``dictionaries``, and their provenance into one.

    Of two entries of one word, tag and translator the later built is kept, of two of one day that
    of the dictionary named last. Raises ``ConfigurationError`` for different language pairs.
    """
    pairs = {(d.provenance.get("source"), d.provenance.get("target")) for d in dictionaries}
    if len(pairs) > 1:
        named = ", ".join(sorted(f"{source}-{target}" for source, target in pairs))
        raise ConfigurationError(f"Dictionaries of one language pair can be merged, not {named}.")
    kept: dict[_Key, Entry] = {}
    for dictionary in dictionaries:
        for entry in dictionary.entries:
            known = kept.get(_get_key(entry))
            if known is None or entry.built >= known.built:
                kept[_get_key(entry)] = entry
    return list(kept.values()), _merge_provenance(dictionaries)


def _merge_provenance(dictionaries: Sequence[StoredDictionary]) -> dict[str, str]:
    """Merge the provenance fields; different values of a field are listed one after the other.

    Measurements of each dictionary do not hold for several together, and the threshold for drawing
    words depends on figures that a merge recomputes.
    """
    merged: dict[str, dict[str, None]] = {}
    left_out = {*_COUNTED, DRAWN_FROM, "format_version"}
    left_out |= {MEASURED} if len(dictionaries) > 1 else set()
    for dictionary in dictionaries:
        for name, value in dictionary.provenance.items():
            if name not in left_out:
                merged.setdefault(name, {})[value] = None
    fields = {name: "; ".join(values) for name, values in merged.items()}
    for name in _COUNTED:
        fields[name] = str(sum(int(d.provenance.get(name, 0)) for d in dictionaries))
    return fields


@dataclass(frozen=True, slots=True)
class EntryChange:
    """Entry that both dictionaries have, before and after."""

    before: Entry
    after: Entry

    @property
    def first_form(self) -> bool:
        """True if the first translation of the word changed."""
        return self.before.forms[0].text != self.after.forms[0].text

    @property
    def confidence(self) -> bool:
        """True if the confidence changed noticeably."""
        return abs(self.before.confidence - self.after.confidence) >= NOTICEABLE

    @property
    def agreement(self) -> bool:
        """True if the agreement class changed."""
        return self.before.agreement != self.after.agreement


@dataclass(frozen=True, slots=True)
class Difference:
    """Entries ``added`` to, ``removed`` from and ``changed`` in a dictionary."""

    added: list[Entry] = field(default_factory=list)
    removed: list[Entry] = field(default_factory=list)
    changed: list[EntryChange] = field(default_factory=list)
    unchanged: int = 0


def compare_dictionaries(before: StoredDictionary, after: StoredDictionary) -> Difference:
    """Compare ``after`` with ``before``, entry by entry (word, tag and translator)."""
    old = {_get_key(entry): entry for entry in before.entries}
    new = {_get_key(entry): entry for entry in after.entries}
    shared = [EntryChange(old[key], new[key]) for key in sorted(old.keys() & new.keys())]
    changed = [
        change for change in shared if change.first_form or change.confidence or change.agreement
    ]
    return Difference(
        added=list(_select_missing(new, old)),
        removed=list(_select_missing(old, new)),
        changed=changed,
        unchanged=len(shared) - len(changed),
    )


def _select_missing(entries: dict[_Key, Entry], others: dict[_Key, Entry]) -> Iterator[Entry]:
    return (entries[key] for key in sorted(entries.keys() - others.keys()))


def _get_key(entry: Entry) -> _Key:
    return *entry.key, entry.translator
