"""Prefect flow ``build-dictionary``: builds a dictionary from public text.

Its parameters are paths and names. Texts, keys and settings never enter Prefect. The flow reads
settings from file and environment where it runs, and strips foreign messages from every error.
"""

from __future__ import annotations

import os
from pathlib import Path

from prefect import flow

from flows import run_flow
from prism_core.building.jobs import BuildRecipe, build, make_build_recipe
from prism_core.errors import sanitize_errors
from prism_core.settings import load_settings


@flow(name="build-dictionary", persist_result=False, log_prints=False)
def build_dictionary(
    texts: list[str],
    output: str,
    method: str = "packed",
    least: int = 2,
    calls: int = 2000,
    words: list[str] | None = None,
    parallel: list[str] | None = None,
    memory: list[str] | None = None,
    licence: str = "",
    settings_file: str | None = None,
) -> build.BuildSummary:
    """Build the dictionary ``output`` as ``prism dictionary build`` does; return numbers alone."""

    def run() -> build.BuildSummary:
        settings = load_settings(Path(settings_file) if settings_file else None, os.environ)
        recipe = make_build_recipe(
            settings,
            method=method,
            texts=[Path(text) for text in texts],
            words=[Path(path) for path in words or ()],
            parallel=parallel or (),
            memory=memory or (),
            output=Path(output),
            least=least,
            calls=calls,
            licence=licence,
        )
        return build.run_build(recipe)

    return sanitize_errors(run)


def run_build_as_flow(recipe: BuildRecipe, settings_file: Path | None) -> build.BuildSummary:
    """Run ``run_build`` as a flow of this process, on the server of Prefect's own settings."""
    return run_flow(
        lambda: build_dictionary(
            [str(path.absolute()) for path in recipe.texts],
            str(recipe.output.absolute()),
            method=recipe.method.value,
            least=recipe.least,
            calls=recipe.calls,
            words=[str(path.absolute()) for path in recipe.words],
            parallel=[given.as_flag() for given in recipe.memories if given.target is not None],
            memory=[given.as_flag() for given in recipe.memories if given.target is None],
            licence=recipe.licence,
            settings_file=str(settings_file) if settings_file else None,
        )
    )
