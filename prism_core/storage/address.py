"""Addresses of storage locations as a user writes them: a folder, or a part of a bucket."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

from pydantic import PlainSerializer, PlainValidator

from prism_core.errors import ConfigurationError

SCHEMES: Final = ("s3", "gs", "az")
"""Schemes of addresses; ``objects`` names the library's class for each."""
_URL: Final = re.compile(
    rf"(?:([A-Za-z][A-Za-z0-9+.-]+)://|({'|'.join(SCHEMES)}):/)(.*)", re.DOTALL
)
"""Accepts one slash too, because a ``Path`` has lost the other."""
_BUCKET: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{1,254}")
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class ObjectAddress:
    """Objects in ``bucket`` whose names begin with ``prefix`` and a slash, or all if it is empty.

    It holds no secret: credentials come from the environment.
    """

    scheme: str
    bucket: str
    prefix: str = ""

    @classmethod
    def parse(cls, url: str) -> ObjectAddress:
        """Parse ``s3://bucket/prefix``, ``gs://…`` or ``az://container/…``.

        Raises ``ConfigurationError``, whose message does not repeat the address because it may hold
        a secret.
        """
        match = _URL.fullmatch(url)
        scheme, rest = ((match[1] or match[2]).lower(), match[3]) if match else ("", "")
        bucket, _, prefix = rest.partition("/")
        prefix = prefix.rstrip("/")
        parts = prefix.split("/") if prefix else []
        if scheme not in SCHEMES:
            raise ConfigurationError("an address is a folder, or begins with s3://, gs:// or az://")
        if not _BUCKET.fullmatch(bucket) or "?" in prefix or _CONTROL.search(prefix):
            raise ConfigurationError(
                f"an address is {scheme}://BUCKET/PREFIX and nothing more: no user, no password, "
                "nothing after ?; credentials come from the environment (docs/object_storage.md)"
            )
        if {"", ".", ".."} & set(parts):
            raise ConfigurationError(
                f"the prefix of an address in {scheme}:// has a part that is empty, . or .."
            )
        return cls(scheme, bucket, prefix)

    def __str__(self) -> str:
        return f"{self.scheme}://{self.bucket}/{self.prefix}".rstrip("/")

    def __truediv__(self, name: str) -> ObjectAddress:
        prefix = f"{self.prefix}/{name}" if self.prefix else name
        return ObjectAddress(self.scheme, self.bucket, prefix)

    @property
    def name(self) -> str:
        """Last part of the prefix; empty for a whole bucket."""
        return self.prefix.rpartition("/")[2]

    @property
    def parent(self) -> ObjectAddress:
        """Address one level up; a whole bucket is its own parent."""
        return ObjectAddress(self.scheme, self.bucket, self.prefix.rpartition("/")[0])

    def is_within(self, other: ObjectAddress) -> bool:
        """Return True if this address equals ``other`` or lies below it."""
        same = (self.scheme, self.bucket) == (other.scheme, other.bucket)
        inside = not other.prefix or f"{self.prefix}/".startswith(f"{other.prefix}/")
        return same and inside


def parse_address(address: str | Path | ObjectAddress) -> Path | ObjectAddress:
    """Return the folder or the bucket address that ``address`` names; a path stays as it is.

    Raises ``ConfigurationError``.
    """
    if isinstance(address, ObjectAddress):
        return address
    return ObjectAddress.parse(str(address)) if _URL.fullmatch(str(address)) else Path(address)


def make_absolute(address: Path | ObjectAddress) -> Path | ObjectAddress:
    """Make a folder absolute, for a process with another working folder."""
    return address.expanduser().absolute() if isinstance(address, Path) else address


Address = Annotated[
    Path | ObjectAddress,
    PlainValidator(parse_address),
    PlainSerializer(lambda address: address if isinstance(address, Path) else str(address)),
]
"""Type of a field, in settings or in a job, that names a storage location."""
