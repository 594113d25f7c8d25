"""How many identifiers come back: generated documents through Apertium, as it is and reformatted.

    python -m benchmarks.restoring [--json] [--copies 2]

Rows of ``answers, sentences, identifiers, restored, sentences_lost``: the share of names, numbers
and codes that are put back, and that of sentences with one that is not. ``reformatted`` answers
are those of Apertium with numbers, dates and codes written anew: 1,234.5 as 1.234,5, ISO dates
turned round, hyphens and brackets of numbers as blanks, codes without their blanks.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from random import Random

from benchmarks.dictionary import translated
from benchmarks.identifier_documents import documents
from benchmarks.measure import argument_parser, show
from prism_core.encoding import Encoder, load_encoder
from prism_core.identifiers import DenyList
from prism_core.language import LanguageModel
from prism_core.record import Encoded, Kind
from prism_core.settings import load_settings

_IDENTIFIERS = (Kind.NAME, Kind.NUMBER, Kind.CODE)
_SWAPPED = str.maketrans(",.", ".,")


def main() -> None:
    """Measure and print."""
    parser = argument_parser(__doc__)
    parser.add_argument("--copies", type=int, default=2)
    arguments = parser.parse_args()
    encoder = load_encoder(load_settings())
    encoded = list(sent(encoder, arguments.copies))
    answers = asyncio.run(translated([one.text for one in encoded]))
    rows = [
        {"answers": "apertium", **restored(encoder, encoded, answers)},
        {"answers": "reformatted", **restored(encoder, encoded, map(reformatted, answers))},
    ]
    show(rows, as_json=arguments.json)


def sent(encoder: Encoder, copies: int) -> Iterator[Encoded]:
    """What is sent of the sentences with an identifier in generated documents."""
    model, rng = LanguageModel.load("en", lemmas=False), Random(7)
    texts = [one.text for one in documents("tuned", copies, 7)]
    lines = [line for text in texts for line in text.splitlines() if line.strip()]
    for sentences in model.annotate(lines):
        for sentence in sentences:
            encoded = encoder.encode(sentence, DenyList(), rng)
            if any(one.kind in _IDENTIFIERS for one in encoded.record):
                yield encoded


def reformatted(answer: str) -> str:
    """``answer`` with its numbers, dates and codes in another form."""
    rules: Sequence[tuple[str, str | Callable[[re.Match[str]], str]]] = (
        (r"(?<![\w.,-])(\d{4})-(\d\d)-(\d\d)(?![\w-])", r"\3/\2/\1"),
        (
            r"(?<![\w.,/-])\d{1,3}(?:,\d{3})*\.\d{1,2}(?![\w/.-]*\d)",
            lambda number: number[0].translate(_SWAPPED),
        ),
        (r"\((\d+)\) ?", "\\1 "),
        (r"(?<=\d)-(?=\d)", " "),
        (
            r"\b[A-Z]{2}\d\d(?: [A-Z0-9]{4}){2,7}(?: [A-Z0-9]{1,3})?\b",
            lambda code: code[0].replace(" ", ""),
        ),
    )
    for pattern, new in rules:
        answer = re.sub(pattern, new, answer)
    return answer


def restored(
    encoder: Encoder, encoded: Sequence[Encoded], answers: Iterable[str]
) -> dict[str, object]:
    """The shares of a row."""
    identifiers = found = lost = 0
    for one, answer in zip(encoded, answers, strict=True):
        places = encoder.decode(one, answer).places
        wanted = [r.position for r in one.record if r.kind in _IDENTIFIERS]
        there = sum(position in places for position in wanted)
        identifiers, found = identifiers + len(wanted), found + there
        lost += there < len(wanted)
    return {
        "sentences": len(encoded),
        "identifiers": identifiers,
        "restored": found / identifiers,
        "sentences_lost": lost / len(encoded),
    }


if __name__ == "__main__":
    main()
