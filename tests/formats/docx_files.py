"""Makes small Word files from the XML of their parts."""

import re
import zipfile
from pathlib import Path

NAMESPACES = " ".join(
    f'xmlns:{prefix}="{uri}"'
    for prefix, uri in {
        "w": "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
        "w14": "http://schemas.microsoft.com/office/word/2010/wordml",
        "wp": "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing",
        "a": "http://schemas.openxmlformats.org/drawingml/2006/main",
        "c": "http://schemas.openxmlformats.org/drawingml/2006/chart",
        "m": "http://schemas.openxmlformats.org/officeDocument/2006/math",
        "mc": "http://schemas.openxmlformats.org/markup-compatibility/2006",
        "v": "urn:schemas-microsoft-com:vml",
        "r": "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
    }.items()
)
STRICT = "http://purl.oclc.org/ooxml/wordprocessingml/main"
_WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml."
_TYPES = {
    "word/document.xml": _WORD + "document.main+xml",
    "word/header1.xml": _WORD + "header+xml",
    "word/footer1.xml": _WORD + "footer+xml",
    "word/footnotes.xml": _WORD + "footnotes+xml",
    "word/endnotes.xml": _WORD + "endnotes+xml",
    "word/comments.xml": _WORD + "comments+xml",
    "word/numbering.xml": _WORD + "numbering+xml",
    "word/glossary/document.xml": _WORD + "document.glossary+xml",
    "word/charts/chart1.xml": "application/vnd.openxmlformats-officedocument.drawingml.chart+xml",
    "docProps/core.xml": "application/vnd.openxmlformats-package.core-properties+xml",
}
_RELATIONS = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Id="rId1" Target="word/document.xml" Type="http://schemas.openxmlformats.org/'
    'officeDocument/2006/relationships/officeDocument"/></Relationships>'
)

BOLD = "<w:b/>"
NOTE = '<w:r><w:footnoteReference w:id="2"/></w:r>'
TAB = "<w:r><w:tab/></w:r>"
BREAK = "<w:r><w:br/></w:r>"


def run(text, properties=""):
    """One ``w:r`` with ``text``."""
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def paragraph(*runs):
    """One ``w:p``; plain strings become runs."""
    return "<w:p>" + "".join(r if r.startswith("<") else run(r) for r in runs) + "</w:p>"


def document(*paragraphs):
    """The main part."""
    body = "".join(p if p.startswith("<") else paragraph(p) for p in paragraphs)
    return f"<w:document {NAMESPACES}><w:body>{body}</w:body></w:document>"


def word_file(path: Path, main: str, extra: dict[str, str | bytes] | None = None) -> Path:
    """A Word file at ``path`` with the main part ``main`` and the ``extra`` members."""
    members = {"word/document.xml": main, **(extra or {})}
    overrides = "".join(
        f'<Override PartName="/{name}" ContentType="{_TYPES[name]}"/>'
        for name in members
        if name in _TYPES
    )
    types = (
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="xml" ContentType="application/xml"/>'
        '<Default Extension="rels" ContentType='
        f'"application/vnd.openxmlformats-package.relationships+xml"/>{overrides}</Types>'
    )
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", types)
        archive.writestr("_rels/.rels", _RELATIONS)
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def member(path: Path, name: str) -> str:
    """The XML of one member."""
    with zipfile.ZipFile(path) as archive:
        return archive.read(name).decode()


def field(instruction: str, result: str) -> str:
    """The runs of a field with its result."""

    def mark(kind):
        return f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>'

    instruction = f"<w:r><w:instrText>{instruction}</w:instrText></w:r>"
    return mark("begin") + instruction + mark("separate") + run(result) + mark("end")


def body(path: Path) -> str:
    """The main part, less what says nothing: empty texts, empty properties, xml:space."""
    xml = re.sub(r"^.*<w:body>|</w:body>.*$", "", member(path, "word/document.xml"), flags=re.S)
    xml = re.sub(r' xml:space="preserve"|<w:rPr/>|<w:rPr></w:rPr>', "", xml)
    return re.sub(r"<w:r>(<w:rPr>(?:(?!</w:rPr>).)*</w:rPr>)?(<w:t/>|<w:t></w:t>)</w:r>", "", xml)


def one(tmp_path: Path, *runs: str) -> Path:
    """A Word file of one paragraph."""
    return word_file(tmp_path / "source.docx", document(paragraph(*runs)))
