"""The page for reviewers, in a real browser; and who may ask its server for anything."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import httpx2
import pytest

from prism_core.cat.review import Correction, Reason, ReviewUnit
from prism_core.cat.review.web_server import make_app
from prism_core.errors import StoreInUse
from prism_core.translation_memory import FuzzyMatch
from tests.browser import Page, browser
from tests.served import served as serve

TOKEN = "a-token-that-is-told"
UNITS = [
    ReviewUnit("a1", "b.txt", "paragraph 1", "All <b>is</b> well.", "", Reason.WITHHELD, "leak"),
    ReviewUnit(
        *("a2", "c.txt", "cell 3", "One two.", "Uno two.", Reason.UNTRANSLATED),
        match=FuzzyMatch(80, "One three.", "Uno tres.", (("two", "three"),)),
        causes=(((4, 7),), ((4, 7),)),
        around=("a3", "a2", "a4"),
    ),
    ReviewUnit("a3", "c.txt", "cell 2", "Before \U0001f600.", "Antes.", Reason.TRANSLATED),
    ReviewUnit("a4", "c.txt", "cell 4", "After.", "Después.", Reason.TRANSLATED),
]


@dataclass
class Person:
    """What the server passed on."""

    taken: list[Correction] = field(default_factory=list)
    busy: bool = False
    finished: int = 0

    def take(self, correction: Correction) -> None:
        if self.busy:
            raise StoreInUse("another run is at work")
        self.taken.append(correction)

    def finish(self) -> str:
        self.finished += 1
        return "2 documents were written."


@contextmanager
def served(person: Person) -> Iterator[str]:
    with serve(make_app(UNITS, person.take, person.finish, TOKEN)) as address:
        yield address


def post(address: str, path: str, said: object) -> httpx2.Response:
    headers = {"Origin": address, "Content-Type": "application/json"}
    return httpx2.post(
        f"{address}/{TOKEN}/{path}", content=json.dumps(said).encode(), headers=headers
    )


def test_who_has_no_token_or_comes_by_another_name_gets_nothing() -> None:
    with served(Person()) as address:
        assert httpx2.get(f"{address}/{TOKEN}/units").status_code == 200
        for path in ("/", "/units", "/another-token/units", f"/{TOKEN}x/units"):
            assert httpx2.get(address + path).status_code == 404
        headers = {"Host": "evil.example"}
        assert httpx2.get(f"{address}/{TOKEN}/units", headers=headers).status_code == 400
        page = httpx2.get(f"{address}/{TOKEN}/")
        assert "default-src 'none'" in page.headers["Content-Security-Policy"]


@pytest.mark.parametrize(
    "said", [{}, [], None, {"id": "zz", "translation": "x"}, {"id": "a1"}, {"id": ["a1"]}]
)
def test_what_is_no_sentence_of_the_review_is_not_taken(said: object) -> None:
    person = Person()
    with served(person) as address:
        assert post(address, "accept", said).status_code == 400
    assert person.taken == []


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Origin": "http://localhost:1", "Sec-Fetch-Site": "same-site"},
        {"Origin": "https://evil.example", "Sec-Fetch-Site": "same-origin"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Origin": "OWN", "Sec-Fetch-Site": "same-site"},
    ],
)
def test_who_has_the_token_but_is_not_the_page_changes_nothing(headers: dict[str, str]) -> None:
    person = Person()
    with served(person) as address:
        given = {"Origin": "", **headers}
        given["Origin"] = given["Origin"].replace("OWN", address)
        given = {name: value for name, value in given.items() if value}
        for path in ("accept", "finish"):
            said = {"id": "a2", "translation": "Uno dos."}
            answer = httpx2.post(f"{address}/{TOKEN}/{path}", json=said, headers=given)
            assert (answer.status_code, list(answer.json())) == (403, ["error"])
    assert (person.taken, person.finished) == ([], 0)


@pytest.mark.parametrize("headers", [{"Origin": "OWN"}, {"Sec-Fetch-Site": "same-origin"}])
def test_the_page_is_told_by_either_header_that_browsers_send(headers: dict[str, str]) -> None:
    person = Person()
    with served(person) as address:
        given = {name: value.replace("OWN", address) for name, value in headers.items()}
        said = {"id": "a2", "translation": "Uno dos."}
        answer = httpx2.post(f"{address}/{TOKEN}/accept", json=said, headers=given)
        assert answer.status_code == 200
    assert [one.translation for one in person.taken] == ["Uno dos."]


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", ""])
def test_what_a_form_of_another_page_could_send_is_refused(kind: str) -> None:
    person = Person()
    with served(person) as address:
        for path in ("accept", "finish"):
            content = b'{"id": "a2", "translation": "Uno dos."}'
            headers = {"Origin": address, "Content-Type": kind}
            answer = httpx2.post(f"{address}/{TOKEN}/{path}", content=content, headers=headers)
            assert answer.status_code == 415
    assert (person.taken, person.finished) == ([], 0)


def test_a_text_of_more_than_a_megabyte_is_refused_with_its_reason() -> None:
    person = Person()
    with served(person) as address:
        largest = {"id": "a2", "translation": "x" * (2**20 - 40)}
        assert post(address, "accept", largest).status_code == 200
        for size in (2**20, 2**24):
            answer = post(address, "accept", {"id": "a2", "translation": "x" * size})
            assert answer.status_code == 413
            assert "1 MB" in answer.json()["error"]
    assert len(person.taken) == 1


@pytest.mark.parametrize("hidden", ["\0", "\u202e", "\u2066", "\u2069"])
def test_a_text_that_is_cut_or_turned_round_is_refused_by_the_name_of_its_character(
    hidden: str,
) -> None:
    person = Person()
    with served(person) as address:
        answer = post(address, "accept", {"id": "a2", "translation": f"Uno{hidden} dos."})
        assert answer.status_code == 422
        assert f"U+{ord(hidden):04X}" in answer.json()["error"]
        assert "Uno" not in answer.text
    assert person.taken == []


def test_a_person_reviews_with_the_keyboard_alone() -> None:
    person = Person()
    with served(person) as address, browser() as page:
        page.visit(f"{address}/{TOKEN}/")
        page.wait("document.getElementById('where').textContent == 'b.txt'")
        assert shown(page) == [(UNITS[0].source, "")]
        assert page.value("document.getElementById('match').hidden")
        page.type("Todo bien.")
        page.press("Enter", control=True)
        page.wait("document.getElementById('where').textContent == 'c.txt'")
        field = "document.getElementById('translation').value"
        assert page.value(field) == "Uno two."
        match = "document.getElementById('match').innerText"
        assert page.value(match).startswith("Memory, 80 %: two ← three")
        page.value("document.getElementById('take').click()")
        assert page.value(field) == "Uno tres."
        page.value(f"{field} = 'Uno \\u202edos.'")
        page.press("Enter", control=True)
        page.wait("document.getElementById('said').textContent.endsWith('U+202E')")
        page.value(f"{field} = 'Uno two.'")
        person.busy = True
        page.press("Enter", control=True)
        page.wait("document.getElementById('said').textContent == 'another run is at work'")
        person.busy = False
        page.press("Enter", control=True)
        page.wait("document.getElementById('count').textContent == '2 of 2 done'")
        page.value("document.getElementById('finish').click()")
        page.wait("document.getElementById('said').textContent.startsWith('2 documents')")
        assert all(url.startswith(address) for url in page.requests.values())
        assert not [said for said in page.complaints if "409" not in said and "422" not in said]
    assert [(one.id, one.translation) for one in person.taken] == [
        ("a1", "Todo bien."),
        ("a2", "Uno two."),
    ]
    assert person.finished == 1


def test_a_sentence_is_found_and_stands_between_its_neighbours_with_its_doubtful_words() -> None:
    with served(Person()) as address, browser() as page:
        page.visit(f"{address}/{TOKEN}/")
        page.wait("document.getElementById('list').options.length == 2")
        page.press("s", alt=True)
        page.type("TWO")
        page.wait("document.getElementById('found').textContent == '1 of 4 sentences'")
        page.wait("document.getElementById('where').textContent == 'c.txt'")
        assert shown(page) == [
            ("Before \U0001f600.", "Antes."),
            ("One two.", "Uno two."),
            ("After.", "Después."),
        ]
        marks = "[...document.querySelectorAll('mark')].map((mark) => mark.textContent).join()"
        assert page.value(marks) == "two,two"
        page.value("document.getElementById('translation').focus()")
        page.type(" Hoy.")
        assert shown(page)[1] == ("One two.", "Uno two. Hoy."), "the preview follows the typing"

        page.value("document.getElementById('query').value = ''")
        page.value("document.getElementById('all').click()")
        page.wait("document.getElementById('list').options.length == 4")
        page.value("document.getElementById('document').value = 'c.txt'")
        page.value("document.getElementById('document').dispatchEvent(new Event('change'))")
        page.wait("document.getElementById('list').options.length == 3")
        page.value("document.getElementById('list').focus()")
        page.press("ArrowDown")
        page.wait("document.getElementById('translation').value == 'Antes.'")
        page.press("ArrowDown")
        page.wait("document.getElementById('translation').value == 'Después.'")
        page.press("Enter")
        assert page.value("document.activeElement.id") == "translation"
        page.press("ArrowUp", alt=True)
        page.press("ArrowUp", alt=True)
        page.wait("document.getElementById('translation').value == 'Uno two. Hoy.'")
        assert page.complaints == []


def shown(page: Page) -> list[tuple[str, str]]:
    """The sentences of the preview with their translations."""
    cells = "[...document.querySelectorAll('#preview td')].map((cell) => cell.textContent)"
    texts = iter(page.value(cells))
    return list(zip(texts, texts, strict=True))
