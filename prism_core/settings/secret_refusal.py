"""Keeps keys and passwords out of settings, where they would be shown, mailed and committed."""

from __future__ import annotations

import re

from prism_core.errors import ConfigurationError

_SECRET_NAME = re.compile(r"(^|[._])(api_?)?(key|secret|token|password|passphrase)$", re.IGNORECASE)
_SECRET_VALUE = re.compile(
    r"""(sk|pk|rk)-[A-Za-z0-9_-]{16,}       # OpenAI and those who copy its shape
      | AIza[0-9A-Za-z_-]{30,}              # Google
      | AKIA[0-9A-Z]{16}                    # AWS
      | (ghp|glpat|xox[abp])[_-][\w-]{16,}
      | [0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(:fx)?   # DeepL
      | [0-9a-fA-F]{32,}                    # Azure, raw keys
    """,
    re.VERBOSE,
)
_URL_WITH_PASSWORD = re.compile(r"^[a-z0-9+.-]+://[^/@:]*:[^/@]+@", re.IGNORECASE)


def refuse_secret(name: str, value: object, origin: str, *, known: bool) -> None:
    """Raise ``ConfigurationError`` when a setting is a secret by its name or by its look.

    ``known`` says that ``name`` is a setting, whatever it sounds like. The message names the place
    and the fix, and never repeats the value.
    """
    if not known and _SECRET_NAME.search(name):
        fix = "set it in the environment and name that variable in translator.api_key_env"
        raise ConfigurationError(
            f"{name} in {origin}: keys and passwords are never settings; {fix}."
        )
    if isinstance(value, str) and _SECRET_VALUE.fullmatch(value.strip()):
        raise ConfigurationError(
            f"{name} in {origin} looks like an API key. Keys are never settings; put it in an "
            "environment variable (OPENAI_API_KEY, DEEPL_AUTH_KEY ..., or one that "
            "translator.api_key_env names)."
        )
    if isinstance(value, str) and _URL_WITH_PASSWORD.match(value):
        raise ConfigurationError(
            f"{name} in {origin} holds a password. Leave it out of the address and give it to the "
            "driver instead (PGPASSWORD or ~/.pgpass for PostgreSQL)."
        )
