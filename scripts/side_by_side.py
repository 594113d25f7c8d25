"""Translate the samples encoded, and show them beside the translation in clear: what PRISM costs.

    python -m scripts.side_by_side demo-output

The same model translates both times: in clear from this process (``demo-output/here``), and as a
provider on loopback that sees encodings alone (``demo-output/encoded``). The page
``demo-output/index.html`` has each sentence four times: as it is, translated in clear, as the
provider saw it, and restored. It holds the text of the samples, which are invented.

Entry: ``main`` -> ``translate_encoded``, ``read_sentences`` of both, ``write_page``.
"""

from __future__ import annotations

import sys
import threading
from html import escape
from pathlib import Path
from typing import NamedTuple

from prism_core.jobs import last_job, translate
from prism_core.settings import Job, Settings, TranslatorSettings
from prism_core.stages import Run
from scripts.loopback_provider import LoopbackProvider

_SHOWN = 3
_PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>PRISM: in clear here, and encoded</title>
<style>
body {{ font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 90rem }}
body {{ padding: 0 1rem }}
table {{ border-collapse: collapse; table-layout: fixed; width: 100% }}
th, td {{ border-bottom: 1px solid #ccc; padding: .4rem .6rem }}
th, td {{ text-align: left; vertical-align: top }}
th {{ background: #eee; position: sticky; top: 0 }}
.same {{ color: #777 }}
</style>
<h1>The samples, in clear on this machine and through PRISM</h1>
<p>{summary}</p>
<table><thead><tr><th>original<th>in clear, on this machine: nothing leaves
<th>what a provider sees<th>its answer, restored</tr></thead><tbody>
{rows}
</tbody></table></html>
"""


class ShownSentence(NamedTuple):
    """A sentence of a document: its ``source``, its ``translation``, and what was ``sent``."""

    source: str
    translation: str
    sent: str


def translate_encoded(samples: Path, output: Path) -> None:
    """Translate ``samples`` into ``output`` by a provider on loopback that sees encodings."""
    with LoopbackProvider("en", "pt") as provider:
        threading.Thread(target=provider.serve_forever, daemon=True).start()
        translator = TranslatorSettings.choose(
            name="libretranslate",
            base_url=f"http://127.0.0.1:{provider.server_port}",
            sees="encoded",
            accept_losses=True,  # the dictionary knows the model, and not that it is the provider
        )
        settings = Settings(  # on_withheld: else the model here would write the better ones itself
            target="pt", translator=translator, send="always", on_withheld="leave"
        )
        translate(Job(input=samples, output=output, settings=settings))
        provider.shutdown()


def read_sentences(output: Path) -> dict[str, ShownSentence]:
    """Return the sentences that the run into ``output`` has kept, by their sources."""
    job = last_job(Job(input=output, output=output))
    found: dict[str, ShownSentence] = {}
    with Run.view(job) as run:
        for document in run.store.documents.not_of_run(job.run_id):
            stored = run.store.sentences.of_document(document.id)
            for row_id, (source, translation) in run.store.sentences.texts(document.id).items():
                encoded = stored[row_id].encoded
                sent = encoded.text if encoded is not None else ""
                text = source if translation is None else translation.text
                found[source.strip()] = ShownSentence(source.strip(), text.strip(), sent.strip())
    return found


def write_page(page: Path, pairs: list[tuple[ShownSentence, ShownSentence]], summary: str) -> None:
    """Write the ``page``: for each of ``pairs`` the sentence in clear, and as it was sent."""
    rows = (
        "<tr>"
        + "".join(f"<td>{escape(text)}" for text in (here.source, here.translation, sent.sent))
        + f"<td{' class=same' * (here.translation == sent.translation)}>{escape(sent.translation)}"
        for here, sent in pairs
    )
    page.write_text(_PAGE.format(summary=escape(summary), rows="\n".join(rows)), encoding="utf-8")


def main() -> None:
    """Translate, write the page, and print a few of its sentences."""
    output = Path(sys.argv[1])
    translate_encoded(Path("data/samples"), output / "encoded")
    here, sent = read_sentences(output / "here"), read_sentences(output / "encoded")
    pairs = [(here[source], sent[source]) for source in here if source in sent]
    pairs = sorted((pair for pair in pairs if pair[1].sent), key=lambda pair: -len(pair[0].source))
    same = sum(first.translation == second.translation for first, second in pairs)
    summary = (
        f"{len(pairs)} sentences were sent encoded, and the same model translated them. "
        f"{same} came back as it translates them in clear."
    )
    write_page(output / "index.html", pairs, summary)
    lines = [f"==> {summary} Three of them:"]
    for first, second in pairs[len(pairs) // 3 :][:_SHOWN]:
        lines += [
            f"    original      {first.source}",
            f"    in clear      {first.translation}",
            f"    provider saw  {second.sent}",
            f"    restored      {second.translation}",
            "",
        ]
    lines.append(f"==> All of them, side by side: {output / 'index.html'}")
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
