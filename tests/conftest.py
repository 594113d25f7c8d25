from __future__ import annotations

import gc
import os
import sqlite3
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache, lru_cache
from pathlib import Path

import pytest
from _pytest.tmpdir import tmppath_result_key
from xdist.scheduler import LoadScopeScheduling

from prism_core.plugins import load_plugin
from prism_core.settings import TranslatorSettings
from tests.compiled_sql import share_compiled_sql, share_schema
from tests.examples import make_fewer
from tests.postgres import PostgresServer, postgres_server
from tests.shipped import (
    freeze,
    read_dictionaries_once,
    read_equal_once,
    read_once,
    share_certificates,
)

_ROOT = Path(__file__).parents[1]
_ONE_SCOPE = {
    f"tests/{module}.py": scope
    for scope, modules in {
        "languages": "dictionary/test_shipped_corpus flows/test_mixed_archives "
        "flows/test_pair_without_english flows/test_spanish_archive identifiers/test_attack_lines "
        "language/test_fast_pass language/test_foreign_treebank language/test_german_treebank "
        "language/test_tokenizer languages/test_every_source languages/test_french_documents "
        "languages/test_german_documents languages/test_sample_archives "
        "languages/test_spanish_documents test_telling_words",
        "samples": "end_to_end/test_docx end_to_end/test_email end_to_end/test_pdf "
        "end_to_end/test_text",
        "sources": "languages/test_words_have_one_home test_documentation test_english "
        "test_import_direction translators/test_adapters",
    }.items()
    for module in modules.split()
}
"""Modules that run in one process: it alone loads the models of other languages than English, or
translates the samples, or parses the sources."""


def _read_nightly() -> dict[tuple[str, ...], int]:
    """Read ``nightly.txt``: tests by the parts of their names, and how many cases stay."""
    lines = (Path(__file__).parent / "nightly.txt").read_text(encoding="utf-8").splitlines()
    rows = (line.split() for line in lines if line and not line.startswith("#"))
    return {tuple(row[0].replace("::", "/").split("/")): int([*row, "0"][1]) for row in rows}


_NIGHTLY = _read_nightly()
_WHOLE_SUITE = 5000
"""More tests than any single folder has."""


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Let a process of tests use one thread for arithmetic, as worker processes do.

    Tests run in as many processes as there are cores: threads of OpenMP that wait for each other
    took five times the processor time of what the tests of a local model do.
    """
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # or each process compiles all of PRISM again
    sys.dont_write_bytecode = False
    os.environ["PRISM_MODELS"] = str(
        Path(sys.prefix, "share/prism/models")
    )  # of scripts/ensure-models
    distrust_translators_here()
    if _is_push(config):
        make_fewer()
    gc.set_threshold(50_000, 20, 50)  # modules, tests and models are millions of objects that stay


_TRUSTED = "apertium libretranslate local".split()
"""Translators that see the text as it is, except for that of the tests of just that."""


def distrust_translators_here() -> None:
    """Let translators on this machine get encodings, as one elsewhere does, in child processes too.

    Most tests use them as the translator that must not see the text. ``trust_translators_here``
    takes it back.
    """
    os.environ["PRISM_TRANSLATOR__SEES"] = "encoded"
    for name in _TRUSTED:
        TranslatorSettings.load(name).settings.usual_sees = "encoded"


@pytest.fixture
def trust_translators_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let translators on this machine see the text as it is, which is the default."""
    monkeypatch.delenv("PRISM_TRANSLATOR__SEES")
    for name in _TRUSTED:
        monkeypatch.setattr(TranslatorSettings.load(name).settings, "usual_sees", "clear")


read_dictionaries_once()


def pytest_collection_finish() -> None:
    """What was collected stays."""
    freeze()


def _is_push(config: pytest.Config) -> bool:
    return "not nightly" in config.option.markexpr


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Import nothing on a push of which all tests run at night: some of it loads a laboratory."""
    return (_is_push(config) and _NIGHTLY.get(_name_of(collection_path)) == 0) or None


def _name_of(path: Path) -> tuple[str, ...]:
    """Return the parts of the name that ``nightly.txt`` has for a file or folder of tests."""
    return path.relative_to(_ROOT).parts if path.is_relative_to(_ROOT) else ()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Begin with the slow tests: one that came last would keep one core busy, and no other."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)
    cases: Counter[str] = Counter()
    for item in items:
        if "end_to_end/test_canary" in item.nodeid:  # a leak is one, though the next run has none
            item.add_marker(pytest.mark.flaky(condition=False))
        test = item.nodeid.partition("[")[0]
        if (kept := _nightly_of(test)) is not None:
            if not kept or cases[test] % kept:
                item.add_marker(pytest.mark.nightly)
            cases[test] += 1
    listed = {part for test in cases for part in _names_above(test)}
    gone = _NIGHTLY.keys() - listed
    if _is_push(config):
        gone = {name for name in gone if not _ROOT.joinpath(*name).exists()}
    if len(items) > _WHOLE_SUITE and gone:
        raise pytest.UsageError(f"tests/nightly.txt names tests that are gone: {sorted(gone)}")


def _nightly_of(test: str) -> int | None:
    """Return the number that ``nightly.txt`` has for a test: 0 without one, None if not listed."""
    return next((_NIGHTLY[name] for name in _names_above(test) if name in _NIGHTLY), None)


def _names_above(test: str) -> list[tuple[str, ...]]:
    """List the names that may be listed for a test: its own, its module's, its folders'."""
    parts = tuple(test.replace("::", "/").split("/"))
    return [parts[:end] for end in range(len(parts), 0, -1)]


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> None:
    """Let a test that was tried again end: pytest-retry makes no report from which pytest would
    know what became of its temporary folder."""
    item.stash.setdefault(tmppath_result_key, {})


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> LoadScopeScheduling:
    """Give modules to processes in the order of the tests, those that share a fixture as one."""
    config.option.loadscopereorder = False
    return _Together(config, log)


class _Together(LoadScopeScheduling):
    """Modules, but those of ``_ONE_SCOPE`` with one scope are one."""

    def _split_scope(self, nodeid: str) -> str:
        module = nodeid.partition("::")[0]
        return _ONE_SCOPE.get(module, module)


@pytest.fixture(scope="session", autouse=True)
def _loaded_once() -> Iterator[None]:
    """Let all tests of this process have one language model and one server that reads documents,
    compile each statement of SQL once, group the words of a dictionary once, learn once what is
    installed, and wait for no disk.

    To load a model is half of a small run, and to start the server a third of what is left. A run
    in another environment has a server of its own; none ends before the tests do.
    """
    # here, for who collects would load all of it for nothing
    import httpcore2

    from prism_core.formats import Sandbox, SandboxLimits, sandbox
    from prism_core.language import LanguageModel
    from prism_core.mechanisms import plausibility
    from prism_core.mechanisms.kinds import prism_star
    from prism_core.processes import ForkServer
    from prism_core.stages import encoders, run
    from prism_core.state import database, store

    @cache
    def keep(_process: int, _environment: frozenset[tuple[str, str]]) -> ForkServer:
        server = Sandbox().server
        kept.callback(server.stop)
        server.stop = lambda: None  # type: ignore[method-assign]
        return server

    def share(limits: SandboxLimits) -> Sandbox:
        return Sandbox(limits, keep(os.getpid(), frozenset(sandbox._make_environment().items())))

    with pytest.MonkeyPatch.context() as patching, ExitStack() as kept:
        patching.setattr(LanguageModel, "load", staticmethod(cache(LanguageModel.load)))
        for name in ("Pools", "WordClasses"):
            patching.setattr(prism_star, name, lru_cache(maxsize=4)(getattr(prism_star, name)))
        load = cache(plausibility.load_plausibility)
        patching.setattr(plausibility, "load_plausibility", load)
        patching.setattr(run, "Sandbox", share)
        share_context = share_certificates(httpcore2.default_ssl_context)
        patching.setattr(httpcore2, "default_ssl_context", share_context)
        patching.setattr(run, "installed_digest", cache(run.installed_digest))
        load_equal = read_equal_once(encoders.load_dictionary)
        patching.setattr(encoders, "load_dictionary", load_equal)
        patching.setattr(encoders, "read_version", read_once(encoders.read_version))
        patching.setattr(database, "create_engine", share_compiled_sql(database.create_engine))
        patching.setattr(store.metadata, "create_all", share_schema(store.metadata))
        patching.setattr(database, "_prepare", _prepare_without_syncs(database._prepare))
        yield
        gc.freeze()  # pytest looks for garbage five times at its end


def _prepare_without_syncs(
    prepare: Callable[[sqlite3.Connection, object], None],
) -> Callable[[sqlite3.Connection, object], None]:
    """Return ``prepare``, but each commit leaves the writing to the system, which no test stops."""

    def prepare_without_syncs(connection: sqlite3.Connection, record: object) -> None:
        prepare(connection, record)
        connection.execute("PRAGMA synchronous=OFF")

    return prepare_without_syncs


@pytest.fixture
def toml(tmp_path: Path) -> Callable[[str], Path]:
    """Writes a file of settings."""

    def write(text: str) -> Path:
        file = tmp_path / "prism.toml"
        file.write_text(text, encoding="utf-8")
        return file

    return write


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """One server for all tests that ask for it."""
    with postgres_server() as server:
        yield server


@pytest.fixture(autouse=True)
def _fake_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever a test installs in the place of the fake translator is gone after it."""
    module = load_plugin(TranslatorSettings.package, "fake")
    monkeypatch.setattr(module, "ADAPTER", module.ADAPTER)
