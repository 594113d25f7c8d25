"""Which lines of a document are in another language, and whether it is one we can translate."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.base import Segment
from prism_core.formats.notices import notices
from prism_core.language import NO_LANGUAGE, UNDETERMINED, main_language, other_languages
from prism_core.settings.job import Job
from prism_core.stages.segmentation import lines_of


@dataclass(frozen=True, slots=True)
class Survey:
    """The lines of a document that are copied, since nothing of them is to be translated."""

    copied: AbstractSet[str] = frozenset()
    notices: tuple[str, ...] = ()


def survey(segments: Sequence[Segment], job: Job) -> Survey:
    """Find what is in the target language, or in none or another one that we translate.

    Raises ``DocumentError`` when most letters are in other languages than source and target.
    """
    if not job.settings.language.identify:
        return Survey()
    lines = list(lines_of(segments))
    languages = other_languages(lines, job.source)
    letters: Counter[str] = Counter()
    for line in lines:
        letters[languages.get(line, job.source)] += sum(map(str.isalpha, line))
    ours = (job.source, job.target, NO_LANGUAGE)
    others = {language: n for language, n in letters.items() if language not in ours}
    if sum(others.values()) * 2 > letters.total():
        raise _other_language(main_language(others, letters.total()) or UNDETERMINED)
    return Survey(languages.keys(), _notices(lines, languages, job.target))


def _other_language(language: str) -> DocumentError:
    known = "" if language == UNDETERMINED else f" ({language})"
    return DocumentError(
        DocumentFailure.OTHER_LANGUAGE,
        f"Most of it is in another language{known}; nothing of it was sent. Translate it from that "
        "language, or set language.identify to false.",
    )


def _notices(lines: Sequence[str], languages: dict[str, str], target: str) -> tuple[str, ...]:
    found = Counter(languages[line] for line in lines if line in languages)
    in_target = found.pop(target, 0)
    return notices(
        {"lines-in-target-language": in_target, "lines-in-other-language": found.total()}
    )
