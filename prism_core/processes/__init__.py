"""Child processes forked from a warm server, and the limits that the kernel keeps around them.

It knows nothing of documents or stages: what is loaded and what is answered is given to it.
"""

from prism_core.processes.fork_server import Child, ForkServer, ServerLostError
from prism_core.processes.kernel_limits import (
    CHILD_FOLDER,
    KernelLimits,
    die_with_parent,
    forbid_network,
    libc,
    private_memory_bytes,
    release_free_memory,
)

__all__ = [
    "CHILD_FOLDER",
    "Child",
    "ForkServer",
    "KernelLimits",
    "ServerLostError",
    "die_with_parent",
    "forbid_network",
    "libc",
    "private_memory_bytes",
    "release_free_memory",
]
