"""Building dictionaries: from a translator, from translated text, from a glossary of the user.

``DictionaryBuilder`` and ``PaperBuilder`` ask a translator (``Asking``), ``entries_from_corpus``
reads what translators once wrote, ``glossary_entries`` the user's terms. ``OwnWords`` says which
words of an archive may be asked for.
"""

from prism_core.building.asking import Asking, BuildProgress, kept_answers
from prism_core.building.builder import BuildPlan, DictionaryBuilder, Translate
from prism_core.building.cost import (
    BuildEstimate,
    estimate,
    names_volume,
    packed_volume,
    paper_volume,
)
from prism_core.building.extending import OwnWords, checked, choose_decoys
from prism_core.building.from_corpus import (
    ParallelText,
    entries_from_corpus,
    read_memory,
    read_parallel,
)
from prism_core.building.glossary import BadTerm, glossary_entries, read_glossary
from prism_core.building.inspection import Inspection, Sense, inspect_file
from prism_core.building.merging import Difference, difference, merge
from prism_core.building.names import stable_names, unchanged_names
from prism_core.building.paper import PaperBuilder, PaperPlan
from prism_core.building.vocabulary import (
    LEAST_OF_PHRASE,
    Candidate,
    candidates,
    phrase_candidates,
    read_word_list,
)

__all__ = [
    "LEAST_OF_PHRASE",
    "Asking",
    "BadTerm",
    "BuildEstimate",
    "BuildPlan",
    "BuildProgress",
    "Candidate",
    "DictionaryBuilder",
    "Difference",
    "Inspection",
    "OwnWords",
    "PaperBuilder",
    "PaperPlan",
    "ParallelText",
    "Sense",
    "Translate",
    "candidates",
    "checked",
    "choose_decoys",
    "difference",
    "entries_from_corpus",
    "estimate",
    "glossary_entries",
    "inspect_file",
    "kept_answers",
    "merge",
    "names_volume",
    "packed_volume",
    "paper_volume",
    "phrase_candidates",
    "read_glossary",
    "read_memory",
    "read_parallel",
    "read_word_list",
    "stable_names",
    "unchanged_names",
]
