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
from prism_core.state.user_key import KEY_VARIABLE, UserKey

KEY = bytes(range(32))
ENCODED = base64.b64encode(KEY).decode()


def test_a_key_is_made_on_first_use_and_stays(tmp_path: Path) -> None:
    settings = KeySettings(file=tmp_path / "new" / "key")
    first = UserKey(settings, {}).load()
    assert len(first) == 32
    assert UserKey(settings, {}).load() == first
    assert stat.S_IMODE((tmp_path / "new" / "key").stat().st_mode) == 0o600
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["key"]


def test_runs_that_start_at_once_agree_on_one_key(tmp_path: Path) -> None:
    settings = KeySettings(file=tmp_path / "key")
    keys: list[bytes] = []
    threads = [
        threading.Thread(target=lambda: keys.append(UserKey(settings, {}).load())) for _ in "12345"
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
    UserKey(settings, {}).load()
    (tmp_path / "key").chmod(mode)
    with pytest.raises(ConfigurationError, match="chmod 600"):
        UserKey(settings, {}).load()


def test_the_environment_wins_over_the_file(tmp_path: Path) -> None:
    settings = KeySettings(file=tmp_path / "key")
    assert UserKey(settings, {"PRISM_KEY": ENCODED}).load() == KEY
    assert not (tmp_path / "key").exists()


def test_the_environment_may_name_the_file(tmp_path: Path) -> None:
    path = tmp_path / "elsewhere"
    path.write_text(ENCODED)
    path.chmod(0o600)
    assert UserKey(KeySettings(), {"PRISM_KEY_FILE": str(path)}).load() == KEY


def test_without_a_name_the_file_lies_in_the_state_home(tmp_path: Path) -> None:
    UserKey(KeySettings(), {"XDG_STATE_HOME": str(tmp_path)}).load()
    assert (tmp_path / "prism" / "key").is_file()


def test_a_key_that_must_be_in_the_environment_is_never_made(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="PRISM_KEY is not set"):
        UserKey(KeySettings(source="env", file=tmp_path / "key"), {}).load()
    assert not (tmp_path / "key").exists()


@pytest.mark.parametrize("broken", ["short", "a" * 44, base64.b64encode(bytes(31)).decode(), "é"])
def test_what_is_no_key_is_refused_and_not_repeated(broken: str) -> None:
    with pytest.raises(ConfigurationError) as error:
        UserKey(KeySettings(), {"PRISM_KEY": broken}).load()
    assert broken not in str(error.value)


def test_a_damaged_key_file_is_never_replaced(tmp_path: Path) -> None:
    path = tmp_path / "key"
    path.write_text("")
    path.chmod(0o600)
    with pytest.raises(ConfigurationError):
        UserKey(KeySettings(file=path), {}).load()
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
        assert UserKey(KeySettings(source="keyring"), {}).find() is None
        first = UserKey(KeySettings(source="keyring"), {}).load()
        assert UserKey(KeySettings(source="keyring"), {}).find() == first
        assert UserKey(KeySettings(source="keyring"), {}).load() == first
    finally:
        keyring.set_keyring(before)


def test_a_keyring_that_cannot_be_used_says_so() -> None:
    from keyring.backends.fail import Keyring

    before = keyring.get_keyring()
    keyring.set_keyring(Keyring())
    try:
        with pytest.raises(ConfigurationError, match="keyring"):
            UserKey(KeySettings(source="keyring"), {}).load()
    finally:
        keyring.set_keyring(before)


def test_a_key_that_is_only_looked_for_is_not_made(tmp_path: Path) -> None:
    settings = KeySettings(file=tmp_path / "key")
    assert UserKey(settings, {}).find() is None
    assert list(tmp_path.iterdir()) == []
    made = UserKey(settings, {}).load()
    assert UserKey(settings, {}).find() == made
    assert UserKey(KeySettings(source="env"), {}).find() is None
    encoded = base64.b64encode(bytes(32)).decode()
    assert UserKey(KeySettings(source="env"), {KEY_VARIABLE: encoded}).find() == bytes(32)
