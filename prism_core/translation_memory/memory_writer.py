"""Writer of translation memories: TMX 1.4, sealed or in clear, written atomically."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from prism_core.errors import ConfigurationError, OutputError
from prism_core.files import atomic_write
from prism_core.translation_memory.sealing import SealedWriter

ALL_LANGUAGES = "*all*"
"""Source language of a TMX file whose units state their own."""
UNTRANSLATED = "x-untranslated-words"
"""Property of a unit that counts source words left in its translation."""
_NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class Translated:
    """A unit to write; ``untranslated`` counts source words left in the translation.

    ``language`` is that of ``source``, if it differs from the memory's.
    """

    source: str
    translation: str
    untranslated: int = 0
    language: str = ""


def is_writable(*texts: str) -> bool:
    """Return True if XML can hold ``texts``: answers may hold a lone surrogate, or a control."""
    return not any(_NOT_XML.search(text) for text in texts)


def tmx(units: Iterable[Translated], source: str, target: str) -> Iterator[bytes]:
    """Yield a TMX file of ``units`` from ``source`` to ``target`` (ISO 639), all writable.

    It bears no date, so that equal units give equal files.
    """
    yield (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<tmx version="1.4">\n'
        '<header creationtool="PRISM" '
        f'creationtoolversion={quoteattr(version("prism-translate"))} segtype="sentence" '
        f'o-tmf="PRISM" adminlang="en" srclang={quoteattr(source)} '
        'datatype="plaintext"/>\n<body>\n'
    ).encode()
    for unit in units:
        left = f'<prop type="{UNTRANSLATED}">{unit.untranslated}</prop>' * (unit.untranslated > 0)
        pair = _variant(unit.language or source, unit.source) + _variant(target, unit.translation)
        yield f"<tu>{left}{pair}</tu>\n".encode()
    yield b"</body>\n</tmx>\n"


def write_memory(
    path: Path, content: Iterable[bytes], key: bytes | None, *, replace: bool = False
) -> None:
    """Write ``content`` to ``path`` for its owner alone (mode 0600), sealed under ``key`` if given.

    The file appears as a whole or not at all. Raises ``ConfigurationError`` when there is a file
    already that may not be replaced, and ``OutputError`` when it cannot be written.
    """
    if not replace and path.exists():
        raise ConfigurationError(f"{path} exists already; name another file, or add --replace")
    try:
        with atomic_write(path) as file:
            if key is None:
                file.writelines(content)
                return
            sealed = SealedWriter(file, key)
            for piece in content:
                sealed.write(piece)
            sealed.close()
    except OSError as error:
        raise OutputError(
            f"{path} cannot be written: {error.strerror}; check the folder, its permissions and "
            "the free space"
        ) from None


def _variant(language: str, text: str) -> str:
    return f"<tuv xml:lang={quoteattr(language)}><seg>{escape(text)}</seg></tuv>"
