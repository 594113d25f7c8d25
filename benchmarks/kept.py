"""Which content words of documents would be sent as they are, and which of these tell something.

    python -m benchmarks.kept [FILE ...] [--to es] [--translator NAME] [--words 40] [--json]

Reads and encodes the documents (``benchmarks/gp_notes.txt``, ten notes of general practitioners
written for this) as a run would, and sends nothing. One row of ``sentences, nothing_replaced,
content, in_clear, share, telling``: sentences that would be sent, those of them in which nothing is
replaced, content words (no function words, numbers or marks, repeats included), those in clear and
their share, and of these, those that are not on the list of words that tell nothing. Then these,
and the commonest ``--words`` others in clear, with how often each is.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import SystemRandom

from benchmarks.measure import argument_parser, show
from prism_core.encoding import Encoder, load_encoder
from prism_core.errors import DocumentError
from prism_core.formats import read_document
from prism_core.identifiers import DenyList
from prism_core.language import LanguageModel, Sentence
from prism_core.languages import read_words
from prism_core.record import Fate
from prism_core.settings import load_settings
from prism_core.stages.segmentation import find_lines

_NOTES = Path(__file__).parent / "gp_notes.txt"


def main() -> None:
    """Measure and print."""
    parser = argument_parser(__doc__)
    parser.add_argument("files", nargs="*", type=Path, default=[_NOTES])
    parser.add_argument("--to", default="es")
    parser.add_argument("--translator")
    parser.add_argument("--words", type=int, default=40)
    arguments = parser.parse_args()
    flags = {"target": arguments.to, "translator.name": arguments.translator}
    settings = load_settings(flags={name: value for name, value in flags.items() if value})
    model = LanguageModel.load("en")
    encoder = load_encoder(settings, model.retag)
    sentences = [one for file in arguments.files for one in read_sentences(file, model)]
    row, words = measure(sentences, encoder)
    tells_nothing = read_words(encoder.dictionary.language.kept)
    told = {word: count for word, count in words.most_common() if word not in tells_nothing}
    others = [one for one in words.most_common() if one[0] in tells_nothing][: arguments.words]
    row["telling"] = sum(told.values())
    rows = [row, {"telling": told}, {"others": dict(others)}]
    show(rows, as_json=arguments.json)


def measure(sentences: list[Sentence], encoder: Encoder) -> tuple[dict[str, object], Counter[str]]:
    """The row of ``sentences``, and how often each content word is in clear, in lower case."""
    known, rng = encoder.add_identifiers(DenyList(), sentences), SystemRandom()
    seen: Counter[str] = Counter()
    words: Counter[str] = Counter()
    for sentence in sentences:
        encoded = encoder.encode(sentence, known, rng)
        if encoded.withheld or not encoder.needs_translator(sentence, known):
            continue
        seen["sentences"] += 1
        seen["nothing_replaced"] += all(fate.in_clear for fate in encoded.fates)
        for token, fate in zip(encoder.cut(sentence, known).tokens, encoded.fates, strict=True):
            if _is_content(token.text, encoder) and fate is not Fate.IDENTIFIER:
                seen["content"] += 1
                words[token.text.lower()] += fate is Fate.KEPT
    in_clear = words.total()
    row: dict[str, object] = {
        name: seen[name] for name in ("sentences", "nothing_replaced", "content")
    }
    return row | {"in_clear": in_clear, "share": in_clear / (seen["content"] or 1)}, +words


def _is_content(text: str, encoder: Encoder) -> bool:
    is_function_word = encoder.dictionary.language.is_function_word
    parts = text.replace("’", "'").split("'")
    return any(map(str.isalpha, text)) and not (
        is_function_word(text) or all(is_function_word(one) for one in parts if one)
    )


def read_sentences(file: Path, model: LanguageModel) -> list[Sentence]:
    """Those of a document; none of one that cannot be read."""
    try:
        segments = read_document(file).segments
    except DocumentError:
        return []
    return [sentence for line in model.annotate(list(find_lines(segments))) for sentence in line]


if __name__ == "__main__":
    main()
