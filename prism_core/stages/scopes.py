"""Within what the surrogates of a sentence are consistent, as the settings say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from prism_core.identifiers import Scope, secret_of
from prism_core.settings.job import Job
from prism_core.stages.shared import open_store

_KIND = "surrogates"


def scopes(job: Job, sentences: Sequence[str]) -> Mapping[str, Scope]:
    """The scope of each of ``sentences``, by id; those that are missing have one of their own.

    The secrets follow from the store's key, so that nothing is to be kept. A sentence of several
    documents is encoded and sent once: it goes with the one whose id is the least.
    """
    asked = job.settings.identifiers
    if asked.consistency == "sentence" and asked.dates == "random":
        return {}
    store = open_store(job)
    key = store.cipher.keyed_hash(_KIND).digest()
    archive = secret_of(key, "archive") if asked.consistency == "archive" else None
    found: dict[str, Scope] = {}
    for sentence, (document, draws) in store.documents.first_with(sentences).items():
        own = secret_of(key, "document", document)
        identifiers = own if asked.consistency == "document" else archive
        dates = secret_of(own, "dates") if asked.dates == "shift" else None
        found[sentence] = Scope(identifiers, dates).again(draws)
    return found
