"""The image and the services around it: built and run where an engine is, linted elsewhere."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
import warnings
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
PLACES = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])


def run(*command: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, cwd=ROOT, env=os.environ | environment, capture_output=True, text=True
    )


def engine() -> str | None:
    """The container engine of this machine, if one answers."""
    found = (shutil.which(name) for name in ("docker", "podman"))
    return next((name for name in found if name and run(name, "info").returncode == 0), None)


def test_image_is_built_and_translates_or_else_is_linted(tmp_path: Path) -> None:
    program = engine()
    if program is None:
        linter = shutil.which("hadolint", path=PLACES)
        assert linter, "hadolint is missing: make setup-dev"
        done = run(linter, "Dockerfile")
        assert done.returncode == 0, done.stdout
        warnings.warn("no container engine: the Dockerfile was linted, not built", stacklevel=1)
        return
    base = os.environ.get("PRISM_CONTAINER_BASE")
    with_base = ["--build-arg", f"BASE={base}"] if base else []
    ids = ["--build-arg", f"UID={os.getuid()}", "--build-arg", f"GID={os.getgid()}"]
    built = run(program, "build", "-t", "prism-test", *with_base, *ids, ".")
    assert built.returncode == 0, built.stderr[-2000:]
    for name in ("in", "out"):
        (tmp_path / name).mkdir()
    (tmp_path / "in" / "a.txt").write_text("The doctor visited the hospital on May 6, 2026.\n")
    mounts = ["-v", f"{tmp_path}/in:/archive:ro", "-v", f"{tmp_path}/out:/output"]
    done = run(
        *(program, "run", "--rm", "--read-only", "--network", "none", "--tmpfs=/tmp", *mounts),
        *("-e", "PRISM_KEY__FILE=/tmp/key", "prism-test"),
        *("prism", "translate", "/archive", "/output", "--to", "es"),
    )
    assert done.returncode == 0, done.stderr
    assert "hospital" in (tmp_path / "out" / "a.txt").read_text()
    warnings.warn(f"the image was built and run with {Path(program).name}", stacklevel=1)


@pytest.fixture(scope="module")
def composed() -> dict[str, Any]:
    """What ``compose.yaml`` says; checked by Docker Compose itself, too, where that is."""
    folders = {"PRISM_ARCHIVE": "/srv/archive", "PRISM_OUTPUT": "/srv/archive-es"}
    program = shutil.which("docker")
    if program and run(program, "compose", "version").returncode == 0:
        checked = run(program, "compose", "config", "--quiet", **folders)
        assert checked.returncode == 0, checked.stderr
    else:
        warnings.warn("no Docker Compose: compose.yaml was read, not checked by it", stacklevel=1)
    read: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text())
    return read


def test_every_service_can_write_nothing_but_its_volumes(composed: dict[str, Any]) -> None:
    for name, service in composed["services"].items():
        assert service["read_only"], name
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name


def test_ports_are_open_to_this_machine_alone(composed: dict[str, Any]) -> None:
    ports = [port for service in composed["services"].values() for port in service.get("ports", ())]
    assert ports == ["127.0.0.1:4200:4200"]
    assert composed["networks"]["inside"]["internal"]
    assert composed["services"]["database"]["networks"] == ["inside"]


def test_no_secret_stands_in_the_environment(composed: dict[str, Any]) -> None:
    assert all("file" in secret for secret in composed["secrets"].values())
    for service in composed["services"].values():
        for name, value in service.get("environment", {}).items():
            secret = any(word in name for word in ("PASSWORD", "AUTH", "KEY", "SECRET"))
            assert not secret or value.startswith("/run/secrets/"), name


def test_services_that_stay_are_asked_whether_they_are_well(composed: dict[str, Any]) -> None:
    stay = {name for name, one in composed["services"].items() if one["restart"] != "no"}
    assert stay == {"database", "server", "worker"}
    assert all("healthcheck" in composed["services"][name] for name in stay)


def test_image_is_named_for_the_version_and_gets_what_the_wheel_holds(
    composed: dict[str, Any],
) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    version = project["project"]["version"]
    assert composed["services"]["worker"]["image"] == f"prism-translate:{version}"
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    let_in = (ROOT / ".dockerignore").read_text().splitlines()
    assert {f"!{path}" for path in (*wheel["packages"], *wheel["force-include"])} <= set(let_in)


def test_secrets_in_files_become_the_variables_of_their_names(tmp_path: Path) -> None:
    (tmp_path / "OPENAI_API_KEY").write_text("a $key 'of' two\nlines\n")
    (tmp_path / "database-password").write_text("not a variable")
    show = "import os; print(os.environ['OPENAI_API_KEY'], 'database-password' in os.environ)"
    done = run(ROOT / "scripts/with-secrets", sys.executable, "-c", show, SECRETS=str(tmp_path))
    assert done.stdout == "a $key 'of' two\nlines False\n"
    assert run(ROOT / "scripts/with-secrets", "true", SECRETS=f"{tmp_path}/none").returncode == 0
