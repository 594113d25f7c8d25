"""``prism key``: what it shows, that a rotation is whole whenever it ends, and what it destroys."""

from __future__ import annotations

import base64
import json
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import keyring
import pytest
from keyring.backend import KeyringBackend

from flows.command.key import rotate
from prism_core.cipher import fingerprint
from prism_core.errors import ExitCode
from prism_core.state import StatePlace, UserKey
from tests.child_process import KILLED, die, exit_code_of
from tests.end_to_end.canary import Searcher
from tests.flows.conftest import Archive, Prism


@pytest.fixture
def key(archive: Archive) -> Path:
    return Path(archive.environment["PRISM_KEY_FILE"])


def totals(prism: Prism, archive: Archive, output: Path | None = None) -> dict[str, int]:
    output = output or archive.output
    ended = prism("translate", archive.input, output, "--translator", "fake", "--json")
    assert ended.code == ExitCode.OK, ended
    return json.loads(ended.out)["totals"]


def shown(prism: Prism, *arguments: object) -> dict[str, object]:
    ended = prism("key", "show", *arguments, "--json")
    assert ended.code == ExitCode.OK, ended
    return json.loads(ended.out)


def test_a_key_is_made_once_for_its_owner_alone(prism: Prism, tmp_path: Path) -> None:
    place = tmp_path / "keys" / "legal"
    ended = prism("key", "new", place)
    assert ended.code == ExitCode.OK
    made = place.read_bytes()
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    assert fingerprint(UserKey.in_file(place).load()) in ended.out
    again = prism("key", "new", place)
    assert again.code == ExitCode.BAD_CONFIGURATION
    assert "never overwritten" in again.err
    assert place.read_bytes() == made


def test_showing_makes_no_key(prism: Prism, archive: Archive, key: Path) -> None:
    assert shown(prism)["fingerprint"] is None
    assert not key.exists()


def test_what_is_shown_tells_keys_apart_and_never_is_one(
    prism: Prism, archive: Archive, key: Path
) -> None:
    totals(prism, archive)
    facts = shown(prism, archive.output)
    [state] = facts["state_keys"]
    assert facts["fingerprint"] == state["fingerprint"] == fingerprint(UserKey.in_file(key).load())
    said = prism("key", "show", archive.output)
    assert "opens with this key" in said.out
    secret = Searcher([key.read_text()], {"the key": UserKey.in_file(key).load()})
    assert secret.in_bytes((said.out + json.dumps(facts)).encode(), "shown") == set()


def test_after_a_rotation_what_was_translated_is_known_and_the_old_key_is_kept(
    prism: Prism, stored: Archive, key: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    totals(prism, stored)
    old = UserKey.in_file(key).load()
    ended = prism("key", "rotate", stored.output)
    assert ended.code == ExitCode.OK, ended
    assert UserKey.in_file(key).load() != old
    kept = key.with_name(f"{key.name}.{fingerprint(old)}")
    assert str(kept) in ended.out
    assert UserKey.in_file(kept).load() == old
    assert {path.name for path in key.parent.glob("key*")} == {key.name, kept.name}
    assert totals(prism, stored)["documents_unchanged"] == 1
    monkeypatch.setenv("PRISM_KEY_FILE", str(kept))
    refused = prism("translate", stored.input, stored.output, "--translator", "fake")
    assert refused.code == ExitCode.STATE_UNUSABLE
    assert "prism key show" in refused.err


def test_another_archive_with_the_old_key_follows_later(
    prism: Prism, archive: Archive, key: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other"
    totals(prism, archive)
    totals(prism, archive, other)
    old = fingerprint(UserKey.in_file(key).load())
    prism("key", "rotate", archive.output)
    assert shown(prism, other)["state_keys"][0]["fingerprint"] == old
    monkeypatch.setenv("PRISM_KEY_FILE", f"{key}.{old}")
    assert prism("key", "rotate", other, "--to", key).code == ExitCode.OK
    monkeypatch.setenv("PRISM_KEY_FILE", str(key))
    assert totals(prism, archive, other)["documents_unchanged"] == 1


def test_several_archives_are_rotated_at_once_and_the_old_key_destroyed(
    prism: Prism, archive: Archive, key: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    totals(prism, archive)
    totals(prism, archive, other)
    asked = prism("key", "rotate", archive.output, other, "--destroy-old")
    assert asked.code == ExitCode.BAD_CONFIGURATION
    assert "nothing was destroyed" in asked.err
    ended = prism("key", "rotate", archive.output, other, "--destroy-old", "--yes")
    assert ended.code == ExitCode.OK, ended
    assert [path.name for path in key.parent.glob("key*")] == [key.name]
    assert totals(prism, archive)["documents_unchanged"] == 1
    assert totals(prism, archive, other)["documents_unchanged"] == 1


@pytest.mark.parametrize(
    "moment",
    ["UserKey.replace", "StatePlace.dismiss_others", "user_key.Path.replace"],
)
def test_a_rotation_that_is_killed_leaves_an_archive_that_goes_on(
    prism: Prism, archive: Archive, key: Path, moment: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    totals(prism, archive)
    assert _killed_at(moment, lambda: rotate([archive.output]))
    assert totals(prism, archive)["documents_unchanged"] == 1
    assert prism("key", "rotate", archive.output).code == ExitCode.OK
    assert len(shown(prism, archive.output)["state_keys"]) == 1
    assert totals(prism, archive)["documents_unchanged"] == 1
    assert not key.with_name("key.next").exists()


def test_a_rotation_waits_for_no_run(prism: Prism, archive: Archive, key: Path) -> None:
    totals(prism, archive)
    before = key.read_bytes()
    with StatePlace(archive.output / ".prism").hold():
        assert prism("key", "rotate", archive.output).code == ExitCode.STATE_UNUSABLE
    assert key.read_bytes() == before


def test_a_key_in_the_environment_is_rotated_to_a_file(
    prism: Prism, archive: Archive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PRISM_KEY", base64.b64encode(bytes(range(32))).decode())
    totals(prism, archive)
    refused = prism("key", "rotate", archive.output)
    assert refused.code == ExitCode.BAD_CONFIGURATION
    assert "--to FILE" in refused.err
    prism("key", "new", tmp_path / "next")
    assert prism("key", "rotate", archive.output, "--to", tmp_path / "next").code == ExitCode.OK
    monkeypatch.setenv("PRISM_KEY", (tmp_path / "next").read_text().strip())
    assert totals(prism, archive)["documents_unchanged"] == 1


@pytest.fixture
def memory_keyring(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, str]]:
    kept: dict[str, str] = {}

    class Memory(KeyringBackend):
        priority = 1  # type: ignore[assignment]

        def get_password(self, _service: str, username: str) -> str | None:
            return kept.get(username)

        def set_password(self, _service: str, username: str, password: str) -> None:
            kept[username] = password

        def delete_password(self, _service: str, username: str) -> None:
            del kept[username]

    before = keyring.get_keyring()
    keyring.set_keyring(Memory())
    monkeypatch.setenv("PRISM_KEY__SOURCE", "keyring")
    yield kept
    keyring.set_keyring(before)


def test_a_key_in_the_keyring_is_rotated_there(
    prism: Prism, archive: Archive, memory_keyring: dict[str, str]
) -> None:
    totals(prism, archive)
    [first] = memory_keyring.values()
    assert prism("key", "rotate", archive.output).code == ExitCode.OK
    assert memory_keyring["state-key"] != first
    assert first in memory_keyring.values()
    assert totals(prism, archive)["documents_unchanged"] == 1
    assert prism("key", "rotate", archive.output, "--destroy-old", "--yes").code == ExitCode.OK
    assert len(memory_keyring) == 2  # the present one, and the first
    assert totals(prism, archive)["documents_unchanged"] == 1


def test_the_users_key_is_destroyed_after_saying_what_goes_with_it(
    prism: Prism, archive: Archive, key: Path
) -> None:
    totals(prism, archive)
    inode = key.open("rb")  # what was in the file can be looked at after it is gone
    asked = prism("key", "destroy", archive.output)
    assert asked.code == ExitCode.BAD_CONFIGURATION
    assert "2 translated documents are no longer known" in asked.err
    assert key.exists()
    assert prism("key", "destroy", archive.output, "--yes").code == ExitCode.OK
    assert not key.exists()
    with inode:
        assert set(inode.read()) == {0}
    ended = prism("translate", archive.input, archive.output, "--translator", "fake")
    assert ended.code == ExitCode.BAD_CONFIGURATION
    assert "its key is missing" in ended.err
    assert not key.exists()


def test_an_old_key_is_destroyed_by_its_file(prism: Prism, archive: Archive, key: Path) -> None:
    totals(prism, archive)
    old = fingerprint(UserKey.in_file(key).load())
    prism("key", "rotate", archive.output)
    ended = prism("key", "destroy", archive.output, "--file", f"{key}.{old}", "--yes")
    assert ended.code == ExitCode.OK
    assert "is not among them" in ended.err
    assert totals(prism, archive)["documents_unchanged"] == 1


def test_a_destruction_that_makes_no_sense_is_refused(prism: Prism, archive: Archive) -> None:
    ended = prism("key", "destroy", "--file", "/nowhere/key", "--yes")
    assert ended.code == ExitCode.BAD_CONFIGURATION


def test_a_key_in_the_environment_is_nobodys_to_destroy(
    prism: Prism, archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PRISM_KEY", "A" * 43 + "=")
    assert prism("key", "destroy", "--yes").code == ExitCode.BAD_CONFIGURATION


def test_a_key_that_is_missing_cannot_be_rotated(
    prism: Prism, archive: Archive, key: Path, tmp_path: Path
) -> None:
    totals(prism, archive)
    key.rename(tmp_path / "away")
    UserKey.in_file(tmp_path / "new").make()
    for more in ([], ["--to", tmp_path / "new"], ["--to", tmp_path / "none"]):
        assert prism("key", "rotate", archive.output, *more).code == ExitCode.BAD_CONFIGURATION
    assert not key.exists()


def _killed_at(moment: str, work: Callable[[], object]) -> bool:
    """Do ``work`` in a process that is killed when it calls ``moment``; whether it was."""

    def child() -> None:
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(f"prism_core.state.{moment}", lambda *_: die())
            work()

    return exit_code_of(child) == KILLED


def test_a_report_that_an_earlier_key_signed_still_verifies(prism: Prism, archive: Archive) -> None:
    totals(prism, archive)
    assert prism("key", "rotate", archive.output).code == ExitCode.OK
    totals(prism, archive)
    ended = prism("audit", "verify", archive.output)
    assert ended.code == ExitCode.OK, ended
