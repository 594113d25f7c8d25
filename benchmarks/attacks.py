"""Lines written to attack the finding of identifiers: what of them is sent in clear.

    python -m benchmarks.attacks lines [--language es] [--set second] [--half aside] [--show]
    python -m benchmarks.attacks forms [--language es] [--show]
    python -m benchmarks.attacks places [--language es] [--show]
    python -m benchmarks.attacks hidden TEXT [--language es] [--before FILE] [--output FILE]

``lines``: lines of letters, forms, headlines, judgments and clinics (``benchmarks/attack_lines``),
what identifies in ``[[ ]]``. Of each set, the lines with an even place are looked at while rules
are made; ``aside`` are the others. ``first`` is mended in both halves; so is ``second``, where
``docs/identifiers.md`` says so. A span is ``in_clear`` if a word of it is sent as it is, titles and
small words of grammar within a longer span aside (*Dr*, *de la*).

``forms``: words of grammar that are a line or a cell by themselves. ``labels`` stand in forms and
tables, and are ``hidden`` where one is taken for a name, so that it comes back untranslated;
``names`` are surnames, ``in_clear`` where one is not, nor translated here as a label.

``places``: each of these surnames in each of some forty places (*{} signed.*, *12 {} Road*), all of
them looked at while rules were made: how many are ``in_clear``. Some places are good grammar.

``hidden``: the words of a plain text, a line a segment, that are taken for names; with ``--before``
those that were not when that file was written, so that a rule's price is seen.

Entry: ``main``; ``measure_lines``, ``measure_forms``, ``measure_places``, ``measure_hidden``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain
from pathlib import Path

from benchmarks.foreign_names import Case, read_signs
from benchmarks.measure import argument_parser, show
from prism_core.dictionary import Dictionary
from prism_core.encoding import Encoder, load_encoder
from prism_core.identifiers import IdentifierFinder
from prism_core.identifiers.name_words import name_words
from prism_core.language import LanguageModel
from prism_core.record import Kind
from prism_core.settings import load_settings
from prism_core.translation_memory import SingleWordTranslations

_FOLDER = Path(__file__).parent / "attack_lines"
_LANGUAGES = ("en", "es", "fr", "de")
_SETS = ("first", "second", "third", "fourth")
_LINE_END = "↵"
_HALVES = ("looked-at", "aside")
_MARKED = re.compile(r"\[\[(.*?)\]\]", re.DOTALL)


def main() -> None:
    """Measure and print."""
    parser = argument_parser(__doc__)
    parser.add_argument("part", choices=("lines", "forms", "places", "hidden"))
    parser.add_argument("text", type=Path, nargs="?")
    parser.add_argument("--language", choices=_LANGUAGES)
    parser.add_argument("--set", choices=_SETS)
    parser.add_argument("--half", choices=_HALVES)
    parser.add_argument("--show", action="store_true", help="what is in clear, or hidden")
    parser.add_argument("--before", type=Path)
    parser.add_argument("--output", type=Path)
    arguments = parser.parse_args()
    rows: list[dict[str, object]] = []
    for language in [arguments.language] if arguments.language else _LANGUAGES:
        encoder, model = load(language)
        if arguments.part == "forms":
            rows += measure_forms(encoder, model, is_shown=arguments.show)
        elif arguments.part == "places":
            rows.append(measure_places(encoder, model, is_shown=arguments.show))
        elif arguments.part == "hidden":
            text = arguments.text.read_text("utf-8").splitlines()
            rows.append(measure_hidden(encoder, model, text, arguments.before, arguments.output))
        else:
            rows += [
                measure_lines(encoder, model, group, half, is_shown=arguments.show)
                for group in ([arguments.set] if arguments.set else _SETS)
                for half in ([arguments.half] if arguments.half else _HALVES)
            ]
    show(rows, as_json=arguments.json)


def load(language: str) -> tuple[Encoder, LanguageModel]:
    """What encodes ``language``, with defaults."""
    target = "es" if language == "en" else "en"
    flags = {"source": language, "target": target, "language.experimental": True}
    return load_encoder(load_settings(flags=flags)), LanguageModel.load(language)


def read_lines(language: str, group: str, half: str) -> Iterator[Case]:
    """The marked lines of one half of a set."""
    lines = (_FOLDER / group / f"{language}.txt").read_text("utf-8").splitlines()
    for line in lines[_HALVES.index(half) :: 2]:
        parts = _MARKED.split(line.replace(_LINE_END, "\n"))
        starts = [sum(map(len, parts[:place])) for place in range(1, len(parts), 2)]
        spans = [(at, at + len(name), "") for at, name in zip(starts, parts[1::2], strict=True)]
        yield Case("".join(parts), spans)


def measure_lines(
    encoder: Encoder, model: LanguageModel, group: str, half: str, *, is_shown: bool
) -> dict[str, object]:
    """The row of one half of a set."""
    spans, in_clear = 0, 0
    for case in read_lines(encoder.dictionary.language.code, group, half):
        found = words_in_clear(encoder, model, case)
        spans += len(case.spans)
        in_clear += sum(map(bool, found))
        if is_shown and any(found):
            print(case.text, list(chain.from_iterable(found)))
    code = encoder.dictionary.language.code
    return {"language": code, "set": group, "half": half, "spans": spans, "in_clear": in_clear}


def words_in_clear(encoder: Encoder, model: LanguageModel, case: Case) -> list[list[str]]:
    """For each span of ``case`` its words that are sent as they are."""
    language = encoder.dictionary.language

    def names(word: str, span: str) -> bool:
        is_title = word.lower() in language.words.honorifics and len(word) > 1
        is_small = word.islower() and language.is_function_word(word)
        return word == span or not (
            is_title or is_small or word in name_words().particles or len(word) == 1
        )

    signs = read_signs(encoder, _finder(encoder.dictionary), model.sentences(case.text))
    return [
        [
            word[0]
            for word in re.compile(r"[^\W_]+").finditer(case.text, start, end)
            if "c" in signs.sent[slice(*word.span())] and names(word[0], case.text[start:end])
        ]
        for start, end, _ in case.spans
    ]


@lru_cache(maxsize=1)
def _finder(dictionary: Dictionary) -> IdentifierFinder:
    return IdentifierFinder(dictionary)


def measure_forms(
    encoder: Encoder, model: LanguageModel, *, is_shown: bool
) -> list[dict[str, object]]:
    """The rows of labels and of names that stand alone."""
    code, rows = encoder.dictionary.language.code, list[dict[str, object]]()
    alone = SingleWordTranslations(code, "es" if code == "en" else "en")
    for kind, measure in (("labels", "hidden"), ("names", "in_clear")):
        lines = (_FOLDER / "forms" / f"{code}_{kind}.txt").read_text("utf-8").splitlines()
        found = [line for line in lines if _is_name(encoder, model, line) == (kind == "labels")]
        if kind == "names":
            found = [line for line in found if alone.translate(line) is None]
        if is_shown:
            print(code, kind, measure, found)
        rows.append({"language": code, "set": kind, "n": len(lines), measure: len(found)})
    return rows


def measure_places(encoder: Encoder, model: LanguageModel, *, is_shown: bool) -> dict[str, object]:
    """The row of surnames that are grammar, in sentences, lines and forms."""
    code, count, in_clear = encoder.dictionary.language.code, 0, 0
    places = (_FOLDER / "places" / f"{code}.txt").read_text("utf-8").splitlines()
    names = (_FOLDER / "forms" / f"{code}_names.txt").read_text("utf-8").splitlines()
    for place in (one.replace("\\n", "\n").replace("\\t", "\t") for one in places):
        start, cased = place.index("{}"), [n.upper() if place.isupper() else n for n in names]
        cases = [Case(place.format(n), [(start, start + len(n), "")]) for n in cased]
        found = [case for case in cases if any(words_in_clear(encoder, model, case))]
        count, in_clear = count + len(cases), in_clear + len(found)
        if is_shown:
            print(
                repr(place), len(found), *(case.text[slice(*case.spans[0][:2])] for case in found)
            )
    return {"language": code, "set": "places", "n": count, "in_clear": in_clear}


def _is_name(encoder: Encoder, model: LanguageModel, line: str) -> bool:
    finder = IdentifierFinder(encoder.dictionary)
    return any(
        one.kind is Kind.NAME for part in model.sentences(line) for one in finder.find(part)[1]
    )


def measure_hidden(
    encoder: Encoder,
    model: LanguageModel,
    lines: Sequence[str],
    before: Path | None,
    output: Path | None,
) -> dict[str, object]:
    """How many words of ``lines`` are taken for names, and how many more than ``before``."""
    finder, words, found = IdentifierFinder(encoder.dictionary), 0, dict[str, str]()
    for number, parts in enumerate(model.annotate(lines)):
        for part, sentence in enumerate(parts):
            words += sum(any(map(str.isalpha, token.text)) for token in sentence.tokens)
            cut, identifiers = finder.find(sentence)
            for one in identifiers:
                if one.kind is Kind.NAME:
                    near = cut.words[max(0, one.position - 3) : one.position + 6]
                    found[f"{number} {part} {one.position}"] = " ".join(near)
    if output:
        output.write_text(json.dumps(found, ensure_ascii=False), "utf-8")
    row: dict[str, object] = {"words": words, "names": len(found)}
    if before:
        earlier = json.loads(before.read_text("utf-8"))
        new = {place: near for place, near in found.items() if place not in earlier}
        print(*new.values(), sep="\n")
        row |= {"more": len(new), "fewer": len(earlier.keys() - found.keys())}
    return row


if __name__ == "__main__":
    main()
