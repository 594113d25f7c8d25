"""Short French sentences with one open place, which a translator fills in by inflecting.

A tag is a Penn tag, a hyphen, and what a word in its place must agree in: the gender of a noun
(``NN-F``), gender and number of an adjective or participle (``JJ-MP``), mood, tense, person and
number of a verb (``VBD-I3S``). No word stands before a place that would be elided there.
"""

from __future__ import annotations

from collections.abc import Mapping

from prism_core.languages.frames import Frame, Frames, Grammar, make_frames

_OF_NOUNS: Mapping[str, tuple[Frame, ...]] = {
    "NN-M": make_frames(noun="Un {} rouge était ici."),
    "NN-F": make_frames(noun="Une {} rouge était ici."),
    "NN": make_frames(noun="Leur {} était ici."),
    "NNS-M": make_frames(noun="Ces {} verts étaient ici."),
    "NNS-F": make_frames(noun="Ces {} vertes étaient ici."),
    "NNS": make_frames(noun="Ces {} étaient ici."),
    "MONTH": make_frames(month="Ils se sont vus le 14 {} 2019."),
    "WEEKDAY": make_frames(weekday="Elle est venue ici {}."),
    "CD": make_frames(count="Ils ont vu {} maisons."),
    "RB": make_frames(adverb="Elle court ici {}."),
}
_OF_ADJECTIVES: Mapping[str, tuple[Frame, ...]] = {
    f"{tag}-{told}": make_frames(**{f"{noun}": f"{article} {noun} {{}} {verb} ici."})
    for tag in ("JJ", "VBN")
    for told, article, noun, verb in (
        ("MS", "Le", "livre", "était"),
        ("FS", "La", "maison", "était"),
        ("MP", "Les", "livres", "étaient"),
        ("FP", "Les", "maisons", "étaient"),
        ("S", "La", "maison", "était"),
        ("P", "Les", "maisons", "étaient"),
    )
    if tag == "JJ" or len(told) == 2
}
_PERSONS = {"1S": "Moi, je", "2S": "Tu", "3S": "Elle", "1P": "Nous", "2P": "Vous", "3P": "Elles"}
_OF_VERBS: Mapping[str, tuple[Frame, ...]] = {
    f"{base}-{told}{person}": make_frames(
        **{f"{base}{told}{person}": lead + f"{subject.lower() if lead else subject} {{}} ici."}
    )
    for base, told, lead in (
        ("VBP", "", ""),
        ("VBD", "", "Ce jour-là "),
        ("VBD", "I", "Avant, "),
        ("VBP", "F", "Demain "),
        ("VBP", "C", "Peut-être "),
        ("VBP", "S", "Il faut quand même que "),
    )
    for person, subject in _PERSONS.items()
    if not (told == "S" and person.startswith("3"))
}
_SUBJUNCTIVES = {
    "VBP-S3S": make_frames(VBPS3S="Il faut que Marie {} ici."),
    "VBP-S3P": make_frames(VBPS3P="Il faut que les filles {} ici."),
}

_FORMS = {
    "NNS-M": ".*[sxz]",
    "NNS-F": ".*[sxz]",
    "NNS": ".*[sxz]",
    "JJ-MP": ".*[sx]",
    "JJ-FS": ".*e",
    "JJ-FP": ".*es",
    "JJ-P": ".*[sx]",
    "VBN-MS": ".*(?:[éiuûst])",
    "VBN-FS": ".*(?:[éiuûst]e)",
    "VBN-MP": ".*s",
    "VBN-FP": ".*es",
    "VB": ".*(?:er|ir|re|ïr)",
    "VBG": ".*ant",
    "VBD-I3S": ".*ait",
    "VBD-I3P": ".*aient",
    "VBP-C3S": ".*rait",
    "VBP-C3P": ".*raient",
    "VBP-F3S": ".*ra",
    "VBP-F3P": ".*ront",
    "VBP-1P": ".*(?:ons|mes)",
    "VBP-2P": ".*(?:ez|tes)",
    "VBP-3P": ".*(?:ent|ont)",
    "VBD-3P": ".*rent",
}
"""What the endings of a tag's words must be; a rare word in it else was mistaken for one."""

FRAMES = Frames(
    of_tags={
        **_OF_NOUNS,
        **_OF_ADJECTIVES,
        **_OF_VERBS,
        **_SUBJUNCTIVES,
        "VB": make_frames(infinitive="Elle veut {} ici.", will="Ils vont {} ici."),
        "VBG": make_frames(progressive="Elle parlait en {} ici."),
    },
    behaviour={
        "JJ-MS": make_frames(and_="Le livre était grand et {}."),
        "JJ-FS": make_frames(and_="La maison était grande et {}."),
    },
    name=Frame("name", "Ils ont parlé avec {} ici."),
    name_contexts=(
        "Hier {} a parlé avec le médecin.",
        "Ils ont donné le livre à {} lundi.",
        "La lettre a été écrite par {} et envoyée.",
    ),
    alike=(
        ("La maison pour {} était ici.", "La maison pour {} était ici."),
        ("{} était ici.", "Ils savent bien : {} était ici."),
    ),
    numerals=tuple(
        "deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize "
        "vingt trente quarante cinquante soixante".split()
    ),
    forms=_FORMS,
    tags_by_ending={"": ()},
    of_time=frozenset("chaque tout toute toutes ce cette prochain dernier".split()),
)

GRAMMAR = Grammar(
    persons={"je": "i", "j'": "i", "nous": "we", "tu": "you", "vous": "you", "ils": "they"}
    | {"elles": "they"}
    | dict.fromkeys(("il", "elle", "on", "cela"), "she"),
    subjects={
        "i": ("Number=Sing", "Person=1"),
        "we": ("Number=Plur", "Person=1"),
        "you": ("Person=2",),
        "she": ("Number=Sing", "Person=3"),
        "they": ("Number=Plur", "Person=3"),
    },
    modals={"à": "infinitive", "de": "infinitive", "pour": "infinitive", "peut": "can"},
    be=frozenset("est sont était étaient fut furent être suis sommes".split()),
    have=frozenset("a ont ai avons avait avaient avoir".split()),
    relative=frozenset("que qui lequel laquelle lesquels dont".split()),
    outside_phrases=frozenset(
        "de par que qu' si car mais tandis depuis jusque ne pas aussi encore très".split()
    ),
    genders=dict.fromkeys("le un du au ce cet".split(), "M")
    | dict.fromkeys("la une cette ma ta sa".split(), "F"),
)
