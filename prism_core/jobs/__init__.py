"""Jobs: what the product does for somebody, as plain functions over a ``Job`` or a ``Run``.

Each module is one job, and its functions without an underscore are for others. Import the module:
``from prism_core.jobs import planning``; nothing of the other jobs is loaded with it.
"""

__all__ = [
    "archive_evaluation",
    "auditing",
    "building",
    "evaluation",
    "extension",
    "glossary",
    "memory_files",
    "notifying",
    "planning",
    "preparation",
    "recipe",
    "translation",
]
