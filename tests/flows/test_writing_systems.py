"""Whole jobs into other writing systems, with a translator that spells words in their letters."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import docx
import pypdfium2
import pytest

from prism_core.jobs import translate
from prism_core.settings.sections import DictionarySettings
from prism_core.translators.base import Limits
from tests.adapters import put_in_place_for_a_test
from tests.flows.small_dictionary import write_small_dictionary
from tests.formats.pdf_samples import drawn_pdf, lines
from tests.stages.archive import make_job

TEXT = "The doctor opened the window. The farmer closed the small garden."
ALPHABETS = {
    "ar": "ابتثجحخدذرزسشصضطظعغفقكلمنه",
    "he": "אבגדהוזחטיכלמנסעפצקרשתאבגד",
    "ko": "가나다라마바사아자차카타파하거너더러머버서어저처커터",
    "ja": "あいうえおかきくけこさしすせそたちつてとなにぬねのは",
}


def spell(text: str, target: str) -> str:
    """``text`` letter by letter in those of ``target``; in Japanese without blanks."""
    letters = ALPHABETS[target]
    said = re.sub("[a-z]", lambda found: letters[ord(found[0]) - 97], text.lower())
    return re.sub(r"(?<=\w) (?=\w)", "", said) if target == "ja" else said


class Spelling:
    """See ``spell``."""

    name, endpoint, price = "spelling", "localhost", None
    limits = Limits(texts_per_request=10, characters_per_request=10_000)

    async def translate(self, texts: Sequence[str], _source: str, target: str) -> list[str]:
        return [spell(text, target) for text in texts]

    async def close(self) -> None:
        pass


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """Translates a Word file and a PDF of ``TEXT``; gives the folder they are in then."""

    def translate_into(target: str) -> Path:
        put_in_place_for_a_test(monkeypatch, "fake", lambda *_: Spelling())
        path = tmp_path / "spelled.parquet"
        write_small_dictionary(path, partial(spell, target=target), target)
        (tmp_path / "in").mkdir()
        word = docx.Document()
        word.add_paragraph(TEXT)
        word.save(str(tmp_path / "in" / "letter.docx"))
        drawn_pdf(tmp_path / "in" / "letter.pdf", lines(*TEXT.split(". ")))
        job = make_job(tmp_path, target=target, dictionary=DictionarySettings(path=path))
        translate(job)
        return job.output

    return translate_into


@pytest.mark.parametrize("target", ["ar", "he", "ko"])
def test_sentences_come_back_in_other_letters(run: Callable[[str], Path], target: str) -> None:
    output = run(target)
    (paragraph,) = docx.Document(str(output / "letter.docx")).paragraphs
    assert paragraph.text == spell(TEXT, target)
    with pypdfium2.PdfDocument(output / "letter.pdf") as document:
        read = document[0].get_textpage().get_text_range()
    assert sorted(filter(str.isalpha, read)) == sorted(filter(str.isalpha, spell(TEXT, target)))


def test_words_without_blanks_between_them_are_restored_or_withheld(
    run: Callable[[str], Path],
) -> None:
    (paragraph,) = docx.Document(str(run("ja") / "letter.docx")).paragraphs
    rest = paragraph.text
    for sentence in re.findall(r"\w[^.]*\.", TEXT):
        assert sentence in rest or spell(sentence, "ja") in rest
        rest = rest.replace(sentence, "").replace(spell(sentence, "ja"), "")
    assert not rest.strip(), "nothing of what was sent in their place"
