"""The same through other adapters: nothing that was planted reaches a provider, or stays behind.

One with a library of its own, one with its key in a header, and one with its key among the texts;
what a request of each of them holds to the byte: ``tests/translators/test_provider_requests.py``.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from prism_core.errors import ExitCode
from tests.end_to_end import planted
from tests.end_to_end.aftermath import SECRETS, left_behind, names_of
from tests.end_to_end.canary import Searcher
from tests.end_to_end.job import Workplace
from tests.openai_server import by_apertium
from tests.provider_servers import KEY, PROVIDERS, Fault

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", ["deepl", "google", "libretranslate"])
def test_nothing_planted_reaches_a_provider_or_stays_behind(name: str, tmp_path: Path) -> None:
    apertium = by_apertium()
    kind = PROVIDERS[name]
    with kind(lambda text: apertium([text])[0]) as server:
        server.fail("internal", Fault.TRUNCATED_BODY, Fault.NULL_TEXT)
        workplace = Workplace(tmp_path)
        planted.write_letter(workplace.input)
        pace = tmp_path / "shared" / "pace.db"
        given = {"name": name, "base_url": server.url, "shared_pace": pace, **kind.SETTINGS}
        workplace.variables |= {
            f"PRISM_TRANSLATOR__{setting.upper()}": str(value) for setting, value in given.items()
        }
        workplace.variables[kind.KEY_VARIABLE or "NO_KEY"] = KEY
        assert workplace.run() == ExitCode.OK, workplace.printed()
        sent = {text for batch in server.batches for text in batch}
        assert len(sent) > 10
        assert pace.exists(), "what several processes share is searched too"
        assert SECRETS.in_bytes(b"\n\n".join(server.received), name) == set()
        long = [text for text in sent if len(re.findall(r"\w", text)) >= 25]
        assert len(long) > 5
        assert left_behind(workplace, Searcher([*planted.ALL, *long, KEY])) == set()
        shown = names_of(SECRETS.in_folder(workplace.output))
        assert shown, "the names are back in the translation"
