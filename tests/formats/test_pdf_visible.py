"""Nothing of a page becomes invisible: what is drawn can be seen, or the page stays as it was."""

from __future__ import annotations

import re
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from pikepdf import Array, Dictionary, Name, String
from reportlab.pdfbase.pdfmetrics import stringWidth

from benchmarks.documents.poppler import DOTS, read_pages
from prism_core.formats import format_for
from prism_core.formats.pdf import interpreter
from prism_core.formats.pdf.geometry import Box
from prism_core.formats.pdf.interpreter import interpret_pages
from prism_core.formats.pdf.visual_check import (
    ChangedPage,
    PageComparison,
    ParagraphChange,
    compare_pages,
    cross_check_pages,
)
from tests.formats.aligned import wrap
from tests.formats.odd_pdfs import hidden_layer, page_with, private_bullets, tiny_type3
from tests.formats.pdf_samples import (
    PROSE,
    drawn_pdf,
    edited,
    lines,
    read_back,
    spanish,
    together,
    words,
)

PDF = format_for("pdf")
SENTENCE = "The committee met on Monday"


def seen(*documents: bytes, changes: tuple[ParagraphChange, ...] = ()) -> PageComparison:
    """What is seen of the first page of three documents: before, without text, and after."""
    ((_, page),) = compare_pages(*documents, [ChangedPage(1, (1, 0, 0, 1, 0, 0), changes, 1.0)])
    return page


def translated(path: Path) -> tuple[Path, list[str]]:
    """What ``path`` becomes, and the notices of its writing."""
    document = PDF.read(path)
    target = path.with_name("out.pdf")
    texts = spanish([segment.text for segment in document.segments])
    return target, list(PDF.write(document, wrap(texts), target))


def ink(path: Path, box: tuple[int, int, int, int]) -> tuple[float, int]:
    """How many of 255 the darkest and lightest pixels of a box (points, from the upper left) are
    apart, and the height of what is drawn there."""
    picture = pypdfium2.PdfDocument(path)[0].render(scale=1).to_numpy()[:, :, 0]
    left, top, right, bottom = box
    part = picture[top:bottom, left:right].astype(int)
    rows = (abs(part - part[0, 0]) > 60).any(axis=1)
    return float(part.max() - part.min()), int(rows.sum())


LINE = (60, 120, 500, 160)


def test_letters_of_a_font_without_a_size_are_drawn_as_large_as_they_were(tmp_path):
    out, notices = translated(tiny_type3(tmp_path / "a.pdf", SENTENCE))
    assert notices == []
    assert ink(out, LINE)[1] >= 6


def test_a_line_that_no_segment_holds_is_not_deleted_with_its_neighbour(tmp_path):
    path = tiny_type3(tmp_path / "a.pdf", SENTENCE, mute=SENTENCE)
    out, notices = translated(path)
    assert notices == ["page-unchanged:1"]
    assert read_back(out) == read_back(path)


def test_a_white_hidden_layer_does_not_become_white_boxes(tmp_path):
    out, notices = translated(hidden_layer(tmp_path / "a.pdf", SENTENCE))
    assert notices == []
    assert ink(out, LINE)[0] > 150


def test_unknown_operators_do_not_hide_what_is_drawn_after_them(tmp_path):
    content = b"BT /F1 24 Tf 50 500 Td (Some words here) Tj ETBT /F1 1e2 Tf 50 600 Td (More) Tj"
    out, notices = translated(page_with(tmp_path / "a.pdf", content))
    assert notices == []
    with pikepdf.open(out) as pdf:
        first = b"".join(part.read_bytes() for part in pdf.pages[0].Contents)
    assert b"ETBT" not in first
    assert b"1e2" not in first
    assert first.count(b"BT") == first.count(b"ET")


def test_mirror_writing_stays_mirror_writing(tmp_path):
    content = b"BT /F1 12 Tf -1 0 0 1 500 700 Tm (The committee met on Monday) Tj ET"
    path = page_with(tmp_path / "a.pdf", content)
    assert [segment.text for segment in PDF.read(path).segments] == [SENTENCE]
    out, notices = translated(path)
    assert notices == []
    with pikepdf.open(out) as pdf:
        form = pdf.pages[0].Resources.XObject.Translation1.read_bytes()
    assert b"-1 0 0 1 0 0 cm" in form.replace(b"-0 ", b"0 ")


def test_a_rebuilt_page_keeps_all_its_words(tmp_path):
    path = drawn_pdf(tmp_path / "a.pdf", lines(*PROSE))
    out, notices = translated(path)
    assert notices == []
    assert words(read_back(out)[0]) == words(spanish([" ".join(PROSE)])[0])


UPPER, LOWER = Box(72, 750, 400, 775), Box(72, 700, 400, 725)


@pytest.mark.parametrize(
    ("drawn", "hidden"),
    [
        ({}, False),
        ({"size": 2.0}, True),
        ({"grey": 0.98}, True),
        ({"top": 760.0}, False),
        ({"top": 300.0}, True),
    ],
)
def test_what_is_drawn_must_be_seen_where_it_is_said_to_stand(tmp_path, drawn, hidden):
    def page(size: float = 12, grey: float = 0.0, top: float = 760):
        def draw(canvas):
            canvas.setFillGray(grey)
            lines("The committee met on Monday to talk", size=size, top=top)(canvas)

        return draw

    before = drawn_pdf(tmp_path / "before.pdf", page()).read_bytes()
    bare = drawn_pdf(tmp_path / "bare.pdf", lines()).read_bytes()
    after = drawn_pdf(tmp_path / "after.pdf", page(**drawn)).read_bytes()
    change = ParagraphChange((UPPER,), (UPPER,))
    assert seen(before, bare, after, changes=(change,)).hides is hidden


def test_text_that_goes_elsewhere_on_the_page_is_missed(tmp_path):
    both = drawn_pdf(tmp_path / "before.pdf", lines("One line", "Another", leading=50)).read_bytes()
    bare = drawn_pdf(tmp_path / "bare.pdf", lines()).read_bytes()
    change = ParagraphChange((UPPER,), (UPPER,))
    assert seen(both, bare, both, changes=(change,)).hides
    assert not seen(both, bare, both, changes=(change, ParagraphChange((LOWER,), (LOWER,)))).hides


def test_words_that_only_another_library_reads_are_a_notice(tmp_path, monkeypatch):
    path = drawn_pdf(tmp_path / "a.pdf", lines("Some words", "that one library cannot read"))
    assert PDF.read(path).notices == ()
    note = interpreter._Collector._record_glyphs

    def forgetful(self, *arguments):
        note(self, *arguments)
        frame = self.found.frames[0]
        frame[:] = [glyph for glyph in frame if glyph.baseline >= 750]

    monkeypatch.setattr(interpreter._Collector, "_record_glyphs", forgetful)
    assert PDF.read(path).notices == ("words-unread:5",)


def test_letters_without_a_meaning_have_that_of_another_library(tmp_path):
    path = drawn_pdf(tmp_path / "a.pdf", lines(SENTENCE))
    data = path.read_bytes()
    (found,) = interpret_pages(data)
    for glyph in found.frames[0]:
        glyph.set_text("\ufffd")
        glyph.mapped = False
    ((named, _, unread),) = cross_check_pages(data, [found])
    assert "".join(glyph.text for glyph in named.frames[0]).split() == SENTENCE.split()
    assert unread == 0


def test_text_whose_font_is_missing_is_read_and_written(tmp_path):
    def unname(pdf: pikepdf.Pdf) -> None:
        del pdf.pages[0].Resources.Font

    path = edited(drawn_pdf(tmp_path / "a.pdf", lines(SENTENCE)), unname)
    assert PDF.read(path).segments[0].text == SENTENCE
    out, notices = translated(path)
    assert words(read_back(out)[0]) == words(spanish([SENTENCE])[0])
    assert notices == []


def overlapping(path: Path) -> int:
    return sum(page.overlaps for page in read_pages(path))


def test_a_translation_without_room_is_left_and_not_drawn_over_its_neighbours(tmp_path):
    page = together(*(lines(f"{name} of all", x=72 + 70 * n) for n, name in enumerate("ABCDE")))
    crowded = together(*(together_at(top) for top in range(760, 700, -8)))
    path = drawn_pdf(tmp_path / "a.pdf", together(page, crowded))
    document = PDF.read(path)
    before = [segment.text for segment in document.segments]
    given = [f"{text} {'considerablemente ' * 4}" if "B" in text else text for text in before]
    out = tmp_path / "out.pdf"
    notices = PDF.write(document, wrap(given), out)
    assert overlapping(out) <= overlapping(path)
    assert [notice for notice in notices if notice.startswith("blocks-unchanged")]


def together_at(top: float):
    """A row of small words without room between them."""
    return together(*(lines(word, x=72 + 60 * n, top=top, size=7) for n, word in enumerate(NAMES)))


NAMES = ("Aylesbury", "Banbury", "Canterbury", "Dewsbury", "Edgbaston", "Folkestone", "Guildford")


def test_a_first_line_set_in_stays_set_in_and_an_item_hangs(tmp_path):
    first = together(lines(PROSE[0], x=92), lines(*PROSE[1:], top=746))
    item = together(lines("1. " + PROSE[0], top=600), lines(*PROSE[1:], x=86, top=586))
    path = drawn_pdf(tmp_path / "a.pdf", together(first, item))
    document = PDF.read(path)
    assert len(document.segments) == 2
    out, _ = translated(path)
    boxes = [
        [word.x0 * 72 / DOTS for word in read_pages(out)[0].words if level(word) == y]
        for y in sorted({level(word) for word in read_pages(out)[0].words})
    ]
    starts = [min(row) for row in boxes]
    assert starts[0] == pytest.approx(92, abs=2)
    assert starts[1] == pytest.approx(72, abs=2)
    assert pytest.approx(72, abs=2) in starts[2:]
    assert pytest.approx(86, abs=2) in starts[2:]


@pytest.mark.parametrize("justified", [True, False])
def test_a_justified_paragraph_stays_justified_and_no_other_becomes_so(tmp_path, justified):
    text = [*PROSE, "Nobody had asked for it in the spring, and many had", "left by the autumn."]

    def draw(canvas):
        for row, line in enumerate(text):
            free = 300 - stringWidth(line, "Helvetica", 11)
            writer = canvas.beginText(72, 760 - 14 * row)
            writer.setFont("Helvetica", 11)
            writer.setWordSpace(free / line.count(" ") * (justified and row < len(text) - 1))
            writer.textOut(line)
            canvas.drawText(writer)

    out, notices = translated(drawn_pdf(tmp_path / "a.pdf", draw))
    assert notices == []
    rows: dict[int, float] = {}
    for word in read_pages(out)[0].words:
        rows[level(word)] = max(rows.get(level(word), 0.0), word.x1 * 72 / DOTS)
    *ends, last = (rows[y] for y in sorted(rows))
    assert len(ends) > 2
    assert (max(ends) - min(ends) < 1) == justified
    assert last < max(ends) - 10


def level(word) -> int:
    return round(word.y1 / 4)


def noted(path: Path, text: str, height: float) -> Path:
    """A page with a line of its own and a note of ``height`` points that shows ``text``."""

    def add(pdf: pikepdf.Pdf) -> None:
        note = Dictionary(
            Type=Name.Annot,
            Subtype=Name.FreeText,
            Rect=[60, 300, 200, 300 + height],
            Contents=String(text),
            DA=String("0 g /Helv 10 Tf"),
        )
        pdf.pages[0].Annots = Array([pdf.make_indirect(note)])

    return edited(drawn_pdf(path, lines(*PROSE)), add)


@pytest.mark.parametrize(
    ("height", "notices"), [(50, []), (30, []), (14, ["blocks-overflowing:1"])]
)
def test_a_note_drawn_on_the_page_is_all_there_or_a_notice_says_so(tmp_path, height, notices):
    said = "Experience with databases, more than one may be named"
    out, told = translated(noted(tmp_path / "a.pdf", said, height))
    assert told == notices
    with pikepdf.open(out) as pdf:
        drawn = pdf.pages[0].Annots[0].AP.N.read_bytes()
    baselines = [float(y) for y in re.findall(rb" ([-\d.]+) Tm", drawn)]
    assert (min(baselines) < 0) == bool(notices)


def test_text_over_text_is_counted_beyond_what_was_there(tmp_path):
    once = drawn_pdf(tmp_path / "a.pdf", lines(PROSE[0]))
    crossed = together(lines(PROSE[0]), lines("Another line over it", x=100, top=762))
    twice = drawn_pdf(tmp_path / "b.pdf", crossed)
    data = [path.read_bytes() for path in (once, twice)]
    assert seen(data[0], data[0], data[1]).overlaps == 1
    assert seen(data[1], data[1], data[1]).overlaps == 0
    assert seen(data[0], data[0], data[0]).overlaps == 0
    apart = drawn_pdf(tmp_path / "c.pdf", lines(*PROSE, leading=11)).read_bytes()
    assert seen(data[0], data[0], apart).overlaps == 0


def test_a_sign_nobody_can_read_stays_between_the_texts_beside_it(tmp_path):
    content = b"BT /F1 11 Tf 60 700 Td (Letter) Tj 31 0 Td (\200) Tj 8 0 Td (Telegram) Tj ET"
    path = edited(page_with(tmp_path / "a.pdf", content), private_bullets)
    assert [segment.text for segment in PDF.read(path).segments] == ["Letter", "Telegram"]
    out, notices = translated(path)
    assert [word.overlaps for word in read_pages(out)] == [0]
    assert "signs-lost:1" not in notices
