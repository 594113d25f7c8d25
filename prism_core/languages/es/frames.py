"""Short Spanish sentences with one open place, which a translator fills in by inflecting.

A tag is a Penn tag, a hyphen, and what a word in its place must agree in: the gender of a noun
(``NN-F``), gender and number of an adjective or participle (``JJ-MP``), mood, tense, person and
number of a verb (``VBD-I3S``).
"""

from __future__ import annotations

from collections.abc import Mapping

from prism_core.languages.enclitics import Enclitics
from prism_core.languages.frames import Frame, Frames, Grammar, make_frames

_OF_NOUNS: Mapping[str, tuple[Frame, ...]] = {
    "NN-M": make_frames(noun="El {} rojo estaba allí."),
    "NN-F": make_frames(noun="La {} roja estaba allí."),
    "NN": make_frames(noun="Su {} estaba allí."),
    "NNS-M": make_frames(noun="Los {} rojos estaban allí."),
    "NNS-F": make_frames(noun="Las {} rojas estaban allí."),
    "NNS": make_frames(noun="Sus {} estaban allí."),
    "MONTH": make_frames(month="Se vieron el 14 de {} de 2019."),
    "WEEKDAY": make_frames(weekday="Llegó allí el {}."),
    "CD": make_frames(count="Vieron {} casas."),
    "RB": make_frames(adverb="Ella corría allí {}."),
}
_OF_ADJECTIVES: Mapping[str, tuple[Frame, ...]] = {
    f"{tag}-{told}": make_frames(**{f"{noun}": f"{article} {noun} {{}} {verb} allí."})
    for tag in ("JJ", "VBN")
    for told, article, noun, verb in (
        ("MS", "El", "libro", "estaba"),
        ("FS", "La", "casa", "estaba"),
        ("MP", "Los", "libros", "estaban"),
        ("FP", "Las", "casas", "estaban"),
        ("S", "La", "casa", "estaba"),
        ("P", "Las", "casas", "estaban"),
    )
    if tag == "JJ" or len(told) == 2
}
_PERSONS = {"1S": "Yo", "2S": "Tú", "3S": "Ella", "1P": "Nosotros", "3P": "Ellas"}
_OF_VERBS: Mapping[str, tuple[Frame, ...]] = {
    f"{base}-{told}{person}": make_frames(
        **{f"{base}{told}{person}": lead + f"{subject.lower() if lead else subject} {{}} allí."}
    )
    for base, told, lead in (
        ("VBP", "", ""),
        ("VBD", "", "Ayer "),
        ("VBD", "I", "Antes "),
        ("VBP", "F", "Mañana "),
        ("VBP", "C", "Quizás "),
        ("VBP", "S", "Quieren que "),
        ("VBD", "S", "Querían que "),
    )
    for person, subject in _PERSONS.items()
}

_FEMININE_IN_O = "mano|foto|moto|radio|dinamo|libido"
_FORMS = {
    "NN-M": "gas|.*(?:[^ads]|[^a]d|ma|[ií]a|[^ieo]ta|ista|apa|[^ai]s)",
    "NN-F": f".*(?:[^or]|[^o]r|flor|labor)|{_FEMININE_IN_O}",
    "NN": ".*[^s]|crisis|virus|análisis|tesis",
    "NNS-M": ".*(?:[^a]s|mas|ías|tas|apas)",
    "NNS-F": f".*(?:[^eo]s|[^r]es|flores|labores|torres)|(?:{_FEMININE_IN_O})s",
    "NNS": ".*s",
    "JJ-MS": ".*[^as]|.*és",
    "JJ-FS": ".*a",
    "JJ-S": ".*[^os]",
    "JJ-MP": ".*[eo]s",
    "JJ-FP": ".*as",
    "JJ-P": ".*[eai]s",
    "VBN-MS": ".*[dst]o|.*cho",
    "VBN-FS": ".*[dst]a|.*cha",
    "VBN-MP": ".*[dst]os|.*chos",
    "VBN-FP": ".*[dst]as|.*chas",
    "VB": ".*[aeií]r",
    "VBG": ".*ndo",
} | {f"{tag}{person}P": ".*n" for tag in ("VBP-", "VBD-", "VBD-I", "VBP-F") for person in (3,)}
"""What the endings of a tag's words must be; a rare word in it else was mistaken for one."""

FRAMES = Frames(
    of_tags={
        **_OF_NOUNS,
        **_OF_ADJECTIVES,
        **_OF_VERBS,
        "VB": make_frames(infinitive="Ella quiere {} allí.", will="Van a {} allí."),
        "VBG": make_frames(progressive="Ella está {} allí."),
    },
    behaviour={
        "JJ-MS": make_frames(and_="El libro era grande y {}."),
        "JJ-FS": make_frames(and_="La casa era grande y {}."),
    },
    name=Frame("name", "Hablaron de {} allí."),
    name_contexts=(
        "Ayer {} habló con el médico.",
        "Dieron el libro a {} el lunes.",
        "La carta fue escrita por {} y enviada.",
    ),
    alike=(
        ("La casa de {} estaba allí.", "La casa de {} estaba allí."),
        ("{} estaba allí.", "Dijeron que {} estaba allí."),
    ),
    numerals=tuple(
        "dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince "
        "dieciséis diecisiete dieciocho diecinueve veinte treinta cuarenta cincuenta sesenta "
        "setenta ochenta noventa".split()
    ),
    forms=_FORMS,
    tags_by_ending={"": ()},
    of_time=frozenset("cada todo toda este esta próximo último".split()),
)

_TWO_PRONOUNS = "(se)(me|te|n?os|l[aeo]s?)|(me|te|n?os)(l[ao]s?)"
_REQUESTS = "|".join(
    "avíse ayúde búsque comuníque confírme consúlte cuénte déje devuélva díga discúlpe envíe "
    "escríba espére explíque fírme hága indíque infórme lláme lléve mánde míre muéstre óiga "
    "perdóne permíta pónga pregúnte recíba recuérde respónda siénte ténga tóme tráiga "
    "vuélva".split()
)
"""What is asked of somebody, as it is before pronouns: *dígame*."""

GRAMMAR = Grammar(
    persons={"yo": "i", "nosotros": "we", "tú": "you", "ellos": "they", "ellas": "they"}
    | dict.fromkeys(("él", "ella", "usted"), "she"),
    subjects={
        "i": ("Number=Sing", "Person=1"),
        "we": ("Number=Plur", "Person=1"),
        "you": ("Person=2",),
        "she": ("Number=Sing", "Person=3"),
        "they": ("Number=Plur", "Person=3"),
    },
    modals={"a": "infinitive", "de": "infinitive", "para": "infinitive", "puede": "can"},
    be=frozenset("es son era eran fue fueron ser está están estaba estaban".split()),
    have=frozenset("ha han he hemos había habían haber".split()),
    relative=frozenset("que quien quienes cual cuales".split()),
    outside_phrases=frozenset(
        "por que si porque aunque mientras desde hasta no también todavía muy solo sólo".split()
    ),
    noun_phrases="n(?:[jg]|[op]n)|jn",
    head_first=True,
    genders=dict.fromkeys("el los un unos este estos ese esos aquel aquellos del al".split(), "M")
    | dict.fromkeys("la las una unas esta estas esa esas aquella aquellas".split(), "F"),
    any_gender="(?:el|un|del|al) h?[aá].*",
    verb_with_pronouns="(.+[aei]r)(?:[mts]e|n?os|l[aeo]s?)",
    enclitics=Enclitics(
        verbs={"VB": ".+(?<![iu])[áéí]r", "VBG": ".+[áé]ndo", "VBP-S3S": _REQUESTS},
        pronouns={
            "VB": _TWO_PRONOUNS,
            "VBG": f"([mts]e|n?os|l[aeo]s?)|{_TWO_PRONOUNS}",
            "VBP-S3S": f"([mts]e|nos|l[aeo]s?)|{_TWO_PRONOUNS}",
        },
        accented_by_one=".+[ae]ndo|.+[ae]",
    ),
)
