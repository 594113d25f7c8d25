"""Client of object stores; the only module that uses the library for them.

Entry: ``ObjectStore(address)``; ``list`` and ``head`` to look, ``get`` and ``get_into`` to read,
``put_if_absent`` and ``put_if_same`` to write, ``delete``. Every error is a ``PrismError``:
messages of the library quote object names and answers of the provider. So ``refusal_in`` reads only
the status and known error codes from them, and requests that the provider refuses for good are not
retried.
"""

from __future__ import annotations

import mimetypes
import os
import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import chain, repeat
from typing import TYPE_CHECKING, Any, BinaryIO, Final, TypeVar

from prism_core.errors import ConfigurationError, PrismError, StorageError
from prism_core.storage.address import ObjectAddress

if TYPE_CHECKING:
    from obstore.store import ObjectStore as Library

Result = TypeVar("Result")
PATIENCE: Final = 180.0
"""Seconds during which requests to a failing or unreachable provider are retried."""
_PAUSES: Final = (0.2, 0.5, 1.0, 2.0, 5.0)
"""Seconds between attempts, in addition to the library's own backoff."""
_PROVIDERS: Final = {
    "s3": ("S3Store", "AWS_ALLOW_HTTP"),
    "gs": ("GCSStore", "GOOGLE_ALLOW_HTTP"),
    "az": ("AzureStore", "AZURE_ALLOW_HTTP"),
}
"""Class of the library for each scheme, and the variable that allows connections without TLS.

The variable must be set explicitly, because documents pass in clear text.
"""
_BLOCK: Final = 1 << 20
_ODD_NAMES: Final = (
    "{place} holds an object whose name has a part that is . or .. or a control character, which "
    "no folder can have; rename it"
)


@dataclass(frozen=True, slots=True)
class Version:
    """State of an object at one moment.

    ``tag`` changes with the content, and is empty where the provider gives none. ``generation`` is
    the version number that some providers count.
    """

    bytes: int
    tag: str
    modified: datetime
    generation: str = ""

    def __str__(self) -> str:
        if not self.tag:
            return ""
        return f"{self.tag} {self.bytes} {self.modified.isoformat()} {self.generation}"


class ObjectStore:
    """Objects below ``address``, by their names relative to it; safe for use from any thread.

    A process forked from one that has used the store must not use it, because the library would
    wait for threads that do not exist there. It raises ``RuntimeError``.
    """

    def __init__(self, address: ObjectAddress, patience: float = PATIENCE) -> None:
        self.address = address
        self._patience = patience
        self._process = os.getpid()
        self._library = _open(address, patience)

    def list(self, folder: str = "") -> Iterator[tuple[str, Version]]:
        """List every object below ``folder`` with its version, sorted by name.

        The empty objects called ``NAME/``, which consoles create to show a folder, are left out.
        """
        start = f"{self.address.prefix}/" if self.address.prefix else ""
        for batch in self._pages(folder, 1000):
            for found in batch:
                name, version = found["path"][len(start) :], _version(found)
                if version.bytes or self.head(name) is not None:
                    yield name, version

    def holds_any(self, folder: str = "") -> bool:
        """Return True if there is an object below ``folder``."""
        return any(True for _ in self._pages(folder, 1))

    def _pages(self, folder: str, size: int) -> Iterator[Sequence[Any]]:
        """Yield the listing in pages; after a failure, resume after the last name received."""
        pages: Iterator[Sequence[Any]] | None = None
        last: str | None = None

        def ask() -> Sequence[Any]:
            nonlocal pages
            listed, pages = pages, None
            if listed is None:
                found = self._library.list(self._key(folder), offset=last, chunk_size=size)
                listed = iter(found)
            page = next(listed, ())
            pages = listed
            return page

        try:
            while page := self._ask(ask):
                last = page[-1]["path"]
                yield page
        except FileNotFoundError:
            raise ConfigurationError(NO_BUCKET.format(place=self.address)) from None

    def head(self, name: str) -> Version | None:
        """Return the current version of the object ``name``, or None if there is none."""
        return self._or_none(lambda: _version(self._library.head(self._key(name) or "")))

    def get(self, name: str) -> tuple[bytes, Version] | None:
        """Return content and version of ``name``, or None if there is none."""

        def read() -> tuple[bytes, Version]:
            found = self._library.get(self._key(name) or "")
            content, version = bytes(found.bytes()), _version(found.meta)
            if len(content) != version.bytes:
                raise _CutError
            return content, version

        return self._or_none(read)

    def get_into(self, name: str, file: BinaryIO) -> Version | None:
        """Write the content of ``name`` to ``file``, by blocks; return None if there is none."""

        def read() -> Version:
            file.seek(0)
            file.truncate()
            found = self._library.get(self._key(name) or "")
            for block in found.stream(_BLOCK):
                file.write(block)
            version = _version(found.meta)
            if file.tell() != version.bytes:
                raise _CutError
            return version

        return self._or_none(read)

    def put_if_absent(self, name: str, content: bytes) -> bool:
        """Create the object ``name`` in one step; return False, and change nothing, if it exists.

        If the provider's answer was lost, the existing object may be ours: callers that get False
        should compare its content.
        """
        return self._put(name, content, "create")

    def put_if_same(self, name: str, content: bytes, version: Version) -> bool:
        """Replace ``version`` by ``content``; return False if it is no longer current."""
        mode = {"e_tag": version.tag} | (
            {"version": version.generation} if version.generation else {}
        )
        return self._put(name, content, mode)

    def put(self, name: str, content: bytes) -> None:
        """Write ``content``, overwriting any existing object."""
        self._put(name, content, "overwrite")

    def delete(self, name: str) -> None:
        """Delete the object ``name`` if it exists."""
        self._or_none(lambda: self._library.delete(self._key(name) or ""))

    def _put(self, name: str, content: bytes, mode: Any) -> bool:
        from obstore import exceptions

        kind = mimetypes.guess_type(name)[0] or "application/octet-stream"

        def put() -> bool:
            try:
                self._library.put(
                    self._key(name) or "",
                    content,
                    attributes={"Content-Type": kind},
                    mode=mode,
                    use_multipart=False,
                )
            except (exceptions.AlreadyExistsError, exceptions.PreconditionError):
                return False
            return True

        done = self._or_none(put)
        if done is None:
            raise ConfigurationError(NO_BUCKET.format(place=self.address))
        return done

    def _key(self, name: str) -> str | None:
        return "/".join(filter(None, (self.address.prefix, name))) or None

    def _ask(self, ask: Callable[[], Result]) -> Result:
        """Return the result of ``ask``, retrying while the provider fails and patience lasts.

        ``FileNotFoundError`` passes through without a message; any other error becomes a
        ``PrismError``.
        """
        from obstore import exceptions

        if os.getpid() != self._process:
            raise RuntimeError("an object store was used in a forked process")
        until = time.monotonic() + self._patience
        pauses = chain(_PAUSES, repeat(_PAUSES[-1]))
        while True:
            try:
                return ask()
            except (exceptions.NotFoundError, FileNotFoundError):
                failed: Exception = FileNotFoundError()
            except (exceptions.InvalidPathError, ValueError):
                failed = ConfigurationError(_ODD_NAMES.format(place=self.address))
            except (exceptions.BaseError, OSError, _CutError) as error:
                refused = isinstance(
                    error, exceptions.PermissionDeniedError | exceptions.UnauthenticatedError
                )
                message = refusal_in(str(error)) or (REFUSED if refused else None)
                if message is None and time.monotonic() < until:
                    time.sleep(min(next(pauses), self._patience / 10))
                    continue
                failed = error_of(message or UNREACHABLE, self.address)
            raise failed from None

    def _or_none(self, ask: Callable[[], Result]) -> Result | None:
        """Return the result of ``ask``, or None if the object is missing."""
        try:
            return self._ask(ask)
        except FileNotFoundError:
            return None


class _CutError(Exception):
    """Error raised when fewer bytes arrived than were announced."""


def _open(address: ObjectAddress, patience: float) -> Library:
    try:
        from obstore import store
    except ImportError:
        raise ConfigurationError(
            f"{address} needs a library: pip install 'prism-translate[objects]'"
        ) from None
    class_name, allow_http = _PROVIDERS[address.scheme]
    try:
        opened: Library = getattr(store, class_name)(
            address.bucket,
            client_options={
                "timeout": "10min",
                "read_timeout": "1min",
                "connect_timeout": "10s",
                # options given here take the place of those in the environment
                "allow_http": os.environ.get(allow_http, "").lower() == "true",
            },
            retry_config={
                "max_retries": 20,
                "retry_timeout": timedelta(seconds=patience),
            },
        )
    except Exception:  # noqa: BLE001 (whatever it says of the environment may hold a secret)
        raise ConfigurationError(
            f"{address}: the settings of the object store in the environment are not understood "
            "(docs/object_storage.md)"
        ) from None
    return opened


def _version(meta: Any) -> Version:
    return Version(
        int(meta["size"]),
        meta.get("e_tag") or "",
        meta["last_modified"],
        meta.get("version") or "",
    )


UNREACHABLE: Final = (
    "{place} cannot be reached, or keeps failing; check the network, the endpoint and the region "
    "(docs/object_storage.md) and run again: nothing is lost"
)
REFUSED: Final = (
    "{place} refuses access; check the credentials in the environment and what they may do "
    "(list, get, put and delete objects; docs/object_storage.md)"
)
NO_BUCKET: Final = "{place}: there is no such bucket; create it, or check its name and the region"
_NO_CREDENTIALS: Final = (
    "{place}: the environment holds no credentials, and this machine is given none by its provider "
    "(docs/object_storage.md)"
)
_EXPIRED: Final = (
    "{place} refuses the credentials in the environment, which are no longer valid; get new ones, "
    "also the session token, and run again: nothing is lost"
)
_UNKNOWN_KEY: Final = (
    "{place} knows no such credentials as the environment holds; check key id, secret and endpoint"
)
_REGION: Final = (
    "{place} is in another region, or at another endpoint, than the environment says; set "
    "AWS_REGION or AWS_ENDPOINT_URL"
)
_CLOCK: Final = "{place} refuses requests since the clock of this machine is wrong; set it"
_NOT_KNOWN: Final = (
    "{place}: the provider does not know a request that PRISM needs (If-None-Match, If-Match, "
    "list); use another, or a folder"
)
_METADATA: Final = re.compile(r"//(169\.254\.\d+\.\d+|metadata\.google\.internal|\[?fd00:ec2::)")
"""Addresses where providers give credentials to their own machines."""
_STATUS: Final = re.compile(r"non-2xx status code: (\d{3})")
_CODE: Final = re.compile(r"<Code>(\w{3,60})</Code>")
_BY_CODE: Final = {
    "AuthorizationHeaderMalformed": _REGION,
    "ExpiredToken": _EXPIRED,
    "InvalidAccessKeyId": _UNKNOWN_KEY,
    "InvalidToken": _EXPIRED,
    "NoSuchBucket": NO_BUCKET,
    "NotImplemented": _NOT_KNOWN,
    "PermanentRedirect": _REGION,
    "RequestTimeTooSkewed": _CLOCK,
    "SignatureDoesNotMatch": _UNKNOWN_KEY,
    "TokenRefreshRequired": _EXPIRED,
}
_BY_STATUS: Final = {404: NO_BUCKET, 501: _NOT_KNOWN}
_TRANSIENT: Final = frozenset({408, 409, 412, 425, 429})
_TRANSIENT_CODES: Final = frozenset({"RequestTimeout", "SlowDown"})


def refusal_in(message: str) -> str | None:
    """Map the library's ``message`` to a template of ours with ``{place}`` in it.

    Returns None for a failure that may pass by itself.
    """
    if _METADATA.search(message):
        return _NO_CREDENTIALS
    if "incorrectly configured region" in message:
        return _REGION
    status, code = _STATUS.search(message), _CODE.search(message)
    if status is None or (code and code[1] in _TRANSIENT_CODES):
        return None
    if code and code[1] in _BY_CODE:
        return _BY_CODE[code[1]]
    number = int(status[1])
    if number in _BY_STATUS:
        return _BY_STATUS[number]
    return REFUSED if 400 <= number < 500 and number not in _TRANSIENT else None


def error_of(template: str, place: object) -> PrismError:
    """Build the error with that message: ``ConfigurationError`` if the user must act."""
    is_setting = template in (NO_BUCKET, _NO_CREDENTIALS, _REGION, _NOT_KNOWN)
    return (ConfigurationError if is_setting else StorageError)(template.format(place=place))
