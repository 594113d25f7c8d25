"""Child processes forked from a warm server, and the fences that the kernel keeps around them.

It knows nothing of documents or stages: what is loaded and what is answered is given to it.
"""

from prism_core.processes.fences import (
    CHILD_FOLDER,
    Fences,
    die_with,
    forbid_network,
    give_memory_back,
    libc,
    memory_of_its_own,
)
from prism_core.processes.fork_server import Child, ForkServer, ServerLostError

__all__ = [
    "CHILD_FOLDER",
    "Child",
    "Fences",
    "ForkServer",
    "ServerLostError",
    "die_with",
    "forbid_network",
    "give_memory_back",
    "libc",
    "memory_of_its_own",
]
