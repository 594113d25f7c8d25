"""What an object store says for good, in words of ours: asking again would not help.

The library has one error for most of it, and tells the answer of the provider in its message, which
quotes names of objects and keys: only the number of the answer and codes that are known are taken.
Entry: ``refusal_in``.
"""

from __future__ import annotations

import re
from typing import Final

from prism_core.errors import ConfigurationError, PrismError, StorageError

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
