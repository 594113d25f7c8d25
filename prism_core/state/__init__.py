"""The encrypted state of an archive: its store, its keys and its lock.

A stage takes a ``Store`` and the records that go in and out of it; the command also uses the
modules that are named here: ``user_key`` and ``data_keys``, ``places``, ``overview``, ``purging``.
"""

from prism_core.state import data_keys, overview, places, purging, user_key
from prism_core.state.answers import AnswerStore
from prism_core.state.decoys import Decoy
from prism_core.state.documents import Chunk, Reading, Sighting, StoredDocument, Written
from prism_core.state.files import overwrite_and_remove
from prism_core.state.lock import exclusive, working
from prism_core.state.outputs import OutputName, StoredOutput
from prism_core.state.overview import Progress, read_progress
from prism_core.state.records import Answers, SegmentLayout, SentencePlace
from prism_core.state.requests import Destination, StoredRequest
from prism_core.state.schema import PENDING, TRANSLATED, DocumentStatus, SentenceStatus
from prism_core.state.sentences import Answered, Restoration, StoredSentence
from prism_core.state.shared_meters import SharedMeters
from prism_core.state.store import Store
from prism_core.state.user_key import load_key

__all__ = [
    "PENDING",
    "TRANSLATED",
    "AnswerStore",
    "Answered",
    "Answers",
    "Chunk",
    "Decoy",
    "Destination",
    "DocumentStatus",
    "OutputName",
    "Progress",
    "Reading",
    "Restoration",
    "SegmentLayout",
    "SentencePlace",
    "SentenceStatus",
    "SharedMeters",
    "Sighting",
    "Store",
    "StoredDocument",
    "StoredOutput",
    "StoredRequest",
    "StoredSentence",
    "Written",
    "data_keys",
    "exclusive",
    "load_key",
    "overview",
    "overwrite_and_remove",
    "places",
    "purging",
    "read_progress",
    "user_key",
    "working",
]
