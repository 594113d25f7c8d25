"""Sentences of the sample archive at every step: x_pri, x_pub, y_pub, y_pri, and T(x_pri).

    python -m benchmarks.samples [--json] [--sentences 10]

The text is invented and public; so, here alone, what is secret elsewhere is printed.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random, SystemRandom

from benchmarks.measure import argument_parser, show
from prism_core.encoding import load_encoder
from prism_core.formats import read_document
from prism_core.identifiers import DenyList
from prism_core.language import LanguageModel, Sentence
from prism_core.resources import SHIPPED
from prism_core.settings import load_settings
from prism_core.translators import make_translator

DOCUMENTS = (
    "hospital/discharge-letter.docx",
    "litigation/deposition-note.txt",
    "litigation/expert-report.pdf",
    "contracts/services-agreement.docx",
)


def main() -> None:
    """Draw sentences, translate them both ways, print."""
    parser = argument_parser(__doc__)
    parser.add_argument("--sentences", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1, help="which sentences are shown")
    arguments = parser.parse_args()
    sentences = [one for name in DOCUMENTS for one in read(SHIPPED / "data/samples" / name)]
    chosen = Random(arguments.seed).sample(sentences, arguments.sentences)
    show(asyncio.run(steps(sentences, chosen)), as_json=arguments.json)


def read(path: Path) -> list[Sentence]:
    """The sentences of a document that have at least eight tokens."""
    texts = [segment.text for segment in read_document(path).segments]
    found = [one for group in LanguageModel.load("en").annotate(texts) for one in group]
    return [one for one in found if len(one.tokens) >= 8]


async def steps(archive: list[Sentence], chosen: list[Sentence]) -> list[dict[str, object]]:
    """One row a sentence; the deny list is that of the whole ``archive``."""
    settings = load_settings()
    encoder, deny_list = load_encoder(settings), DenyList()
    for sentence in archive:
        for form in encoder.identifiers(sentence):
            deny_list.add(form)
    translator = make_translator(settings.translator, settings.source, settings.target)
    encoded = [encoder.encode(sentence, deny_list, SystemRandom()) for sentence in chosen]
    private = [sentence.text.strip() for sentence in chosen]
    answers = await translator.translate([one.text or "." for one in encoded], "en", "es")
    direct = await translator.translate(private, "en", "es")
    await translator.close()
    rows: list[dict[str, object]] = []
    for x_pri, one, y_pub, reference in zip(private, encoded, answers, direct, strict=True):
        decoded = encoder.decode(one, y_pub)
        rows.append(
            {
                "\nx_pri": x_pri,
                "\nx_pub": one.text or f"(withheld: {one.withheld})",
                "\ny_pub": y_pub,
                "\ny_pri": decoded.text,
                "\nT(x_pri)": reference,
                "\nunrestored": decoded.unrestored,
            }
        )
    return rows


if __name__ == "__main__":
    main()
