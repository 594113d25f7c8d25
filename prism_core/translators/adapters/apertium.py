"""Apertium: a translator on this machine, rule-based, free, without a network.

The installed mode file says which programs make up a translation (``eng-spa.mode``); they are
started once and kept, in null-flush mode. A pair without a mode goes by way of a language that has
both (English to Portuguese by Spanish). The ``apertium`` script itself is not used: it buffers
in null-flush mode, so a long-running conversation with it stalls.

Entry: ``ApertiumTranslator.translate``; then ``to_stream`` -> ``_Engine``, of one
``ProgramPipe`` or three -> ``from_stream``.
"""

from __future__ import annotations

import asyncio
import os
import re
import shlex
import shutil
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from prism_core.errors import BadAnswer, Misconfigured
from prism_core.settings import TERMS, TranslatorSettings
from prism_core.translators.base import FREE, Adapter, Limits, override_price
from prism_core.translators.checks import texts_to_send
from prism_core.translators.program_pipe import ProgramEnded, ProgramPipe

LIMITS = Limits(texts_per_request=200, characters_per_request=100_000, concurrency=2)
"""Of a local program, so only sensible sizes: more texts a request bring no more speed."""

_ISO_639_3 = {
    "ca": "cat", "de": "deu", "en": "eng", "es": "spa", "fr": "fra", "gl": "glg", "it": "ita",
    "nl": "nld", "pt": "por", "ro": "ron", "ru": "rus", "sv": "swe", "uk": "ukr",
}  # fmt: skip
_NULL_FLUSH = frozenset({
    "apertium-anaphora", "apertium-interchunk", "apertium-postchunk", "apertium-pretransfer",
    "apertium-tagger", "apertium-transfer", "cg-proc", "lrx-proc", "lsx-proc", "lt-proc",
    "rtx-proc",
})  # fmt: skip
"""Programs of a mode that know ``-z``: flush and forget at every NUL."""
_SPACES = re.compile(" {2,}")
_TAGGER = "apertium-tagger"
_TAGGER_SPOILED = b"new ambiguity class"

_SPECIAL = re.compile(r"[\\\[\]{}^$/<>@]")
_LOST = "~"
"""The post-generator eats it even when escaped; as a blank it survives."""
_ESCAPED_OR_BLANK = re.compile(r"\\(.)|\[([^\[\]\\]*)\]", re.DOTALL)
_END = "[].[]"
"""Ends the sentence for the tagger, as ``apertium-destxt`` does at the end of a paragraph; the
empty blank before it keeps the last word from being read as an abbreviation with that point."""


class ApertiumSettings(TranslatorSettings):
    """What can be said to Apertium."""

    name: Literal["apertium"] = "apertium"
    program: str = "apertium"
    """Name or path of the program."""
    mode: str | None = Field(default=None, pattern=r"^[A-Za-z_]+-[A-Za-z_]+$")
    """The mode, e.g. ``eng-spa``; None picks it from the languages."""
    timeout_seconds: Annotated[float, TERMS] = Field(default=120.0, gt=0, le=3600)
    """Longest wait for one request."""


class ApertiumTranslator:
    """English to Spanish and whatever other pair is installed.

    Deterministic: what comes back for a text depends on that text alone, not on its neighbours.
    White space around a text is kept; unknown words stay, without a mark.
    """

    name = "apertium"
    endpoint = "localhost"

    def __init__(self, settings: ApertiumSettings, source: str, target: str) -> None:
        self.limits = LIMITS.override_by(settings)
        self.price = override_price(settings, FREE)
        self._timeout = settings.timeout_seconds
        self._languages = (source, target)
        folder = _data_folder(settings.program, source, target)
        self._legs = [_stages(one) for one in _mode_files(folder, settings.mode, source, target)]
        self._environment = _environment(folder)
        self._idle: list[_Engine] = []
        self._busy: set[_Engine] = set()

    async def translate(self, texts: Sequence[str], source: str, target: str) -> list[str]:
        """See ``Translator``. A text with a line end is ``Rejected`` with its index."""
        if (source, target) != self._languages:
            raise Misconfigured(f"Apertium was set up for another pair than {source}-{target}.")
        answers = iter(await self._exchange(texts_to_send(texts)))
        return [_spaced_like(text, next(answers)) if text.strip() else text for text in texts]

    async def close(self) -> None:
        """End the programs; those in the middle of a translation too."""
        for engine in self._busy:
            engine.interrupt()
        while self._idle:
            self._idle.pop().close()

    async def _exchange(self, texts: list[str]) -> list[str]:
        if not texts:
            return []
        engine = self._idle.pop() if self._idle else _Engine(self._legs, self._environment)
        self._busy.add(engine)
        try:
            answers = await asyncio.to_thread(engine.translate, texts, self._timeout)
        except asyncio.CancelledError:
            engine.interrupt()
            raise
        except OSError as error:
            raise Misconfigured(
                f"An Apertium program cannot be started ({error.strerror}). "
                f"{_advice(*self._languages)}."
            ) from None
        finally:
            self._busy.discard(engine)
        self._idle.append(engine)
        return answers


class _Engine:
    """The programs of one mode after another, started on first use and again after they failed.

    ``apertium-tagger`` must not be shared between sentences blindly: when a word has a combination
    of tags it was not trained on, it overwrites its own idea of unknown words for the rest of its
    life (``find_similar_ambiguity_class`` assigns to a reference), and later sentences come out
    otherwise than alone. It says so on standard error, so it is asked sentence by sentence and
    replaced whenever that happened (about one sentence in 75 of news text, 6 ms each).
    """

    def __init__(self, legs: Sequence[Sequence[list[str]]], environment: dict[str, str]) -> None:
        self._legs = legs
        self._environment = environment
        self._running: dict[str, ProgramPipe] = {}
        self._starting = threading.Lock()
        self._interrupted = False

    def translate(self, texts: list[str], timeout: float) -> list[str]:
        """Blocking. Raises as ``ProgramPipe``, ``OSError``, and ``BadAnswer`` without an end."""
        deadline = time.monotonic() + timeout
        try:
            for number, leg in enumerate(self._legs):
                records = [to_stream(text) for text in texts]
                texts = _read_all(self._pass(f"{number}", leg, records, deadline))
        except BaseException:
            self.close()
            raise
        return texts

    def _pass(
        self, leg: str, stages: Sequence[list[str]], records: list[bytes], deadline: float
    ) -> list[bytes]:
        names = [Path(stage[0]).name for stage in stages]
        split = names.index(_TAGGER) if _TAGGER in names else len(stages)
        before, after = stages[:split], stages[split + 1 :]
        records = self._pipeline(f"before {leg}", before).exchange(records, deadline)
        tagging = [[*stages[split][:1], "-d", *stages[split][1:]]] if after else []
        for n, record in enumerate(records) if tagging else ():
            tagger = self._pipeline(f"tagger {leg}", tagging)
            (records[n],) = tagger.exchange([record], deadline)
            if _TAGGER_SPOILED in tagger.complaints():
                with self._starting:
                    self._running.pop(f"tagger {leg}").close()
        if after:
            records = self._pipeline(f"after {leg}", after).exchange(records, deadline)
        return records

    def interrupt(self) -> None:
        """End the programs from another thread, for good; ``translate`` then raises and cleans up.

        Also when the other thread was about to start them.
        """
        with self._starting:
            self._interrupted = True
            for pipeline in self._running.values():
                pipeline.interrupt()

    def close(self) -> None:
        with self._starting:
            while self._running:
                self._running.popitem()[1].close()

    def _pipeline(self, part: str, stages: Sequence[list[str]]) -> ProgramPipe:
        with self._starting:
            if self._interrupted:
                raise ProgramEnded
            if part not in self._running:
                watched = part.startswith("tagger")
                self._running[part] = ProgramPipe(
                    list(stages), self._environment, watch_errors=watched
                )
            return self._running[part]


def _read_all(answers: list[bytes]) -> list[str]:
    read = [text for answer in answers if (text := from_stream(answer)) is not None]
    if len(read) < len(answers):
        raise BadAnswer("An answer of Apertium lacks the end that every sentence has.")
    return read


_IN_DEBIAN = {
    ("en", "es"): "apertium-eng-spa",
    ("es", "en"): "apertium-eng-spa",
    ("en", "ca"): "apertium-eng-cat",
    ("en", "gl"): "apertium-en-gl",
    ("en", "eo"): "apertium-eo-en",
    ("en", "hbs"): "apertium-hbs-eng",
    ("es", "ca"): "apertium-spa-cat",
    ("es", "fr"): "apertium-fr-es",
    ("es", "gl"): "apertium-es-gl",
    ("es", "it"): "apertium-spa-ita",
    ("es", "pt"): "apertium-es-pt",
    ("es", "oc"): "apertium-oc-es",
}
"""The packages of pairs that Debian 12 has in this direction; each brings Apertium."""
_BY_WAY_OF = ("es", "ca", "en")
"""What a pair without a mode may go by way of, the best first."""
_NEVER_BY_WAY = frozenset({"de", "en", "es", "fr"})
"""Targets that dictionaries of other translators ship for: a detour does not write like these."""


def _advice(source: str, target: str) -> str:
    """How to come by the pair."""
    if package := _IN_DEBIAN.get((source, target)):
        return f"Install it with: apt-get install {package}"
    for legs in _detours(source, target):
        if all(pair in _IN_DEBIAN for pair in legs):
            both = " ".join(_IN_DEBIAN[pair] for pair in legs)
            return f"By way of {legs[0][1]} it can be had with: apt-get install {both}"
    return (
        f"Debian has no Apertium for {source}-{target}. Name a translator with more languages: "
        "--translator deepl, azure, google, openai, libretranslate or local"
    )


def _data_folder(program: str, source: str, target: str) -> Path:
    """Where the modes of the installed Apertium are; ``APERTIUM_DATADIR`` wins, as for itself."""
    found = shutil.which(program)
    if found is None:
        raise Misconfigured(f"The program {program} is not installed. {_advice(source, target)}.")
    stated = os.environ.get("APERTIUM_DATADIR")
    return Path(stated) if stated else Path(found).resolve().parent.parent / "share" / "apertium"


def _detours(source: str, target: str) -> list[tuple[tuple[str, str], tuple[str, str]]]:
    """The two pairs by which each detour goes."""
    between = [one for one in _BY_WAY_OF if one not in (source, target)]
    return [((source, one), (one, target)) for one in between if target not in _NEVER_BY_WAY]


def _mode_files(folder: Path, mode: str | None, source: str, target: str) -> list[Path]:
    """The mode that is named, that of the pair, or those of two pairs with a language between."""
    wanted = folder / "modes" / f"{mode}.mode" if mode else _mode_file(folder, source, target)
    detours = [] if mode else _detours(source, target)
    ways = [[wanted], *([_mode_file(folder, *pair) for pair in legs] for legs in detours)]
    for way in ways:
        if all(path.is_file() for path in way):
            return way
    advice = "Check translator.mode" if mode else _advice(source, target)
    raise Misconfigured(
        f"Apertium has no translation mode {wanted.stem} here (apertium -l lists them). {advice}."
    )


def _mode_file(folder: Path, source: str, target: str) -> Path:
    """Where the mode of a pair is, in codes of three letters or two; one may not be there."""
    long_names = f"{_ISO_639_3.get(source, source)}-{_ISO_639_3.get(target, target)}"
    paths = [folder / "modes" / f"{name}.mode" for name in (long_names, f"{source}-{target}")]
    return next((path for path in paths if path.is_file()), paths[0])


def _stages(mode_file: Path) -> list[list[str]]:
    """The argument lists of a mode, null-flushing, with unknown words unmarked.

    In a mode file ``$1`` stands for the generator's option (``-n``: no marks) and ``$2`` for the
    tagger's (none).
    """
    text = mode_file.read_text(encoding="utf-8").replace("$1", "-n").replace("$2", "")
    stages = [shlex.split(stage) for stage in text.split("|")]
    for stage in stages:
        if Path(stage[0]).name in _NULL_FLUSH and "-z" not in stage:
            stage.insert(1, "-z")
    return stages


def _environment(folder: Path) -> dict[str, str]:
    """What the programs get to see: no key, no setting of ours."""
    programs = str(folder.parent.parent / "bin")
    return {"PATH": os.pathsep.join([programs, os.environ.get("PATH", "")]), "LC_ALL": "C.UTF-8"}


def _spaced_like(text: str, answer: str) -> str:
    """``answer`` between the white space that is around ``text``.

    Where Apertium drops a word it leaves both its spaces; a text without double spaces gets none.
    """
    if "  " not in text.strip():
        answer = _SPACES.sub(" ", answer)
    start = len(text) - len(text.lstrip())
    end = len(text.rstrip())
    return text[:start] + answer + text[end:]


def to_stream(text: str) -> bytes:
    """One sentence in the Apertium stream format, without the NUL that separates sentences.

    Characters with a meaning in the stream are escaped; whatever stands in ``[...]`` is passed
    along untouched. Reference: https://wiki.apertium.org/wiki/Apertium_stream_format.
    """
    escaped = _SPECIAL.sub(r"\\\g<0>", text).replace(_LOST, f"[{_LOST}]")
    return (escaped + _END).encode()


def from_stream(answer: bytes) -> str | None:
    """The sentence back, without what ``to_stream`` put at its end; None if that end is missing."""
    try:
        stream = answer.decode()
    except UnicodeDecodeError:
        return None
    text = _ESCAPED_OR_BLANK.sub(lambda found: found[1] or found[2] or "", stream).rstrip()
    return text[:-1].strip() if text.endswith(".") else None


ADAPTER = Adapter(
    settings=ApertiumSettings,
    make=ApertiumTranslator,
    limits=lambda _settings: LIMITS,
    price=FREE,
    error_of=None,
)
