"""Which documents of an archive a folder of a policy means."""

from __future__ import annotations

from fnmatch import fnmatchcase


def is_below(path: str, folder: str) -> bool:
    """Whether ``path`` (relative to the input, with /) is in ``folder``, or is that document.

    With ``*`` or ``?`` it is a pattern; letter case counts.
    """
    plain = folder.removesuffix("/")
    if "*" in folder or "?" in folder:
        return fnmatchcase(path, folder) or fnmatchcase(path, f"{plain}/*")
    return path == plain or path.startswith(f"{plain}/")


def is_inside(folder: str) -> bool:
    """Whether documents can be below ``folder``: no path of one is absolute, or has . or .. ."""
    parts = folder.removesuffix("/").split("/")
    return all(part not in ("", ".", "..") for part in parts) and "\\" not in folder
