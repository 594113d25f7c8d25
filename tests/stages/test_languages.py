"""What is in another language is never sent: lines stay, whole documents are reported."""

from pathlib import Path

import pytest

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.base import Segment
from prism_core.settings import Job
from prism_core.settings.sections import LanguageSettings
from prism_core.stages.surveying import survey
from tests.stages.archive import make_job

ENGLISH = "The contract was signed by both parties before the end of the month."
SPANISH = "El paciente ingresó el lunes con dolor torácico y fiebre alta."
RUSSIAN = "Комиссия принимает решение об определении победителя"


@pytest.fixture
def job(tmp_path: Path) -> Job:
    return make_job(tmp_path)


def segments(*texts: str) -> list[Segment]:
    return [Segment(text) for text in texts]


def test_lines_in_the_target_and_in_other_languages_are_copied_and_counted(job: Job) -> None:
    found = survey(segments(f"{ENGLISH}\n{SPANISH}", ENGLISH, RUSSIAN, SPANISH), job)
    assert found.copied == {SPANISH, RUSSIAN}
    assert found.notices == ("lines-in-target-language:2", "lines-in-other-language:1")


def test_a_document_in_the_target_language_stays_as_it_is(job: Job) -> None:
    assert survey(segments(SPANISH), job).copied == {SPANISH}


def test_a_document_mostly_in_another_language_is_reported_with_its_code(job: Job) -> None:
    with pytest.raises(DocumentError, match=r"\(ru\)") as caught:
        survey(segments(RUSSIAN, RUSSIAN, "Total"), job)
    assert caught.value.failure is DocumentFailure.OTHER_LANGUAGE
    assert RUSSIAN not in str(caught.value)


def test_pages_in_the_source_are_translated_whatever_is_attached_to_them(job: Job) -> None:
    found = survey(segments(*[ENGLISH] * 4, *[RUSSIAN] * 40), job)
    assert found.copied == {RUSSIAN}
    assert found.notices == ("lines-in-other-language:40",)
    with pytest.raises(DocumentError, match="other-language"):
        survey(segments(ENGLISH, *[RUSSIAN] * 40), job)


def test_nothing_is_told_apart_when_the_settings_forbid_it(job: Job) -> None:
    language = LanguageSettings(identify=False)
    settings = job.settings.model_copy(update={"language": language})
    found = survey(segments(RUSSIAN), job.model_copy(update={"settings": settings}))
    assert (found.copied, found.notices) == (frozenset(), ())


def test_a_document_in_the_source_language_alone_has_nothing_to_copy(job: Job) -> None:
    found = survey(segments(ENGLISH, "12", ""), job)
    assert (set(found.copied), found.notices) == (set(), ())
