from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from prism_core.report import Outcome, ReportFolder
from prism_core.report.notices import read_notices, say_notice
from prism_core.report.page import render_page
from prism_core.report.page_data import SHOWN_DOCUMENTS, read_page_data
from prism_core.report.writing import write_tables
from tests.report.sample_rows import (
    DOCUMENTS,
    FACTS,
    FAILED,
    IDENTIFIERS,
    REQUESTS,
    SENTENCES,
    TRANSLATED,
)


def _page(tmp_path: Path, documents=DOCUMENTS, facts=FACTS, sentences=SENTENCES) -> str:
    written = write_tables(tmp_path, facts, documents, sentences, REQUESTS, IDENTIFIERS)
    return "".join(render_page(written.summary, read_page_data(written.folder)))


class _References(HTMLParser):
    """Collects everything that would make a browser fetch or run something."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attributes) -> None:
        if tag in {"link", "img", "iframe", "object", "embed", "audio", "video", "form"}:
            self.found.append(tag)
        for name, value in attributes:
            if name == "href" and re.fullmatch(r"#[\w-]+|[.][.]/index.html", value):
                continue
            if name in {"src", "href", "srcset", "action", "xlink:href"} or name.startswith("on"):
                self.found.append(f"{name}={value}")
        if tag not in {"meta", "rect", "br", "input"}:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attributes) -> None:
        self.handle_starttag(tag, attributes)

    def handle_endtag(self, tag: str) -> None:
        assert tag == "rect" or self.open.pop() == tag


def test_the_page_is_well_formed_and_refers_to_nothing_outside_itself(tmp_path: Path) -> None:
    page = _page(tmp_path)
    parser = _References()
    parser.feed(page)
    assert parser.found == []
    assert parser.open == []
    assert not re.search(r"https?://|url\(|@import", page)


def test_each_run_has_a_page_and_all_of_them_one_more(tmp_path: Path) -> None:
    for night in ("first", "second"):
        facts = replace(FACTS, run_id=night)
        rows = [replace(row, run_id=night) for row in (*DOCUMENTS, *SENTENCES, *REQUESTS)]
        ReportFolder(tmp_path).write(facts, rows)
    names = sorted(path.name for path in tmp_path.iterdir() if not path.name.startswith("."))
    assert names == ["index.html", "run=first", "run=second"]
    overview = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert overview.index('href="run=second/index.html"') < overview.index('href="run=first/')
    assert (tmp_path / "run=first" / "index.html").is_file()


def test_what_the_operator_wrote_is_text_and_never_markup(tmp_path: Path) -> None:
    page = _page(tmp_path, facts=replace(FACTS, purpose="<script>alert(1)</script>"))
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert" in page


def test_the_guarantee_is_text_with_names_as_code(tmp_path: Path) -> None:
    page = _page(tmp_path, facts=replace(FACTS, guarantee="A <b> and ``threshold``.\n\nMore."))
    assert "<p>A &lt;b&gt; and <code>threshold</code>.</p><p>More.</p>" in page


def test_the_page_never_claims_that_a_law_is_met(tmp_path: Path) -> None:
    page = _page(tmp_path).lower()
    for claim in ("compliant", "compliance", "anonymi", "guaranteed safe", "certif"):
        assert claim not in page


def test_headline_numbers_are_those_of_the_rows(tmp_path: Path) -> None:
    page = _page(tmp_path)
    assert "1 of 2 documents translated from en to es" in page
    assert "27 of 29" in page, "hidden words of those that carry meaning"
    assert "93.1 %" in page
    assert "encrypted" in page
    assert "Remove the password and run again." in page


def test_what_was_not_evaluated_is_said(tmp_path: Path) -> None:
    assert _page(tmp_path).count("Not evaluated in this run") == 3
    evaluated = replace(
        TRANSLATED, identifiers_detected=5, identifiers_remaining=0, privacy_score=0.7
    )
    assert "Not evaluated in this run" not in _page(tmp_path, (evaluated,))


def test_shares_are_not_rounded_into_perfection(tmp_path: Path) -> None:
    almost = replace(TRANSLATED, words_to_restore=100_000, words_restored=99_999)
    page = _page(tmp_path, (almost,))
    assert "&gt; 99.9 %" in page


def test_what_was_restored_by_a_near_form_is_told_from_what_was_found_exactly(
    tmp_path: Path,
) -> None:
    assert "3 of them not as the dictionary has them" in _page(tmp_path)


def test_failures_come_first(tmp_path: Path) -> None:
    page = _page(tmp_path)
    assert page.index(FAILED.document_id) < page.index(TRANSLATED.document_id)


def test_what_to_do_about_one_document_is_not_said_of_others_of_its_class(tmp_path: Path) -> None:
    over = [
        replace(FAILED, document_id=f"over{n}", failure="over-budget", advice=f"By {n}.")
        for n in (1, 2)
    ]
    failed = read_page_data(write_tables(tmp_path, FACTS, [*over, FAILED]).folder).failures
    told = {one.name: (one.advice, one.count) for one in failed}
    assert told[FAILED.failure] == (FAILED.advice, 1)
    assert told["over-budget"] == (
        "Not the same for all of them: each document below has its own.",
        2,
    )


def test_a_large_archive_is_cut_and_the_page_says_so(tmp_path: Path) -> None:
    many = tuple(replace(TRANSLATED, document_id=f"d{i:05}") for i in range(SHOWN_DOCUMENTS + 7))
    page = _page(tmp_path, many)
    assert "7 more are in" in page
    assert page.count('<span class="pill">') == SHOWN_DOCUMENTS
    assert all(f'"{one.document_id}"' in page for one in many), "the script knows them all"


def test_an_empty_run_has_a_page(tmp_path: Path) -> None:
    written = write_tables(tmp_path, FACTS)
    page = "".join(render_page(written.summary, read_page_data(written.folder)))
    assert "0 of 0 documents" in page
    assert "Nothing was sent to anybody." in page


def test_who_received_what_is_added_up_by_host(tmp_path: Path) -> None:
    other = replace(REQUESTS[0], provider="azure", endpoint_host="azure.example", answered_at=None)
    written = write_tables(tmp_path, FACTS, DOCUMENTS, SENTENCES, [*REQUESTS, other])
    first, second = read_page_data(written.folder).receivers
    assert (first.provider, first.requests, first.texts, first.characters) == (
        "apertium",
        2,
        6,
        480,
    )
    assert (second.host, second.requests, second.unanswered) == ("azure.example", 1, 1)


def test_a_translator_that_answered_nothing_is_named_though_another_took_over(
    tmp_path: Path,
) -> None:
    lost = replace(
        REQUESTS[0],
        provider="azure",
        endpoint_host="azure.example",
        outcome="failed",
        failure="no-reply",
        answered_at=None,
    )
    refused = replace(lost, request_id="9", failure="server-error")
    written = write_tables(tmp_path, FACTS, DOCUMENTS, SENTENCES, [*REQUESTS, lost, lost, refused])
    page = "".join(render_page(written.summary, read_page_data(written.folder)))
    told = (
        "azure at azure.example answered nothing: 3 requests, 3 of them without an answer "
        "(no reply: 2, server error: 1)"
    )
    assert f"Find out why {told}." in page
    assert "apertium at localhost answered nothing" not in page


def test_every_value_has_its_bar_and_none_has_two(tmp_path: Path) -> None:
    sizes = [1, 19, 20, 49, 50, 999, 1000, 50_000, None]
    sentences = [
        replace(SENTENCES[0], ordinal=n, pool_smallest=size) for n, size in enumerate(sizes)
    ]
    shares = [0, 49, 50, 80, 99, 100]
    documents = [
        replace(TRANSLATED, document_id=f"d{n:04}", words_to_restore=100, words_restored=share)
        for n, share in enumerate(shares)
    ]
    data = read_page_data(write_tables(tmp_path, FACTS, documents, sentences).folder)
    assert [bar.count for bar in data.pools] == [2, 2, 1, 0, 0, 1, 2]
    assert [bar.count for bar in data.restored] == [2, 1, 1, 0, 1, 1]
    assert max(bar.length for bar in (*data.pools, *data.restored)) == 1


def test_documents_are_listed_worst_first_and_each_once(tmp_path: Path) -> None:
    kept = [n % 7 for n in range(250)]
    documents = [
        *(replace(TRANSLATED, document_id=f"d{n:04}", tokens_kept=k) for n, k in enumerate(kept)),
        replace(FAILED, document_id="failed"),
    ]
    data = read_page_data(write_tables(tmp_path, FACTS, documents).folder)
    stored = list(data.rows(["document_id", "tokens_kept"]))
    rows = [stored[index] for index in data.order.tolist()]
    assert rows[0]["document_id"] == data.worst[0].document_id == "failed"
    assert [row["tokens_kept"] for row in rows[1:]] == sorted(kept, reverse=True)
    assert {row["document_id"] for row in rows} == {one.document_id for one in documents}


def test_what_is_left_is_shown_with_its_reason(tmp_path: Path) -> None:
    page = _page(tmp_path, sentences=[replace(SENTENCES[2], reason="leak"), *SENTENCES[:2]])
    assert '<th scope="row">Not sent</th>' in page
    assert "found an identifier in every draw" in page


def test_an_identifier_that_is_left_is_an_alarm(tmp_path: Path) -> None:
    assert 'class="alarm"' not in _page(tmp_path / "none")
    left = replace(TRANSLATED, identifiers_detected=5, identifiers_remaining=2)
    page = _page(tmp_path / "some", (left,))
    assert 'class="alarm"' in page
    assert "2 were found in what was sent" in page


@pytest.mark.parametrize(("ratio", "said"), [(None, "Threshold"), (0.5, "find their positions")])
def test_the_rule_in_use_is_named_and_the_leak_of_ratio_is_said(tmp_path, ratio, said) -> None:
    assert said in _page(tmp_path, facts=replace(FACTS, ratio=ratio))


def test_a_bound_is_shown_with_what_it_follows_from(tmp_path: Path) -> None:
    bounded = replace(
        FACTS, vocabulary=12_857, replace_probability=0.5, table_probability=0.25, epsilon_word=9.46
    )
    page = _page(tmp_path, (replace(TRANSLATED, epsilon_document=1977.5),), facts=bounded)
    for shown in ("12,857", "9.460", "Probability of the public table", "1977.5"):
        assert shown in page
    assert "its substitute is of the same kind" not in page
    assert "|V|" not in _page(tmp_path / "unbounded")


AWAY = replace(REQUESTS[0], provider="deepl", endpoint_host="api.deepl.com")
GATEWAY = replace(REQUESTS[0], provider="openai", endpoint_host="127.0.0.1")


@pytest.mark.parametrize(
    ("requests", "title", "said"),
    [
        ([], "Nothing left this machine: no translator was asked", "No."),
        (REQUESTS, "Nothing left this machine", "no text went over a network"),
        ([GATEWAY], "Nothing left this machine, as far as PRISM can see", "hands texts on"),
        ([*REQUESTS, AWAY], "Altered text left this machine, to deepl at api.deepl.com", "Yes"),
    ],
)
def test_the_page_opens_with_whether_anything_left_this_machine(
    tmp_path: Path, requests, title: str, said: str
) -> None:
    report = ReportFolder(tmp_path)
    written = report.write(FACTS, DOCUMENTS, SENTENCES, requests)
    page = (written.folder / "index.html").read_text(encoding="utf-8")
    assert f"<h1>{title}</h1>" in page
    found = report.find(FACTS.run_id)
    assert found is not None
    assert found.answer.title == title
    assert said in " ".join(found.answer.points[0][1])
    assert page.index("<h1>") < page.index("In short") < page.index("Figures")


def test_what_is_to_be_done_follows_from_what_the_run_left(tmp_path: Path) -> None:
    report = ReportFolder(tmp_path)
    clean = replace(
        TRANSLATED, sentences_to_look_at=0, places_to_look_at=0, identifiers_remaining=0
    )
    left = replace(
        clean,
        outcome=Outcome.PARTLY,
        identifiers_detected=5,
        identifiers_remaining=2,
        sentences_to_look_at=3,
        places_to_look_at=2,
    )
    to_do = []
    for run, documents in (("clean", [clean]), ("left", [left, FAILED])):
        rows = [replace(row, run_id=run) for row in documents]
        report.write(replace(FACTS, run_id=run), rows, [replace(AWAY, run_id=run)])
        found = report.find(run)
        assert found is not None
        to_do.append(found.answer.to_do)
    assert len(to_do[0]) == 1, "what the operator did not state"
    assert "report.retention, report.region" in to_do[0][0]
    assert [one.split()[0] for one in to_do[1]] == ["Treat", "1", "1", "3", "2", "Ask"]
    assert "2 names, numbers and codes" in to_do[1][0]
    assert to_do[1][2].startswith("1 document is partly in the source language")
    assert to_do[1][3].startswith("3 sentences should be looked at")
    assert to_do[1][4].startswith("2 other places should be looked at")


def test_the_page_says_who_looked_at_it_what_is_kept_and_how_it_is_erased(tmp_path: Path) -> None:
    nobody = _page(tmp_path / "nobody")
    assert "nobody has handed in a review" in nobody
    gone = replace(TRANSLATED, document_id="d0009", outcome=Outcome.GONE, sentences=0)
    page = _page(tmp_path / "some", [replace(TRANSLATED, sentences_reviewed=2), gone])
    assert "Of 4 sentences a person gave or confirmed 2;" in page
    assert "translations of 1 document that are no longer in the archive" in page
    for command in ("state purge OUT", "translate IN OUT --prune", "key rotate OUT --destroy-old"):
        assert f"prism {command}" in page


def test_words_in_clear_are_told_from_grammar_and_marks(tmp_path: Path) -> None:
    page = _page(tmp_path)
    assert "2 words that carry meaning (6.9 % of them) were sent as they are" in page
    assert "7 function words (the, of, not) and 4 punctuation marks" in page


def test_notices_are_said_in_words_with_their_numbers_added_up(tmp_path: Path) -> None:
    noticed = [
        replace(TRANSLATED, document_id=f"d{n:04}", notices=("blocks-shrunk:2", "renamed"))
        for n in range(3)
    ]
    page = _page(tmp_path, noticed)
    assert '<th scope="row" colspan="2">6 paragraphs that were set in smaller letters</th>' in page
    assert "2 paragraphs that were set in smaller letters; written under another name" in page


def test_every_documented_notice_has_its_words() -> None:
    documented = (Path(__file__).parents[2] / "docs" / "notices.md").read_text(encoding="utf-8")
    first_cells = re.findall(r"^\| (`[^|]+) \|", documented, re.M)
    names = {name for cell in first_cells for name in re.findall(r"`([a-z-]+)", cell)}
    assert names <= read_notices().keys()
    assert {one for one in read_notices() if ":" not in one} <= names
    assert say_notice("attachment:too-large") == (
        "an attachment could not be translated and is there as it was (too large)"
    )
    assert say_notice("page-unchanged:3").endswith("rebuilt: 3")
