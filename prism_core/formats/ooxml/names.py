"""The names of XML elements without their namespaces, which differ between editions of OOXML."""

from __future__ import annotations

from lxml import etree


def local_name(element: etree._Element | None) -> str:
    """The element's name without its namespace; empty for comments and the like."""
    tag = None if element is None else element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def namespace(element: etree._Element) -> str:
    """The element's namespace, empty when it has none."""
    tag = element.tag
    return tag[1:].partition("}")[0] if isinstance(tag, str) and tag.startswith("{") else ""
