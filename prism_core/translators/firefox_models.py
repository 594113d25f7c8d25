"""Models of Firefox Translations on this machine: where they are, and how they get there.

Each pair of languages has a folder, ``en-pt``, below ``models_folder()``, with its files and their
checksums (``SHA256SUMS``). Such a folder may be copied to other machines and added there.

Entry: ``ModelFiles.find`` reads a folder; ``add_model_folder`` and ``add_model_pair`` put one in
its place; ``list_models``.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import file_digest
from pathlib import Path
from typing import Any

from prism_core.errors import ConfigurationError, Misconfigured
from prism_core.resources import SUMS, models_folder

_PAIR = re.compile(r"[a-z]{2,3}-[a-z]{2,3}")


def list_models() -> list[str]:
    """Return the pairs of languages of the models that were added, sorted."""
    return sorted(path.parent.name for path in models_folder().glob(f"*-*/{SUMS}"))


@dataclass(frozen=True, slots=True)
class ModelFiles:
    """Files of one model; ``shortlist`` is None where there is none."""

    folder: Path
    model: Path
    source_vocabulary: Path
    target_vocabulary: Path
    shortlist: Path | None

    @classmethod
    def find(cls, folder: Path) -> ModelFiles:
        """Find the files in ``folder``. Raises ``Misconfigured`` naming what is missing."""

        def one_of(*patterns: str) -> Path | None:
            found = (path for pattern in patterns for path in sorted(folder.glob(pattern)))
            return next(found, None)

        model = one_of("model.*.bin")
        first = one_of("srcvocab.*.spm", "vocab.*.spm")
        second = one_of("trgvocab.*.spm", "vocab.*.spm")
        if model is None or first is None or second is None:
            missing = "model.*.bin" if model is None else "vocab.*.spm"
            raise Misconfigured(
                f"{folder} holds no {missing} of Firefox Translations. Add a model with prism "
                "models add: a folder with its files, or a pair of languages such as en-es."
            )
        return cls(folder, model, first, second, one_of("lex.*.bin"))

    def __iter__(self) -> Iterator[Path]:
        """Iterate over the different files."""
        files = (self.model, self.source_vocabulary, self.target_vocabulary, self.shortlist)
        return iter(dict.fromkeys(file for file in files if file is not None))

    @property
    def pair(self) -> str | None:
        """Pair of languages by the name of the model, ``en-pt``; None if it has none."""
        letters = self.model.name.split(".")[1]
        return f"{letters[:2]}-{letters[2:]}" if re.fullmatch("[a-z]{4}", letters) else None

    def check_pair(self, source: str, target: str) -> None:
        """Raise ``Misconfigured`` if the model is not from ``source`` to ``target``."""
        if source and self.pair not in (None, f"{source}-{target}"):
            raise Misconfigured(
                f"The model in {self.folder} translates {self.pair}, not {source}-{target}: name "
                "another folder, or its languages."
            )

    def check_sums(self) -> None:
        """Raise ``Misconfigured`` if the files differ from their checksums, where there are any."""
        listed = self.folder / SUMS
        for line in listed.read_text("utf-8").splitlines() if listed.is_file() else ():
            found = re.fullmatch(r"([0-9a-f]{64}) [ *]([\w.-]+)", line)
            if found is None:
                raise Misconfigured(f"{listed} is not a list of SHA-256 checksums.")
            digest, file = found[1], self.folder / found[2]
            if not file.is_file() or _digest(file) != digest:
                raise Misconfigured(
                    f"{file} is not the file that was added: its checksum differs. Add the model "
                    "again."
                )

    def load_engine(self) -> Any:
        """Load the model for this thread. Raises ``Misconfigured``, ``OSError``, ``ValueError``."""
        from fxtranslate import Translator

        self.check_sums()
        return Translator(
            self.model.read_bytes(),
            self.source_vocabulary.read_bytes(),
            self.target_vocabulary.read_bytes(),
            self.shortlist.read_bytes() if self.shortlist else None,
        )


def add_model_folder(folder: Path) -> str:
    """Copy the model in ``folder`` to its place, with checksums, and return its pair.

    Its own checksums, if it has any, must be right. Raises ``Misconfigured``, and
    ``ConfigurationError`` where there is no room for it.
    """
    files = ModelFiles.find(folder)
    files.check_sums()
    if files.pair is None:
        raise Misconfigured(
            f"{files.model} does not name its pair of languages as model.enpt.* does."
        )
    with _new_folder(files.pair) as made:
        for file in files:
            shutil.copyfile(file, made / file.name)
    return files.pair


def add_model_pair(pair: str) -> None:
    """Download the model of ``pair`` from Mozilla. Raises ``ConfigurationError``.

    fxtranslate checks what Mozilla publishes.
    """
    if not _PAIR.fullmatch(pair):
        raise ConfigurationError(f"{pair} is neither a folder nor a pair of languages like en-pt.")
    from fxtranslate import Cache, discovery

    source, target = pair.split("-")
    with _new_folder(pair) as made:
        try:
            discovery.add_models(source, target, cache_dir=str(made), progress=False)
            found: Iterable[tuple[str, int, str]] = Cache(str(made)).pair_files(pair)
        except (OSError, ValueError, RuntimeError) as error:
            raise ConfigurationError(
                f"Mozilla's service does not give the model {pair}: {type(error).__name__}. Get "
                "its files yourself (docs/local_translation.md), and add their folder."
            ) from None
        for name, _, path in found:
            shutil.move(path, made / name)
        for rest in made.iterdir():
            if rest.is_dir():
                shutil.rmtree(rest)
        ModelFiles.find(made)


@contextmanager
def _new_folder(pair: str) -> Iterator[Path]:
    """Yield a folder that takes the place of the model of ``pair``, with checksums, if all is well.

    Raises ``ConfigurationError`` for an error of the disk.
    """
    home = models_folder()
    try:
        home.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(prefix=f".{pair}-", dir=home))
        try:
            yield made
            files = sorted(path for path in made.iterdir() if path.name != SUMS)
            lines = (f"{_digest(path)}  {path.name}\n" for path in files)
            (made / SUMS).write_text("".join(lines), encoding="utf-8")
            old = home / pair
            shutil.rmtree(old, ignore_errors=True)
            made.chmod(0o755)
            made.rename(old)
        finally:
            shutil.rmtree(made, ignore_errors=True)
    except OSError as error:
        raise ConfigurationError(
            f"The model cannot be put into {home}: {error.strerror}; set PRISM_MODELS to another "
            "folder."
        ) from None


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()
