"""Encoding: the text that is sent for a sentence, and the record to undo it.

Entry: ``load_encoder``. ``PoolEncoder`` serves mechanisms that draw from pools, ``TokenEncoder``
those that decide on every token by chance. What is written differently because of a substitute
beside it is in ``adjacent_words``; raise ``VERSION`` when a sentence is encoded differently.
"""

from typing import TYPE_CHECKING

from prism_core.plugins import lazy_door

if TYPE_CHECKING:
    from prism_core.encoding.base import NEVER_SEND, UNRESTORED, VERSION, Encoder, most_redrawn
    from prism_core.encoding.loading import load_encoder, make_encoder

__all__ = [
    "NEVER_SEND",
    "UNRESTORED",
    "VERSION",
    "Encoder",
    "load_encoder",
    "make_encoder",
    "most_redrawn",
]

__getattr__ = lazy_door(__name__)
