"""A mechanism is one module: settings, job, report, policies and attacks take it as it is."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pyarrow.parquet as pq
import pytest

from prism_core.encoding import make_encoder
from prism_core.errors import ConfigurationError
from prism_core.evaluation.adversaries.cases import observe_encoder
from prism_core.identifiers import DenyList
from prism_core.jobs import translate
from prism_core.mechanisms import make_mechanism
from prism_core.settings import (
    MechanismSettings,
    Settings,
    load_settings,
)
from tests.mechanisms.public_words import words
from tests.stages.archive import TEXTS, make_job, outputs, write_archive
from tests.words import sentence

TABLE = {"name": "always", "threshold": 0.5, "minimum_pool": 2}


@pytest.fixture(autouse=True)
def _with_one_more(monkeypatch) -> None:
    monkeypatch.setattr(MechanismSettings, "package", "tests.mechanisms.kinds")


def test_it_is_chosen_by_its_name_and_refuses_the_options_of_others() -> None:
    assert load_settings(flags={"mechanism.name": "always"}).mechanism.name == "always"
    with pytest.raises(ConfigurationError, match="always does not use it; it is for prism-star"):
        load_settings(flags={"mechanism.name": "always", "mechanism.draw_from": 0.5})


def test_a_job_runs_with_it_and_reports_what_it_says_of_itself(tmp_path: Path, log) -> None:
    write_archive(tmp_path / "in", TEXTS)
    job = make_job(tmp_path, mechanism=MechanismSettings.choose(**TABLE))
    translate(job)
    (facts,) = pq.read_table(job.report_folder / f"run={job.run_id}" / "run.parquet").to_pylist()
    assert len(outputs(job)) == len(TEXTS)
    assert (facts["mechanism"], facts["epsilon_word"]) == ("always", 0.0)
    assert facts["guarantee"].startswith("Guarantee: what is sent says nothing")
    assert (facts["replace_probability"], facts["ratio"]) == (1.0, None)
    assert facts["identifiers_detected"] is None


def test_a_policy_may_bound_epsilon_with_it_and_withhold_nothing() -> None:
    policy = {"name": "p", "folders": ["*"], "mechanism": TABLE, "max_epsilon": 1}
    settings = Settings.model_validate({"policies": [policy]})
    assert settings.policies[0].treatments(settings.mechanism) == ["p"]
    assert "mechanism=always threshold=0.5" in settings.policies[0].describe(settings.mechanism)
    with pytest.raises(ValueError, match="looks for no identifiers"):
        Settings.model_validate({"policies": [policy | {"withhold": ["email"]}]})
    with pytest.raises(ValueError, match="one of the mechanisms always"):
        Settings.model_validate({"policies": [policy | {"mechanism": {}}]})


def test_it_is_attacked_by_what_it_says_is_public() -> None:
    documents = [[sentence("the/DT", "cat/NN")]]
    encoder = make_encoder(words(), make_mechanism(MechanismSettings.choose(**TABLE), words()))
    seen = observe_encoder(encoder, {}, DenyList(), Random(1))
    (sent,) = seen.observe(documents)
    assert sent.replaced == sent.request.guessed == {0, 1}
    assert {frozenset(hidden.pool.order) for hidden in sent.hidden}
