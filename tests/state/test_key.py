"""The key: made once, readable by its owner alone, never shown."""

from __future__ import annotations

import base64
import stat
import threading
from pathlib import Path

import keyring
import pytest
from keyring.backend import KeyringBackend

from prism_core.errors import ConfigurationError
from prism_core.settings import KeySettings
from prism_core.state.user_key import KEY_VARIABLE, existing_key, load_key

KEY = bytes(range(32))
ENCODED = base64.b64encode(KEY).decode()


def test_a_key_is_made_on_first_use_and_stays(tmp_path: Path) -> None:
    settings = KeySettings(file=tmp_path / "new" / "key")
    first = load_key(settings, {})
    assert len(first) == 32
    assert load_key(settings, {}) == first
    assert stat.S_IMODE((tmp_path / "new" / "key").stat().st_mode) == 0o600
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["key"]


def test_runs_that_start_at_once_agree_on_one_key(tmp_path: Path) -> None:
    settings = KeySettings(file=tmp_path / "key")
    keys: list[bytes] = []
    threads = [
        threading.Thread(target=lambda: keys.append(load_key(settings, {}))) for _ in "12345"
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(keys) == 5
    assert len(set(keys)) == 1


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o644])
def test_a_key_that_others_may_read_is_refused(tmp_path: Path, mode: int) -> None:
    settings = KeySettings(file=tmp_path / "key")
    load_key(settings, {})
    (tmp_path / "key").chmod(mode)
    with pytest.raises(ConfigurationError, match="chmod 600"):
        load_key(settings, {})


def test_the_environment_wins_over_the_file(tmp_path: Path) -> None:
    settings = KeySettings(file=tmp_path / "key")
    assert load_key(settings, {"PRISM_KEY": ENCODED}) == KEY
    assert not (tmp_path / "key").exists()


def test_the_environment_may_name_the_file(tmp_path: Path) -> None:
    path = tmp_path / "elsewhere"
    path.write_text(ENCODED)
    path.chmod(0o600)
    assert load_key(KeySettings(), {"PRISM_KEY_FILE": str(path)}) == KEY


def test_without_a_name_the_file_lies_in_the_state_home(tmp_path: Path) -> None:
    load_key(KeySettings(), {"XDG_STATE_HOME": str(tmp_path)})
    assert (tmp_path / "prism" / "key").is_file()


def test_a_key_that_must_be_in_the_environment_is_never_made(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="PRISM_KEY is not set"):
        load_key(KeySettings(source="env", file=tmp_path / "key"), {})
    assert not (tmp_path / "key").exists()


@pytest.mark.parametrize("broken", ["short", "a" * 44, base64.b64encode(bytes(31)).decode(), "é"])
def test_what_is_no_key_is_refused_and_not_repeated(broken: str) -> None:
    with pytest.raises(ConfigurationError) as error:
        load_key(KeySettings(), {"PRISM_KEY": broken})
    assert broken not in str(error.value)


def test_a_damaged_key_file_is_never_replaced(tmp_path: Path) -> None:
    path = tmp_path / "key"
    path.write_text("")
    path.chmod(0o600)
    with pytest.raises(ConfigurationError):
        load_key(KeySettings(file=path), {})
    assert path.read_text() == ""


def test_the_keyring_keeps_one_key(monkeypatch: pytest.MonkeyPatch) -> None:
    class Memory(KeyringBackend):
        priority = 1  # type: ignore[assignment]

        def __init__(self) -> None:
            self.kept: dict[tuple[str, str], str] = {}

        def get_password(self, service: str, username: str) -> str | None:
            return self.kept.get((service, username))

        def set_password(self, service: str, username: str, password: str) -> None:
            self.kept[service, username] = password

    before = keyring.get_keyring()
    keyring.set_keyring(Memory())
    try:
        assert existing_key(KeySettings(source="keyring"), {}) is None
        first = load_key(KeySettings(source="keyring"), {})
        assert existing_key(KeySettings(source="keyring"), {}) == first
        assert load_key(KeySettings(source="keyring"), {}) == first
    finally:
        keyring.set_keyring(before)


def test_a_keyring_that_cannot_be_used_says_so() -> None:
    from keyring.backends.fail import Keyring

    before = keyring.get_keyring()
    keyring.set_keyring(Keyring())
    try:
        with pytest.raises(ConfigurationError, match="keyring"):
            load_key(KeySettings(source="keyring"), {})
    finally:
        keyring.set_keyring(before)


def test_a_key_that_is_only_looked_for_is_not_made(tmp_path: Path) -> None:
    settings = KeySettings(file=tmp_path / "key")
    assert existing_key(settings, {}) is None
    assert list(tmp_path.iterdir()) == []
    made = load_key(settings, {})
    assert existing_key(settings, {}) == made
    assert existing_key(KeySettings(source="env"), {}) is None
    encoded = base64.b64encode(bytes(32)).decode()
    assert existing_key(KeySettings(source="env"), {KEY_VARIABLE: encoded}) == bytes(32)
