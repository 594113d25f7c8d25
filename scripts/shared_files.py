"""A hook of the build: the manual page and the completions of shells, put where systems look.

They are made of the command itself, so a build has them where all that the command needs is
installed (``make wheel``, ``make release``), and goes without them elsewhere.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

COMPLETIONS = {
    "bash": "share/bash-completion/completions/prism",
    "zsh": "share/zsh/site-functions/_prism",
    "fish": "share/fish/vendor_completions.d/prism.fish",
}
MANUAL = "share/man/man1/prism.1"


def make_files() -> dict[str, str]:
    """The files by their places below the prefix. Raises ``ImportError``."""
    import typer.main
    from typer.completion import get_completion_script

    from flows.command.cli import app
    from scripts.manual_page import write_manual

    scripts = {
        place: get_completion_script(prog_name="prism", complete_var="_PRISM_COMPLETE", shell=shell)
        for shell, place in COMPLETIONS.items()
    }
    return {MANUAL: write_manual(typer.main.get_command(app)), **scripts}


class SharedFiles(BuildHookInterface[Any]):
    """Adds them to the wheel."""

    def initialize(self, _version: str, build_data: dict[str, Any]) -> None:
        """Make the files in a folder that lasts as long as the build, and say where they go."""
        sys.path.insert(0, self.root)
        try:
            files = make_files()
        except ImportError:
            self.app.display_warning("built without the manual page and completions")
            return
        finally:
            sys.path.remove(self.root)
        self._folder = tempfile.TemporaryDirectory()
        for place, text in files.items():
            file = Path(self._folder.name, Path(place).name)
            file.write_text(text + "\n", encoding="utf-8")
            build_data["shared_data"][str(file)] = place
