"""Which target words stand in the translations of a source word more often than by chance.

They are no forms of the word: a sense that is seen once, a part of a phrase, another part of
speech. Decoding asks them where no form is found.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from prism_core.dictionary import ASSOCIATED, Entry, Form, target_tokens
from prism_core.language import Sentence
from prism_core.languages import Language

METHOD = "association"
LEAST_DICE = 0.05
LEAST_TIMES = 2
MOST_ASSOCIATES = 10
TOO_COMMON = 0.05
"""A target word in a larger share of the lines stands beside everything."""


def associate(
    sentences: Sequence[Sentence],
    targets: Mapping[str, Sequence[str]],
    language: Language,
    *,
    built: str = "",
) -> list[Entry]:
    """An entry for each source word in lower case, tagged ``ASSOCIATED``, best associate first.

    The score of each is Dice's, 2 n(w, v) / (n(w) + n(v)) in (0, 1], over the lines of all
    translators together. ``sentences`` and ``targets`` are as for ``entries_from_corpus``.
    """
    of_source: Counter[str] = Counter()
    of_target: Counter[str] = Counter()
    together: dict[str, Counter[str]] = defaultdict(Counter)
    sources = [
        {token.text.lower() for token in sentence.tokens if token.text.isalpha()}
        for sentence in sentences
    ]
    content = [{w for w in words if not language.is_function_word(w)} for words in sources]
    translations = [[set(target_tokens(line)) for line in lines] for lines in targets.values()]
    for lines in translations:
        for words in lines:
            of_target.update(words)
    most = TOO_COMMON * sum(map(len, translations))
    kept = {word for word, count in of_target.items() if count <= most and word.isalpha()}
    for lines in translations:
        for words, translated in zip(content, lines, strict=True):
            of_source.update(words)
            found = translated & kept
            for word in words:
                together[word].update(found)
    name = ",".join(sorted(targets))
    entries = []
    for word, counts in sorted(together.items()):
        scored = sorted(
            (-2 * count / (of_source[word] + of_target[associate]), associate)
            for associate, count in counts.items()
            if count >= LEAST_TIMES
        )[:MOST_ASSOCIATES]
        forms = [Form(text, -score) for score, text in scored if -score >= LEAST_DICE]
        if forms:
            entries.append(Entry(word, ASSOCIATED, forms, "", 0.0, 0.0, name, METHOD, built))
    return entries
