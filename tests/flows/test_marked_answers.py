"""A whole run whose translator uses words that no dictionary has, and says where they stand."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from prism_core.errors import QuotaExhausted
from prism_core.jobs import translate
from prism_core.settings import Job
from prism_core.translators.alignment_tags import words_to_mark
from tests.loopback import Request
from tests.openai_server import OpenAIServer
from tests.provider_server import KEY, ProviderServer
from tests.provider_servers import (
    Azure2026Server,
    AzureServer,
    DeepLServer,
    GoogleServer,
    LibreServer,
)
from tests.stages.archive import (
    ADJECTIVES,
    EXPECTED,
    NOUNS,
    TEXTS,
    VERBS,
    again,
    backwards,
    make_job,
    outputs,
    rehearse,
    write_archive,
)

KNOWN = frozenset((*NOUNS, *ADJECTIVES, *VERBS))
"""The words that have substitutes."""
SENTENCES = [line for text in TEXTS.values() for line in re.split(r"(?<=\.)\s+", text.strip())]


def in_other_words(text: str) -> str:
    """What the translator makes of a text: for each word with substitutes one that no dictionary
    has, and for all others what is expected."""

    def word(match: re.Match[str]) -> str:
        known = match[0] in KNOWN
        return codecs.encode(match[0], "rot13") if known else backwards(match[0])

    return re.sub(r"[^\W\d_]+", word, text)


def written(job: Job) -> dict[str, bytes]:
    """What was written, in the dictionary's words: one that stood for itself stays as it came."""
    as_known = {codecs.encode(word, "rot13"): backwards(word) for word in KNOWN}
    pattern = re.compile(rf"\b(?:{'|'.join(as_known)})\b")
    return {
        name: pattern.sub(lambda match: as_known[match[0]], content.decode()).encode()
        for name, content in outputs(job).items()
    }


@pytest.fixture
def open_server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., ProviderServer]]:
    with ExitStack() as running:

        def opened(kind: type[ProviderServer]) -> ProviderServer:
            assert kind.KEY_VARIABLE
            monkeypatch.setenv(kind.KEY_VARIABLE, KEY)
            server: ProviderServer = running.enter_context(kind(in_other_words))
            return server

        yield opened


def job_with(folder: Path, server: ProviderServer | OpenAIServer, **settings: object) -> Job:
    write_archive(folder / "in")
    return make_job(folder, translator=server.settings(**settings))


def without_tags(server: ProviderServer) -> list[str]:
    """What each text that arrived says, in the order of arrival."""
    return [re.sub("<[^>]*>", "", text) for texts in server.batches for text in texts]


def test_words_come_back_by_the_alignment_of_the_answer(
    tmp_path: Path, open_server: Callable[..., ProviderServer]
) -> None:
    server = open_server(AzureServer)
    job = job_with(tmp_path, server)
    summary = translate(job)
    assert written(job) == EXPECTED
    assert summary.sentences_withheld == 0
    sent = without_tags(server)
    assert len(sent) == len(set(sent)) == summary.sentences_translated  # each was sent once


def test_without_it_they_do_not(tmp_path: Path, open_server: Callable[..., ProviderServer]) -> None:
    job = job_with(tmp_path, open_server(AzureServer), marks="never")
    assert translate(job).sentences_withheld > 0
    assert outputs(job) != EXPECTED


@pytest.mark.parametrize("kind", [DeepLServer, GoogleServer, Azure2026Server])
def test_what_is_lost_is_asked_for_once_more_with_all_its_words_marked(
    tmp_path: Path, open_server: Callable[..., ProviderServer], kind: type[ProviderServer]
) -> None:
    server = open_server(kind)
    job = job_with(tmp_path, server)
    summary = translate(job)
    assert written(job) == EXPECTED
    plain = [text for texts in server.batches for text in texts if "<" not in text]
    marked = [text for texts in server.batches for text in texts if "<" in text]
    assert len(plain) == len(set(plain)) == summary.sentences_translated
    assert {re.sub("<[^>]*>", "", text) for text in marked} == set(plain)  # nothing new is shown
    for text in marked:
        bare = re.sub("<[^>]*>", "", text)
        assert re.findall(r"<(?:w|a|span) [^>]*>([^<]*)<", text) == [
            bare[slice(*word)] for word in words_to_mark(bare, "en")
        ]


class Stingy(DeepLServer):
    """Its quota ends where marks begin."""

    open_handed = False

    def understood(self, request: Request) -> list[str] | str:
        refused = self.takes_tags(request) and not self.open_handed
        return "quota" if refused else super().understood(request)


def test_a_run_that_was_stopped_goes_on_with_marks_and_asks_nothing_twice(
    tmp_path: Path, open_server: Callable[..., ProviderServer]
) -> None:
    server = open_server(Stingy)
    job = job_with(tmp_path, server)
    with pytest.raises(QuotaExhausted):
        translate(job)
    server.open_handed = True
    summary = translate(again(job))
    assert written(job) == EXPECTED
    plain = [text for texts in server.batches for text in texts if "<" not in text]
    marked = [text for texts in server.batches for text in texts if "<" in text]
    assert len(plain) == len(set(plain)) == summary.sentences_translated
    assert len(marked) == len(set(marked)) <= len(plain)


def test_always_marks_the_first_request_already(
    tmp_path: Path, open_server: Callable[..., ProviderServer]
) -> None:
    server = open_server(LibreServer)
    job = job_with(tmp_path, server, marks="always")
    summary = translate(job)
    assert written(job) == EXPECTED
    assert len(without_tags(server)) == summary.sentences_translated
    assert all("<span id=" in text for texts in server.batches for text in texts)


def test_a_model_says_which_of_its_words_stand_for_which(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with OpenAIServer(lambda texts: [in_other_words(text) for text in texts]) as server:
        monkeypatch.setenv("OPENAI_API_KEY", server.key)
        job = job_with(tmp_path, server)
        summary = translate(job)
        assert written(job) == EXPECTED
        sent = [text for texts in server.batches for text in texts]
        assert len(sent) == 2 * len(set(sent)) == 2 * summary.sentences_translated


LIES: dict[str, Callable[[str], str]] = {
    "all dropped": lambda answer: re.sub("<[^>]*>", "", answer),
    "all empty": lambda answer: re.sub(r"(<w [^>]*>)([^<]*)(</w>)", r"\2\1\3", answer),
    "all doubled": lambda answer: re.sub(r"(<w [^>]*>)([^<]*)(</w>)", r"\1\2\3, \1\2\3", answer),
    "one for all": lambda answer: re.sub(r'i="\d+"', 'i="1"', answer),
    "nested": lambda answer: re.sub(r"</w>(\W+)(<w [^>]*>)", r"\1\2", answer) + "</w>" * 9,
    "one letter short": lambda answer: re.sub(r"(\w)</w>", r"</w>\1", answer),
    "one letter late": lambda answer: re.sub(r"(<w [^>]*>)(\w)", r"\2\1", answer),
    "blanks lost": lambda answer: answer.replace(" <w", "<w"),
    "not closed": lambda answer: answer.replace("</w>", "", 1),
    "another element": lambda answer: f"<p>{answer}</p>",
}


@pytest.mark.parametrize("lie", LIES)
def test_tags_that_lie_put_nothing_wrong_into_a_document(
    tmp_path: Path, open_server: Callable[..., ProviderServer], lie: str
) -> None:
    """A sentence is as it should be, or as it was in the source."""
    server = open_server(DeepLServer)
    server.lie = LIES[lie]
    job = job_with(tmp_path, server)
    translate(job)
    good = {*SENTENCES, *map(backwards, SENTENCES)}
    for content in outputs(job).values():
        for sentence in re.split(r"(?<=\.)\s+", content.decode().strip()):
            assert sentence in good


def test_marks_that_are_billed_are_in_the_plan(
    tmp_path: Path, open_server: Callable[..., ProviderServer]
) -> None:
    server = open_server(GoogleServer)
    plain = rehearse(job_with(tmp_path, server, marks="lost")).rows[0].expected
    marked = rehearse(job_with(tmp_path, server, marks="always")).rows[0].expected
    assert marked.characters > 2 * plain.characters
    assert (marked.cost or 0) > 2 * (plain.cost or 0) > 0
    free = rehearse(job_with(tmp_path, open_server(DeepLServer), marks="always")).rows[0].expected
    assert free.characters < marked.characters / 2
