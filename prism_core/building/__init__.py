"""Dictionary building, from a translator or from translated text.

``build_entries`` queries a translator (``QuerySession``) as a ``BuildPlan`` or a ``PaperPlan``
says; ``estimate_entries`` states the cost beforehand. ``build_corpus_entries`` reads existing
translations. ``ArchiveWords`` selects the words of an archive that may be queried.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from prism_core.plugins import lazy_door

if TYPE_CHECKING:
    from prism_core.building.answers import AnswerStore
    from prism_core.building.archive_words import (
        ArchiveWords,
        HiddenWords,
        PublicWords,
        group_words,
        read_words_by_meaning,
        withhold_never_sent,
    )
    from prism_core.building.associations import add_attested_forms, learn_associates
    from prism_core.building.builder import BuildPlan, DictionaryBuilder, build_entries
    from prism_core.building.calibration import calibrate
    from prism_core.building.corpus_entries import build_corpus_entries, lend_entries
    from prism_core.building.estimates import BuildEstimate, estimate_entries
    from prism_core.building.form_checks import drop_lost_negations, drop_misread_entries
    from prism_core.building.form_features import annotate_features
    from prism_core.building.inspection import (
        TYPICAL_REPLACED_WORDS,
        DictionaryOverview,
        Difference,
        Inspection,
        compare_dictionaries,
        inspect_file,
        merge_entries,
        survey_file,
    )
    from prism_core.building.name_entries import find_stable_names
    from prism_core.building.paper import PaperPlan
    from prism_core.building.paradigms import complete_paradigms
    from prism_core.building.parallel_text import ParallelText, read_memory, read_parallel
    from prism_core.building.phrase_trials import find_phrase_inflections
    from prism_core.building.preceding_words import learn_preceding_words
    from prism_core.building.queries import BuildProgress, QuerySession, open_answers
    from prism_core.building.treebank import Endings
    from prism_core.building.word_candidates import (
        WordCandidate,
        find_candidates,
        find_phrase_candidates,
        lowercase_nouns,
        read_shipped_word_list,
        read_word_list,
        settle_genders,
    )

__all__ = [
    "TYPICAL_REPLACED_WORDS",
    "AnswerStore",
    "ArchiveWords",
    "BuildEstimate",
    "BuildPlan",
    "BuildProgress",
    "DictionaryBuilder",
    "DictionaryOverview",
    "Difference",
    "Endings",
    "HiddenWords",
    "Inspection",
    "PaperPlan",
    "ParallelText",
    "PublicWords",
    "QuerySession",
    "WordCandidate",
    "add_attested_forms",
    "annotate_features",
    "build_corpus_entries",
    "build_entries",
    "calibrate",
    "compare_dictionaries",
    "complete_paradigms",
    "drop_lost_negations",
    "drop_misread_entries",
    "estimate_entries",
    "find_candidates",
    "find_phrase_candidates",
    "find_phrase_inflections",
    "find_stable_names",
    "group_words",
    "inspect_file",
    "learn_associates",
    "learn_preceding_words",
    "lend_entries",
    "lowercase_nouns",
    "merge_entries",
    "open_answers",
    "read_memory",
    "read_parallel",
    "read_shipped_word_list",
    "read_word_list",
    "read_words_by_meaning",
    "settle_genders",
    "survey_file",
    "withhold_never_sent",
]

__getattr__ = lazy_door(__name__)
