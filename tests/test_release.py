"""What is released says what it needs, under which licences, and where it was fetched nowhere."""

from __future__ import annotations

import json
from typing import Any

import pytest

from scripts.release import unfit_licences, without_shops


def bill(*licences: dict[str, Any], name: str = "a") -> dict[str, Any]:
    links = [
        {"type": "distribution", "url": "https://shop"},
        {"type": "vcs", "url": "https://code"},
    ]
    component = {"name": name, "licenses": list(licences), "externalReferences": links}
    tools = {"components": [{"externalReferences": links}]}
    return {"components": [component], "metadata": {"component": {}, "tools": tools}}


@pytest.mark.parametrize(
    "licence",
    [
        {"license": {"id": "MIT"}},
        {"expression": "MPL-2.0 AND (Apache-2.0 OR MIT)"},
        {"license": {"name": "License :: OSI Approved :: BSD License"}},
    ],
)
def test_a_permissive_licence_passes(licence: dict[str, Any]) -> None:
    assert list(unfit_licences(bill(licence))) == []


@pytest.mark.parametrize(
    ("licence", "named"),
    [
        ({"license": {"id": "GPL-3.0-only"}}, "a: GPL-3.0-only"),
        ({"expression": "MIT AND LGPL-2.1-or-later"}, "a: MIT AND LGPL-2.1-or-later"),
        ({"license": {"name": "as you like"}}, "a: as you like"),
    ],
)
def test_any_other_ends_the_build_with_its_name(licence: dict[str, Any], named: str) -> None:
    assert list(unfit_licences(bill({"license": {"id": "MIT"}}, licence))) == [named]


def test_a_package_without_a_licence_ends_it_unless_a_person_has_read_one() -> None:
    assert list(unfit_licences(bill())) == ["a: none"]
    assert list(unfit_licences(bill(name="pypdfium2"))) == []


def test_the_list_names_sources_and_no_shop() -> None:
    written = json.dumps(without_shops(bill({"license": {"id": "MIT"}})))
    assert "https://code" in written
    assert "https://shop" not in written
