"""Extension of a dictionary by an archive's own words: the one job that queries an archive.

The archive is read as the main job reads it, into a store that is deleted afterwards. The
translator receives public sentences with single words put in, in random order: see
``prism_core.building.archive_words``.

Entry: ``plan_extension`` collects the archive's words (``_collect_archive_words``) and their
decoys; the user confirms the plan; ``run_extension`` sends it.
"""

from __future__ import annotations

import json
import re
import secrets
import tempfile
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from prism_core.building import (
    ArchiveWords,
    BuildEstimate,
    BuildPlan,
    PublicWords,
    WordCandidate,
    build_entries,
    drop_lost_negations,
    estimate_entries,
    find_candidates,
    read_shipped_word_list,
    withhold_never_sent,
)
from prism_core.building.jobs.build import (
    BuildSummary,
    BuildWatch,
    open_query_session,
    read_sentences,
    stamp_entries,
    summarise_build,
    write_dictionary,
)
from prism_core.dictionary import (
    EXTENDED,
    LEFT_PREFIX,
    StoredDictionary,
    load_dictionary,
    read_dictionary,
    read_names,
)
from prism_core.errors import ConfigurationError
from prism_core.identifiers import (
    IdentifierFinder,
    LeakCheck,
    load_optional_detectors,
    normalise,
    read_terms,
)
from prism_core.jobs import open_scratch_run
from prism_core.language import Sentence
from prism_core.languages import load_language, require_source
from prism_core.resources import SHIPPED_NAMES
from prism_core.settings import Job, Settings
from prism_core.stages import ingest, read
from prism_core.state import DocumentStatus
from prism_core.translators import make_translator

_DOCUMENTS_AT_ONCE = 50
_NOTE = "words"
_IN_VAIN = "asked_in_vain"
"""Provenance field with the words that were queried without success.

Queried again among other decoys, they would stand out.
"""


@dataclass(frozen=True)
class Extension:
    """Request of a user to extend a dictionary. ``texts`` are public.

    Each word of the archive hides in a group of ``decoys`` public words at least. With
    ``unlisted``, words that no public source has are queried too, although nothing hides them.
    """

    dictionary: Path
    archive: Path
    texts: tuple[Path, ...]
    output: Path
    settings: Settings
    decoys: int = 9
    least: int = 1
    unlisted: bool = False


@dataclass(frozen=True)
class ExtensionPlan:
    """Plan of the queries. Secret: ``words`` are the archive's, ``asked`` hides them.

    ``unlisted`` words of the archive are in no public source: ``unhidden`` of them, all or none,
    are queried.
    """

    words: tuple[WordCandidate, ...]
    asked: tuple[WordCandidate, ...]
    sentences: tuple[Sentence, ...]
    barred: int
    unlisted: int
    unhidden: int
    documents_failed: int
    expected: BuildEstimate

    def count_words(self) -> dict[str, int]:
        """Return the numbers that may be shown."""
        return {
            "to_be_asked_for": len(self.words),
            "decoys_among_them": len(self.asked) - len(self.words),
            "never_asked_for,_as_they_may_name": self.barred,
            "in_no_public_source": self.unlisted,
            "documents_that_could_not_be_read": self.documents_failed,
            "texts_at_most": self.expected.texts,
            "characters_at_most": self.expected.characters,
            "requests_at_most": self.expected.requests,
        }

    def list_remarks(self) -> list[str]:
        """Return the facts that the user needs for the decision."""
        remarks = [
            "The translator learns that each of these words occurs somewhere in the archive or is "
            "a decoy. It does not learn where, how often, or beside which words."
        ]
        if self.unhidden:
            remarks.append(
                f"{self.unhidden:,} of them stand in no public source: anyone who knows the public "
                "sources can tell that each of these is the archive's."
            )
        elif self.unlisted:
            remarks.append(
                f"{self.unlisted:,} words of the archive are not asked for: they stand in no "
                "public source, so no decoy could hide that they are the archive's. Add public "
                "text of the same field with --text, or ask for them without decoys: --unlisted."
            )
        return remarks if self.words else ["There are no words to query."]


def plan_extension(extension: Extension) -> ExtensionPlan:
    """Read the archive and the public text, and choose the words; sends and keeps nothing.

    Raises ``ConfigurationError``, also for an experimental source language that was not accepted.
    """
    settings = extension.settings
    require_source(settings.source, experimental=settings.language.experimental)
    translator = make_translator(settings.translator, settings.source, settings.target)
    dictionary = load_dictionary(extension.dictionary, settings.translator.name)
    sentences = read_sentences(extension.texts, settings)
    asked_before = read_untranslatable_words(read_dictionary(extension.dictionary))
    archive_words, failed = _collect_archive_words(extension, asked_before)
    language = load_language(settings.source)
    public_candidates = [
        *find_candidates(sentences, language, least=1),
        *read_shipped_word_list(language),
    ]
    check = _make_leak_check(settings)
    public = [word for word in public_candidates if not check.shows_never_sent(word.surface)]
    names = {normalise(name) for name, _ in read_names(SHIPPED_NAMES)}
    lacking_words = archive_words.select_words(least=extension.least)
    hidden = PublicWords(
        public,
        dictionary,
        lambda word: word in asked_before or normalise(word) in names,
        extension.decoys + 1,
    ).choose_groups(lacking_words)
    unhidden = hidden.unlisted if extension.unlisted else ()
    to_query = [*hidden.asked, *unhidden]
    words = (*hidden.own, *unhidden)
    secrets.SystemRandom().shuffle(to_query)
    return ExtensionPlan(
        words=words,
        asked=tuple(to_query),
        sentences=tuple(sentences),
        barred=archive_words.count_barred(least=extension.least),
        unlisted=len(hidden.unlisted),
        unhidden=len(unhidden),
        documents_failed=failed,
        expected=estimate_entries(
            to_query, sentences, language, BuildPlan(), translator.limits, translator.price
        ),
    )


def run_extension(extension: Extension, plan: ExtensionPlan, watch: BuildWatch) -> BuildSummary:
    """Query the words of ``plan``, and write the extended dictionary.

    The words are kept, encrypted, until the dictionary is written, so that a run that was stopped
    resumes with the same decoys: other decoys would tell the archive's words apart.
    """
    started = time.monotonic()
    stored = read_dictionary(extension.dictionary)
    settings = extension.settings
    watch.stage, watch.expected = "asking for words", plan.expected.texts
    order = secrets.SystemRandom()
    with open_query_session(extension.output, settings, watch, order) as (session, answers):
        noted = json.dumps([asdict(word) for word in plan.asked]).encode()
        asked = [WordCandidate(**word) for word in json.loads(answers.note_once(_NOTE, noted))]
        translate = withhold_never_sent(session, _make_leak_check(settings))
        language = load_language(settings.source)
        found = build_entries(asked, plan.sentences, translate, language, BuildPlan())
        day = answers.began
        known_keys = {entry.key for entry in stored.entries}
        wanted = {word.key for word in asked} - known_keys
        # A word that the translator left alone is no entry here: it would stand in for others.
        new = [entry for entry in found if entry.key in wanted]
        entries = [*stored.entries, *stamp_entries(new, settings.translator.name, EXTENDED, day)]
        in_vain = {*read_untranslatable_words(stored), *(word.word for word in asked)}
        in_vain -= {entry.word for entry in entries if not entry.tag.startswith(LEFT_PREFIX)}
        origin = {**stored.provenance, "extended": day, _IN_VAIN: " ".join(sorted(in_vain))}
        write_dictionary(drop_lost_negations(entries, language), origin, extension.output)
        return summarise_build(extension.output, len(asked), new, session.progress(), started)


def read_untranslatable_words(dictionary: StoredDictionary) -> frozenset[str]:
    """Return the words that the translator is known not to know.

    These are words that earlier extensions queried in vain, decoys among them, and words that the
    build found left unchanged.
    """
    left = {entry.word for entry in dictionary.entries if entry.tag.startswith(LEFT_PREFIX)}
    return frozenset(re.findall(r"\w+", dictionary.provenance.get(_IN_VAIN, ""))) | left


def _make_leak_check(settings: Settings) -> LeakCheck:
    return LeakCheck(
        load_language(settings.source), read_terms(settings.identifiers.never_send_file)
    )


def _collect_archive_words(
    extension: Extension, asked_before: Iterable[str]
) -> tuple[ArchiveWords, int]:
    """Collect the archive's words, and count its documents that could not be read."""
    with tempfile.TemporaryDirectory(prefix="prism-extend-") as scratch:
        job = Job(
            input=extension.archive,
            output=Path(scratch) / "out",
            settings=extension.settings,
        )
        with open_scratch_run(job) as run:
            ingest(run)
            for chunk in run.unread_chunks():
                read(run, chunk)
            count = run.store.documents.count(job.run_id)
            if not count.get(DocumentStatus.READ):
                raise ConfigurationError(f"No document of {extension.archive} could be read.")
            dictionary, lists = run.encoder().dictionary, extension.settings.identifiers
            detectors = load_optional_detectors(presidio=lists.presidio)
            public = (SHIPPED_NAMES, SHIPPED_NAMES / "unchanged")
            archive_words = ArchiveWords(
                dictionary,
                IdentifierFinder(dictionary, read_terms(lists.names_file), detectors),
                run.known_identifiers()[0],
                names=[name for folder in public for name, _ in read_names(folder)],
                never=read_terms(lists.never_send_file),
                asked=asked_before,
            )
            ids = tuple(run.store.documents.sizes(job.run_id, DocumentStatus.READ))
            for start in range(0, len(ids), _DOCUMENTS_AT_ONCE):
                some = ids[start : start + _DOCUMENTS_AT_ONCE]
                for batch in run.store.sentences.to_encode(some, ""):
                    for _, sentence in batch:  # those of several chunks more than once
                        archive_words.add(sentence)
            return archive_words, count.get(DocumentStatus.FAILED, 0)
