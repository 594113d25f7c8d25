"""The programs in ``scripts`` that make what ships still find what they are made of."""

from __future__ import annotations

import ast
from importlib import import_module
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent.parent / "scripts"
PROGRAMS = sorted(
    path
    for path in FOLDER.iterdir()
    if path.is_file() and path.read_bytes().startswith(b"#!/usr/bin/env python3")
)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.name)
def test_what_a_program_takes_from_the_package_is_there(program: Path) -> None:
    """They have no ending, so that no other check reads them."""
    for node in ast.walk(ast.parse(program.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and "prism_core" in node.module:
            module = import_module(node.module)
            assert [one.name for one in node.names if not hasattr(module, one.name)] == []
