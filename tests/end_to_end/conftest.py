"""The sample archive, translated once with Apertium by the command, for the tests of each type."""

from __future__ import annotations

import html
import re
import shutil
from pathlib import Path

import pytest

from prism_core.errors import ExitCode
from tests.end_to_end.job import Workplace
from tests.shared_data import shared

SAMPLES = Path(__file__).parents[2] / "data" / "samples"
_ENGLISH = re.compile(r"\b(the|and|is|was|are|were|with|from|this|that|have|has|will|you|our)\b")
_SPANISH = re.compile(r"\b(el|la|los|las|de|del|que|en|un|una|por|con|para|es|se|su|no|al)\b")


@pytest.fixture(scope="session")
def translated(tmp_path_factory: pytest.TempPathFactory) -> Workplace:
    """The samples, one of which is damaged, and an Outlook message."""
    workplace = Workplace(tmp_path_factory.mktemp("samples"))
    workplace.variables["PRISM_TRANSLATOR__SEES"] = "encoded"
    shutil.copytree(SAMPLES, workplace.input)
    note = shared("documents/msg/poi__53784_succeeds.msg")
    (workplace.input / "note.msg").write_bytes(note.read_bytes())
    assert workplace.run() == ExitCode.SOME_DOCUMENTS_FAILED, workplace.printed()
    return workplace


def assert_spanish(text: str) -> None:
    """Spanish by far, with little English left: what could not be restored may stay."""
    lowered = text.lower()
    spanish, english = len(_SPANISH.findall(lowered)), len(_ENGLISH.findall(lowered))
    assert spanish >= 5, text
    assert english <= spanish / 8, f"{english} English words beside {spanish} Spanish ones: {text}"


def assert_kept(names: tuple[str, ...], source: str, output: str) -> None:
    """Each of ``names`` stands in the output, letter by letter, as often as in the source.

    Whatever space is in a name, a line may be broken there.
    """
    source, output = (" ".join(html.unescape(text).split()) for text in (source, output))
    for name in names:
        assert source.count(name) > 0, name
        assert output.count(name) == source.count(name), name
