"""Names and identifiers of foreign texts with gold spans: what is found, and what is sent in clear.

    python -m benchmarks.foreign_names [--language es] [--half aside] [--show 20]

Spanish: MEDDOCAN dev (clinical cases) and ECHR dev (judgments); French: ECHR dev; German, of which
there is no gold: templates that are filled (``benchmarks/german_documents.py``). Documents with an
even place in their set are looked at while rules are made (``looked-at``), the others are
``aside``.

A span is ``in_clear`` when a word or number of it that may name is in what is sent. It is found
when its words are within identifiers: ``every`` asks that of all words but function words and
titles, ``naming`` of those that name somebody or some place, not of those that say what kind of
thing is named (``_GENERIC``: *Hospital*, *Calle*, *Tribunal*) nor of numbers in words; ``generic``
spans have none of these and are left out. All of them are hidden, as words if not as identifiers.
``unsent`` spans are in no request: there is nothing to translate beside them. ``rest`` is the share
of the words outside all spans that is taken for identifiers, numbers and dates aside.

Entry: ``main``, then ``read_cases`` and ``measure`` for each set.
"""

from __future__ import annotations

import gzip
import json
import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

from benchmarks.german_documents import fill_templates
from benchmarks.measure import argument_parser, show
from prism_core.encoding import Encoder, load_encoder
from prism_core.identifiers import DenyList, IdentifierFinder
from prism_core.identifiers.name_words import name_words
from prism_core.language import LanguageModel, Sentence
from prism_core.languages import Language
from prism_core.record import Kind
from prism_core.settings import load_settings

SHARED = Path(os.environ.get("PRISM_SHARED_DATA", "../shared/data"))
_FOLDERS = {"es": "spanish", "fr": "french"}
_COPIES = 3
"""Of each German template; there are an even number of them."""
_BEGINS_CASE = ("PROCEDIMIENTO", "PROCÉDURE")
_PERSONAL = ("SEXO_SUJETO_ASISTENCIA", "EDAD_SUJETO_ASISTENCIA", "PROFESION", "DEM", "QUANTITY")
"""A sex, an age under 90, a trade, a sum: they identify nobody by themselves."""
_DESCRIBED = ("FAMILIARES_SUJETO_ASISTENCIA", "OTROS_SUJETO_ASISTENCIA", "MISC")
"""Relatives (*su hermana*), habits and looks, movements: none of them by its name."""
_CLASSES = {
    "NOMBRE_": "name", "FAMILIARES": "relative", "PER": "name", "HOSPITAL": "organisation",
    "INSTITUCION": "organisation", "CENTRO": "organisation", "ORG": "organisation",
    "CALLE": "geography", "TERRITORIO": "geography", "PAIS": "geography", "LOC": "geography",
    "FECHAS": "date", "DATETIME": "date", "EDAD": "age", "CORREO": "email", "URL": "url",
    "NUMERO_TELEFONO": "phone", "NUMERO_FAX": "phone", "ID_ASEGURAMIENTO": "plan",
    "ID_TITULACION": "licence", "ID_": "record", "CODE": "record",
}  # fmt: skip
"""Our class by how a label of the sets begins; any other is ``other``."""
_GENERIC = {
    "es": frozenset(
        "hospital hospitales hospitalario hospitalaria clínica clínico complejo centro "
        "sanitario sanatorio salud servicio servicios departamento unidad sección área "
        "instituto institución fundación facultad universidad universitario universitaria "
        "escuela colegio general central regional provincial nacional comarcal público privado "
        "médico médica calle avenida avda av plaza pza paseo pº camino carretera ctra c ronda "
        "vía travesía pasaje urbanización barrio número nº n piso puerta portal bloque escalera "
        "planta bajo local izquierda derecha izda dcha apartado correos provincia ciudad "
        "municipio estado país república reino tribunal juzgado corte audiencia sala juez "
        "fiscal fiscalía ministerio ministro gobierno dirección comisión comité consejo "
        "comisaría policía prisión cárcel partido sindicato asociación federación empresa "
        "compañía sociedad grupo supremo superior instancia primera justicia penal civil "
        "laboral militar administrativo contencioso apelación casación seguridad asistencia "
        "jurídica jefe inspector gobernador alcalde secretario departamental distrito interior "
        "defensa educación trabajo asuntos exteriores hacienda lord sir lady juicio s sn no esc "
        "izq der interior principal residencial edificio casa paraje colonia col andén medicina "
        "cirugía plástica ciencias forense legal hemodiálisis cuidados paliativos ley año años "
        "mes meses semana semanas día días hora horas edad hermano hermana hermanos hermanas "
        "padre madre padres hijo hija hijos hijas abuelo abuela tío tía tíos primo prima marido "
        "mujer esposo esposa pareja º ª familiar familiares familia materno materna paterno "
        "paterna".split()
    ),
    "fr": frozenset(
        "hôpital clinique centre service département institut université école rue avenue place "
        "boulevard chemin quai tribunal tribunaux cour chambre juge juges parquet procureur "
        "ministère ministre gouvernement direction commission comité conseil préfecture police "
        "prison parti syndicat association fédération entreprise société compagnie suprême "
        "supérieur supérieure instance grande première justice pénal pénale civil civile "
        "militaire administratif administrative appel cassation sûreté état république royaume "
        "ville région province district général générale nationale national public inspecteur "
        "chef maire lord sir lady an ans année années mois semaine semaines jour jours heure "
        "heures âge".split()
    ),
    "de": frozenset(
        "straße str weg platz allee gasse markt mühle bau gmbh autohaus kg söhne ohg stadtwerke "
        "druckerei energie ag alten".split()
    ),
}  # fmt: skip


class Case(NamedTuple):
    """``spans``: start, end and label of what identifies, in characters of ``text``."""

    text: str
    spans: Sequence[tuple[int, int, str]]


def main() -> None:
    """Measure and print."""
    parser = argument_parser(__doc__)
    parser.add_argument("--language", choices=("de", *sorted(_FOLDERS)), default="es")
    parser.add_argument("--half", choices=("looked-at", "aside"), default="looked-at")
    parser.add_argument("--set", choices=("meddocan", "echr", "templates"))
    parser.add_argument("--documents", type=int, help="so many of each set at most")
    parser.add_argument("--show", type=int, default=0, help="so many spans that are not found")
    parser.add_argument("--dictionary", type=Path)
    arguments = parser.parse_args()
    flags = {
        "source": arguments.language,
        "target": "en",
        "language.experimental": True,
        "dictionary.path": arguments.dictionary,
    }
    encoder = load_encoder(load_settings(flags=flags))
    model = LanguageModel.load(arguments.language)
    rows: list[dict[str, object]] = []
    for name, cases in read_cases(arguments.language):
        if arguments.set in (None, name):
            half = cases[arguments.half == "aside" :: 2][: arguments.documents]
            rows += [{"set": name} | row for row in measure(encoder, model, half, arguments.show)]
    show(rows, as_json=arguments.json)


def read_cases(language: str) -> Iterator[tuple[str, list[Case]]]:
    """The sets in ``language`` that no model was trained on."""
    if language not in _FOLDERS:
        yield "templates", [Case(*filled) for filled in fill_templates(_COPIES)]
        return
    folder = SHARED / _FOLDERS[language]
    clinical = folder / "meddocan.jsonl.gz"
    if clinical.exists():
        rows = gzip.decompress(clinical.read_bytes()).decode("utf-8").split("\n")
        cases = [json.loads(row) for row in rows if row]
        yield "meddocan", [Case(one["text"], one["spans"]) for one in cases if one["part"] == "dev"]
    lines = re.split(r"\n\n+", (folder / "echr_dev.tsv").read_text(encoding="utf-8").strip())
    groups: list[list[list[tuple[str, str]]]] = []
    for line in lines:
        rows = [
            (word, label) for word, _, label in (row.rpartition(" ") for row in line.split("\n"))
        ]
        if not groups or rows[0][0] in _BEGINS_CASE:
            groups.append([])
        groups[-1].append(rows)
    yield "echr", [_as_text(group) for group in groups]


def _as_text(lines: Sequence[Sequence[tuple[str, str]]]) -> Case:
    """Words with the blanks that print has between them, a line for each sentence."""
    text, spans = "", list[tuple[int, int, str]]()
    for line in lines:
        is_open, joins = False, True
        for word, label in line:
            closes = word == '"' and is_open
            if not (joins or closes or word in ",.;:)]%/-'’" or word.startswith("-")):
                text += " "
            start, text = len(text), text + word
            if label.startswith("I-") and spans:
                spans[-1] = (spans[-1][0], len(text), spans[-1][2])
            elif label != "O":
                spans.append((start, len(text), label[2:]))
            is_open ^= word == '"'
            joins = word in "([/-'’" or (word == '"' and is_open)
        text += "\n"
    return Case(text, spans)


class _Signs(NamedTuple):
    """A sign for each character of a text.

    ``sent``: ``c`` a word that is sent as it is, ``w`` it is not sent, ``.`` hidden; ``found``:
    ``n`` part of a name or code, ``i`` of a number or date, ``.`` of none.
    """

    sent: str
    found: str


def read_signs(encoder: Encoder, finder: IdentifierFinder, sentences: Sequence[Sentence]) -> _Signs:
    """What becomes of each character of ``sentences``, which are one text."""
    known, rng = encoder.add_identifiers(DenyList(), sentences), Random(7)
    sent, found = "", ""
    for sentence in sentences:
        encoded = encoder.encode(sentence, known, rng)
        goes = not encoded.withheld and encoder.needs_translator(sentence, known)
        for token, fate in zip(encoder.cut(sentence, known).tokens, encoded.fates, strict=False):
            size = len(token.text) + len(token.whitespace)
            sent += size * ("w" if not goes else "c" if fate.in_clear else ".")
        sent = sent.ljust(len(found) + len(sentence.text), "w")
        cut, identifiers = finder.find(sentence, known)
        kinds = {
            place: "i" if one.kind is Kind.NUMBER or one.label == "DATE" else "n"
            for one in identifiers
            for place in range(one.position, one.position + one.length)
        }
        for place, token in enumerate(cut.tokens):
            found += (len(token.text) + len(token.whitespace)) * kinds.get(place, ".")
    return _Signs(sent, found)


def _may_name(word: str, language: Language) -> bool:
    """Whether ``word`` is no kind of thing, no number, and no small word of grammar."""
    lower = word.lower()
    if language.is_function_word(f"{lower}'"):  # *d'Ankara*
        return False
    if lower in _GENERIC[language.code] or language.numbers.is_number_word(lower):
        return False
    return word[:1].isupper() or not language.is_function_word(word)


def measure(
    encoder: Encoder, model: LanguageModel, cases: Sequence[Case], most_shown: int
) -> list[dict[str, object]]:
    """A row for each label of ``cases``, and one for all that identify somebody."""
    language, finder = encoder.dictionary.language, IdentifierFinder(encoder.dictionary)
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    outside, taken, missed = 0, Counter[str](), list[str]()
    for case in cases:
        signs = read_signs(encoder, finder, list(next(model.annotate([case.text]))))
        inside = {at for start, end, _ in case.spans for at in range(start, end)}
        for start, end, label in case.spans:
            titles = {one for one in language.words.honorifics if len(one) > 1 or _is_person(label)}
            words = [
                one.span()
                for one in re.compile(r"[^\W_]+").finditer(case.text, start, end)
                if one.group().lower() not in (name_words().particles | titles)
            ]
            naming = [one for one in words if _may_name(case.text[slice(*one)], language)]
            words = [one for one in words if not language.is_function_word(case.text[slice(*one)])]
            lost = [one for one in naming if "." in signs.found[slice(*one)]]
            clear = [one for one in naming if "c" in signs.sent[slice(*one)]]
            if label.startswith("ID_") and not any(map(str.isdigit, case.text[start:end])):
                label = "OTROS_SUJETO_ASISTENCIA"  # *piel morena*
            counts[label] += Counter(
                spans=1,
                in_clear=bool(clear),
                unsent="w" in signs.sent[start:end],
                generic=not naming,
                every=all("." not in signs.found[slice(*one)] for one in words),
                naming=bool(naming) and not lost,
            )
            if clear or (lost and label not in _PERSONAL + _DESCRIBED):
                around = case.text[max(0, start - 40) : end + 20].replace("\n", "|")
                words_lost = [case.text[slice(*one)] for one in lost]
                in_clear = [case.text[slice(*one)] for one in clear]
                missed.append(f"{label} in clear: {in_clear} lost: {words_lost} …{around}…")
        for word in re.finditer(r"[^\W\d_]+", case.text):
            if word.start() not in inside and not language.is_function_word(word.group()):
                outside += 1
                taken[word.group()] += signs.found[word.start()] == "n"
    for line in missed[:: max(1, len(missed) // most_shown)] if most_shown else ():
        print(line)
    if most_shown:
        print([one for one in taken.most_common(most_shown * 3) if one[1]])
    labels = sorted(counts)
    named = [label for label in labels if label not in _PERSONAL]
    table = [
        ("all that our classes ask for", [one for one in named if one not in _DESCRIBED]),
        ("all but sex, age, trade", named),
        *((one, [one]) for one in labels),
    ]
    rows = [_row(name, sum((counts[label] for label in of), Counter())) for name, of in table]
    rows[0]["rest"] = round(taken.total() / max(1, outside), 4)
    return rows


def _is_person(label: str) -> bool:
    """Whether *D* is a title before a name in spans of ``label``, not the letter of a door."""
    return label.startswith(("PER", "NOMBRE"))


def _row(name: str, of: Counter[str]) -> dict[str, object]:
    spans = of["spans"]
    naming = max(1, spans - of["generic"])
    ours = next((own for begins, own in _CLASSES.items() if name.startswith(begins)), "other")
    return {
        "label": name,
        "class": ours,
        "spans": spans,
        "in_clear": round(of["in_clear"] / spans, 4),
        "every": round(of["every"] / spans, 4),
        "naming": round(of["naming"] / naming, 4),
        "generic": of["generic"],
        "unsent": round(of["unsent"] / spans, 4),
    }


if __name__ == "__main__":
    main()
