"""Recipe of a dictionary build: the request of a user or a deployment, checked once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from prism_core.building import BuildPlan, PaperPlan
from prism_core.errors import ConfigurationError
from prism_core.settings import Settings


class Method(StrEnum):
    """Method of building a dictionary: see docs/dictionary.md."""

    PACKED = "packed"
    FRAMES = "frames"
    PAPER = "paper"
    CORPUS = "corpus"


@dataclass(frozen=True)
class Memory:
    """Translated sentences: two files line by line, or one (``target`` None) that holds pairs.

    ``translator`` names who translated them; the entries are attributed to it.
    """

    source: Path
    target: Path | None
    translator: str

    def as_flag(self) -> str:
        """Return the value for ``--parallel`` or ``--memory``, with absolute paths."""
        paths = [path for path in (self.source, self.target) if path is not None]
        return ":".join([*(str(path.absolute()) for path in paths), self.translator])


@dataclass(frozen=True)
class BuildRecipe:
    """Everything that determines a dictionary.

    ``texts`` are public text for the translator that ``settings`` name. ``words`` are lists of
    further public words to query. ``memories`` are read instead by the method ``corpus``. Words
    seen fewer than ``least`` times are left out. ``calls`` is the number of translations for each
    entry with the paper's method; the other methods determine it themselves.
    """

    output: Path
    settings: Settings
    method: Method = Method.PACKED
    texts: tuple[Path, ...] = ()
    words: tuple[Path, ...] = ()
    memories: tuple[Memory, ...] = ()
    least: int = 2
    calls: int = 2000
    licence: str = ""

    @property
    def plan(self) -> BuildPlan | PaperPlan:
        """Plan for the method: the paper's, or frame queries, several to a text or one by one."""
        if self.method is Method.PAPER:
            return PaperPlan(calls=self.calls)
        return BuildPlan(packed=1) if self.method is Method.FRAMES else BuildPlan()

    def check(self) -> None:
        """Raise ``ConfigurationError`` for an option that is missing or would be ignored."""
        if self.method is Method.CORPUS and (self.texts or not self.memories):
            raise ConfigurationError(
                "The method corpus reads translated sentences, not --text: name them with "
                "--parallel TEXT:TRANSLATION:NAME or --memory FILE:NAME."
            )
        if self.method is not Method.CORPUS and (self.memories or not self.texts):
            raise ConfigurationError(
                f"The method {self.method} asks about the words of public text: name some with "
                "--text. Translated sentences are for --method corpus."
            )
        pairs = [path for memory in self.memories for path in (memory.source, memory.target)]
        missing = [
            path for path in (*self.texts, *self.words, *pairs) if path and not path.is_file()
        ]
        if missing:
            raise ConfigurationError(f"{missing[0]} is not a file.")


def make_build_recipe(
    settings: Settings,
    *,
    method: str,
    texts: Sequence[Path],
    words: Sequence[Path],
    parallel: Sequence[str],
    memory: Sequence[str],
    output: Path | None,
    least: int,
    calls: int,
    licence: str,
) -> BuildRecipe:
    """Return the recipe for these options. Raises ``ConfigurationError`` if one is missing."""
    if method not in list(Method):
        raise ConfigurationError(f"There is no method {method!r}: choose {', '.join(Method)}.")
    memories = [Memory(*parse_parallel(value)) for value in parallel]
    for pairs in memory:
        file, _, name = pairs.rpartition(":")
        if not file or not name:
            raise ConfigurationError(f"--memory takes FILE:NAME, not {pairs!r}.")
        memories.append(Memory(Path(file), None, name))
    recipe = BuildRecipe(
        output=output or Path(f"{settings.source}-{settings.target}.parquet"),
        settings=settings,
        method=Method(method),
        texts=tuple(texts),
        words=tuple(words),
        memories=tuple(memories),
        least=least,
        calls=calls,
        licence=licence,
    )
    recipe.check()
    return recipe


def parse_parallel(value: str) -> tuple[Path, Path, str]:
    """Split TEXT:TRANSLATION:NAME into two paths and a name. Raises ``ConfigurationError``."""
    parts = value.split(":")
    if len(parts) != 3 or not all(parts):
        raise ConfigurationError(f"--parallel takes TEXT:TRANSLATION:NAME, not {value!r}.")
    return Path(parts[0]), Path(parts[1]), parts[2]
