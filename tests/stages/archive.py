"""A small invented archive, a dictionary that fits it, and a job over both.

The translator here spells each word backwards unless it has a capital, and the dictionary knows
that it does. So the right output is the same whatever substitutes are drawn.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from prism_core.dictionary import Entry, Form, save_dictionary
from prism_core.jobs import planning
from prism_core.settings import (
    Job,
    KeySettings,
    MechanismSettings,
    Settings,
    TranslatorSettings,
    new_run_id,
)
from prism_core.settings.sections import DictionarySettings, LimitSettings
from prism_core.translators import Limits, Price
from tests.adapters import put_in_place

NOUNS = (
    "doctor letter hospital garden dog house river teacher window table bottle village bridge "
    "mountain kitchen pencil basket candle farmer soldier market forest blanket hammer ladder "
    "mirror pocket ribbon saddle tunnel valley wagon"
).split()
ADJECTIVES = "old small green heavy quiet narrow empty bright gentle proud rough silent".split()
VERBS = "visited opened painted repaired carried watched cleaned followed counted moved".split()
GIVEN = "Oliver Emma Lucas Sophie Martin Clara Hugo Nora Felix Irene".split()
SURNAMES = "Bennett Carver Dawson Ellison Fletcher Garner Holden Ingram Jarvis Keller".split()
PLACES = "Lisbon Vienna Oslo Geneva Prague Dublin Athens Madrid Turin Malta".split()

TEXTS = {
    "letters/first.txt": (
        "The old doctor opened the heavy window. Anna Quibble visited the garden.\n\n"
        "The teacher carried the small basket to the village. The dog followed the farmer.\n"
    ),
    "letters/second.txt": (
        "The dog followed the farmer. The soldier repaired the narrow bridge.\n\n"
        "Anna Quibble painted the kitchen.\n"
    ),
    "notes.txt": (
        "The quiet farmer cleaned the table. The gentle teacher watched the river.\n\n1987\n\n"
        "The proud soldier moved the ladder.\n"
    ),
}
NAME = "Quibble"
DISTINCT = 9
"""Different sentences in ``TEXTS``: one occurs twice, and a number is never sent."""

_WORD = re.compile(r"[^\W\d_]+")


def backwards(text: str) -> str:
    """What the translator makes of a text: it has one article for *a* and *an*."""
    text = re.sub(r"\ban\b", "a", text)
    return _WORD.sub(lambda m: m[0][::-1] if m[0].islower() else m[0], text)


EXPECTED = {name: backwards(text).encode() for name, text in TEXTS.items()}
"""What ``outputs`` of a complete run over ``TEXTS`` are."""


class Backwards:
    """A translator that notes on disk every text it gets, before it answers.

    ``before`` and ``after`` are called with the number of the request, from 1, when it has arrived
    and when the answer is about to leave: tests raise errors and kill the process there.
    """

    name = "backwards"
    endpoint = "localhost"
    price: Price | None = None

    def __init__(self, log: Path, before: Hook = lambda _n: None, after: Hook = lambda _n: None):
        self.limits = Limits(texts_per_request=3, characters_per_request=10_000)
        self._log, self._before, self._after = log, before, after

    async def translate(self, texts: Sequence[str], _source: str, _target: str) -> list[str]:
        with self._log.open("a") as file:
            file.write(json.dumps(list(texts)) + "\n")
        number = len(received(self._log))
        self._before(number)
        answers = [backwards(text) for text in texts]
        self._after(number)
        return answers

    async def close(self) -> None:
        pass


Hook = Callable[[int], None]


def install(translator: Backwards) -> None:
    """Let every job with the fake translator use this one."""
    put_in_place("fake", lambda _settings, _source, _target: translator)


def received(log: Path) -> list[list[str]]:
    """The texts of each request that arrived."""
    return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []


def texts_received(log: Path) -> list[str]:
    """The texts of all requests that arrived, in their order."""
    return [text for request in received(log) for text in request]


def make_dictionary(path: Path) -> Path:
    """Entries for the words above: names stay, the others have one form, spelled backwards."""
    tagged = [(NOUNS, "NN"), (ADJECTIVES, "JJ"), (VERBS, "VBD")]
    entries = [_entry(word, tag, word[::-1]) for words, tag in tagged for word in words]
    names = [(GIVEN, "GIVEN"), (SURNAMES, "SURNAME"), (PLACES, "PLACE")]
    entries += [_entry(name, tag, name) for group, tag in names for name in group]
    save_dictionary(entries, {"translator": "reverse"}, path)
    return path


def _entry(word: str, tag: str, form: str) -> Entry:
    return Entry(word, tag, (Form(form, 1.0),), "", 1.0, 0.0)


def write_archive(folder: Path, texts: Mapping[str, str] = TEXTS) -> Path:
    """The documents of ``texts`` as files."""
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def make_job(folder: Path, **changes: object) -> Job:
    """A job over ``folder/in`` and ``folder/out``; ``changes`` replace sections of the settings.

    Draws are uniform, so that two of its short sentences are hardly ever encoded alike: tests count
    what is sent.
    """
    sections: dict[str, object] = {
        "dictionary": DictionarySettings(path=folder / "dictionary.parquet"),
        "mechanism": MechanismSettings.choose(threshold=0.5, minimum_pool=2, draws="uniform"),
        "translator": TranslatorSettings.choose(name="fake", style="reverse", texts_per_request=3),
        "key": KeySettings(file=folder / "key"),
        "limits": LimitSettings(chunk_documents=2, workers=1),
    }
    if not (folder / "dictionary.parquet").exists():
        make_dictionary(folder / "dictionary.parquet")
    settings = Settings.model_validate(sections | changes)
    return Job(input=folder / "in", output=folder / "out", settings=settings)


def rehearse(job: Job, samples: int = 0) -> planning.Plan:
    """What a run of ``job`` would send to its first translator; nothing is sent."""
    return planning.plan(job, [job.settings.translator], samples)


def again(job: Job, **changes: object) -> Job:
    """The next run over the same folders; ``changes`` replace sections of the settings."""
    settings = job.settings.model_copy(update=changes)
    return job.model_copy(update={"run_id": new_run_id(), "settings": settings})


def outputs(job: Job) -> dict[str, bytes]:
    """The documents in the output folder, by relative path."""
    own = {job.state_folder, job.report_folder}
    found = {}
    for folder, _, files in os.walk(job.output):
        if not any(Path(folder).is_relative_to(one) for one in own):
            for name in files:
                path = Path(folder) / name
                found[str(path.relative_to(job.output))] = path.read_bytes()
    return found
