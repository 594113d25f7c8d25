(() => {
  "use strict";
  const data = JSON.parse(document.getElementById("data").textContent);
  data.rows = data.order.map(index => data.rows[index]);
  const at = Object.fromEntries(data.columns.map((name, index) => [name, index]));
  const table = document.getElementById("documents");
  const body = table.tBodies[0];
  const detail = document.getElementById("detail");
  const PAGE = 200;
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
  const words = code => data.notices[code] || code;
  const get = (row, name) => row[at[name]];
  const whole = (row, shown) => get(row, shown.of) - (shown.less ? get(row, shown.less) : 0);
  const own = (row, shown) => ({
    nats: epsilon, share: value => value === null ? "not evaluated" : value.toFixed(2),
    str: value => value || "none", tuple: value => value.map(words).join("; ") || "none",
  }[shown.kind] || number)(get(row, shown.name));
  const ratio = (row, shown) => share(get(row, shown.name), whole(row, shown));
  const said = (row, shown) => !shown.of ? own(row, shown)
    : `${own(row, shown)} of ${number(whole(row, shown))} (${ratio(row, shown)})`;
  const key = (row, name) => {
    const shown = data.shown.find(one => one.name === name && one.of);
    if (!shown) return get(row, name);
    return whole(row, shown) ? get(row, name) / whole(row, shown) : shown.back ? 2 : -1;
  };
  const listed = data.shown.filter(shown => shown.head);
  const element = (name, text, classes) => {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (classes) made.className = classes;
    return made;
  };
  const pill = outcome => {
    const made = element("span", undefined, "pill");
    made.append(element("i", undefined, data.looks[outcome]), outcome);
    return made;
  };
  const line = row => {
    const made = element("tr"), link = element("a");
    link.href = "#d=" + get(row, "document_id");
    link.append(element("code", get(row, "document_id")));
    const first = element("th"); first.scope = "row"; first.append(link);
    const outcome = element("td"); outcome.append(pill(get(row, "outcome")));
    const why = element("td", undefined, "advice");
    if (get(row, "failure")) { why.append(element("b", get(row, "failure").replaceAll("-", " ")), ". " + data.advice[get(row, "advice")]); }
    if (get(row, "notices").length) { why.append(" ", element("span", get(row, "notices").map(words).join("; "), "soft")); }
    const cells = listed.map(shown => element("td", shown.of ? ratio(row, shown) : own(row, shown), "n"));
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
      (!text || [get(row, "document_id"), get(row, "failure"), get(row, "format"), get(row, "treatment") || "", ...get(row, "notices"), ...get(row, "notices").map(words)].some(one => one.toLowerCase().includes(text))));
    if (sorted) {
      const sign = down ? -1 : 1;
      rows = rows.slice().sort((one, other) => { const a = key(one, sorted), b = key(other, sorted); return a < b ? -sign : a > b ? sign : 0; });
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
  const lines = (row, wanted) => data.shown.filter(wanted).map(shown => [shown.label, said(row, shown)]);
  const show = row => {
    const heading = element("h2", "Document " + get(row, "document_id")); heading.tabIndex = -1; heading.id = "detail-heading";
    const back = element("p", undefined, "noprint"), link = element("a", "Back to all documents"), print = element("button", "Print this document");
    link.href = "#documents-heading"; print.type = "button"; print.addEventListener("click", () => window.print());
    back.append(link, " ", print);
    const outcome = element("p"); outcome.append(pill(get(row, "outcome")));
    if (get(row, "failure")) outcome.append(" ", element("b", get(row, "failure").replaceAll("-", " ")), ". " + data.advice[get(row, "advice")]);
    const parts = [back, heading, outcome,
      facts("What was sent in place of what", lines(row, shown => !shown.back)),
      facts("What came back", lines(row, shown => shown.back))];
    const classes = data.identifiers[get(row, "document_id")] || [];
    if (classes.length) parts.push(facts("Identifiers: detected, sent as surrogates, found in what was sent",
      classes.map(([name, detected, replaced, remaining]) => [name.replaceAll("-", " "), `${number(detected)}, ${number(replaced)}, ${number(remaining)}`])));
    detail.replaceChildren(...parts);
    detail.hidden = false;
    document.body.classList.add("one-document");
    heading.focus();
  };
  const follow = () => {
    const wanted = decodeURIComponent(location.hash).match(/^#d=(.+)$/);
    const row = wanted && data.rows.find(one => get(one, "document_id") === wanted[1]);
    if (row) { show(row); return; }
    detail.hidden = true;
    document.body.classList.remove("one-document");
  };
  for (const head of table.tHead.rows[0].cells) {
    const name = head.dataset.key, button = element("button", head.textContent);
    button.type = "button";
    button.addEventListener("click", () => {
      down = sorted === name && !down; sorted = name;
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
