"""Apertium: a translator on this machine, rule-based, free, without a network.

The installed mode file lists the programs of a translation (``eng-spa.mode``); they are started
once and kept, in null-flush mode. The ``apertium`` script itself is not used: it buffers in
null-flush mode, so that a long-running conversation with it stalls.

Entry: ``ApertiumTranslator.translate``; then ``to_stream`` -> ``_Engine``, of one ``ProgramPipe``
or three -> ``from_stream``.
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
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from prism_core.errors import BadAnswer, Misconfigured
from prism_core.settings import TERMS, Sees, TranslatorSettings
from prism_core.translators.base import FREE, Adapter, Limits, override_price
from prism_core.translators.checks import texts_to_send
from prism_core.translators.program_pipe import ProgramEnded, ProgramPipe

LIMITS = Limits(texts_per_request=200, characters_per_request=100_000, concurrency=2)
"""Sensible sizes for a local program: more texts a request bring no more speed."""

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
"""Character that the post-generator drops even when escaped; inside a blank it survives."""
_ESCAPED_OR_BLANK = re.compile(r"\\(.)|\[([^\[\]\\]*)\]", re.DOTALL)
_END = "[].[]"
"""End of a sentence for the tagger, as ``apertium-destxt`` writes it at the end of a paragraph. The
empty blank before it keeps the last word from being read as an abbreviation with that full stop."""


class ApertiumSettings(TranslatorSettings):
    """Settings of Apertium."""

    runs_here: ClassVar[bool] = True
    usual_sees: ClassVar[Sees] = "clear"

    name: Literal["apertium"] = "apertium"
    program: str = "apertium"
    """Name or path of the program."""
    mode: str | None = Field(default=None, pattern=r"^[A-Za-z_]+-[A-Za-z_]+$")
    """Mode, e.g. ``eng-spa``; None picks it from the languages."""
    timeout_seconds: Annotated[float, TERMS] = Field(default=120.0, gt=0, le=3600)
    """Longest wait for one request, in seconds."""


class ApertiumTranslator:
    """English to Spanish and any other pair that is installed.

    Deterministic: the answer to a text depends on that text alone, not on its neighbours. White
    space around a text is kept; unknown words stay, without a mark.
    """

    name = "apertium"
    endpoint = "localhost"

    def __init__(self, settings: ApertiumSettings, source: str, target: str) -> None:
        self.limits = LIMITS.override_by(settings)
        self.price = override_price(settings, FREE)
        self._timeout = settings.timeout_seconds
        self._languages = (source, target)
        found = shutil.which(settings.program)
        if found is None:
            raise Misconfigured(
                f"The program {settings.program} is not installed. "
                f"{_advise_install(source, target)}."
            )
        stated = os.environ.get("APERTIUM_DATADIR")
        usual = Path(found).resolve().parent.parent / "share" / "apertium"
        folder = Path(stated) if stated else usual
        mode = _find_mode_file(folder / "modes", settings.mode, source, target)
        # $1 is the generator's option (no marks), $2 the tagger's (none).
        text = mode.read_text(encoding="utf-8").replace("$1", "-n").replace("$2", "")
        self._stages = [shlex.split(stage) for stage in text.split("|")]
        for stage in self._stages:
            if Path(stage[0]).name in _NULL_FLUSH and "-z" not in stage:
                stage.insert(1, "-z")
        # No key, no setting of ours.
        path = os.pathsep.join([str(folder.parent.parent / "bin"), os.environ.get("PATH", "")])
        self._environment = {"PATH": path, "LC_ALL": "C.UTF-8"}
        self._idle: list[_Engine] = []
        self._busy: set[_Engine] = set()

    async def translate(self, texts: Sequence[str], source: str, target: str) -> list[str]:
        """Translate texts; see ``Translator``. A text with a line end is ``Rejected``."""
        if (source, target) != self._languages:
            raise Misconfigured(f"Apertium was set up for another pair than {source}-{target}.")
        asked = texts_to_send(texts)
        answers = iter(await self._exchange(asked) if asked else ())
        found: list[str] = []
        for text in texts:
            inner = text.strip()
            answer = next(answers) if inner else ""
            if "  " not in inner:  # a dropped word leaves its two blanks
                answer = _SPACES.sub(" ", answer)
            found.append(text.replace(inner, answer, 1) if inner else text)
        return found

    async def close(self) -> None:
        """End the programs, including those in the middle of a translation."""
        for engine in self._busy:
            engine.interrupt()
        while self._idle:
            self._idle.pop().close()

    async def _exchange(self, texts: list[str]) -> list[str]:
        engine = self._idle.pop() if self._idle else _Engine(self._stages, self._environment)
        self._busy.add(engine)
        try:
            answers = await asyncio.to_thread(engine.translate, texts, self._timeout)
        except asyncio.CancelledError:
            engine.interrupt()
            raise
        except OSError as error:
            raise Misconfigured(
                f"An Apertium program cannot be started ({error.strerror}). "
                f"{_advise_install(*self._languages)}."
            ) from None
        finally:
            self._busy.discard(engine)
        self._idle.append(engine)
        return answers


class _Engine:
    """Programs of a mode, started on first use and again after a failure.

    ``apertium-tagger`` must not be shared between sentences without a check: when a word has a
    combination of tags it was not trained on, it overwrites its own model of unknown words for the
    rest of its life (``find_similar_ambiguity_class`` assigns to a reference), and later sentences
    are translated differently than alone. It reports that on standard error, so it gets one
    sentence at a time and is replaced whenever that happened (about one sentence in 75 of news
    text, 6 ms each).
    """

    def __init__(self, stages: Sequence[list[str]], environment: dict[str, str]) -> None:
        names = [Path(stage[0]).name for stage in stages]
        split = names.index(_TAGGER) if _TAGGER in names else len(stages)
        self._before, self._after = stages[:split], stages[split + 1 :]
        self._tagger = [[tagger, "-d", *more] for tagger, *more in stages[split : split + 1]]
        self._environment = environment
        self._running: dict[str, ProgramPipe] = {}
        self._starting = threading.Lock()
        self._interrupted = False

    def translate(self, texts: list[str], timeout: float) -> list[str]:
        """Translate ``texts``, blocking.

        Raises the errors of ``ProgramPipe``, ``OSError``, and ``BadAnswer`` for an answer without
        an end.
        """
        deadline = time.monotonic() + timeout
        try:
            records = list(map(to_stream, texts))
            records = self._pipeline("before", self._before).exchange(records, deadline)
            for n, record in enumerate(records) if self._tagger else ():
                tagger = self._pipeline("tagger", self._tagger)
                (records[n],) = tagger.exchange([record], deadline)
                if _TAGGER_SPOILED in tagger.take_errors():
                    with self._starting:
                        self._running.pop("tagger").close()
            if self._after:
                records = self._pipeline("after", self._after).exchange(records, deadline)
            answers = [answer for answer in map(from_stream, records) if answer is not None]
            if len(answers) < len(records):
                raise BadAnswer("An answer of Apertium lacks the end that every sentence has.")
        except BaseException:
            self.close()
            raise
        return answers

    def interrupt(self) -> None:
        """End the programs for good, from any thread, even those about to be started."""
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
                self._running[part] = ProgramPipe(
                    stages, self._environment, watch_errors=part == "tagger"
                )
            return self._running[part]


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
"""Packages of pairs that Debian 12 has in this direction; each brings Apertium."""


def _advise_install(source: str, target: str) -> str:
    """Return advice on how to install the pair."""
    if package := _IN_DEBIAN.get((source, target)):
        return f"Install it with: apt-get install {package}"
    return (
        f"Debian has no Apertium for {source}-{target}. Add a model of Firefox, if there is one: "
        f"prism models add {source}-{target}. Or name a translator with more languages: "
        "--translator deepl, azure, google, openai, libretranslate or local"
    )


def _find_mode_file(folder: Path, mode: str | None, source: str, target: str) -> Path:
    """Return the named mode, or that of the pair, in codes of three letters or two."""
    long_names = f"{_ISO_639_3.get(source, source)}-{_ISO_639_3.get(target, target)}"
    names = [mode] if mode else [long_names, f"{source}-{target}"]
    for name in names:
        if (path := folder / f"{name}.mode").is_file():
            return path
    advice = "Check translator.mode" if mode else _advise_install(source, target)
    raise Misconfigured(
        f"Apertium has no translation mode {names[0]} here (apertium -l lists them). {advice}."
    )


def to_stream(text: str) -> bytes:
    """Encode one sentence in the Apertium stream format, without the NUL between sentences.

    Characters with a meaning in the stream are escaped; text in ``[...]`` is passed along
    untouched. Reference: https://wiki.apertium.org/wiki/Apertium_stream_format.
    """
    escaped = _SPECIAL.sub(r"\\\g<0>", text).replace(_LOST, f"[{_LOST}]")
    return (escaped + _END).encode()


def from_stream(answer: bytes) -> str | None:
    """Decode a sentence and remove the end that ``to_stream`` added; None if it is missing."""
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
)
