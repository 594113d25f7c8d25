"""Packing keeps every item, keeps the order and keeps the limits."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from prism_core.errors import BadAnswer, Rejected
from prism_core.translators import Item, Limits
from prism_core.translators.requests import divide_request, pack_requests

SIZES = st.lists(st.integers(min_value=0, max_value=30), max_size=60)


@given(SIZES, st.integers(min_value=1, max_value=7), st.integers(min_value=1, max_value=40))
def test_batches_are_within_the_limits_and_lose_nothing(
    sizes: list[int], texts: int, characters: int
) -> None:
    items = [Item(str(n), "x" * size) for n, size in enumerate(sizes)]
    too_long: list[Item] = []
    batches = list(pack_requests(items, Limits(texts, characters), too_long.append))
    assert all(1 <= len(batch) <= texts for batch in batches)
    assert all(sum(len(item.text) for item in batch) <= characters for batch in batches)
    assert [item for batch in batches for item in batch] == [
        item for item in items if len(item.text) <= characters
    ]
    assert too_long == [item for item in items if len(item.text) > characters]


@given(SIZES, st.integers(min_value=1, max_value=7))
def test_no_batch_could_have_taken_the_next_item(sizes: list[int], texts: int) -> None:
    items = [Item(str(n), "x" * size) for n, size in enumerate(sizes)]
    batches = list(pack_requests(items, Limits(texts, 30), lambda _: None))
    for batch, following in pairwise(batches):
        size = sum(len(item.text) for item in batch) + len(following[0].text)
        assert len(batch) == texts or size > 30


@given(st.integers(min_value=2, max_value=50), st.data())
def test_parts_of_a_batch_are_the_whole_batch(count: int, data: st.DataObject) -> None:
    batch = [Item(str(n), "") for n in range(count)]
    index = data.draw(st.integers(min_value=0, max_value=count - 1))
    first, second = divide_request(batch, BadAnswer("no"))
    assert [*first, *second] == batch
    assert abs(len(first) - len(second)) <= 1
    culprit, rest = divide_request(batch, Rejected("no", index))
    assert list(culprit) == [batch[index]]
    assert [*rest[:index], *culprit, *rest[index:]] == batch
