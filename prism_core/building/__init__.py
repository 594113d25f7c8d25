"""Building dictionaries: from a translator, from translated text.

``build_entries`` asks a translator (``QuerySession``), in the way of a ``BuildPlan`` or ``PaperPlan``;
``estimate_entries`` says what that costs. ``build_corpus_entries`` reads what translators once
wrote. ``OwnWords`` says which words of an archive may be asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from prism_core.plugins import lazy_door

if TYPE_CHECKING:
    from prism_core.building.archive_words import (
        HiddenWords,
        OwnWords,
        PublicWords,
        group_words,
        withhold_never_sent,
        read_words_by_meaning,
    )
    from prism_core.building.associations import add_attested, associate, leave_out_misread
    from prism_core.building.builder import (
        BuildEstimate,
        BuildPlan,
        build_entries,
        build_additional_entries,
        estimate_entries,
    )
    from prism_core.building.calibration import calibrate
    from prism_core.building.corpus_entries import (
        ParallelText,
        build_corpus_entries,
        lend_entries,
        read_memory,
        read_parallel,
    )
    from prism_core.building.form_features import describe
    from prism_core.building.frame_queries import find_stable_names
    from prism_core.building.inspection import (
        TYPICAL,
        DictionaryOverview,
        Difference,
        Inspection,
        difference,
        inspect_file,
        merge,
        survey_file,
    )
    from prism_core.building.paper import PaperPlan
    from prism_core.building.paradigms import complete
    from prism_core.building.phrase_trials import phrase_words
    from prism_core.building.preceding_words import learn_companions
    from prism_core.building.queries import QuerySession, BuildProgress, keep_answers
    from prism_core.building.treebank import Endings
    from prism_core.building.word_candidates import (
        Candidate,
        candidates,
        phrase_candidates,
        read_word_list,
        settle_genders,
        read_shipped_word_list,
        lowercase_nouns,
    )

__all__ = [
    "TYPICAL",
    "QuerySession",
    "BuildEstimate",
    "BuildPlan",
    "BuildProgress",
    "Candidate",
    "DictionaryOverview",
    "Difference",
    "Endings",
    "HiddenWords",
    "Inspection",
    "OwnWords",
    "PaperPlan",
    "ParallelText",
    "PublicWords",
    "add_attested",
    "associate",
    "build_entries",
    "build_additional_entries",
    "calibrate",
    "candidates",
    "complete",
    "describe",
    "difference",
    "build_corpus_entries",
    "estimate_entries",
    "group_words",
    "inspect_file",
    "keep_answers",
    "learn_companions",
    "leave_out_misread",
    "lend_entries",
    "merge",
    "phrase_candidates",
    "phrase_words",
    "read_memory",
    "read_parallel",
    "read_word_list",
    "settle_genders",
    "read_shipped_word_list",
    "find_stable_names",
    "survey_file",
    "withhold_never_sent",
    "read_words_by_meaning",
    "lowercase_nouns",
]

__getattr__ = lazy_door(
    __name__,
    {
        "queries": "QuerySession BuildProgress keep_answers",
        "associations": "add_attested associate leave_out_misread",
        "builder": "BuildEstimate BuildPlan build_entries build_additional_entries estimate_entries",
        "preceding_words": "learn_companions",
        "archive_words": "HiddenWords OwnWords PublicWords group_words withhold_never_sent "
        "read_words_by_meaning",
        "frame_queries": "find_stable_names",
        "corpus_entries": "ParallelText build_corpus_entries lend_entries read_memory read_parallel",
        "inspection": "TYPICAL DictionaryOverview Difference Inspection difference "
        "inspect_file merge survey_file",
        "form_features": "describe",
        "paper": "PaperPlan",
        "paradigms": "complete",
        "phrase_trials": "phrase_words",
        "calibration": "calibrate",
        "treebank": "Endings",
        "word_candidates": "Candidate candidates phrase_candidates read_word_list settle_genders "
        "read_shipped_word_list lowercase_nouns",
    },
)
