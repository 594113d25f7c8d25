"""The canary for other languages: nothing planted in documents in them is found outside."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from prism_core.errors import ExitCode
from tests.end_to_end import planted_abroad
from tests.end_to_end.aftermath import left_behind, long_texts_sent, names_of, received
from tests.end_to_end.canary import Searcher
from tests.end_to_end.job import Workplace
from tests.end_to_end.planted_abroad import Planted
from tests.openai_server import OpenAIServer, by_apertium

pytestmark = pytest.mark.slow

PLANTED = {
    "es": planted_abroad.SPANISH,
    "fr": planted_abroad.FRENCH,
    "de": planted_abroad.GERMAN,
}


class Done(NamedTuple):
    """After a run by ``server`` over what was ``planted``."""

    workplace: Workplace
    server: OpenAIServer
    is_translated: bool
    planted: Planted
    secrets: Searcher


@pytest.fixture(scope="module", params=sorted(PLANTED))
def done(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Done]:
    """Spanish by Apertium; what it has no pair for comes back as it was sent."""
    planted = PLANTED[request.param]
    workplace = Workplace(tmp_path_factory.mktemp(request.param), warm=True)
    planted.write(workplace.input)
    is_translated = request.param == "es"
    with OpenAIServer(by_apertium("es", "en") if is_translated else list) as server:
        workplace.use(server)
        flags = ("--from", request.param, "--to", "en", "--experimental", "--accept-losses")
        code = workplace.run(*flags)
        assert code == ExitCode.OK, workplace.printed()
        secrets = Searcher([*planted.names, *planted.numbers, *planted.phrases])
        yield Done(workplace, server, is_translated, planted, secrets)


def test_everything_planted_is_found_in_the_input(done: Done) -> None:
    *_, planted, secrets = done
    found = names_of(secrets.in_folder(done.workplace.input))
    assert found == {*planted.names, *planted.numbers, *planted.phrases}


def test_nothing_planted_is_sent_or_left_behind(done: Done) -> None:
    assert len(long_texts_sent(done.server)) > 5
    assert received(done.server, done.secrets) == set()
    assert left_behind(done.workplace, done.secrets) == set()


def test_names_and_numbers_come_back_and_phrases_as_they_are_answered(done: Done) -> None:
    workplace, _, is_translated, planted, secrets = done
    places: Iterator[Path] = (workplace.output / name for name in workplace.documents())
    found = names_of(set().union(*map(secrets.in_file, places)))
    assert {*planted.names, *planted.numbers} - found == set()
    assert found.isdisjoint(planted.phrases) == is_translated
