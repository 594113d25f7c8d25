"""Makes small OpenDocument files from the XML of their parts, and looks into written ones."""

import re
import zipfile
from pathlib import Path

from prism_core.formats import read_document, write_document
from tests.formats.aligned import wrap

_OASIS = "urn:oasis:names:tc:opendocument:xmlns:"
NAMESPACES = " ".join(
    f'xmlns:{prefix}="{uri}"'
    for prefix, uri in {
        "office": _OASIS + "office:1.0",
        "text": _OASIS + "text:1.0",
        "table": _OASIS + "table:1.0",
        "draw": _OASIS + "drawing:1.0",
        "style": _OASIS + "style:1.0",
        "meta": _OASIS + "meta:1.0",
        "chart": _OASIS + "chart:1.0",
        "svg": _OASIS + "svg-compatible:1.0",
        "fo": _OASIS + "xsl-fo-compatible:1.0",
        "dc": "http://purl.org/dc/elements/1.1/",
        "xlink": "http://www.w3.org/1999/xlink",
        "loext": "urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0",
        "officeooo": "http://openoffice.org/2009/office",
    }.items()
)
MIMETYPE = "application/vnd.oasis.opendocument.text"
MANIFEST = (
    '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">'
    f'<manifest:file-entry manifest:full-path="/" manifest:media-type="{MIMETYPE}"/>'
    '<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml">{}'
    "</manifest:file-entry></manifest:manifest>"
)

NOTE = (
    '<text:note text:note-class="{kind}"><text:note-citation>1</text:note-citation>'
    "<text:note-body><text:p>{text}</text:p></text:note-body></text:note>"
)


def paragraph(*inner):
    """One ``text:p``."""
    return f"<text:p>{''.join(inner)}</text:p>"


def span(text, style):
    """One ``text:span``."""
    return f'<text:span text:style-name="{style}">{text}</text:span>'


def text_style(name, properties):
    """An automatic text style."""
    return (
        f'<style:style style:name="{name}" style:family="text">'
        f"<style:text-properties {properties}/></style:style>"
    )


STYLES = (
    text_style("B", 'fo:font-weight="bold"')
    + text_style("I", 'fo:font-style="italic"')
    + text_style("T1", 'officeooo:rsid="0012ab"')
    + text_style("T2", 'fo:language="en" fo:country="GB" style:font-size-asian="8pt"')
    + text_style("H", 'text:display="none"')
)


def document(*paragraphs, styles=STYLES):
    """The content part; plain strings become paragraphs."""
    body = "".join(p if p.startswith("<") else paragraph(p) for p in paragraphs)
    return (
        f"<office:document-content {NAMESPACES}>"
        f"<office:automatic-styles>{styles}</office:automatic-styles>"
        f"<office:body><office:text>{body}</office:text></office:body></office:document-content>"
    )


def flat(*paragraphs, meta=""):
    """A document in one XML file."""
    body = "".join(p if p.startswith("<") else paragraph(p) for p in paragraphs)
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<office:document {NAMESPACES} office:mimetype="{MIMETYPE}">'
        f"<office:meta>{meta}</office:meta>"
        f"<office:automatic-styles>{STYLES}</office:automatic-styles>"
        f"<office:body><office:text>{body}</office:text></office:body></office:document>"
    )


def text_file(
    path: Path, content: str, extra: dict[str, str | bytes] | None = None, sealing: str = ""
) -> Path:
    """An OpenDocument text at ``path`` with the content part ``content`` and ``extra`` members."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", MIMETYPE, zipfile.ZIP_STORED)
        archive.writestr("META-INF/manifest.xml", MANIFEST.replace("{}", sealing))
        archive.writestr("content.xml", content)
        for name, member in (extra or {}).items():
            archive.writestr(name, member)
    return path


def member(path: Path, name: str) -> str:
    """The XML of one member."""
    with zipfile.ZipFile(path) as archive:
        return archive.read(name).decode()


def written(path, **translations):
    """Write with ``translations`` by the first word of each text; the body, and the notices."""
    source = read_document(path)
    target = path.with_name("target.odt")
    given = [translations.get(re.split(r"\W", s.text)[0], s.text) for s in source.segments]
    notices = write_document(source, wrap(given), target)
    content = target.read_text() if source.path.suffix == ".fodt" else member(target, "content.xml")
    return content, notices


def body(content):
    """The paragraphs of a content part."""
    return re.search("<office:text>(.*)</office:text>", content, re.DOTALL)[1]
