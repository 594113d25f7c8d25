"""Where something is, as a person says it: a folder, or a part of a bucket."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

from pydantic import PlainSerializer, PlainValidator

from prism_core.errors import ConfigurationError

SCHEMES: Final = ("s3", "gs", "az")
_URL: Final = re.compile(r"(?:([A-Za-z][A-Za-z0-9+.-]+)://|(s3|gs|az):/)(.*)", re.DOTALL)
"""With one slash, too: a ``Path`` has lost the other."""
_BUCKET: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{1,254}")
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class ObjectAddress:
    """Objects in ``bucket`` whose names begin with ``prefix`` and a slash; all, where it is empty.

    It holds no secret: who asks is known from the environment.
    """

    scheme: str
    bucket: str
    prefix: str = ""

    @classmethod
    def parse(cls, url: str) -> ObjectAddress:
        """The address that ``url`` is: ``s3://bucket/prefix``, ``gs://…`` or ``az://container/…``.

        Raises ``ConfigurationError`` that does not repeat it: it may hold a secret.
        """
        match = _URL.fullmatch(url)
        scheme, place = ((match[1] or match[2]).lower(), match[3]) if match else ("", "")
        bucket, _, prefix = place.partition("/")
        prefix = prefix.rstrip("/")
        parts = prefix.split("/") if prefix else []
        if scheme not in SCHEMES:
            raise ConfigurationError(
                "a place is a folder, or begins with s3://, gs:// or az://; nothing else is known"
            )
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
        """The last part; empty for a whole bucket."""
        return self.prefix.rpartition("/")[2]

    @property
    def parent(self) -> ObjectAddress:
        """What it lies in; a whole bucket in itself."""
        return ObjectAddress(self.scheme, self.bucket, self.prefix.rpartition("/")[0])

    def is_within(self, other: ObjectAddress) -> bool:
        """Whether it is ``other`` or lies in it."""
        same = (self.scheme, self.bucket) == (other.scheme, other.bucket)
        inside = not other.prefix or f"{self.prefix}/".startswith(f"{other.prefix}/")
        return same and inside


def parse_address(place: str | Path | ObjectAddress) -> Path | ObjectAddress:
    """``place`` as the folder or the part of a bucket that it names; a path stays as it is.

    Raises ``ConfigurationError``.
    """
    if isinstance(place, ObjectAddress):
        return place
    return ObjectAddress.parse(str(place)) if _URL.fullmatch(str(place)) else Path(place)


def absolute(place: Path | ObjectAddress) -> Path | ObjectAddress:
    """``place`` for a process with another working folder."""
    return place.expanduser().absolute() if isinstance(place, Path) else place


Address = Annotated[
    Path | ObjectAddress,
    PlainValidator(parse_address),
    PlainSerializer(lambda place: place if isinstance(place, Path) else str(place)),
]
"""A field of settings or of a job that names a place."""
