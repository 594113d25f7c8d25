"""Identify the languages of a document's lines, and decide which are translated from which source.

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
from prism_core.stages.segmentation import find_lines

_WORTHWHILE = 200
"""Number of letters of running text above which a document is translated in any case."""
_IN_TARGET, _IN_OTHER = "lines-in-target-language", "lines-in-other-language"


@dataclass(frozen=True, slots=True)
class Survey:
    """The source languages of a document and the lines of it that are copied.

    ``source`` is empty where nothing is translated; ``sources`` name the language of lines that
    differ. The lines in ``copied`` stay as they are.
    """

    source: str
    copied: AbstractSet[str] = frozenset()
    notices: tuple[str, ...] = ()
    sources: Mapping[str, str] = field(default_factory=dict)


def survey(segments: Sequence[Segment], job: Job) -> Survey:
    """Find the lines in the target language, in none, or in another that PRISM translates.

    Raises ``DocumentError`` when most letters are in other languages than source and target, and
    hardly any running text is in the source.
    """
    if not job.settings.language.identify:
        return Survey(job.source)
    lines = list(find_lines(segments))
    languages = other_languages(lines, job.source)
    letters = _count_letters(
        _deciding_lines(segments, lines), lambda line: languages.get(line, job.source)
    )
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
    found_notices = notices({_IN_TARGET: in_target, _IN_OTHER: found.total()})
    return Survey(job.source, languages.keys(), found_notices)


def survey_mixed(segments: Sequence[Segment], job: Job, sources: Collection[str]) -> Survey:
    """Find the languages that a document is translated from, among ``sources``, which have a pair.

    A line that is certainly in another language than most of the document counts by itself; any
    other goes with the document. A line in no language of ``sources`` is copied. Raises
    ``DocumentError``: ``in-target-language`` where all of it is in the target, ``other-language``
    where it is in another language, with hardly any running text in ``sources``.
    """
    lines = list(find_lines(segments))
    if not lines:
        return Survey("")
    main = document_language(_deciding_lines(segments, lines))
    if main == UNDETERMINED:
        main = document_language(lines)
    certain = {
        line: language
        for line, language in other_languages(lines, main).items()
        if language not in sources or is_running_text(line, language)
    }
    of_line = {line: certain.get(line, main) for line in lines}
    letters = _count_letters(lines, of_line.__getitem__)
    if letters.keys() <= {job.target, NO_LANGUAGE}:
        raise DocumentError(DocumentFailure.IN_TARGET)
    ours = {language: letters[language] for language in sources if letters[language]}
    if main not in (*sources, job.target) and max(ours.values(), default=0) < _WORTHWHILE:
        raise DocumentError(DocumentFailure.OTHER_LANGUAGE, _describe_language(main, job))
    found = Counter(of_line[line] for line in lines if of_line[line] not in sources)
    in_target = found.pop(job.target, 0)
    others = {f"{_IN_OTHER}:{language}": n for language, n in sorted(found.items())}
    return Survey(
        main if main in sources else max(ours, key=ours.__getitem__, default=""),
        {line for line, language in of_line.items() if language not in sources},
        notices({_IN_TARGET: in_target, **others}),
        {line: language for line, language in of_line.items() if language in sources},
    )


def _deciding_lines(segments: Sequence[Segment], lines: Sequence[str]) -> Sequence[str]:
    """Return the lines that decide the language: without titles and keywords, where possible."""
    body = [segment for segment in segments if segment.kind != "property"]
    return list(find_lines(body)) or lines


def _count_letters(lines: Iterable[str], language_of: Callable[[str], str]) -> Counter[str]:
    """Count the letters of ``lines`` in each language."""
    letters: Counter[str] = Counter()
    for line in lines:
        letters[language_of(line)] += sum(map(str.isalpha, line))
    return letters


def _describe_language(language: str, job: Job) -> str:
    """Explain why no part of a document in ``language`` is translated, and what the user can do."""
    if language == UNDETERMINED:
        why = "Its language cannot be identified"
        advice = "If you know it, translate it in a run that names it (--from)."
    elif language in sources_into(job.target, experimental=job.settings.language.experimental):
        why = f"It is in {load_language(language).name}"
        advice = "The translators lack that pair: use another translator for it."
    elif language in sources_into(job.target, experimental=True):
        why = f"It is in {load_language(language).name}, a source that is experimental"
        advice = "If it is not confidential, give --experimental."
    else:
        why = f"It is in another language ({language})"
        advice = f"No dictionary from that into {job.target} ships."
    return f"{why}; nothing of it was sent. {advice}"
