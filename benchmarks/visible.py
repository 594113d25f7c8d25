"""What of an archive the translator sees as it is: the share of tokens, by what they are.

    python -m benchmarks.visible [FOLDER] [--json]

Reads and encodes the documents of FOLDER (``data/samples``) as a run would and sends nothing. One
row of ``tokens, kept`` and, of the kept, ``punctuation``, ``function``, ``content`` (other words of
phrases of grammar); all shares are of the tokens of sentences that would be sent, repeats included.
``different``: of the content words kept, how many different ones there are.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import SystemRandom

from benchmarks.measure import argument_parser, show
from prism_core.encoding import load_encoder
from prism_core.errors import DocumentError
from prism_core.formats import read_document
from prism_core.identifiers import DenyList
from prism_core.language import LanguageModel, Sentence
from prism_core.record import Fate
from prism_core.settings import load_settings
from prism_core.stages.segmentation import find_lines

_SAMPLES = Path(__file__).parents[1] / "data" / "samples"


def main() -> None:
    """Measure and print."""
    parser = argument_parser(__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=_SAMPLES)
    arguments = parser.parse_args()
    model = LanguageModel.load("en")
    sentences = [one for path in _files(arguments.folder) for one in _sentences(path, model)]
    show([measure(sentences, model)], as_json=arguments.json)


def measure(sentences: list[Sentence], model: LanguageModel) -> dict[str, object]:
    """The row."""
    encoder, rng = load_encoder(load_settings(), model.retag), SystemRandom()
    known = encoder.add_identifiers(DenyList(), sentences)
    seen: Counter[str] = Counter()
    different: set[str] = set()
    for sentence in sentences:
        encoded = encoder.encode(sentence, known, rng)
        if encoded.withheld or not encoder.needs_translator(sentence, known):
            continue
        cut = encoder.cut(sentence, known)  # a code within a token is cut out of it
        for token, fate in zip(cut.tokens, encoded.fates, strict=True):
            seen["tokens"] += 1
            seen["in clear"] += fate.in_clear
            seen[fate] += 1
            different |= {token.text.lower()} if fate is Fate.KEPT else set()
    total = seen["tokens"]
    of = {"punctuation": Fate.MARK, "function": Fate.GRAMMAR, "content": Fate.KEPT}
    shares = {"kept": seen["in clear"] / total}
    shares |= {name: seen[fate] / total for name, fate in of.items()}
    return {"tokens": total, **shares, "different": len(different)}


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def _sentences(path: Path, model: LanguageModel) -> list[Sentence]:
    """Those of a document; none of one that cannot be read, as the damaged sample."""
    try:
        segments = read_document(path).segments
    except DocumentError:
        return []
    lines = list(find_lines(segments))
    return [sentence for line in model.annotate(lines) for sentence in line]


if __name__ == "__main__":
    main()
