"""Short German sentences with one open place, which a translator fills in by inflecting.

A tag is a Penn tag, a hyphen, and what a word in its place must agree in. Of nouns that is the
gender, where the form shows no case (``NN-M``); the genitive in -s (``NN-G``) and the weak form in
-en (``NN-W``) have no other gender beside them, nor has the plural (``NNS``; in the dative
``NNS-D``).
Of adjectives it is their ending (``JJ-EN``): the same ending fits whatever stands before and after.
Of verbs it is mood, tense, person and number, *wir* and *sie* as one (``VBP-P``), *ich* and *er*
as one in the past (``VBD-S``); ``VB-Z`` is an infinitive with *zu* in it (*anzukommen*).
"""

from __future__ import annotations

from collections.abc import Mapping

from prism_core.languages.frames import Frame, Frames, Grammar, make_frames

_OF_NOUNS: Mapping[str, tuple[Frame, ...]] = {
    "NN-M": make_frames(noun="Ein roter {} war hier."),
    "NN-F": make_frames(noun="Eine rote {} war hier."),
    "NN-N": make_frames(noun="Ein rotes {} war hier."),
    "NN-G": make_frames(noun="Sie sprach wegen des {} hier."),
    "NN-W": make_frames(noun="Sie sah den {} hier."),
    "NN": make_frames(noun="{} war hier."),
    "NNS": make_frames(noun="Diese {} waren hier."),
    "NNS-D": make_frames(noun="Sie sprach mit den {} hier."),
    "MONTH": make_frames(month="Sie trafen sich am 14. {} 2019."),
    "WEEKDAY": make_frames(weekday="Sie kam am {} hierher."),
    "CD": make_frames(count="Sie sahen {} Häuser."),
    "RB": make_frames(adverb="Sie läuft hier {}."),
}
_OF_ADJECTIVES: Mapping[str, tuple[Frame, ...]] = {
    "JJ": make_frames(predicate="Das Haus war {}."),
    "JJR": make_frames(comparative="Dieses Haus ist {} als das andere."),
    "JJS": make_frames(superlative="Dieses Haus ist am {}."),
    "JJ-E": make_frames(house="Das {} Haus war hier."),
    "JJ-EN": make_frames(houses="Die {} Häuser waren hier."),
    "JJ-ER": make_frames(table="Ein {} Tisch war hier."),
    "JJ-ES": make_frames(a_house="Ein {} Haus war hier."),
    "JJ-EM": make_frames(wood="Der Tisch ist aus {} Holz."),
}
_OF_VERBS: Mapping[str, tuple[Frame, ...]] = {
    "VBP-1S": make_frames(i="Ich {} hier."),
    "VBP-2S": make_frames(you="Du {} hier."),
    "VBP-3S": make_frames(she="Sie {} hier, sagt er."),
    "VBP-P": make_frames(they="Die Kinder {} hier.", we="Wir {} hier."),
    "VBP-2P": make_frames(you_all="Ihr {} hier."),
    "VBP-S": make_frames(said="Er sagt, sie {} hier."),
    "VBD-S": make_frames(past="Gestern {} sie hier."),
    "VBD-P": make_frames(they_past="Gestern {} die Kinder hier."),
    "VBD-SS": make_frames(would="Vielleicht {} sie hier."),
    "VBD-SP": make_frames(they_would="Vielleicht {} die Kinder hier."),
    "VBN": make_frames(perfect="Sie hat hier {}.", passive="Das Haus wurde hier {}."),
    "VB": make_frames(infinitive="Sie will hier {}.", will="Sie werden hier {}."),
    "VB-Z": make_frames(to="Sie versuchte, hier {}."),
}

_FORMS = {
    "NN-G": ".*s",
    "NN-W": ".*n",
    "NNS-D": ".*[ns]",
    "JJ-E": ".*e",
    "JJ-EN": ".*en",
    "JJ-ER": ".*er",
    "JJ-ES": ".*es",
    "JJ-EM": ".*em",
    "JJR": ".*r",
    "JJS": ".*sten",
    "VBP-1S": ".*e",
    "VBP-2S": ".*t",
    "VBP-3S": ".*t",
    "VBP-2P": ".*t",
    "VBP-P": ".*n",
    "VBP-S": ".*e",
    "VBD-P": ".*n",
    "VBD-SP": ".*n",
    "VBN": ".*[nt]",
    "VB": ".*n",
    "VB-Z": ".+zu.+n",
}
"""What the endings of a tag's words must be; a rare word in it else was mistaken for one."""

FRAMES = Frames(
    of_tags={**_OF_NOUNS, **_OF_ADJECTIVES, **_OF_VERBS},
    behaviour={"JJ": make_frames(and_="Das Haus war groß und {}.")},
    name=Frame("name", "Sie sprachen hier mit {}."),
    name_contexts=(
        "Gestern sprach {} mit dem Arzt.",
        "Sie gaben {} das Buch am Montag.",
        "Der Brief wurde von {} geschrieben und geschickt.",
    ),
    alike=(
        ("Das Haus für {} war hier.", "Das Haus für {} war hier."),
        ("{} war hier.", "Sie wissen es: {} war hier."),
    ),
    numerals=tuple(
        "zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn "
        "sechzehn zwanzig dreißig vierzig fünfzig sechzig".split()
    ),
    forms=_FORMS,
    lent={"NNS": ("NNS-D", ".*[ns]")},
    tags_by_ending={"": ()},
    of_time=frozenset(
        "jeden jede jedes diesen diese dieses nächsten nächste letzten letzte".split()
    ),
)

_EIN = ("ein", "kein", "mein", "dein", "sein", "ihr", "unser")
_DER = ("dies", "jed", "jen", "welch", "manch")
_LIKE = {"er": "er", "e": "ie", "em": "em", "en": "en"}


def _noun_slots() -> dict[str, tuple[str, ...]]:
    """What articles, and the endings behind them, tell of a noun."""
    man, woman, child = "NN-M", "NN-F", "NN-N"
    told = {
        "der": (man, woman, "NNS"), "die": (woman, "NNS"), "das": (child,), "des": ("NN-G", "NN-W"),
        "dem": (man, child, "NN-W"), "den": (man, "NNS-D", "NN-W"), "zur": (woman,),
    }  # fmt: skip
    told |= dict.fromkeys(("im", "am", "zum", "beim", "vom"), told["dem"])
    told |= dict.fromkeys(("ins", "ans", "aufs"), told["das"])
    for stem in _DER:
        told |= {stem + ending: told[f"d{like}"] for ending, like in _LIKE.items()}
        told[f"{stem}es"] = (child, "NN-G", "NN-W")
    for stem in _EIN:
        told |= {
            stem: (man, child), f"{stem}e": told["die"], f"{stem}en": told["den"],
            f"{stem}em": told["dem"], f"{stem}er": told["der"][1:], f"{stem}es": told["des"],
        }  # fmt: skip
        told |= {f"{stem} JJ-ER": (man,), f"{stem} JJ-ES": (child,)}
        told |= {f"{stem}e JJ-E": (woman,), f"{stem}e JJ-EN": ("NNS",)}
    told |= {"eine": (woman,), "einer": (woman,), "einen": (man, "NN-W")}
    told |= {"der JJ-E": (man,), "der JJ-EN": (woman, "NNS")}
    return told | {"die JJ-E": (woman,), "die JJ-EN": ("NNS",)}


GRAMMAR = Grammar(
    persons={"ich": "i", "wir": "they", "du": "you", "ihr": "you_all", "er": "she", "es": "she"}
    | {"man": "she"},
    subjects={
        "i": ("Number=Sing", "Person=1"),
        "you": ("Number=Sing", "Person=2"),
        "you_all": ("Number=Plur", "Person=2"),
        "she": ("Number=Sing", "Person=3"),
        "they": ("Number=Plur", "Person=3"),
    },
    modals={"zu": "infinitive"}
    | dict.fromkeys("kann will muss soll darf möchte".split(), "infinitive"),
    be=frozenset("ist sind war waren bin wurde wurden wird werden sei wäre".split()),
    have=frozenset("hat haben hatte hatten habe hätte".split()),
    relative=frozenset("der die das welcher welche welches dem den".split()),
    outside_phrases=frozenset(
        "von durch dass wenn aber als seit bis nicht auch noch sehr zu um".split()
    ),
    noun_phrases="jn",
    genders=dict.fromkeys("eine einer zur".split(), "F")
    | {"einen": "M"}
    | dict.fromkeys("das ins".split(), "N"),
    noun_slots=_noun_slots(),
    any_gender="einen .+n",  # *einen Menschen*, which is of the weak forms
)
