"""Jobs of training: a translator from translated documents, with or without a guarantee."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prism_core.plugins import lazy_door

if TYPE_CHECKING:
    from prism_core.training.jobs import train
    from prism_core.training.jobs.training_recipe import check_extra

__all__ = ["check_extra", "train"]

__getattr__ = lazy_door(__name__)
