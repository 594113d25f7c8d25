"""The grammatical category of target forms, by their endings: number, gender, person, tense …

Learned from a treebank (Universal Dependencies, CoNLL-U). A form gets the features on which the
words with its longest known ending agree, so that the original goes in by category, whoever's row
its form is from.

Entry: ``Endings.learn`` from a file; then ``describe`` adds features to the forms of entries.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from prism_core.dictionary import CLOSED_TAGS, Entry
from prism_core.errors import ConfigurationError

CATEGORIES = ("Number", "Gender", "Person", "Tense", "Mood", "VerbForm", "Degree", "Case")
LONGEST = 7
LEAST_SEEN = 5
"""An ending counts when so many words with it were seen; a whole word always counts."""
LEAST_SHARE = 0.85
"""The share of the words with an ending that have to agree on a feature."""
_KINDS = {"NN": ("NOUN",), "JJ": ("ADJ",), "RB": ("ADV",), "VB": ("VERB", "AUX")}
"""Parts of speech of the treebank by how the tag of a source word begins."""
_PARTICIPLES = ("VBN", "VBG")

_Seen = tuple[str, str, frozenset[str]]
"""A word of a treebank in lower case, its part of speech, its features."""


class Endings:
    """What the words of a treebank say of the forms that end as they do."""

    def __init__(self, words: Iterable[_Seen]) -> None:
        self._endings: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        self._total: Counter[tuple[str, str]] = Counter()
        for (text, kind), features in _by_word(words).items():
            for ending in _endings(text):
                self._total[kind, ending] += 1
                self._endings[kind, ending].update(features)

    @classmethod
    def learn(cls, path: Path) -> Endings:
        """Read a treebank in CoNLL-U. Raises ``ConfigurationError`` when it is none."""
        return cls(_read_words(path))

    def features(self, form: str, tag: str) -> tuple[str, ...]:
        """The features of ``form``, of a source word under ``tag``: ``Number=Sing`` …, sorted.

        A phrase has those of its first word that has any. Empty where nothing is known.
        """
        kinds = _KINDS.get(tag[:2], ())
        for word in form.lower().split():
            for kind in kinds if tag not in _PARTICIPLES else (*kinds, "ADJ"):
                for ending in _endings(word):
                    total = self._total[kind, ending]
                    if total >= (1 if ending.startswith("^") else LEAST_SEEN):
                        found = self._endings[kind, ending]
                        return tuple(
                            sorted(f for f, count in found.items() if count >= LEAST_SHARE * total)
                        )
        return ()


def describe(entries: Iterable[Entry], endings: Endings) -> Iterator[Entry]:
    """``entries``, the forms of open classes with the features that ``endings`` know."""
    for entry in entries:
        if entry.tag in CLOSED_TAGS or entry.tag[:2] not in _KINDS:
            yield entry
        else:
            yield entry.replace_forms(
                form._replace(
                    features=(
                        *[one for one in form.features if "=" not in one],
                        *endings.features(form.text, entry.tag),
                    )
                )
                for form in entry.forms
            )


def _endings(word: str) -> Iterator[str]:
    """The whole word, marked, then its endings, longest first."""
    yield "^" + word
    for length in range(min(LONGEST, len(word) - 1), 0, -1):
        yield word[-length:]


def _by_word(words: Iterable[_Seen]) -> dict[tuple[str, str], frozenset[str]]:
    """Each word once under each part of speech, with the features that most of its places have."""
    seen: dict[tuple[str, str], Counter[frozenset[str]]] = defaultdict(Counter)
    for text, kind, features in words:
        seen[text, kind][features] += 1
    return {word: counts.most_common(1)[0][0] for word, counts in seen.items()}


def _read_words(path: Path) -> Iterator[_Seen]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        raise ConfigurationError(f"The treebank {path} cannot be read.") from None
    found = False
    for line in lines:
        fields = line.split("\t")
        if len(fields) == 10 and fields[0].isdecimal():
            found = True
            features = fields[5].split("|")
            kept = frozenset(f for f in features if f.partition("=")[0] in CATEGORIES)
            yield fields[1].lower(), fields[3], kept
    if not found:
        raise ConfigurationError(f"{path} is no treebank in CoNLL-U.")
