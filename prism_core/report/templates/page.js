(() => {
  "use strict";
  const data = JSON.parse(document.getElementById("data").textContent);
  const at = Object.fromEntries(data.columns.map((name, index) => [name, index]));
  const table = document.getElementById("documents");
  const body = table.tBodies[0];
  const detail = document.getElementById("detail");
  const PAGE = 200;
  const css = { "translated": "good", "partly-translated": "fair", "unchanged": "same", "failed": "bad" };
  let rows = data.rows, page = 0, sorted = "", down = false;

  const number = value => value === null ? "–" : value.toLocaleString("en-US", { maximumFractionDigits: 1 });
  const share = (part, whole) => {
    if (!whole) return "–";
    const value = part / whole;
    if (value > 0 && value < 0.001) return "< 0.1 %";
    if (value > 0.999 && value < 1) return "> 99.9 %";
    return (value * 100).toFixed(1).replace(/\.0$/, "") + " %";
  };
  const epsilon = value => value === null ? "not evaluated" : value < 0 ? "∞ (no bound claimed)" : value.toFixed(3);
  const get = (row, name) => row[at[name]];
  const sent = row => get(row, "tokens") - get(row, "tokens_withheld");
  const keys = {
    document: row => get(row, "id"), format: row => get(row, "format"), outcome: row => get(row, "outcome"),
    reason: row => get(row, "failure"), sentences: row => get(row, "sentences"), withheld: row => get(row, "sentences_withheld"),
    tokens: row => get(row, "tokens"), clear: row => sent(row) ? get(row, "tokens_kept") / sent(row) : -1,
    restored: row => get(row, "words_to_restore") ? get(row, "words_restored") / get(row, "words_to_restore") : 2,
  };
  const element = (name, text, classes) => {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (classes) made.className = classes;
    return made;
  };
  const pill = outcome => {
    const made = element("span", undefined, "pill");
    made.append(element("i", undefined, css[outcome] || "same"), outcome);
    return made;
  };
  const line = row => {
    const made = element("tr"), link = element("a"), cells = [];
    link.href = "#d=" + get(row, "id");
    link.append(element("code", get(row, "id")));
    const first = element("th"); first.scope = "row"; first.append(link);
    const outcome = element("td"); outcome.append(pill(get(row, "outcome")));
    const why = element("td", undefined, "advice");
    if (get(row, "failure")) { why.append(element("b", get(row, "failure")), ". " + data.advice[get(row, "advice")]); }
    if (get(row, "notices").length) { why.append(" ", element("span", get(row, "notices").join(", "), "soft")); }
    for (const text of [number(get(row, "sentences")), number(get(row, "sentences_withheld")), number(get(row, "tokens")),
      share(get(row, "tokens_kept"), sent(row)), share(get(row, "words_restored"), get(row, "words_to_restore"))]) cells.push(element("td", text, "n"));
    made.append(first, element("td", get(row, "format") || "–"), outcome, why, ...cells);
    return made;
  };
  const draw = () => {
    const last = Math.max(Math.ceil(rows.length / PAGE) - 1, 0);
    page = Math.min(Math.max(page, 0), last);
    body.replaceChildren(...rows.slice(page * PAGE, (page + 1) * PAGE).map(line));
    document.getElementById("count").textContent = rows.length
      ? `${number(page * PAGE + 1)} to ${number(Math.min((page + 1) * PAGE, rows.length))} of ${number(rows.length)} documents` : "no document fits";
    document.getElementById("before").disabled = page === 0;
    document.getElementById("after").disabled = page === last;
  };
  const choose = () => {
    const text = document.getElementById("find").value.trim().toLowerCase();
    const outcome = document.getElementById("outcome").value;
    rows = data.rows.filter(row => (!outcome || get(row, "outcome") === outcome) &&
      (!text || [get(row, "id"), get(row, "failure"), get(row, "format"), get(row, "treatment") || "", ...get(row, "notices")].some(one => one.toLowerCase().includes(text))));
    if (sorted) {
      const key = keys[sorted], sign = down ? -1 : 1;
      rows = rows.slice().sort((one, other) => { const a = key(one), b = key(other); return a < b ? -sign : a > b ? sign : 0; });
    }
    page = 0;
    draw();
  };
  const fact = (name, text) => {
    const made = element("tr"), head = element("th", name); head.scope = "row";
    made.append(head, element("td", text));
    return made;
  };
  const facts = (caption, pairs) => {
    const made = element("table", undefined, "facts"), inner = element("tbody");
    made.append(element("caption", caption), inner);
    inner.append(...pairs.map(([name, text]) => fact(name, text)));
    return made;
  };
  const show = row => {
    const heading = element("h2", "Document " + get(row, "id")); heading.tabIndex = -1; heading.id = "detail-heading";
    const back = element("p", undefined, "noprint"), link = element("a", "Back to all documents"), print = element("button", "Print this document");
    link.href = "#documents-heading"; print.type = "button"; print.addEventListener("click", () => window.print());
    back.append(link, " ", print);
    const outcome = element("p"); outcome.append(pill(get(row, "outcome")));
    if (get(row, "failure")) outcome.append(" ", element("b", get(row, "failure")), ". " + data.advice[get(row, "advice")]);
    const parts = [back, heading, outcome,
      facts("What was sent in place of what", [
        ["Tokens sent", `${number(sent(row))} of ${number(get(row, "tokens"))}`],
        ["… as another word of the same kind", number(get(row, "tokens_replaced"))],
        ["… as surrogates of identifiers", number(get(row, "tokens_identifier"))],
        ["… as other words, being unknown to the dictionary", number(get(row, "tokens_unknown"))],
        ["… in clear, as the document has them", `${number(get(row, "tokens_kept"))} (${share(get(row, "tokens_kept"), sent(row))})`],
        ["Tokens of sentences that were not sent", number(get(row, "tokens_withheld"))],
        ["Sentences withheld", `${number(get(row, "sentences_withheld"))} of ${number(get(row, "sentences"))}`],
        ["Sentences sent and left in the source language", number(get(row, "sentences_unrestored"))],
        ["Sentences from the translation memory", number(get(row, "sentences_from_memory"))],
        ["Smallest pool that a word was hidden in; median", `${number(get(row, "pool_smallest"))}; ${number(get(row, "pool_median"))}`],
        ["Differential privacy, ε of the document", epsilon(get(row, "epsilon_document"))],
        ["PPS, estimated before it was sent", get(row, "privacy_score") === null ? "not evaluated" : get(row, "privacy_score").toFixed(2)],
        ["Policy", get(row, "treatment") || "none of its own"],
      ]),
      facts("What came back", [
        ["Hidden words restored", `${number(get(row, "words_restored"))} of ${number(get(row, "words_to_restore"))} (${share(get(row, "words_restored"), get(row, "words_to_restore"))})`],
        ["… by a near form of the substitute", number(get(row, "words_fallback"))],
        ["Source words left in the translation", number(get(row, "words_untranslated"))],
        ["Format, size, segments", `${get(row, "format") || "–"}, ${number(get(row, "bytes"))} bytes, ${number(get(row, "segments"))}`],
        ["Notices", get(row, "notices").join(", ") || "none"],
      ])];
    const classes = data.identifiers[get(row, "id")] || [];
    if (classes.length) parts.push(facts("Identifiers: detected, sent as surrogates, found in what was sent",
      classes.map(([name, detected, replaced, remaining]) => [name, `${number(detected)}, ${number(replaced)}, ${number(remaining)}`])));
    detail.replaceChildren(...parts);
    detail.hidden = false;
    document.body.classList.add("one-document");
    heading.focus();
  };
  const follow = () => {
    const wanted = decodeURIComponent(location.hash).match(/^#d=(.+)$/);
    const row = wanted && data.rows.find(one => get(one, "id") === wanted[1]);
    if (row) { show(row); return; }
    detail.hidden = true;
    document.body.classList.remove("one-document");
  };
  for (const head of table.tHead.rows[0].cells) {
    const key = head.dataset.key, button = element("button", head.textContent);
    button.type = "button";
    button.addEventListener("click", () => {
      down = sorted === key && !down; sorted = key;
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      choose();
    });
    head.replaceChildren(button);
  }
  document.getElementById("find").addEventListener("input", choose);
  document.getElementById("outcome").addEventListener("change", choose);
  document.getElementById("before").addEventListener("click", () => { page -= 1; draw(); });
  document.getElementById("after").addEventListener("click", () => { page += 1; draw(); });
  document.getElementById("controls").hidden = false;
  document.getElementById("cut").hidden = true;
  window.addEventListener("hashchange", follow);
  draw();
  follow();
})();
