"""The text of one paragraph, and a translation put in its place among runs, breaks and anchors.

It serves WordprocessingML (``w:p``) and DrawingML (``a:p``) alike. A paragraph is read as atoms:
text, breaks (tabs and line breaks, which the text shows as ``\\t`` and ``\\n``), and anchors (note
marks, drawings, fields …) which stay exactly where they are in the tree while text moves around
them.
"""

from __future__ import annotations

from collections.abc import Sequence

from lxml import etree

from prism_core.formats.ooxml.atoms import Atom, read_atoms
from prism_core.formats.ooxml.names import local_name, namespace
from prism_core.formats.ooxml.runs import insert_runs, set_text
from prism_core.formats.pieces import Loss, fitted


class Paragraph:
    """One ``w:p`` or ``a:p``: its text as a reader sees it, and a way to replace that.

    ``in_shape`` is for the text of shapes: fields are anchors there, and a link, which is a
    property of runs, keeps words of its own.
    """

    def __init__(self, element: etree._Element, in_shape: bool = False) -> None:
        self.element = element
        self._atoms = tuple(read_atoms(element, in_shape))
        self._whole = "".join(atom.text for atom in self._atoms)

    @property
    def text(self) -> str:
        """The text without the white space, tabs and breaks around it."""
        return self._whole.strip()

    def replace(self, translation: str) -> Loss:
        """Put ``translation`` in place of ``text``; every break and anchor stays exactly once.

        A look goes where its words go, unless insertions are tracked: who wrote what must hold.
        """
        movable = not any(atom.tracked for atom in self._atoms)
        fit = fitted(self._atoms, translation, movable=movable)
        insert_runs(fit.insertions)
        for change in fit.changes:
            _fill(change.pieces, change.text)
        return fit.loss


def _fill(atoms: Sequence[Atom], text: str) -> None:
    """Put ``text`` into the first text element of ``atoms`` and empty the others."""
    carriers = [atom for atom in atoms if local_name(atom.element) == "t"]
    carrier = max(carriers, key=lambda atom: bool(atom.text.strip()), default=None)
    for atom in atoms:
        if atom is carrier:
            set_text(atom.element, text)
        elif local_name(atom.element) == "t":
            set_text(atom.element, "")
        elif carrier is None and atom is atoms[0]:
            _turn_into_text(atom.element, text)
        else:
            _remove(atom.element)


def _turn_into_text(element: etree._Element, text: str) -> None:
    """A hyphen element that was the only text of its group becomes a text element."""
    element.tag = f"{{{namespace(element)}}}t"
    for name in list(element.attrib):
        del element.attrib[name]
    set_text(element, text)


def _remove(element: etree._Element) -> None:
    parent = element.getparent()
    if parent is not None:
        parent.remove(element)
