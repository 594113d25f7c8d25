"""Render templates to one self-contained HTML file: nothing is fetched, and nothing else may run.

The page's own style and script are allowed by their hashes, so that not even markup that slipped
into a text could run.
"""

from __future__ import annotations

import base64
import hashlib
import json
import math
import re
import sys
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from importlib.resources import files
from importlib.util import cache_from_source
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from jinja2.bccache import Bucket, FileSystemBytecodeCache
from markupsafe import Markup, escape

from prism_core.errors import OutputError, describe_failures
from prism_core.files import atomic_write
from prism_core.report.notices import say_notice

_UNKNOWN = "\N{EN DASH}"


def render(template: str, script: str | None = None, **values: Any) -> str:
    """Render the page; ``script`` is the name of the script that it runs, if any."""
    style = _read_template_file("style.css")
    code = _read_template_file(script) if script else ""
    allowed = f"style-src '{_hash(style)}'" + (f"; script-src '{_hash(code)}'" if code else "")
    return (
        _environment()
        .get_template(template)
        .render(
            policy=Markup(f"default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'"),  # noqa: S704 - hashes
            style=Markup(style),  # noqa: S704 - our own file
            script=Markup(code),  # noqa: S704 - our own file
            **values,
        )
    )


def render_text(template: str, **values: Any) -> str:
    """Render a template of plain text."""
    return _environment().get_template(template).render(**values)


def write_pieces(file: Path, pieces: Iterable[str]) -> None:
    """Write ``pieces`` of text to ``file``, for its owner, in one step; raises ``OutputError``."""
    try:
        with atomic_write(file) as opened:
            opened.writelines(piece.encode() for piece in pieces)
    except OSError as error:
        raise OutputError(f"{file} cannot be written: {error.strerror}") from None


def embed_json(value: object) -> str:
    """Return JSON for a ``script`` element: no text in it can end the element."""
    plain = json.dumps(value, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return plain.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


@cache
def _read_template_file(name: str) -> str:
    return (files("prism_core.report") / "templates" / name).read_text(encoding="utf-8").strip()


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


class _CompiledTemplates(FileSystemBytecodeCache):
    """Templates compiled to Python, kept beside the bytecode of the package if that is kept."""

    def dump_bytecode(self, bucket: Bucket) -> None:
        if not sys.dont_write_bytecode:
            with suppress(OSError):  # the folder is read-only, or missing
                super().dump_bytecode(bucket)


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("prism_core.report"),
        bytecode_cache=_CompiledTemplates(str(Path(cache_from_source(__file__)).parent)),
        autoescape=select_autoescape(["html"]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "number": number,
        "percent": percent,
        "failures": describe_failures,
        "utc": lambda value: _UNKNOWN if value is None else f"{value:%Y-%m-%d %H:%M:%S} UTC",
        "epsilon": epsilon,
        "prose": _prose,
        "say_notice": say_notice,
    }
    return environment


def number(value: float | None) -> str:
    """Format a number with thousands separators and at most one decimal; a dash for None."""
    if value is None:
        return _UNKNOWN
    return f"{value:,.0f}" if value == int(value) else f"{value:,.1f}"


def percent(part: float, whole: float = 1.0) -> str:
    """Format a share; it is never rounded to 100 % or 0 % when it is not."""
    if not whole:
        return _UNKNOWN
    share = part / whole
    if 0 < share < 0.001:
        return "< 0.1 %"
    if 0.999 < share < 1:
        return "> 99.9 %"
    return f"{share:.1%}".replace(".0%", "%").replace("%", " %")


def epsilon(value: float | None) -> str:
    """Format a privacy loss; infinity bounds nothing."""
    if value is None:
        return "not evaluated"
    return "∞ (no bound claimed)" if math.isinf(value) else f"{value:.3f}"


def _prose(text: str) -> Markup:
    """Return the paragraphs of a docstring as HTML, with its ``names`` as code."""
    escaped = str(escape(text))
    paragraphs = re.sub(r"``(.+?)``", r"<code>\1</code>", escaped).split("\n\n")
    return Markup("").join(Markup(f"<p>{paragraph}</p>") for paragraph in paragraphs)  # noqa: S704 - escaped above
