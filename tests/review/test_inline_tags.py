"""Marks for formatting go out with a sentence and come back with what a person made of it."""

from __future__ import annotations

import re
import stat
from collections.abc import Callable
from pathlib import Path

import docx
import pytest
from lxml import etree

from prism_core.alignment import Match, Translation
from prism_core.cat.jobs.reviewing import ImportedReview, export_review, import_review
from prism_core.cat.review import (
    Correction,
    Reason,
    ReviewUnit,
    fit_correction,
    propose_term,
    write_review,
)
from prism_core.errors import ConfigurationError
from prism_core.jobs import translate
from prism_core.settings import Job
from prism_core.translation_memory import FuzzyMatch
from tests.stages.archive import Backwards, again, install, make_job

SCHEMAS = Path(__file__).parent / "schemas"
RUNS = [("The ", ""), ("old", "bold"), (" dog follows the ", ""), ("farmer", "italic"), (".", "")]
G = "{urn:oasis:names:tc:xliff:document:1.2}g"
VERSIONS = pytest.mark.parametrize("newest", [False, True], ids=["1.2", "2.1"])


def check_schema(path: Path, *, newest: bool) -> None:
    schema = SCHEMAS / ("xliff_core_2.0.xsd" if newest else "xliff-1.2.xsd")
    parser = etree.XMLParser(no_network=True)
    etree.XMLSchema(etree.parse(schema, parser)).assertValid(etree.parse(path))


def looks(path: Path) -> list[tuple[str, str]]:
    """The runs of the first paragraph, each with its look."""
    runs = docx.Document(str(path)).paragraphs[0].runs
    named = [(run.text, "bold" * bool(run.bold) + "italic" * bool(run.italic)) for run in runs]
    return [(text.strip(), look) for text, look in named if text.strip()]


@pytest.fixture
def job(tmp_path: Path) -> Job:
    """A job that was run over a document with a bold and an italic word in a sentence."""
    (tmp_path / "in").mkdir()
    written = docx.Document()
    written.core_properties.comments = ""
    paragraph = written.add_paragraph()
    for text, look in RUNS:
        run = paragraph.add_run(text)
        run.bold, run.italic = look == "bold" or None, look == "italic" or None
    written.save(str(tmp_path / "in" / "a.docx"))
    install(Backwards(tmp_path / "log"))
    job = make_job(tmp_path)
    translate(job)
    return again(job)


def review(
    job: Job, tmp_path: Path, change: Callable[[str], str], *, newest: bool = False
) -> ImportedReview:
    path = tmp_path / "r.xlf"
    export_review(job, path, only=frozenset(Reason), newest=newest)
    check_schema(path, newest=newest)
    path.write_text(change(path.read_text()))
    return import_review(job, path, "M. Ortega")


def target(said: str) -> Callable[[str], str]:
    """Have a person write ``said``, with marks of XLIFF 1.2, as the translation."""

    def change(text: str) -> str:
        if "trans-unit" not in text:
            new = re.sub(r'<g id="(\d)">', r'<pc id="\1">', said).replace("</g>", "</pc>")
            return re.sub(
                r"(</source>)(<target.*?</target>)?", rf"\1<target>{new}</target>", text, count=1
            )
        return re.sub(r"<target(.*?)>.*?</target>", rf"<target\1>{said}</target>", text, count=1)

    return change


@VERSIONS
def test_a_look_goes_where_a_person_put_its_mark(job: Job, tmp_path: Path, *, newest: bool) -> None:
    said = 'Al <g id="2">granjero</g> lo sigue el perro <g id="1">muy viejo</g>.'
    found = review(job, tmp_path, target(said), newest=newest)
    assert (found.corrected, found.broken, found.unmarked) == (1, (), ())
    assert looks(job.output / "a.docx") == [
        ("Al", ""),
        ("granjero", "italic"),
        ("lo sigue el perro", ""),
        ("muy viejo", "bold"),
        (".", ""),
    ]
    export_review(again(job), tmp_path / "again.xlf", only=frozenset(Reason))
    marks = [(mark.get("id"), mark.text) for mark in etree.parse(tmp_path / "again.xlf").iter(G)]
    assert marks[2:] == [("2", "granjero"), ("1", "muy viejo")], "what came back goes out"


def test_confirming_a_sentence_leaves_its_document_as_it_was(job: Job, tmp_path: Path) -> None:
    before = looks(job.output / "a.docx")
    assert {look for _, look in before} == {"", "bold", "italic"}
    found = review(job, tmp_path, lambda text: text.replace('approved="no"', 'approved="yes"'))
    assert (found.corrected, found.confirmed) == (0, 1)
    assert looks(job.output / "a.docx") == before


@VERSIONS
@pytest.mark.parametrize(
    "said",
    [
        'El <g id="1">perro</g> sigue.',
        'El <g id="1">perro</g> <g id="1">viejo</g> sigue al <g id="2">granjero</g>.',
        'El <g id="1">perro</g> sigue al <g id="7">granjero</g>.',
        'El <g id="1">perro sigue al <g id="2">granjero</g></g>.',
    ],
    ids=["lost", "twice", "unknown", "nested"],
)
def test_broken_marks_are_reported_and_nothing_is_forced(
    job: Job, tmp_path: Path, said: str, *, newest: bool
) -> None:
    before = (job.output / "a.docx").read_bytes()
    found = review(job, tmp_path, target(said), newest=newest)
    assert (found.corrected, len(found.broken), found.rebuilt) == (0, 1, 0)
    assert (job.output / "a.docx").read_bytes() == before


def test_what_would_turn_a_text_round_goes_and_marks_stay_where_they_are(
    job: Job, tmp_path: Path
) -> None:
    said = (
        'Al \u202e<g id="2">gran\u2066jero\u2069</g> lo sigue el perro <g id="1">viejo</g>\u202c.'
    )
    found = review(job, tmp_path, target(said))
    assert (found.corrected, found.broken, found.unmarked) == (1, (), ())
    assert looks(job.output / "a.docx")[:2] == [("Al", ""), ("granjero", "italic")]
    assert looks(job.output / "a.docx")[3] == ("viejo", "bold")


def test_a_text_without_any_mark_is_taken_and_said(job: Job, tmp_path: Path) -> None:
    found = review(job, tmp_path, target("El perro viejo sigue al granjero."))
    assert (found.corrected, len(found.unmarked), found.broken) == (1, 1, ())
    assert " ".join(t for t, _ in looks(job.output / "a.docx")).startswith("El perro viejo")


def test_looks_of_pages_markdown_and_mail_are_marked_and_moved(tmp_path: Path) -> None:
    page = "<p>The <b>old</b> dog follows the <a href='x'>farmer</a>.</p>"
    other = "<p>The <i>small</i> dog <img src='y'> follows the <u>farmer</u>.</p>"
    mail = "From: a@b.example\nSubject: 1\nContent-Type: text/html\n\n"
    (tmp_path / "in").mkdir()
    for name, content in {
        "a.html": page, "b.md": "The **old** dog follows the [farmer](x).\n", "c.eml": mail + other,
    }.items():  # fmt: skip
        (tmp_path / "in" / name).write_text(content)
    install(Backwards(tmp_path / "log"))
    job = make_job(tmp_path, documents={"mark_translation": False})
    translate(job)

    def change(text: str) -> str:
        said = target('Al <g id="2">granjero</g> lo sigue el perro <g id="1">viejo</g>.')
        first, last = text.split("</file>")[:2]
        moved = 'El <g id="1">perrito</g> <x id="2"/>sigue al <g id="3">granjero</g>.'
        return "</file>".join((said(first), target(moved)(last), *text.split("</file>")[2:]))

    found = review(again(job), tmp_path, change)
    assert (found.corrected, found.broken, found.unmarked, found.rebuilt) == (2, (), (), 3)
    shown = {name: (job.output / name).read_text() for name in ("a.html", "b.md", "c.eml")}
    assert {name: re.sub(r" *(<[^>]*>) *", r"\1", text) for name, text in shown.items()} == {
        "a.html": "<p>Al<a href='x'>granjero</a>lo sigue el perro<b>viejo</b>.</p>",
        "b.md": "Al [granjero](x) lo sigue el perro **viejo**.\n",
        "c.eml": f"{mail}<p>El<i>perrito</i><img src='y'>sigue al<u>granjero</u>.</p>",
    }


def test_what_stays_of_a_translation_stays_aligned() -> None:
    before = Translation("Uno dos tres", (Match((0, 3), (0, 3)), Match((8, 13), (8, 12))))
    changed = Correction("u", "One two three", "Uno y tres", approved=False)
    fitted = fit_correction(changed, "One two three", before)
    assert fitted is not None
    assert fitted[0].matches == (Match((0, 3), (0, 3)), Match((8, 13), (6, 10)))


@VERSIONS
def test_what_no_sentence_lacks_is_valid(tmp_path: Path, *, newest: bool) -> None:
    units = [
        ReviewUnit("a1", 'a "<&>.txt', "p", "A & <b> ]]>", "", Reason.WITHHELD, "leak"),
        ReviewUnit(
            "a2", "ü/é.txt", "p", "one two", "uno", Reason.UNSURE, looks=((0, 3), (5, 5)), shown=()
        ),
        ReviewUnit(
            *("a3", "a.txt", "p", "one two", "", Reason.WITHHELD),
            match=FuzzyMatch(80, "one & <", 'u"n', (("two", "& <"),)),
        ),
    ]
    write_review(tmp_path / "r.xlf", units, ("en", "es"), newest=newest)
    check_schema(tmp_path / "r.xlf", newest=newest)
    (tmp_path / "r.xlf").write_text((tmp_path / "r.xlf").read_text().replace(' id="a1"', ""))
    with pytest.raises(etree.DocumentInvalid):
        check_schema(tmp_path / "r.xlf", newest=newest)


@pytest.mark.parametrize(
    ("said", "term"),
    [
        ("El viejo inquilino paga.", ("dog", "inquilino")),
        ("El viejo perro de presa paga.", None),
        ("Un viejo inquilino paga.", None),
        ("Todo es otra cosa.", None),
        ("El viejo perro paga.", None),
        ("El viejo perro no paga.", None),
        ("El viejo 12 paga.", None),
    ],
)
def test_a_term_follows_where_one_phrase_alone_was_replaced(
    said: str, term: tuple[str, str] | None
) -> None:
    before = Translation(
        "El viejo perro paga.", (Match((8, 11), (9, 14)), Match((12, 16), (15, 19)))
    )
    assert propose_term("The old dog pays.", before, said) == term


def test_terms_are_written_where_a_person_says_and_nowhere_else(job: Job, tmp_path: Path) -> None:
    (tmp_path / "no.csv").touch()
    export_review(job, tmp_path / "r.tsv", only=frozenset(Reason))
    table = (tmp_path / "r.tsv").read_text("utf-8-sig")
    assert "farmer"[::-1] in table
    (tmp_path / "r.tsv").write_text(table.replace("farmer"[::-1], "aparcero"))
    with pytest.raises(ConfigurationError, match="exists already"):
        import_review(job, tmp_path / "r.tsv", "M. Ortega", tmp_path / "no.csv")
    found = import_review(job, tmp_path / "r.tsv", "M. Ortega", tmp_path / "terms.csv")
    assert found.corrected == len(found.terms) == 1
    assert (tmp_path / "terms.csv").read_text() == "source,target\nfarmer,aparcero\n"
    assert stat.S_IMODE((tmp_path / "terms.csv").stat().st_mode) == 0o600
