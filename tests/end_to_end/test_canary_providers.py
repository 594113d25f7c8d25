"""The same through other adapters: nothing that was planted reaches a provider, or stays behind.

One with a library of its own, one with its key in a header, one with its key among the texts, and
one that takes batches;
what a request of each of them holds to the byte: ``tests/translators/test_provider_requests.py``.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from prism_core.errors import ExitCode
from prism_core.resources import models_folder
from tests.end_to_end import planted
from tests.end_to_end.aftermath import SECRETS, left_behind, names_of
from tests.end_to_end.canary import Searcher
from tests.end_to_end.job import Workplace
from tests.openai_batch_server import BatchServer, LineFault
from tests.openai_server import Fault as OpenAIFault
from tests.openai_server import by_apertium
from tests.provider_server import KEY, Fault
from tests.provider_servers import PROVIDERS

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", ["deepl", "google", "libretranslate"])
def test_nothing_planted_reaches_a_provider_or_stays_behind(name: str, tmp_path: Path) -> None:
    apertium = by_apertium()
    kind = PROVIDERS[name]
    with kind(lambda text: apertium([text])[0]) as server:
        server.fail("internal", Fault.TRUNCATED_BODY, Fault.NULL_TEXT)
        workplace = Workplace(tmp_path, warm=True)
        planted.write_letter(workplace.input)
        pace = tmp_path / "shared" / "pace.db"
        given = {"name": name, "base_url": server.url, "shared_pace": pace, "sees": "encoded"}
        given |= kind.SETTINGS
        workplace.variables |= {
            f"PRISM_TRANSLATOR__{setting.upper()}": str(value) for setting, value in given.items()
        }
        workplace.variables[kind.KEY_VARIABLE or "NO_KEY"] = KEY
        assert workplace.run() == ExitCode.OK, workplace.printed()
        sent = {text for batch in server.batches for text in batch}
        assert pace.exists(), "what several processes share is searched too"
        assert_nothing_leaked(workplace, sent, server.received, KEY)


def test_nothing_planted_reaches_a_batch_or_stays_behind(tmp_path: Path) -> None:
    with BatchServer(by_apertium(), looks=2) as server:
        server.endings.extend([3, None])
        server.line_faults.extend([OpenAIFault.BAD_REQUEST, OpenAIFault.NOT_JSON])
        server.line_faults.append(LineFault.GARBAGE)
        server.trouble["look"].extend([OpenAIFault.SERVER_ERROR, OpenAIFault.HTML])
        server.trouble["create"].append(OpenAIFault.LOST_ANSWER)
        workplace = Workplace(tmp_path, warm=True)
        planted.write_letter(workplace.input)
        workplace.use(server, name="openai-batch", poll_seconds=0.1, texts_per_request=5)
        assert workplace.run() == ExitCode.OK, workplace.printed()
        assert_nothing_leaked(workplace, set(server.texts()), server.received, server.key)
        assert server.kept() == []


def assert_nothing_leaked(
    workplace: Workplace, sent: set[str], received: list[bytes], key: str
) -> None:
    """Nothing planted is in what was ``received``, and nothing of it or of ``sent`` is left."""
    assert len(sent) > 10
    assert SECRETS.in_bytes(b"\n\n".join(received), "received") == set()
    long = [text for text in sent if len(re.findall(r"\w", text)) >= 25]
    assert len(long) > 5
    assert left_behind(workplace, Searcher([*planted.ALL, *long, key])) == set()
    shown = names_of(SECRETS.in_folder(workplace.output))
    assert shown, "the names are back in the translation"


def test_nothing_planted_stays_behind_where_a_model_here_translates(tmp_path: Path) -> None:
    workplace = Workplace(tmp_path, warm=True)
    planted.write_letter(workplace.input)
    workplace.variables |= {
        "PRISM_TRANSLATOR__NAME": "firefox",
        "PRISM_TRANSLATOR__SEES": "clear",
        "PRISM_MODELS": str(models_folder()),
    }
    assert workplace.run("--to", "pt") == ExitCode.OK, workplace.printed()
    assert "it was translated here" in workplace.printed()
    assert left_behind(workplace, Searcher(planted.ALL)) == set()
    assert names_of(SECRETS.in_folder(workplace.output)), "the names are in the translation"
