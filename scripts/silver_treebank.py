"""A treebank of a target language: a small gold one, and what our own model tags in public text.

    python -m scripts.silver_treebank de GOLD.conllu OUTPUT.conllu

For ``prism dictionary merge --treebank``. A gold treebank of some ten thousand words knows few of
the forms that translators write; the model of the language knows them where they stand. ``GOLD``
is kept as it is, and behind it comes each word of the texts, with the tags and lemmas that it has
there most often. The texts are what people wrote in the language, and what one translator wrote in
it, of all sets but those for evaluation alone.
"""

from __future__ import annotations

import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

from prism_core.language import LanguageModel, penn_tag
from prism_core.languages import load_language
from scripts.public_lines import EVALUATION_ALONE, NEURAL, SHARED

MOST = 10
"""A word stands there so many times at most, in the shares that its readings have."""
LEAST_SHARE = 0.1
"""A reading that fewer of its places have is a slip of the tagger."""
KINDS = {"NN": "NOUN", "NNS": "NOUN", "NNP": "PROPN", "RB": "ADV", "CD": "NUM", "PRP": "PRON"} | {
    **dict.fromkeys(("IN", "TO", "RP"), "ADP"),
    **dict.fromkeys(("JJ", "JJR", "JJS"), "ADJ"),
    **dict.fromkeys(("VB", "VBD", "VBG", "VBN", "VBP"), "VERB"),
}
_GENDERS = {"M": "Gender=Masc", "F": "Gender=Fem", "N": "Gender=Neut"}
_NUMBERS = {"S": "Number=Sing", "P": "Number=Plur"}
_SHOWN_CASES = {"NN-G": "Case=Gen", "NNS-D": "Case=Dat", "": "Case=Nom"}
"""The case of a noun whose form shows it, in a language in which some do, and of all others."""
_OF_VERBS = {"F": ("Ind", "Fut"), "C": ("Cnd", "Pres"), "M": ("Imp", "Pres"), "I": ("Ind", "Imp")}
_ENDINGS = ("E", "EM", "EN", "ER", "ES")
_PENN = {
    "VB": ["VerbForm=Inf"],
    "VBG": ["Tense=Pres", "VerbForm=Part"],
    "VBN": ["VerbForm=Part"],
    "JJ": ["Degree=Pos"],
    "JJR": ["Degree=Cmp"],
    "JJS": ["Degree=Sup"],
}

_Reading = tuple[str, str, str]
"""Part of speech, features and lemma."""


def main() -> None:
    """Write the treebank."""
    language, gold, output = sys.argv[1:]
    readings, surfaces = _read(language)
    forms = load_language(language).frames.forms
    lines = [_clear_case(line, forms) for line in Path(gold).read_text("utf-8").splitlines(True)]
    for word, counts in sorted(readings.items()):
        surface = surfaces[word].most_common(1)[0][0]
        for (kind, features, lemma), count in sorted(_few(counts).items()):
            row = f"1\t{surface}\t{lemma}\t{kind}\t_\t{features}\t_\t_\t_\t_\n"
            lines.extend([row] * count)
    Path(output).write_text("".join(lines), encoding="utf-8")


def _clear_case(line: str, forms: Mapping[str, str]) -> str:
    """A line of the gold treebank; of nouns with a case alone that their form shows."""
    fields = line.split("\t")
    if len(fields) == 10 and fields[3] == "NOUN" and _SHOWN_CASES.keys() & forms.keys():
        features = [one for one in fields[5].split("|") if not one.startswith("Case=")]
        of_number = {"NN-G": "Number=Sing", "NNS-D": "Number=Plur"}
        tags = (
            tag
            for tag, number in of_number.items()
            if number in features
            and _SHOWN_CASES[tag] in fields[5]
            and re.fullmatch(forms[tag], fields[1])
        )
        fields[5] = "|".join([_SHOWN_CASES[next(tags, "")], *features])
    return "\t".join(fields)


def _read(language: str) -> tuple[Mapping[str, Counter[_Reading]], Mapping[str, Counter[str]]]:
    """The readings and the spellings of each word in small letters."""
    has_cases = "NN-G" in load_language(language).frames.forms
    readings: dict[str, Counter[_Reading]] = defaultdict(Counter)
    surfaces: dict[str, Counter[str]] = defaultdict(Counter)
    for found in LanguageModel.load(language).annotate(dict.fromkeys(_lines(language))):
        for sentence in found:
            for place, token in enumerate(sentence.tokens):
                if token.text.isalpha() and (place or token.text.islower()):
                    word, lemma = token.text.lower(), token.lemma.lower()
                    reading = read_tag(token.tag, word, lemma, has_cases=has_cases)
                    readings[word][reading] += 1
                    surfaces[token.text.lower()][token.text] += 1
    return readings, surfaces


def _lines(language: str) -> Iterator[str]:
    own = f"{language}-en/*.{language}", f"en-{language}/*.{NEURAL[0]}.{language}"
    for file in sorted(file for pattern in own for file in (SHARED / "wmt").glob(pattern)):
        if file.name.partition(".")[0] not in EVALUATION_ALONE:
            yield from file.read_text(encoding="utf-8").splitlines()


def read_tag(tag: str, word: str, lemma: str, *, has_cases: bool = False) -> _Reading:
    """What ``tag`` of the model says of ``word``, as a treebank has it.

    An ending that a tag tells (``JJ-EN``) is cut off the lemma instead: so treebanks tell it.
    """
    penn, told = penn_tag(tag), tag.partition("-")[2]
    kind = KINDS.get(penn, "X")
    features = [*_PENN.get(penn, ())]
    if kind == "NOUN":
        features.append(_NUMBERS["P" if penn == "NNS" else "S"])
        features += [_GENDERS[told]] if told in _GENDERS else []
        features += [_SHOWN_CASES.get(tag, _SHOWN_CASES[""])] if has_cases else []
        features = features if not told.startswith(("A", "W")) else []
    elif (
        penn == "JJ" and word.endswith(ending := told.lower()) and len(ending) != 1
    ) or told == "E":
        lemma = word.removesuffix(told.lower())
    elif kind == "VERB" and told and "VerbForm=Part" not in features and penn != "VB":
        features = _finite(penn, told)
    elif kind in ("ADJ", "VERB"):
        features += [names[key] for names in (_GENDERS, _NUMBERS) for key in told if key in names]
    return kind, "|".join(sorted(features)) or "_", lemma or "_"


def _finite(penn: str, told: str) -> list[str]:
    """The features of a finite verb whose tag ends in ``told``: mood or tense, person, number."""
    mood, tense = "Ind", "Pres" if penn == "VBP" else "Past"
    if told[0] in _OF_VERBS:
        mood, tense = _OF_VERBS[told[0]]
    elif (told[0] == "S" and len(told) > 1) or (told == "S" and penn == "VBP"):
        mood = "Sub"
    person = next(filter(str.isdigit, told), "" if mood == "Imp" else "3")
    number = _NUMBERS.get(told[-1], "Number=Sing")
    found = [f"Mood={mood}", number, f"Tense={tense}", "VerbForm=Fin"]
    return [*found, f"Person={person}"] if person else found


def _few(counts: Counter[_Reading]) -> Counter[_Reading]:
    """``counts`` without slips, ``MOST`` in all at most."""
    total = counts.total()
    kept = {one: count for one, count in counts.items() if count >= LEAST_SHARE * total}
    scale = min(1.0, MOST / total)
    return Counter({one: max(1, round(count * scale)) for one, count in kept.items()})


if __name__ == "__main__":
    main()
