"""In an archive of several languages: does a surrogate tell which of them a name is from?

    python -m benchmarks.name_languages [--json]

Rows of ``sentences, name, class, share, n``: surnames of three languages, all of which the archive
denies, each in four sentences of each language, encoded five times; the class of what is drawn.
Nothing is sent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from random import Random

from benchmarks.measure import argument_parser, show
from prism_core.dictionary import load_dictionary
from prism_core.encoding import make_encoder
from prism_core.identifiers import DenyList
from prism_core.language import LanguageModel
from prism_core.mechanisms import make_mechanism
from prism_core.resources import shipped_dictionary
from prism_core.settings import load_settings

NAMES = {
    "en": "Wilkinson Thatcher Blackwood Harrington Whitfield Ashworth".split(),
    "es": "Quesada Ibarra Zubizarreta Echevarría Goicoechea Urrutia".split(),
    "fr": "Lefebvre Dubreuil Beauchamp Delacroix Mauriac Thibault".split(),
}
SENTENCES = {
    "en": (
        "{} signed the contract in March.",
        "We met {} at the office.",
        "The letter of {} was long.",
        "According to {}, the house is sold.",
    ),
    "es": (
        "{} firmó el contrato en marzo.",
        "Vimos a {} en la oficina.",
        "La carta de {} era larga.",
        "Según {}, la casa está vendida.",
    ),
    "fr": (
        "{} a signé le contrat en mars.",
        "Nous avons vu {} au bureau.",
        "La lettre de {} était longue.",
        "Selon {}, la maison est vendue.",
    ),
}
PAIRS = (("en", "es", "apertium"), ("es", "en", "google"), ("fr", "en", "google"))
DRAWS = 5


def rows() -> Iterator[Mapping[str, object]]:
    """The share of each class among the surrogates of the names of each language."""
    denied = DenyList()
    for name in (name for names in NAMES.values() for name in names):
        denied.add(name)
    for source, target, translator in PAIRS:
        dictionary = load_dictionary(shipped_dictionary(source, target), translator)
        encoder = make_encoder(dictionary, make_mechanism(load_settings().mechanism, dictionary))
        model = LanguageModel.load(source)
        for language, names in NAMES.items():
            found: Counter[str] = Counter()
            for at, text in enumerate(SENTENCES[source]):
                annotated = model.annotate([text.format(name) for name in names])
                for name, (sentence,) in zip(names, annotated, strict=True):
                    for seed in range(DRAWS):
                        encoded = encoder.encode(sentence, denied, Random(100 * seed + at))
                        found.update(one.tag for one in encoded.record if one.word == name)
            for tag, count in sorted(found.items()):
                n = found.total()
                share = round(count / n, 3)
                yield {"sentences": source, "name": language, "class": tag, "share": share, "n": n}


if __name__ == "__main__":
    show(list(rows()), as_json=argument_parser(__doc__).parse_args().json)
