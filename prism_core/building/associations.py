"""Which target words stand in the translations of a source word more often than by chance.

They are no forms of the word: a sense that is seen once, a part of a phrase, another part of
speech. Decoding asks them where no form is found.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

from prism_core.dictionary import ASSOCIATED, Entry, Form, target_tokens
from prism_core.languages import Language

METHOD = "association"
LEAST_DICE = 0.03
LEAST_TIMES = 2
MOST_ASSOCIATES = 12
TOO_COMMON = 0.05
"""A target word in a larger share of the lines stands beside everything."""


def associate(
    pairs: Iterable[tuple[str, str]], language: Language, *, translator: str, built: str = ""
) -> list[Entry]:
    """An entry for each source word in lower case, tagged ``ASSOCIATED``, best associate first.

    The score of each is Dice's, 2 n(w, v) / (n(w) + n(v)) in (0, 1], over the source lines of
    ``pairs`` (public text and its translation): a line that is translated several times counts
    once, with the words of all its translations. ``translator`` says whose they are.
    """
    lines: Mapping[str, set[str]] = defaultdict(set)
    for source, target in pairs:
        lines[source].update(filter(str.isalpha, target_tokens(target)))
    of_target = Counter(word for words in lines.values() for word in words)
    kept = {word for word, count in of_target.items() if count <= TOO_COMMON * len(lines)}
    of_source: Counter[str] = Counter()
    together: dict[str, Counter[str]] = defaultdict(Counter)
    for source, found in lines.items():
        words = {word for word in target_tokens(source) if word.isalpha()}
        of_source.update(words)
        for word in words:
            if not language.is_function_word(word):
                together[word].update(found & kept)
    entries = []
    for word, counts in sorted(together.items()):
        scored = sorted(
            (-2 * count / (of_source[word] + of_target[other]), other)
            for other, count in counts.items()
            if count >= LEAST_TIMES
        )[:MOST_ASSOCIATES]
        forms = [Form(text, -score) for score, text in scored if -score >= LEAST_DICE]
        if forms:
            entries.append(Entry(word, ASSOCIATED, forms, "", 0.0, 0.0, translator, METHOD, built))
    return entries
