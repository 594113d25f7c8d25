"""Encrypted state of an archive: its location, its store and its keys.

A stage takes a ``Store`` and exchanges records with it. ``StatePlace`` manages the state of an
output folder as a whole, ``UserKey`` the user's key.
"""

from prism_core.state.database import (
    Database,
    close_on_error,
    insert_new,
    map_errors,
    open_database,
    open_file,
    open_schema,
    split_ids,
)
from prism_core.state.further_sends import Decoy
from prism_core.state.leases import Account, ShardLease
from prism_core.state.location import StatePlace
from prism_core.state.outputs import Claim, OutputName
from prism_core.state.postgres import BUSY_SECONDS, lock_key
from prism_core.state.request_ledger import Destination
from prism_core.state.schema import LOCAL_BETTER, DocumentStatus, SentenceStatus
from prism_core.state.sealed_columns import Answers, PackedSentences, SegmentLayout, SentencePlace
from prism_core.state.settled_here import Reviewed
from prism_core.state.stage_records import (
    WHOLE,
    Answered,
    Chunk,
    Part,
    Reading,
    Restoration,
    Sighting,
    StoredDocument,
    StoredSentence,
    Withheld,
)
from prism_core.state.store import Store
from prism_core.state.store_overview import Progress
from prism_core.state.user_key import UserKey

__all__ = [
    "BUSY_SECONDS",
    "LOCAL_BETTER",
    "WHOLE",
    "Account",
    "Answered",
    "Answers",
    "Chunk",
    "Claim",
    "Database",
    "Decoy",
    "Destination",
    "DocumentStatus",
    "OutputName",
    "PackedSentences",
    "Part",
    "Progress",
    "Reading",
    "Restoration",
    "Reviewed",
    "SegmentLayout",
    "SentencePlace",
    "SentenceStatus",
    "ShardLease",
    "Sighting",
    "StatePlace",
    "Store",
    "StoredDocument",
    "StoredSentence",
    "UserKey",
    "Withheld",
    "close_on_error",
    "insert_new",
    "lock_key",
    "map_errors",
    "open_database",
    "open_file",
    "open_schema",
    "split_ids",
]
