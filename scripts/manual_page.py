"""Make the page for ``man`` of every command and option, from the texts of ``--help``.

Entry: ``write_manual`` -> ``_describe_command`` for each command -> ``_format_prose``,
``_describe_options``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.metadata import version
from typing import Any

from rich.text import Text

from prism_core.errors import ExitCode

_ENVIRONMENT = {
    "PRISM_SECTION__FIELD": "Any setting, such as PRISM_TRANSLATOR__NAME or PRISM_LIMITS__WORKERS.",
    "PRISM_KEY, PRISM_KEY_FILE": "The key of the state, or the file it is in.",
    "PRISM_MODELS": "The folder of the models that prism models add puts in place.",
    "OPENAI_API_KEY, DEEPL_AUTH_KEY, ...": "The translator's key. It is never a setting or a flag.",
}
_FILES = {
    "OUT/.prism/": "The encrypted state, which later runs into OUT need.",
    "OUT/prism-report/": "The report of what was sent: index.html for an auditor, and Parquet.",
    "~/.local/state/prism/key": "The key of the state, made by the first run. Keep a copy of it.",
}


def write_manual(root: Any) -> str:
    """Return the page in the macros of man(7), for the commands below ``root``."""
    lines = [f'.TH PRISM 1 "" "prism {version("prism-translate")}" "User Commands"', ".nh", ".ad l"]
    summary, _, about = root.help.strip().partition("\n\n")
    lines += [".SH NAME", f"prism \\- {_escape(summary.rstrip('.'))}"]
    lines += [".SH SYNOPSIS", r".B prism", r"\fICOMMAND\fR [\fIOPTION\fR]... [\fIARGUMENT\fR]..."]
    lines += [
        ".SH DESCRIPTION",
        *_format_prose(about),
        ".SH OPTIONS",
        *_describe_options(root, "prism"),
    ]
    lines.append(".SH COMMANDS")
    for path, command in _commands(root, "prism"):
        lines += _describe_command(path, command)
    codes = {str(int(code)): code.meaning for code in ExitCode}
    tables = {"EXIT STATUS": codes, "ENVIRONMENT": _ENVIRONMENT, "FILES": _FILES}
    for heading, table in tables.items():
        lines.append(f".SH {heading}")
        for term, meaning in table.items():
            lines += [".TP", rf"\fB{_escape(term)}\fR", _escape(meaning)]
    return "\n".join(lines)


def _commands(group: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Yield every command that does something, with its words, in the order of the help."""
    for name, command in group.commands.items():
        words = f"{path} {name}"
        if not hasattr(command, "commands") or command.invoke_without_command:
            yield words, command
        if hasattr(command, "commands"):
            yield from _commands(command, words)


def _describe_command(path: str, command: Any) -> Iterator[str]:
    pieces = " ".join(command.collect_usage_pieces(command.context_class(command)))
    usage = re.sub(r"\{(\w+)\}|\[(\[\w+\])\]", r"\1\2", pieces)  # {IN} [[OUT]]
    yield from (f".SS {_escape(path)}", rf"\fB{_escape(path)}\fR {_escape(usage)}")
    yield from _format_prose(command.help or "")
    yield from _describe_options(command, path)


def _describe_options(command: Any, path: str) -> Iterator[str]:
    context = command.context_class(command, info_name=path)
    for parameter in command.params:
        if record := parameter.get_help_record(context):
            yield from (".TP", rf"\fB{_escape(record[0])}\fR", _escape(_strip_markup(record[1])))


def _format_prose(help_text: str) -> Iterator[str]:
    """Yield the paragraphs of a help text; indented lines stay as they are."""
    for paragraph in re.split(r"\n\s*\n", _strip_markup(help_text).strip("\n")):
        if paragraph.startswith("  "):
            yield from (".RS 2", ".nf", *map(_escape, paragraph.splitlines()), ".fi", ".RE")
        elif paragraph:
            yield from (".PP", _escape(" ".join(paragraph.split())))


def _strip_markup(text: str) -> str:
    """Return ``text`` without Rich's markup."""
    return Text.from_markup(text).plain


def _escape(text: str) -> str:
    r"""Return ``text`` escaped for troff: ``\``, and a leading ``.`` or ``'``."""
    safe = text.rstrip().replace("\n", " ").replace("\\", r"\e").replace("-", r"\-")
    return rf"\&{safe}" if safe.startswith((".", "'")) else safe
