"""Comments of Office: remarks on a place, put into the parts of a package.

Missing parts and relations for a comment are added. Slides and sheets show a comment beside a
place, so it quotes the text it is about.

Entry: ``comment_word``, ``comment_slides``, ``note_cells``; each uses ``CommentParts``.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from lxml import etree

from prism_core.errors import DocumentError
from prism_core.formats.ooxml.line import OoxmlParagraph
from prism_core.formats.packages import Package, Parts, parse_xml
from prism_core.formats.text_units import Comment, RepeatedText
from prism_core.formats.untranslated_marks import COMMENTS, locate_marks
from prism_core.safe_xml import local_name, namespace

_PACKAGE: Final = "http://schemas.openxmlformats.org/package/2006/"
_OFFICE: Final = "application/vnd.openxmlformats-officedocument."
_RELATIONS: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_STRICT_RELATIONS: Final = "http://purl.oclc.org/ooxml/officeDocument/relationships"
_TYPES: Final = {
    "comments.xml": f"{_OFFICE}wordprocessingml.comments+xml",
    "comment.xml": f"{_OFFICE}presentationml.comments+xml",
    "commentAuthors.xml": f"{_OFFICE}presentationml.commentAuthors+xml",
    "notes.xml": f"{_OFFICE}spreadsheetml.comments+xml",
    "notes.vml": f"{_OFFICE}vmlDrawing",
}
"""Content type of each part that may be added, by the end of its name."""
_EMUS: Final = 1588
"""Number of EMUs in the unit of a comment's position on a slide."""
_APART: Final = 120
"""Distance between the comments of a slide, in the same unit."""
_VML: Final = "urn:schemas-microsoft-com:vml"
_EXCEL: Final = "urn:schemas-microsoft-com:office:excel"
_SHAPES: Final = (
    f'<xml xmlns:v="{_VML}" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:x="{_EXCEL}">'
    '<v:shapetype id="_x0000_t202" coordsize="21600,21600" o:spt="202" '
    'path="m,l,21600r21600,l21600,xe"><v:stroke joinstyle="miter"/>'
    '<v:path gradientshapeok="t" o:connecttype="rect"/></v:shapetype></xml>'
)
_SHAPE: Final = (
    f'<v:shape xmlns:v="{_VML}" xmlns:o="urn:schemas-microsoft-com:office:office" '
    f'xmlns:x="{_EXCEL}" id="prism_note_{{number}}" type="#_x0000_t202" fillcolor="#ffffe1" '
    'style="position:absolute;width:220pt;height:70pt;visibility:hidden">'
    '<v:fill color2="#ffffe1"/><v:textbox/><x:ClientData ObjectType="Note"><x:MoveWithCells/>'
    "<x:SizeWithCells/><x:AutoFill>False</x:AutoFill><x:Row>{row}</x:Row>"
    "<x:Column>{column}</x:Column></x:ClientData></v:shape>"
)


class CommentParts:
    """Parts of ``package`` with comments: ``changed`` ones, and those open in ``trees``."""

    def __init__(
        self, package: Package, changed: Parts, trees: Mapping[str, etree._ElementTree]
    ) -> None:
        self._package, self._changed, self._trees = package, changed, trees

    def root(self, member: str) -> etree._Element:
        """Return the root of ``member``, and register the member as changed."""
        held = self._changed.get(member) or self._trees.get(member)
        if held is None:
            held = self._package.parse(member)
        tree = self._changed[member] = parse_xml(held) if isinstance(held, bytes) else held
        return tree.getroot()

    def ensure_related_part(
        self, member: str, kind: str, name: str, made: str, wanted_id: str | None = None
    ) -> tuple[etree._Element, str]:
        """Return root and id of a part related by ``kind`` or ``wanted_id``, or ``made``."""
        folder, file = posixpath.split(member)
        relations = posixpath.join(folder, "_rels", f"{file}.rels")
        relations = self._package.member(relations) or relations
        if relations not in self._changed and relations not in self._package.names:
            empty = f'<Relationships xmlns="{_PACKAGE}relationships"/>'
            self._changed[relations] = etree.ElementTree(etree.fromstring(empty))
        root = self.root(relations)
        types = [str(relation.get("Type", "")) for relation in root]
        for relation, type_name in zip(root, types, strict=True):
            target = posixpath.join("/", folder, str(relation.get("Target", "")))
            part = self._package.member(posixpath.normpath(target)) or target.lstrip("/")
            known_as = str(relation.get("Id", ""))
            if type_name.rpartition("/")[2] == kind and part and wanted_id in (None, known_as):
                return self.root(part), known_as
        part = posixpath.join(folder, f"prism{len(self._changed)}{name}")
        strict = any(type_name.startswith(_STRICT_RELATIONS) for type_name in types)
        known = {relation.get("Id") for relation in root}
        made_id = next(f"prism{n}" for n in range(len(known) + 1) if f"prism{n}" not in known)
        relation = etree.SubElement(root, f"{{{_PACKAGE}relationships}}Relationship")
        relation.set("Id", made_id)
        relation.set("Type", f"{_STRICT_RELATIONS if strict else _RELATIONS}/{kind}")
        relation.set("Target", f"/{part}")
        content = self.root(self._package.member("/[Content_Types].xml") or "")
        override = etree.SubElement(content, f"{{{_PACKAGE}content-types}}Override")
        override.set("PartName", f"/{part}")
        override.set("ContentType", _TYPES[name])
        self._changed[part] = etree.ElementTree(etree.fromstring(made))
        return self.root(part), made_id


def _paragraphs_of_comment(comment: Comment) -> list[OoxmlParagraph]:
    unit = comment.item.unit
    units = unit.units if isinstance(unit, RepeatedText) else (unit,)
    return [single for single in units if isinstance(single, OoxmlParagraph)]


def _add_child(parent: etree._Element, called: str, /, **attributes: str) -> etree._Element:
    """Add a child ``called`` so in the namespace of ``parent``, like its attributes in Word."""
    made = etree.SubElement(parent, f"{{{namespace(parent)}}}{called}")
    qualified = "wordprocessingml" in namespace(parent)
    for key, value in attributes.items():
        made.set(f"{{{namespace(parent)}}}{key}" if qualified else key, value)
    return made


def comment_word(parts: CommentParts, main: str, comments: Iterable[Comment]) -> int:
    """Put ``comments`` on places in ``main``, or on the paragraph of a box; count those left."""
    space = namespace(parts.root(main))
    made = f'<w:comments xmlns:w="{space}"/>'
    holder, _ = parts.ensure_related_part(main, "comments", "comments.xml", made)
    ids = (str(comment.get(f"{{{space}}}id", "")) for comment in holder)
    number = max((int(comment_id) for comment_id in ids if comment_id.isdecimal()), default=-1)
    left = 0
    for comment in comments:
        paragraph = _paragraphs_of_comment(comment)[0]
        outer = [*paragraph.element.iterancestors("{*}txbxContent")]
        for span, mark in locate_marks(OoxmlParagraph(paragraph.element).text, comment.translation):
            if outer:
                around = next(outer[-1].iterancestors(f"{{{space}}}p"), None)
                holders = [r for r in outer[-1].iterancestors("{*}r") if r.getparent() is around]
                runs = (holders[0], holders[0]) if around is not None and holders else None
            else:
                runs = paragraph.runs_of(span)
            if runs is None:
                left += 1
                continue
            number += 1
            known_as = {"id": str(number)}
            made_comment = _add_child(holder, "comment", **known_as, author=COMMENTS, initials="P")
            text = _add_child(_add_child(_add_child(made_comment, "p"), "r"), "t")
            text.text = mark.comment_on(comment.translation, quoted=bool(outer))
            begin = _add_child(holder, "commentRangeStart", **known_as)
            end = _add_child(holder, "commentRangeEnd", **known_as)
            reference = _add_child(holder, "r")
            _add_child(reference, "commentReference", **known_as)
            runs[0].addprevious(begin)
            runs[1].addnext(end)
            end.addnext(reference)
    return left


def comment_slides(
    parts: CommentParts, main: str, slides: Mapping[str, str], comments: Iterable[Comment]
) -> int:
    """Put ``comments`` on ``slides`` that show a member; return how many have none."""
    space = namespace(parts.root(main))
    authors, _ = parts.ensure_related_part(
        main, "commentAuthors", "commentAuthors.xml", f'<p:cmAuthorLst xmlns:p="{space}"/>'
    )
    author = next((known for known in authors if known.get("name") == COMMENTS), None)
    if author is None:
        number = str(1 + max((_read_number(known, "id") for known in authors), default=-1))
        author = _add_child(authors, "cmAuthor", id=number, name=COMMENTS, initials="P")
        author.set("clrIdx", number)
    index = _read_number(author, "lastIdx")
    left = 0
    for comment in comments:
        slide = next((slides[m] for m in comment.item.members if m in slides), None)
        if slide is None:
            left += 1
            continue
        listed, _ = parts.ensure_related_part(
            slide, "comments", "comment.xml", f'<p:cmLst xmlns:p="{space}"/>'
        )
        if namespace(listed) != space:  # threads of newer programs do not allow such a comment
            left += 1
            continue
        for _, mark in locate_marks(comment.item.unit.text, comment.translation):
            index += 1
            made = _add_child(listed, "cm", authorId=str(author.get("id")), idx=str(index))
            x, y = 10, 10
            for paragraph in _paragraphs_of_comment(comment)[:1]:  # the position of its shape
                shapes = paragraph.element.iterancestors("{*}sp", "{*}graphicFrame")
                offset = next((o for shape in shapes for o in shape.iterfind(".//{*}off")), None)
                if offset is not None:
                    x, y = (_read_number(offset, name) // _EMUS for name in "xy")
            _add_child(made, "pos", x=str(x), y=str(y + _APART * (len(listed) - 1)))
            text = mark.comment_on(comment.translation, quoted=True)
            _add_child(made, "text").text = text
    author.set("lastIdx", str(index))
    return left


def _read_number(element: etree._Element, name: str) -> int:
    value = str(element.get(name, ""))[:9]
    return int(value) if value.isdecimal() else 0


def note_cells(
    parts: CommentParts,
    sheet: str,
    root: etree._Element,
    notes: Sequence[tuple[str, int, str, str]],
) -> int:
    """Put ``notes`` (name, column, row from 1, text) on cells; count those that have one."""
    space = namespace(root)
    strict = space.startswith("http://purl")
    office = f"{{{_STRICT_RELATIONS if strict else _RELATIONS}}}id"
    shown = root.find("{*}legacyDrawing")
    relation_id = "" if shown is None else str(shown.get(office, ""))
    try:
        drawn, relation = parts.ensure_related_part(
            sheet, "vmlDrawing", "notes.vml", _SHAPES, relation_id
        )
    except DocumentError:  # some programs write invalid XML there
        return len(notes)
    made = f'<comments xmlns="{space}"><authors/><commentList/></comments>'
    holder, _ = parts.ensure_related_part(sheet, "comments", "notes.xml", made)
    authors, listed = holder.find("{*}authors"), holder.find("{*}commentList")
    if authors is None or listed is None:
        return len(notes)
    if shown is None:
        shown = _add_child(root, "legacyDrawing")
        shown.set(office, relation)
        behind = [child for child in root if local_name(child) in _BEHIND_NOTES]
        if behind:
            behind[0].addprevious(shown)
    _add_child(authors, "author").text = COMMENTS
    known = {comment.get("ref") for comment in listed}
    free = [note for note in notes if note[0] not in known]
    for number, (name, column, row, text) in enumerate(free, len(listed) + 1):
        comment = _add_child(listed, "comment", ref=name, authorId=str(len(authors) - 1))
        _add_child(_add_child(_add_child(comment, "text"), "r"), "t").text = text
        shape = _SHAPE.format(number=number, row=int(row) - 1, column=column - 1)
        drawn.append(etree.fromstring(shape))
    return len(notes) - len(free)


_BEHIND_NOTES: Final = frozenset(
    ("legacyDrawingHF", "drawingHF", "picture", "oleObjects", "controls", "webPublishItems",
     "tableParts", "extLst")
)  # fmt: skip
"""Elements of a sheet that follow its notes."""
