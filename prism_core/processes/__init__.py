"""Child processes forked from a warm server, within limits that the kernel enforces.

The package knows nothing of documents or stages: callers pass in the functions that load and
answer.
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
