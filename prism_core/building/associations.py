"""Association of source words with target words that co-occur with them above chance.

Associates are no forms of the word: a sense that is seen once, a part of a phrase, another part of
speech. Decoding uses them where no form is found. Some are inflections that texts show too rarely
to align them (*libérale* beside *libéral*): an associate that begins as a known form, and is an
inflection by its ending, becomes a form.

Entry: ``learn_associates`` learns them from translated lines. ``add_attested_forms`` takes forms
from them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping

from prism_core.building.treebank import ENDING, Endings
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
from prism_core.mechanisms import capitalise

METHOD = "association"
CORPUS = "corpus"
"""Method of rows that were read off texts."""
LEAST_DICE = 0.03
LEAST_TIMES = 2
MOST_ASSOCIATES = 12
TOO_COMMON = 0.05
"""Share of the lines above which a target word co-occurs with everything."""


def learn_associates(
    pairs: Iterable[tuple[str, str]], language: Language, *, translator: str, built: str = ""
) -> list[Entry]:
    """Make an ``ASSOCIATED`` entry for each source word in lower case, best associate first.

    The score of each is Dice's, 2 n(w, v) / (n(w) + n(v)) in (0, 1], over the source lines of
    ``pairs`` (public text and its translation). A line that is translated several times counts
    once, with the words of all its translations. ``translator`` names who translated.
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
"""Number of equal first letters that two inflections need if nothing else relates them."""
LONGEST_REST = {"JJ": 2, "VB": 5}
"""Maximum letters after these, by the beginning of the tag; other words get no such forms."""
REQUIRED_CATEGORIES = {"JJ": ("Number", ENDING), "VB": ("VerbForm", ENDING), "NN": ("Case",)}
"""Categories of which a form needs one.

The number of a noun is part of its meaning, so it is never used.
"""
FORMS_COMPARED = 2
"""Number of an entry's forms that are compared; later ones may be another word."""


def add_attested_forms(entries: Iterable[Entry], endings: Endings) -> Iterator[Entry]:
    """Yield ``entries``, adding attested forms to those of adjectives, verbs and nouns.

    Candidates are associates that begin as the entry's forms do and, for rows read off texts,
    treebank inflections of the same word. A new form comes last, and is added only if the treebank
    gives its features and the entry has no form with them.
    """
    entries = list(entries)
    associates = {entry.word: entry.forms for entry in entries if entry.tag == ASSOCIATED}
    kinds: dict[str, set[str]] = defaultdict(set)  # of words that a text is known as a form of
    for entry in entries:
        if entry.tag not in (ASSOCIATED, *CLOSED_TAGS):
            for text in entry.forms.texts:
                kinds[text.lower()].add(entry.tag[:2])
    for entry in entries:
        kind = entry.tag[:2]
        if kind not in REQUIRED_CATEGORIES or entry.tag in CLOSED_TAGS or " " in entry.word:
            yield entry
            continue
        found = associates[entry.word].texts if entry.word in associates else ()
        candidates = [
            text
            for text in found
            if kind in kinds.get(text, {kind}) and _is_inflection(text, entry)
        ]
        if entry.method == CORPUS:
            first = entry.forms.texts[0]
            relatives = endings.find_relatives(first, entry.tag) if " " not in first else ()
            candidates += map(capitalise, relatives) if first[:1].isupper() else relatives
        least = min(entry.forms.scores)
        added = [
            Form(text, least / 2, features)
            for text, features in _find_attested(entry, candidates, endings)
        ]
        yield entry.replace_forms((*entry.forms, *added)) if added else entry


def _find_attested(
    entry: Entry, candidates: Iterable[str], endings: Endings
) -> Iterator[tuple[str, tuple[str, ...]]]:
    known = {
        frozenset(feature for feature in features if "=" in feature)
        for features in entry.forms.features
    }
    number = {"NN": "Number=Sing", "NNS": "Number=Plur"}.get(entry.tag)
    for text in candidates:
        features = endings.find_features(text, entry.tag)
        is_informative = any(
            feature.startswith(REQUIRED_CATEGORIES[entry.tag[:2]]) for feature in features
        )
        is_new = (
            text not in entry.forms.texts and frozenset(features) not in known and is_informative
        )
        is_of_number = number is None or number in features
        if is_new and is_of_number and endings.may_have_tag(text.lower(), entry.tag):
            known.add(frozenset(features))
            yield text, features


def _is_inflection(text: str, entry: Entry) -> bool:
    longest = LONGEST_REST.get(entry.tag[:2], -1)
    plain = without_accents(text)
    for form in map(without_accents, entry.forms.texts[:FORMS_COMPARED]):
        shared = common_start(plain, form)
        if shared >= LEAST_SHARED and max(len(plain), len(form)) - shared <= longest:
            return True
    return False
