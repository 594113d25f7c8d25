"""OpenDocument sheets and slides: what is words there, and what formulas need stays."""

import zipfile
from pathlib import Path

import pytest

from prism_core.formats import detect, read_document, write_document
from tests.formats.aligned import wrap
from tests.formats.odt_files import NAMESPACES

PRESENTATION = 'xmlns:presentation="urn:oasis:names:tc:opendocument:xmlns:presentation:1.0"'


def flat(path: Path, kind: str, body: str, masters: str = "") -> Path:
    path.write_text(
        f'<office:document {NAMESPACES} {PRESENTATION} office:mimetype="application/'
        f'vnd.oasis.opendocument.{kind}"><office:master-styles>{masters}</office:master-styles>'
        f"<office:body><office:{kind}>{body}</office:{kind}></office:body></office:document>"
    )
    return path


def cell(text: str, more: str = 'office:value-type="string"') -> str:
    return f"<table:table-cell {more}><text:p>{text}</text:p></table:table-cell>"


def texts_of(path: Path) -> list[str]:
    return [segment.text for segment in read_document(path).segments]


def sheet(path: Path, *cells: str, before: str = "") -> Path:
    rows = "".join(f"<table:table-row>{one}</table:table-row>" for one in cells)
    return flat(path, "spreadsheet", f'{before}<table:table table:name="T">{rows}</table:table>')


def test_words_in_cells_are_read_and_everything_else_stays(tmp_path: Path) -> None:
    source = sheet(
        tmp_path / "a.fods",
        cell("The garden is green."),
        cell("5 May 2020", 'office:value-type="date" office:date-value="2020-05-05"'),
        cell("3 rooms", 'office:value-type="float" office:value="3"'),
        cell("The roof", 'office:value-type="string" table:formula="of:=[.A1]"'),
    )
    document = read_document(source)
    assert [(one.text, one.kind) for one in document.segments] == [("The garden is green.", "cell")]
    target = tmp_path / "b.fods"
    assert write_document(document, wrap(["El jardín es verde."]), target) == ()
    assert target.read_text().endswith(
        source.read_text().partition("?>")[2].replace("The garden is green.", "El jardín es verde.")
    )


@pytest.mark.parametrize(
    "seeking",
    [
        cell("1", 'table:formula="of:=IF([.A1]=&quot;the roof&quot;;1;2)"'),
        cell("1", 'table:formula="of:=COUNTIF([.A1:.A9];&quot;&lt;&gt;The Roof&quot;)"'),
        cell("1", 'table:formula="of:=COUNTIF([.A1:.A9];&quot;*roo?&quot;)"'),
        '<table:filter-condition table:value="The roof"/>',
        '<table:data-pilot-field table:source-field-name="The roof"/>',
        "<table:content-validation table:condition="
        '"of:cell-content-is-in-list(&quot;The roof&quot;;&quot;x&quot;)"/>',
    ],
)
def test_a_cell_that_is_looked_for_stays_with_a_notice(tmp_path: Path, seeking: str) -> None:
    rows = [cell("The garden."), cell("The roof")]
    document = read_document(sheet(tmp_path / "a.fods", *rows, before=seeking))
    assert [segment.text for segment in document.segments] == ["The garden."]
    assert document.notices == ("cells-kept-for-formulas:1",)


def test_a_pattern_of_many_stars_costs_no_time(tmp_path: Path) -> None:
    any_text = cell("1", 'table:formula="of:=COUNTIF([.A1:.A9];&quot;*&quot;)"')
    stars = any_text + cell("1", f'table:formula="of:=COUNTIF([.A1];&quot;{"*a" * 40}b&quot;)"')
    assert texts_of(sheet(tmp_path / "a.fods", cell("a" * 5_000), stars)) == ["a" * 5_000]


def test_a_comment_on_a_number_and_a_table_of_a_text_are_read(tmp_path: Path) -> None:
    number = cell("3", 'office:value-type="float"').replace(
        "<text:p>", "<office:annotation><text:p>A note.</text:p></office:annotation><text:p>"
    )
    assert texts_of(sheet(tmp_path / "a.fods", number)) == ["A note."]
    table = f"<table:table><table:table-row>{cell('Text', '')}</table:table-row></table:table>"
    assert texts_of(flat(tmp_path / "a.fodt", "text", table)) == ["Text"]


def test_slides_notes_and_footers_are_read_but_no_prompts(tmp_path: Path) -> None:
    box = "<draw:frame {}><draw:text-box><text:p>{}</text:p></draw:text-box></draw:frame>"
    slide = (
        '<presentation:footer-decl presentation:name="f">The foot</presentation:footer-decl>'
        f"<draw:page>{box.format('presentation:class=&quot;title&quot;', 'The house')}"
        f"<presentation:notes>{box.format('', 'A note.')}</presentation:notes></draw:page>"
    ).replace("&quot;", '"')
    prompt = box.format('presentation:class="title"', "Click to edit") + box.format("", "Our firm")
    masters = f"<style:master-page>{prompt}</style:master-page>"
    path = flat(tmp_path / "a.fodp", "presentation", slide, masters)
    assert texts_of(path) == ["Our firm", "The foot", "The house", "A note."]


@pytest.mark.parametrize("kind", ["spreadsheet", "presentation-template", "graphics", "text-web"])
def test_all_kinds_of_open_documents_are_recognised(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "a"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", f"application/vnd.oasis.opendocument.{kind}")
    assert detect(path) == "odt"
