"""Which target words stand in the translations of a source word more often than by chance.

They are no forms of the word: a sense that is seen once, a part of a phrase, another part of
speech. Decoding asks them where no form is found. Some are inflections that texts show too seldom
to align them (*libérale* beside *libéral*): what begins as a known form does, and is an inflection
by its ending, becomes a form.

Entry: ``associate`` learns them from translated lines, ``add_attested`` takes forms from them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping

from prism_core.building.treebank import Endings
from prism_core.dictionary import (
    ASSOCIATED,
    CLOSED_TAGS,
    Entry,
    Form,
    common_start,
    target_tokens,
    without_accents,
)
from prism_core.languages import Language

METHOD = "association"
LEAST_DICE = 0.03
LEAST_TIMES = 2
MOST_ASSOCIATES = 12
TOO_COMMON = 0.05
"""A target word in a larger share of the lines stands beside everything."""


def associate(
    pairs: Iterable[tuple[str, str]], language: Language, *, translator: str, built: str = ""
) -> list[Entry]:
    """An entry for each source word in lower case, tagged ``ASSOCIATED``, best associate first.

    The score of each is Dice's, 2 n(w, v) / (n(w) + n(v)) in (0, 1], over the source lines of
    ``pairs`` (public text and its translation): a line that is translated several times counts
    once, with the words of all its translations. ``translator`` says whose they are.
    """
    lines: Mapping[str, set[str]] = defaultdict(set)
    for source, target in pairs:
        lines[source].update(filter(str.isalpha, target_tokens(target)))
    of_target = Counter(word for words in lines.values() for word in words)
    kept = {word for word, count in of_target.items() if count <= TOO_COMMON * len(lines)}
    of_source: Counter[str] = Counter()
    together: dict[str, Counter[str]] = defaultdict(Counter)
    for source, found in lines.items():
        words = {word for word in target_tokens(source) if word.isalpha()}
        of_source.update(words)
        for word in words:
            if not language.is_function_word(word):
                together[word].update(found & kept)
    entries = []
    for word, counts in sorted(together.items()):
        scored = sorted(
            (-2 * count / (of_source[word] + of_target[other]), other)
            for other, count in counts.items()
            if count >= LEAST_TIMES
        )[:MOST_ASSOCIATES]
        forms = [Form(text, -score) for score, text in scored if -score >= LEAST_DICE]
        if forms:
            entries.append(Entry(word, ASSOCIATED, forms, "", 0.0, 0.0, translator, METHOD, built))
    return entries


LEAST_SHARED = 4
"""Letters that two inflections begin with alike."""
LONGEST_REST = {"JJ": 2, "VB": 5}
"""Letters after these at most, by how the tag begins; other words get no forms.

The number of a noun is part of what it means, so it is never sought.
"""
TELLING = {"JJ": "Number", "VB": "VerbForm"}
"""The category that a form has to have."""
STEMS = 2
"""So many of an entry's forms are compared: later ones may be another word."""


def add_attested(entries: Iterable[Entry], endings: Endings) -> Iterator[Entry]:
    """``entries``, those of adjectives and verbs with the associates that are forms of theirs.

    Such a form comes last, and only if its features, which the treebank has to tell, are none of
    the entry's.
    """
    entries = list(entries)
    associates = {entry.word: entry.forms for entry in entries if entry.tag == ASSOCIATED}
    kinds: dict[str, set[str]] = defaultdict(set)  # of words that a text is known as a form of
    for entry in entries:
        if entry.tag not in (ASSOCIATED, *CLOSED_TAGS):
            for text in entry.forms.texts:
                kinds[text.lower()].add(entry.tag[:2])
    for entry in entries:
        found = associates.get(entry.word)
        if found is None or entry.tag[:2] not in LONGEST_REST:
            yield entry
        else:
            least = min(entry.forms.scores)
            kind = entry.tag[:2]
            candidates = [text for text in found.texts if kind in kinds.get(text, {kind})]
            texts = _find_attested(entry, candidates, endings)
            added = [Form(text, least / 2, features) for text, features in texts]
            yield entry.replace_forms((*entry.forms, *added)) if added else entry


def _find_attested(
    entry: Entry, associates: Iterable[str], endings: Endings
) -> Iterator[tuple[str, tuple[str, ...]]]:
    known = {frozenset(f for f in one if "=" in f) for one in entry.forms.features}
    for text in associates:
        features = endings.features(text, entry.tag)
        is_telling = any(one.startswith(TELLING[entry.tag[:2]]) for one in features)
        is_new = text not in entry.forms.texts and frozenset(features) not in known and is_telling
        if is_new and endings.may_be(text, entry.tag) and _is_inflection(text, entry):
            known.add(frozenset(features))
            yield text, features


def _is_inflection(text: str, entry: Entry) -> bool:
    plain = without_accents(text)
    longest = LONGEST_REST[entry.tag[:2]]
    for form in map(without_accents, entry.forms.texts[:STEMS]):
        shared = common_start(plain, form)
        if shared >= LEAST_SHARED and max(len(plain), len(form)) - shared <= longest:
            return True
    return False
