"""Which languages the lines of a document are in, and what of it is translated, and from which.

Entry: ``survey`` where the settings name the source, ``survey_mixed`` where they leave it open.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats import Segment, notices
from prism_core.language import (
    NO_LANGUAGE,
    UNDETERMINED,
    count_letters_in,
    document_language,
    is_running_text,
    main_language,
    other_languages,
)
from prism_core.languages import load_language, sources_into
from prism_core.settings import Job
from prism_core.stages.segmentation import lines_of

_WORTHWHILE = 200
"""Letters of running text: with more, a document is translated whatever is beside them."""
_IN_TARGET, _IN_OTHER = "lines-in-target-language", "lines-in-other-language"


@dataclass(frozen=True, slots=True)
class Survey:
    """What a document is translated from: ``source``, empty where nothing of it is, and of lines in
    ``sources`` what these say. The lines in ``copied`` stay as they are."""

    source: str
    copied: AbstractSet[str] = frozenset()
    notices: tuple[str, ...] = ()
    sources: Mapping[str, str] = field(default_factory=dict)


def survey(segments: Sequence[Segment], job: Job) -> Survey:
    """Find what is in the target language, or in none or another one that we translate.

    Raises ``DocumentError`` when most letters are in other languages than source and target, and
    hardly any running text in the source.
    """
    if not job.settings.language.identify:
        return Survey(job.source)
    lines = list(lines_of(segments))
    languages = other_languages(lines, job.source)
    letters = _letters(_said(segments, lines), lambda line: languages.get(line, job.source))
    ours = (job.source, job.target, NO_LANGUAGE)
    others = {language: n for language, n in letters.items() if language not in ours}
    mostly = sum(others.values()) * 2 > letters.total()
    if mostly and count_letters_in(job.source, lines) < _WORTHWHILE:
        language = main_language(others, letters.total()) or UNDETERMINED
        known = "" if language == UNDETERMINED else f" ({language})"
        raise DocumentError(
            DocumentFailure.OTHER_LANGUAGE,
            f"Most of it is in another language{known}; nothing of it was sent. Translate it from "
            "that language, or set language.identify to false.",
        )
    found = Counter(languages[line] for line in lines if line in languages)
    in_target = found.pop(job.target, 0)
    said = notices({_IN_TARGET: in_target, _IN_OTHER: found.total()})
    return Survey(job.source, languages.keys(), said)


def survey_mixed(segments: Sequence[Segment], job: Job, sources: Collection[str]) -> Survey:
    """Find what a document is translated from, of the ``sources`` that there is a pair for.

    A line that is surely in another language than most of the document is taken by itself, any
    other goes with the document. What is in no language of ``sources`` is copied. Raises
    ``DocumentError``: ``in-target-language`` where all of it is in the target, ``other-language``
    where it is in another one, with hardly any running text in ``sources``.
    """
    lines = list(lines_of(segments))
    if not lines:
        return Survey("")
    main = document_language(_said(segments, lines))
    if main == UNDETERMINED:
        main = document_language(lines)
    certain = {
        line: language
        for line, language in other_languages(lines, main).items()
        if language not in sources or is_running_text(line, language)
    }
    of_line = {line: certain.get(line, main) for line in lines}
    letters = _letters(lines, of_line.__getitem__)
    if letters.keys() <= {job.target, NO_LANGUAGE}:
        raise DocumentError(DocumentFailure.IN_TARGET)
    ours = {language: letters[language] for language in sources if letters[language]}
    if main not in (*sources, job.target) and max(ours.values(), default=0) < _WORTHWHILE:
        raise DocumentError(DocumentFailure.OTHER_LANGUAGE, _advise(main, job))
    found = Counter(of_line[line] for line in lines if of_line[line] not in sources)
    in_target = found.pop(job.target, 0)
    others = {f"{_IN_OTHER}:{language}": n for language, n in sorted(found.items())}
    return Survey(
        main if main in sources else max(ours, key=ours.__getitem__, default=""),
        {line for line, language in of_line.items() if language not in sources},
        notices({_IN_TARGET: in_target, **others}),
        {line: language for line, language in of_line.items() if language in sources},
    )


def _said(segments: Sequence[Segment], lines: Sequence[str]) -> Sequence[str]:
    """The lines that decide for the pages: no title or keyword, where there are others."""
    return list(lines_of([one for one in segments if one.kind != "property"])) or lines


def _letters(lines: Iterable[str], language_of: Callable[[str], str]) -> Counter[str]:
    """How many letters of ``lines`` are in each language."""
    letters: Counter[str] = Counter()
    for line in lines:
        letters[language_of(line)] += sum(map(str.isalpha, line))
    return letters


def _advise(language: str, job: Job) -> str:
    """Why nothing of a document in ``language`` is translated, and what the user can do."""
    if language == UNDETERMINED:
        why = "Which language it is in cannot be told"
        mend = "If you know it, translate it in a run that names it (--from)."
    elif language in sources_into(job.target, experimental=job.settings.language.experimental):
        why = f"It is in {load_language(language).name}"
        mend = "The translators lack that pair: ask another one for it."
    elif language in sources_into(job.target, experimental=True):
        why = f"It is in {load_language(language).name}, a source that is experimental"
        mend = "If it is not confidential, give --experimental."
    else:
        why = f"It is in another language ({language})"
        mend = f"No dictionary from that into {job.target} ships."
    return f"{why}; nothing of it was sent. {mend}"
