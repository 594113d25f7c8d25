"""Recipient's-eye proof of a finished run, or of methods over a public benchmark.

Entry: ``measure_methods`` over marked documents; ``prove_run`` over what a run sent, which puts the
result into the chain of the run's report. ``open_model`` lets a language model attack too.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import cast

from prism_core.building import AnswerStore, QuerySession
from prism_core.errors import ConfigurationError
from prism_core.evaluation import (
    Ask,
    Examinee,
    Measured,
    is_published,
    measure_methods,
    measure_sent,
)
from prism_core.jobs import last_job
from prism_core.report import ReportFolder
from prism_core.settings import Job, ModelSettings, load_settings
from prism_core.stages import Run, report_proof
from prism_core.state import StatePlace
from prism_core.translators import Budget

__all__ = ["Measured", "measure_methods", "open_model", "prove_run"]


@contextmanager
def open_model(
    model: str | None, endpoint: str | None, max_cost: float | None, public: Path | None
) -> Iterator[Ask]:
    """Open a language model behind the interface of OpenAI, as an attacker.

    One that is not on this machine may read the published benchmark alone: ``public`` is its file,
    None for documents of the user's own. Raises ``ConfigurationError``.
    """
    given = {"model": model, "base_url": endpoint, "max_cost": max_cost}
    flags = {"translator.name": "openai", **{f"translator.{k}": v for k, v in given.items()}}
    settings = cast(ModelSettings, load_settings(None, {}, flags).translator)
    attacker = Examinee(settings)
    if not attacker.local and (public is None or not is_published(public)):
        raise ConfigurationError(
            f"{attacker.endpoint} is not on this machine, and these documents are not known to be "
            "public: name a model on this machine with --endpoint."
        )
    with TemporaryDirectory() as folder:
        answers = AnswerStore.open(Path(folder), secrets.token_bytes(32), attacker.described)
        budget = Budget.of(settings, attacker)
        with QuerySession(
            attacker, "", "", answers, budget=budget, checks=attacker.checks
        ) as session:
            yield session
        answers.close()


def prove_run(job: Job, ask: Ask | None = None) -> tuple[Measured, Path]:
    """Attack what the last run into ``job.output`` sent, and put the result into its chain.

    Each document stands for a subject; of many a sample is taken. The run is reported again with
    the file ``subjects.json``, whose path is returned. Nothing is sent but to ``ask``. Raises
    ``ConfigurationError`` where nothing was sent of two documents, ``StateError``, ``OutputError``.
    """
    job = last_job(job)
    report = ReportFolder(job.report_folder).latest()
    if report is None:
        raise ConfigurationError(f"{job.report_folder} holds no report of a finished run.")
    with Run.view(job) as view:
        measured = measure_sent(view, report.row["run_id"], ask)
    proof = json.dumps({"run_id": report.row["run_id"], **measured.as_row()}, indent=1)
    with StatePlace.of(job).hold(), Run.open(job) as run:
        return measured, report_proof(run, report, proof.encode())
