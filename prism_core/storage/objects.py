"""The objects of a bucket: the one home of the library that asks the provider for them.

Entry: ``ObjectStore(address)``; ``list`` and ``head`` to look, ``get`` and ``get_into`` to read,
``put_if_absent`` and ``put_if_same`` to write, ``delete``. Every error is one of ours: the
library's quote names of objects and what the provider said, so ``refusal_in`` takes the number of
the answer and known codes from its message: what the provider says for good is not asked again.
"""

from __future__ import annotations

import mimetypes
import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import chain, repeat
from typing import TYPE_CHECKING, Any, BinaryIO, Final, TypeVar

from prism_core.errors import ConfigurationError
from prism_core.storage.address import ObjectAddress

if TYPE_CHECKING:
    from obstore.store import ObjectStore as Library
import re

from prism_core.errors import PrismError, StorageError

Result = TypeVar("Result")
PATIENCE: Final = 180.0
"""Seconds for which a provider that fails or cannot be reached is asked again."""
_PAUSES: Final = (0.2, 0.5, 1.0, 2.0, 5.0)
"""Seconds between attempts, beside those that the library waits."""
_ALLOW_HTTP: Final = {"s3": "AWS_ALLOW_HTTP", "gs": "GOOGLE_ALLOW_HTTP", "az": "AZURE_ALLOW_HTTP"}
"""Without TLS only where somebody says so: what passes is documents in clear."""
_BLOCK: Final = 1 << 20
_ODD_NAMES: Final = (
    "{place} holds an object whose name has a part that is . or .. or a control character, which "
    "no folder can have; rename it"
)


@dataclass(frozen=True, slots=True)
class Version:
    """An object as it was at one moment. ``tag`` changes with its content, empty where the provider
    gives none; ``generation`` is the number that some count versions by."""

    bytes: int
    tag: str
    modified: datetime
    generation: str = ""

    def __str__(self) -> str:
        if not self.tag:
            return ""
        return f"{self.tag} {self.bytes} {self.modified.isoformat()} {self.generation}"


class ObjectStore:
    """The objects below ``address``, by their names relative to it; for any thread.

    A process that is forked from one that has used it must not: the library would wait for threads
    that are not there. It is refused.
    """

    def __init__(self, address: ObjectAddress, patience: float = PATIENCE) -> None:
        self.address = address
        self._patience = patience
        self._process = os.getpid()
        self._library = _open(address, patience)

    def list(self, folder: str = "") -> Iterator[tuple[str, Version]]:
        """Every object below ``folder``, by name, in the order of the names.

        What a console makes to show a folder, an empty object called ``NAME/``, is left out.
        """
        start = f"{self.address.prefix}/" if self.address.prefix else ""
        for batch in self._pages(folder, 1000):
            for found in batch:
                name, version = found["path"][len(start) :], _version(found)
                if version.bytes or self.head(name) is not None:
                    yield name, version

    def holds_any(self, folder: str = "") -> bool:
        """Whether there is an object below ``folder``."""
        return any(True for _ in self._pages(folder, 1))

    def _pages(self, folder: str, size: int) -> Iterator[Sequence[Any]]:
        """What is listed, in parts; after a failure it goes on behind the last name that came."""
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
        """The object ``name`` as it is now; None when there is none."""
        return self._found(lambda: _version(self._library.head(self._key(name) or "")))

    def get(self, name: str) -> tuple[bytes, Version] | None:
        """The content of ``name``; None when there is none."""
        return self._found(lambda: self._read(name))

    def get_into(self, name: str, file: BinaryIO) -> Version | None:
        """Write the content of ``name`` to ``file``, block by block; None when there is none."""
        return self._found(lambda: self._read_into(name, file))

    def put_if_absent(self, name: str, content: bytes) -> bool:
        """Make the object ``name``, in one step; False when there is one: it stays.

        Where the provider's answer was lost it may be ours: who is told False compares.
        """
        return self._put(name, content, "create")

    def put_if_same(self, name: str, content: bytes, version: Version) -> bool:
        """Put ``content`` in the place of ``version``; False when that is not there any more."""
        mode = {"e_tag": version.tag} | (
            {"version": version.generation} if version.generation else {}
        )
        return self._put(name, content, mode)

    def put(self, name: str, content: bytes) -> None:
        """Put ``content`` there, whatever was."""
        self._put(name, content, "overwrite")

    def delete(self, name: str) -> None:
        """Take the object ``name`` away, if there is one."""
        self._found(lambda: self._library.delete(self._key(name) or ""))

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

        done = self._found(put)
        if done is None:
            raise ConfigurationError(NO_BUCKET.format(place=self.address))
        return done

    def _read(self, name: str) -> tuple[bytes, Version]:
        found = self._library.get(self._key(name) or "")
        content, version = bytes(found.bytes()), _version(found.meta)
        if len(content) != version.bytes:
            raise _CutError
        return content, version

    def _read_into(self, name: str, file: BinaryIO) -> Version:
        file.seek(0)
        file.truncate()
        found = self._library.get(self._key(name) or "")
        for block in found.stream(_BLOCK):
            file.write(block)
        version = _version(found.meta)
        if file.tell() != version.bytes:
            raise _CutError
        return version

    def _key(self, name: str) -> str | None:
        return "/".join(filter(None, (self.address.prefix, name))) or None

    def _ask(self, ask: Callable[[], Result]) -> Result:
        """What ``ask`` gives, asked again while the provider fails and patience lasts.

        ``FileNotFoundError`` goes on, without a word; all else is an error of ours.
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
                said = refusal_in(str(error)) or (REFUSED if refused else None)
                if said is None and time.monotonic() < until:
                    time.sleep(min(next(pauses), self._patience / 10))
                    continue
                failed = error_of(said or UNREACHABLE, self.address)
            raise failed from None

    def _found(self, ask: Callable[[], Result]) -> Result | None:
        """What ``ask`` gives; None where the object is not there."""
        try:
            return self._ask(ask)
        except FileNotFoundError:
            return None


class _CutError(Exception):
    """Fewer bytes came than were announced."""


def _open(address: ObjectAddress, patience: float) -> Library:
    try:
        from obstore import store
    except ImportError:
        raise ConfigurationError(
            f"{address} needs a library: pip install 'prism-translate[objects]'"
        ) from None
    kinds: dict[str, Any] = {
        "s3": store.S3Store,
        "gs": store.GCSStore,
        "az": store.AzureStore,
    }
    try:
        opened: Library = kinds[address.scheme](
            address.bucket,
            client_options={
                "timeout": "10min",
                "read_timeout": "1min",
                "connect_timeout": "10s",
                # options given here take the place of those in the environment
                "allow_http": os.environ.get(_ALLOW_HTTP[address.scheme], "").lower() == "true",
            },
            retry_config={
                "max_retries": 20,
                "retry_timeout": timedelta(seconds=patience),
            },
        )
    except Exception:  # noqa: BLE001 (whatever it says of the environment may hold a secret)
        raise ConfigurationError(
            f"{address}: what the environment says of the object store is not understood "
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
    "{place} refuses to be used; check the credentials in the environment and what they may do "
    "(list, get, put and delete objects; docs/object_storage.md)"
)
NO_BUCKET: Final = "{place}: there is no such bucket; make it, or check its name and the region"
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
"""Where providers give credentials to their own machines."""
_STATUS: Final = re.compile(r"non-2xx status code: (\d{3})")
_CODE: Final = re.compile(r"<Code>(\w{3,60})</Code>")
_SAID: Final = {
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
_PASSING: Final = frozenset({408, 409, 412, 425, 429})
_PASSING_CODES: Final = frozenset({"RequestTimeout", "SlowDown"})


def refusal_in(said: str) -> str | None:
    """The message, with a ``{place}`` in it, for what the library ``said``; None for what may pass
    by itself."""
    if _METADATA.search(said):
        return _NO_CREDENTIALS
    if "incorrectly configured region" in said:
        return _REGION
    status, code = _STATUS.search(said), _CODE.search(said)
    if status is None or (code and code[1] in _PASSING_CODES):
        return None
    if code and code[1] in _SAID:
        return _SAID[code[1]]
    number = int(status[1])
    if number in _BY_STATUS:
        return _BY_STATUS[number]
    return REFUSED if 400 <= number < 500 and number not in _PASSING else None


def error_of(template: str, place: object) -> PrismError:
    """The error with that message; of what is to be set, a ``ConfigurationError``."""
    is_setting = template in (NO_BUCKET, _NO_CREDENTIALS, _REGION, _NOT_KNOWN)
    return (ConfigurationError if is_setting else StorageError)(template.format(place=place))
