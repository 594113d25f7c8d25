"""The flow ``evaluate-privacy``: methods over public corpora, as a job of Prefect.

Its parameters are names, paths and numbers. Texts, keys and settings never enter Prefect: settings
are read from file and environment where the flow runs, results go to the output folder, and every
error is stripped of foreign words.
"""

from __future__ import annotations

from pathlib import Path

from prefect import flow, task

from flows import run_flow
from prism_core.errors import sanitize_errors
from prism_core.evaluation import Laboratory
from prism_core.evaluation.jobs import evaluate
from tasks import PRIVATE


@flow(name="evaluate-privacy", persist_result=False, log_prints=False)
def evaluate_privacy(
    output: str,
    corpora: list[str] | None = None,
    methods: list[str] | None = None,
    documents: int | None = None,
    repeats: int = 3,
    seed: int = 1,
    data: str | None = None,
    vectors: str | None = None,
    local: bool = False,
    calls: int = 32,
    evaluator: str = "swd",
    evaluator_settings: str | None = None,
    model: str | None = None,
    endpoint: str | None = None,
    max_cost: float | None = None,
    settings_file: str | None = None,
) -> None:
    """Measure as ``prism evaluate`` does; ``evaluator`` is ``swd``, ``ranker`` or ``llm``."""

    def run() -> None:
        recipe = evaluate.make_evaluation_recipe(
            corpora=corpora or (),
            methods=methods or (),
            documents=documents,
            repeats=repeats,
            seed=seed,
            data=Path(data) if data else None,
            vectors=Path(vectors) if vectors else None,
            local=local,
            calls=calls,
            output=Path(output),
            settings_file=Path(settings_file) if settings_file else None,
            reader_settings=Path(evaluator_settings) if evaluator_settings else None,
            evaluator=evaluator,
            model=model,
            endpoint=endpoint,
            max_cost=max_cost,
        )
        evaluate.evaluate(recipe, None, measure_in_task)

    sanitize_errors(run)


def run_evaluation_as_flow(
    recipe: evaluate.EvaluationRecipe, settings_file: Path | None, reader_file: Path | None
) -> None:
    """Run ``evaluate`` as a flow of this process, on the server of Prefect's own settings."""
    plan = recipe.plan
    run_flow(
        lambda: evaluate_privacy(
            str(recipe.output),
            corpora=list(plan.corpora),
            methods=list(plan.methods),
            documents=plan.documents,
            repeats=plan.repeats,
            seed=plan.seed,
            data=str(plan.data),
            vectors=str(plan.vectors) if plan.vectors else None,
            local=plan.local,
            calls=plan.calls,
            evaluator=recipe.evaluator,
            evaluator_settings=str(reader_file) if reader_file else None,
            model=recipe.reader.model if recipe.reader else None,
            endpoint=recipe.reader.base_url if recipe.reader else None,
            max_cost=recipe.reader.max_cost if recipe.reader else None,
            settings_file=str(settings_file) if settings_file else None,
        )
    )


def measure_in_task(laboratory: Laboratory, corpus: str, method: str) -> None:
    """Run ``laboratory.measure`` as a task of this process.

    The task is given names alone: Prefect looks through the objects that are handed to it.
    """

    @task(name="measure", task_run_name="measure-{corpus}-{method}", **PRIVATE)
    def measure(corpus: str, method: str) -> None:
        laboratory.measure(corpus, method)

    measure(corpus, method)
