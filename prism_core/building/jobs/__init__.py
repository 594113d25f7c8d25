"""Jobs of the dictionary builder: build a dictionary, extend it for an archive, merge several.

Each module is one job, imported when one of its functions is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from prism_core.plugins import lazy_door

if TYPE_CHECKING:
    from prism_core.building.jobs import build, extend
    from prism_core.building.jobs.build import write_dictionary
    from prism_core.building.jobs.build_recipe import (
        BuildRecipe,
        make_build_recipe,
        parse_parallel,
    )
    from prism_core.building.jobs.merge import merge_dictionaries

__all__ = [
    "BuildRecipe",
    "build",
    "extend",
    "make_build_recipe",
    "merge_dictionaries",
    "parse_parallel",
    "write_dictionary",
]

__getattr__ = lazy_door(__name__)
