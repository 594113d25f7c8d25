"""Whether what is sent of German agrees: articles, adjectives and nouns, by Wiktionary's tables.

    python -m benchmarks.german --text wmt13.de --nouns nouns.csv [--sentences 600]

``--nouns`` is the table of german-nouns. Of each noun phrase of which a word was replaced (article,
adjectives, noun) the cases that each word allows are looked up; those that agree in the original
and are known as sent are judged. The table is that which the dictionary has its genders from, so
that what counts is what is sent in a place, not whether the table is right.

Entry: ``main``; ``phrases`` finds them, ``agrees`` judges one.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random

from benchmarks.measure import argument_parser, show
from benchmarks.spanish import sent_words
from prism_core.encoding import load_encoder
from prism_core.identifiers import DenyList
from prism_core.language import LanguageModel, Sentence, penn_tag
from prism_core.record import Encoded, Fate
from prism_core.settings import load_settings

_FLAGS = {"source": "de", "target": "en", "language.experimental": True}
_CASES = {"nominativ": "n", "genitiv": "g", "dativ": "d", "akkusativ": "a"}
_DEFINITE = {
    "der": "mn fg fd pg", "die": "fn fa pn pa", "das": "nn na", "dem": "md nd", "den": "ma pd",
    "des": "mg ng", "im": "md nd", "am": "md nd", "zum": "md nd", "beim": "md nd", "vom": "md nd",
    "zur": "fd", "ins": "na", "ans": "na", "aufs": "na",
}  # fmt: skip
_LIKE_DER = {"er": "der", "e": "die", "es": "das", "em": "dem", "en": "den"}
_LIKE_EIN = {
    "": "mn nn na", "e": "fn fa pn pa", "en": "ma pd", "em": "md nd", "er": "fg fd pg",
    "es": "mg ng",
}  # fmt: skip
_STRONG = {
    "er": "mn fg fd pg", "e": "fn fa pn pa", "es": "nn na", "em": "md nd", "en": "ma pd mg ng",
}  # fmt: skip
_WEAK_E = frozenset("mn nn fn na fa".split())
_MIXED = {"er": {"mn"}, "es": {"nn", "na"}, "e": {"fn", "fa"}}

Phrase = tuple[str, ...]
Cells = frozenset[str]
"""Gender (``p`` in the plural) and case, a letter each."""
_ALL = frozenset(f"{gender}{case}" for gender in "mfnp" for case in "ngda")


def main() -> None:
    """Measure and print."""
    parser = argument_parser(__doc__)
    parser.add_argument("--text", type=Path, required=True)
    parser.add_argument("--nouns", type=Path, required=True)
    parser.add_argument("--dictionary", type=Path)
    parser.add_argument("--translator", default="google")
    parser.add_argument("--sentences", type=int, default=600)
    arguments = parser.parse_args()
    flags = _FLAGS | {"dictionary.path": arguments.dictionary}
    encoder = load_encoder(load_settings(flags=flags | {"translator.name": arguments.translator}))
    model, nouns, rng = LanguageModel.load("de"), read_nouns(arguments.nouns), Random(7)
    lines = rng.sample(arguments.text.read_text("utf-8").splitlines(), arguments.sentences)
    judged, wrong = 0, list[Phrase]()
    for group in model.annotate(lines):
        for sentence in group:
            known = encoder.add_identifiers(DenyList(), [sentence])
            encoded = encoder.encode(sentence, known, rng)
            for before, after in phrases(encoder.cut(sentence, known), encoded):
                if agrees(before, nouns) and (right := agrees(after, nouns)) is not None:
                    judged += 1
                    wrong += [] if right else [(*before, "->", *after)]
    row = {"phrases": judged, "disagree": len(wrong), "share": len(wrong) / max(1, judged)}
    show([row], as_json=arguments.json)
    for phrase in wrong if not arguments.json else ():
        print(*phrase)


def read_nouns(file: Path) -> Mapping[str, Cells]:
    """What each form of a noun can be."""
    found = defaultdict[str, set[str]](set)
    with file.open(encoding="utf-8", newline="") as rows:
        for row in csv.DictReader(rows):
            genders = {row[name] for name in row if name.startswith("genus")} & set("mfn")
            for name, form in row.items():
                case, _, told = name.partition(" ")
                number, _, kind = told.partition(" ")
                if form and case in _CASES and kind not in ("stark", "schwach", "gemischt"):
                    of = genders if number.startswith("singular") else {"p"}
                    found[form.lower()].update(f"{gender}{_CASES[case]}" for gender in of)
    return {form: frozenset(cells) for form, cells in found.items()}


def phrases(cut: Sentence, encoded: Encoded) -> Iterator[tuple[Phrase, Phrase]]:
    """Each noun phrase with a word replaced, as it was and as it is sent."""
    sent = sent_words(cut, encoded)
    if sent is None:
        return
    tokens = cut.tokens
    for last, noun in enumerate(tokens):
        if penn_tag(noun.tag) not in ("NN", "NNS"):
            continue
        first = last
        while first and tokens[first - 1].tag.startswith("JJ-"):
            first -= 1
        if first and article_cells(tokens[first - 1].text.lower()):
            first -= 1
        fates = set(encoded.fates[first : last + 1])
        if last > first and Fate.REPLACED in fates and fates <= {Fate.REPLACED, Fate.GRAMMAR}:
            yield (
                tuple(token.text for token in tokens[first : last + 1]),
                tuple(sent[first : last + 1]),
            )


def article_cells(word: str) -> tuple[Cells, str] | None:
    """The cells that an article allows, and how adjectives are declined behind it."""
    if word in _DEFINITE:
        return frozenset(_DEFINITE[word].split()), "weak"
    for stem in ("dies", "jed", "jen", "welch"):
        if word.startswith(stem) and word[len(stem) :] in _LIKE_DER:
            cells = frozenset(_DEFINITE[_LIKE_DER[word[len(stem) :]]].split())
            return cells | ({"mg", "ng"} if word.endswith("es") else set()), "weak"
    for stem in ("ein", "kein", "mein", "dein", "sein", "ihr", "unser", "eur"):
        if word.startswith(stem) and word[len(stem) :] in _LIKE_EIN:
            return frozenset(_LIKE_EIN[word[len(stem) :]].split()), "mixed"
    return None


def agrees(phrase: Sequence[str], nouns: Mapping[str, Cells]) -> bool | None:
    """Whether the words allow one case in common; None if the noun is not known."""
    *before, noun = (word.lower() for word in phrase)
    cells = nouns.get(noun)
    if cells is None:
        return None
    article = article_cells(before[0]) if before else None
    allowed, kind = article or (_ALL, "strong")
    for adjective in before[1:] if article else before:
        allowed &= _adjective_cells(adjective, kind)
    return bool(allowed & cells)


def _adjective_cells(word: str, kind: str) -> Cells:
    ending = next((one for one in ("en", "er", "es", "em", "e") if word.endswith(one)), "")
    if kind == "strong":
        return frozenset(_STRONG.get(ending, "").split())
    if kind == "weak":
        return {"e": _WEAK_E, "en": _ALL - _WEAK_E}.get(ending, frozenset())
    rest = _ALL - frozenset().union(*_MIXED.values())
    return frozenset(_MIXED.get(ending, rest if ending == "en" else ()))


if __name__ == "__main__":
    main()
