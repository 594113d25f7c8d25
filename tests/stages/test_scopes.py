"""Within what equal identifiers get equal surrogates, in a run over HTTP as the settings say."""

from __future__ import annotations

from pathlib import Path

import pytest

from prism_core.jobs import translate
from prism_core.settings.sections import IdentifierSettings
from tests.provider_server import KEY
from tests.provider_servers import LibreServer
from tests.stages.archive import backwards, make_job, outputs, write_archive

NAME = "Zorblat"
VERBS = "visited painted repaired watched cleaned followed carried counted".split()
NOUNS = "garden kitchen bridge river table window basket wagon".split()
LETTERS = {
    f"{letter}.txt": "\n\n".join(
        f"{NAME} {verb} the {noun} near the {letter}."
        for verb, noun in zip(VERBS, NOUNS, strict=True)
    )
    + "\n"
    for letter in ("village", "mountain", "forest")
}


def surrogates(folder: Path, monkeypatch: pytest.MonkeyPatch, consistency: str) -> list[str]:
    """What stood for the one name of the archive, for each sentence."""
    monkeypatch.setenv("LIBRETRANSLATE_API_KEY", KEY)
    write_archive(folder / "in", LETTERS)
    with LibreServer(backwards) as server:
        settings = IdentifierSettings.model_validate({"consistency": consistency})
        job = make_job(folder, translator=server.settings(), identifiers=settings)
        translate(job)
        sent = [text for batch in server.batches for text in batch]
    assert outputs(job) == {name: backwards(text).encode() for name, text in LETTERS.items()}
    return [text.split()[0] for text in sent]


@pytest.mark.parametrize(
    ("consistency", "least", "most"), [("sentence", 5, 24), ("document", 2, 3), ("archive", 1, 1)]
)
def test_one_name_has_as_many_surrogates_as_there_are_scopes(
    consistency, least, most, tmp_path, monkeypatch
) -> None:
    """Three documents of eight sentences with one name; two may draw the same by chance."""
    tried = [surrogates(tmp_path / str(n), monkeypatch, consistency) for n in range(3)]
    assert {len(found) for found in tried} == {24}
    assert not any(NAME in found for found in tried)
    counts = [len(set(found)) for found in tried]
    assert least <= max(counts) <= most


def test_another_archive_has_other_surrogates(tmp_path, monkeypatch) -> None:
    drawn = {surrogates(tmp_path / str(number), monkeypatch, "archive")[0] for number in range(4)}
    assert len(drawn) > 1
