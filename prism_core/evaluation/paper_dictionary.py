"""The dictionary of the paper's procedure (``reference``), for the words of MC160."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from prism_core.evaluation import reference
from prism_core.evaluation.corpora import Translate, sentences_of
from prism_core.evaluation.reference import WordDictionary
from prism_core.evaluation.texts import read_texts
from prism_core.language.model import LanguageModel


def paper_dictionary(
    data: Path,
    cache: Path,
    translator: str,
    languages: tuple[str, str],
    model: LanguageModel,
    translate: Translate,
    about_to_ask: Callable[[], object] = lambda: None,
) -> WordDictionary:
    """An entry for every word of MC160, kept in the folder ``cache``: it takes 130,000 texts.

    The words of the test are among them: that is the paper's setting, by the words of its examples,
    and more than an archive's owner has. D, into which the words are put, are the other stories.
    ``about_to_ask`` is called before anything is asked of ``translate``.
    """
    parts = [
        read_texts(f"mctest/mc160.{one}", data, *languages) for one in ("train", "dev", "test")
    ]
    lines = [[line for text in part.documents for line in text.lines] for part in parts]
    others, test = [*lines[0], *lines[1]], lines[2]
    plan = reference.Plan()

    def make() -> WordDictionary:
        about_to_ask()
        d, known = sentences_of(model, others), sentences_of(model, test)
        words = {(t.text, t.tag) for one in (*d, *known) for t in one.tokens if t.text.isalpha()}
        return reference.build(d, words, translate, plan)

    return reference.cached(cache, [translator, *languages, *others, *test], plan, make)
