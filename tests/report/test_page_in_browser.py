"""The audit page as a person meets it: in a browser, with the keyboard, in print, in the dark."""

from __future__ import annotations

import io
import itertools
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from unicodedata import normalize

import pytest
from pypdf import PdfReader

from prism_core.report import ReportFolder
from prism_core.report.page import shown_columns
from tests.browser import Page, browser
from tests.report.sample_rows import (
    DOCUMENTS,
    FACTS,
    FAILED,
    IDENTIFIERS,
    NOON,
    REQUESTS,
    RUN,
    SENTENCES,
    TRANSLATED,
)

MANY = 450
READABLE = 4.5
"""The contrast that WCAG 2 asks of text at level AA."""

_CONTRAST = """(() => {
  const TEXTS = "p, dt, th, td, a, button, label, span, h1, h2, caption, li, code";
  const numbers = color => (color.match(/[\\d.]+/g) || []).map(Number);
  const light = color => {
    const [r, g, b] = numbers(color).map(one => { const s = one / 255;
      return s <= 0.03928 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4; });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = element => {
    for (let at = element; at; at = at.parentElement) {
      const color = getComputedStyle(at).backgroundColor;
      if (numbers(color).length < 4 || numbers(color)[3] > 0) return color;
    }
    return "rgb(255, 255, 255)";
  };
  let worst = 99, where = "";
  for (const element of document.querySelectorAll(TEXTS)) {
    if (!element.textContent.trim() || !element.offsetParent || element.disabled) continue;
    const [a, b] = [light(getComputedStyle(element).color), light(behind(element))];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (contrast < worst) { worst = contrast; where = element.outerHTML.slice(0, 120); }
  }
  return [worst, where];
})()"""


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three nights; the last with many documents."""
    folder = tmp_path_factory.mktemp("report")
    for night, count in enumerate((0, 0, MANY)):
        run = f"{RUN}-{night}"
        facts = replace(FACTS, run_id=run, finished_at=NOON + timedelta(days=night))
        more = [
            replace(
                TRANSLATED, run_id=run, document_id=f"m{n:05}", tokens=50 + n, tokens_kept=13 + n
            )
            for n in range(count)
        ]
        rows = (DOCUMENTS, SENTENCES, IDENTIFIERS, REQUESTS)
        ours = [[replace(row, run_id=run) for row in table] for table in rows]
        ReportFolder(folder).write(facts, [*ours[0], *more], *ours[1:])
    return folder


@pytest.fixture(scope="module")
def chromium() -> Iterator[Page]:
    with browser() as page:
        yield page


@pytest.fixture
def page(chromium: Page, report: Path) -> Page:
    chromium.complaints.clear()
    chromium.look()
    chromium.call("Emulation.setScriptExecutionDisabled", value=False)
    chromium.open(report / f"run={RUN}-2" / "index.html")
    return chromium


def rows(page: Page) -> list[str]:
    """The first cell of each row of the table of documents."""
    cells = "[...document.querySelectorAll('#documents tbody tr')].map(r => r.cells[0].innerText)"
    return list(page.value(cells))


def test_nothing_is_fetched_and_nothing_is_complained_of(page: Page, report: Path) -> None:
    page.open(report / "index.html")
    assert page.complaints == []
    assert list(page.requests.values()) == [(report / "index.html").as_uri()]
    page.open(report / f"run={RUN}-2" / "index.html")
    assert page.complaints == []
    assert len(page.requests) == 1


def test_what_slips_in_as_markup_neither_runs_nor_fetches(page: Page) -> None:
    page.value(
        "document.body.insertAdjacentHTML('beforeend', "
        '\'<img src="https://example.org/x.png" onerror="window.bad=1">\')'
    )
    page.value(
        "document.body.append(Object.assign(document.createElement('script'), "
        "{textContent: 'window.worse=1'}))"
    )
    assert page.value("[window.bad, window.worse].filter(Boolean).length") == 0
    assert not [url for url in page.requests.values() if url.startswith("http")]


def test_all_documents_can_be_paged_through(page: Page) -> None:
    assert len(rows(page)) == 200
    assert "1 to 200 of 452" in page.value("document.getElementById('count').innerText")
    page.value("document.getElementById('after').click()")
    page.value("document.getElementById('after').click()")
    assert len(rows(page)) == 52
    assert page.value("document.getElementById('after').disabled") is True


def test_a_column_is_sorted_with_the_keyboard_alone(page: Page) -> None:
    page.value("document.querySelector('th[data-key=tokens] button').focus()")
    page.press("Enter")
    assert page.value("document.querySelector('th[data-key=tokens]').ariaSort") == "ascending"
    assert rows(page)[0] == FAILED.document_id
    page.press("Space")
    assert page.value("document.querySelector('th[data-key=tokens]').ariaSort") == "descending"
    assert rows(page)[0] == f"m{MANY - 1:05}"


def test_the_first_tab_leads_past_the_head_of_the_page(page: Page) -> None:
    page.press("Tab")
    assert page.value("document.activeElement.className") == "skip"
    page.press("Enter")
    assert page.value("location.hash") == "#content"


def test_documents_are_found_by_outcome_and_by_words(page: Page) -> None:
    page.value(
        "(() => { const o = document.getElementById('outcome'); o.value = 'failed';"
        "o.dispatchEvent(new Event('change')) })()"
    )
    assert rows(page) == [FAILED.document_id]
    page.value(
        "(() => { const o = document.getElementById('outcome'); o.value = '';"
        "o.dispatchEvent(new Event('change'));"
        "const f = document.getElementById('find'); f.value = 'M00007';"
        "f.dispatchEvent(new Event('input')) })()"
    )
    assert rows(page) == ["m00007"]


def test_a_document_has_a_page_that_can_be_linked_to_and_printed(page: Page, report: Path) -> None:
    file = report / f"run={RUN}-2" / "index.html"
    page.open(report / "index.html")
    page.open(file, f"#d={TRANSLATED.document_id}")
    shown = page.value("document.getElementById('detail').innerText")
    assert f"Document {TRANSLATED.document_id}" in shown
    assert "27 of 27 (100 %)" in shown
    assert "13 of 40 (32.5 %)" in shown
    assert "∞" not in shown
    assert [line.label for line in shown_columns() if line.label not in shown] == []
    assert "name" in shown
    assert page.value("document.activeElement.id") == "detail-heading"
    text = "".join(p.extract_text() for p in PdfReader(io.BytesIO(page.printed())).pages)
    assert f"Document {TRANSLATED.document_id}" in text
    assert "m00001" not in text


def test_without_scripts_the_page_says_the_same(page: Page, report: Path) -> None:
    page.open_without_scripts(report / f"run={RUN}-2" / "index.html")
    assert page.value("document.getElementById('controls').hidden") is True
    assert len(rows(page)) == MANY + 2
    assert rows(page)[0] == FAILED.document_id


@pytest.mark.parametrize("dark", [False, True])
def test_every_text_can_be_read(page: Page, report: Path, dark: bool) -> None:
    for file in (report / "index.html", report / f"run={RUN}-2" / "index.html"):
        page.open(file)
        page.look(dark=dark)
        contrast, where = page.value(_CONTRAST)
        assert contrast >= READABLE, where


def test_a_narrow_screen_needs_no_scrolling_to_the_side(page: Page, report: Path) -> None:
    page.look(width=320)
    assert page.value("document.documentElement.scrollWidth") <= 320
    page.open(report / "index.html")
    assert page.value("document.documentElement.scrollWidth") <= 320


def test_print_shows_every_section_and_no_controls(page: Page) -> None:
    text = "".join(p.extract_text() for p in PdfReader(io.BytesIO(page.printed())).pages)
    printed = normalize("NFKC", text).replace(" ", "").replace("\n", "")
    for heading in page.value("[...document.querySelectorAll('main h2')].map(h => h.innerText)"):
        assert heading.replace(" ", "") in printed, heading
    assert "Previous 200" not in text


def test_headings_and_tables_tell_a_screen_reader_where_it_is(page: Page) -> None:
    levels = page.value("[...document.querySelectorAll('h1,h2,h3')].map(h => +h.tagName[1])")
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(next_one <= one + 1 for one, next_one in itertools.pairwise(levels))
    unnamed = "[...document.querySelectorAll('thead th')].filter(h => h.scope !== 'col').length"
    assert page.value(unnamed) == 0
    assert page.value("document.querySelectorAll('main, header').length") == 2
    assert (
        page.value(
            "[...document.querySelectorAll('svg')].every("
            "s => s.ariaHidden === 'true' || s.ariaLabel)"
        )
        is True
    )


def test_the_nights_are_shown_side_by_side_and_lead_to_their_pages(
    page: Page, report: Path
) -> None:
    page.open(report / "index.html")
    links = page.value(
        "[...document.querySelectorAll('td a, th a')].map(a => a.getAttribute('href'))"
    )
    assert links == [f"run={RUN}-{night}/index.html" for night in (2, 1, 0)]
    assert page.value("document.querySelectorAll('svg.trend').length") >= 6
    assert all((report / link).is_file() for link in links)
